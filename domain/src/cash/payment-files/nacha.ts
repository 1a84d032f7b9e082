import { compare, sum, toScaled } from '../../money/decimal.ts';
import { latinText } from './latin-text.ts';
import type { PaymentInstruction, PaymentOrder, PaymentProblem } from './payment-order.ts';

/** Characters of a record, and records of a block. */
const RECORD = 94;
const BLOCK = 10;
const LONGEST_ACCOUNT = 17;
/** Digits of the company identification. */
export const COMPANY_ID = /^[A-Za-z0-9 ]{10}$/;
/** Ten digits of cents in an entry, twelve in a batch and the file. */
const MOST_ENTRY = '99999999.99';
const MOST_TOTAL = '9999999999.99';
/** A credit to a checking account. */
const CHECKING_CREDIT = '22';
const CREDITS_ONLY = '220';

/** Standard entry classes: credits to businesses, and to people. */
type EntryClass = 'CCD' | 'PPD';

const text = (value: string, width: number): string => latinText(value, width).toUpperCase().padEnd(width);
const digits = (value: string | number | bigint, width: number): string => String(value).padStart(width, '0');
const cents = (amount: string): bigint => toScaled(amount, 2);

/** The first eight digits of the routing number, added up; of the sum, the last ten digits. */
const entryHash = (payments: readonly PaymentInstruction[]): string =>
  digits(
    payments.reduce((total, { payee }) => total + BigInt(payee.routingNumber!.slice(0, 8)), 0n),
    10,
  ).slice(-10);

const totalOf = (payments: readonly PaymentInstruction[]): string =>
  digits(cents(sum(payments.map(({ amount }) => amount))), 12);

const dayOf = (date: string): string => date.slice(2, 10).replaceAll('-', '');

interface Batch {
  readonly entryClass: EntryClass;
  readonly payments: readonly PaymentInstruction[];
}

function batchRecords(
  order: PaymentOrder,
  { entryClass, payments }: Batch,
  number: number,
  traceFrom: number,
): string[] {
  const { payer } = order;
  const originator = payer.originator!.toUpperCase();
  const bank = payer.routingNumber!.slice(0, 8);
  const records = payments.flatMap(({ payee, amount, reference, purpose }, index) => {
    const trace = digits(traceFrom + index, 7);
    return [
      `6${CHECKING_CREDIT}${payee.routingNumber!}${text(payee.accountNumber!, LONGEST_ACCOUNT)}${digits(cents(amount), 10)}` +
        `${text(reference, 15)}${text(payee.name, 22)}  1${bank}${trace}`,
      `705${text(`${reference} ${purpose}`, 80)}${digits(1, 4)}${trace}`,
    ];
  });
  return [
    `5${CREDITS_ONLY}${text(payer.name, 16)}${' '.repeat(20)}${originator}${entryClass}${text('PAYMENT', 10)}` +
      `${dayOf(order.createdAt)}${dayOf(order.executeOn)}   1${bank}${digits(number, 7)}`,
    ...records,
    `8${CREDITS_ONLY}${digits(records.length, 6)}${entryHash(payments)}${digits(0, 12)}${totalOf(payments)}${originator}` +
      `${' '.repeat(19)}${' '.repeat(6)}${bank}${digits(number, 7)}`,
  ];
}

/** Businesses and people in a batch each. */
const batchesOf = ({ payments }: PaymentOrder): Batch[] =>
  [
    { entryClass: 'CCD' as const, payments: payments.filter(({ payee }) => !payee.isPrivate) },
    { entryClass: 'PPD' as const, payments: payments.filter(({ payee }) => payee.isPrivate) },
  ].filter((batch) => batch.payments.length > 0);

/**
 * A file of credits through the automated clearing house of the United States. Each payment has an addendum with its
 * whole reference. Its last block is filled with nines.
 */
export function writeNacha(order: PaymentOrder): string {
  const { payer, payments, createdAt } = order;
  const batches = batchesOf(order);
  let traceFrom = 1;
  const inBatches = batches.flatMap((batch, index) => {
    const records = batchRecords(order, batch, index + 1, traceFrom);
    traceFrom += batch.payments.length;
    return records;
  });
  const blocks = Math.ceil((inBatches.length + 2) / BLOCK);
  const records = [
    `101 ${payer.routingNumber!}${payer.originator!.toUpperCase()}${dayOf(createdAt)}${createdAt.slice(11, 16).replace(':', '')}A` +
      `${digits(RECORD, 3)}${BLOCK}1${text(payer.bankName, 23)}${text(payer.name, 23)}${' '.repeat(8)}`,
    ...inBatches,
    `9${digits(batches.length, 6)}${digits(blocks, 6)}${digits(payments.length * 2, 8)}${entryHash(payments)}${digits(0, 12)}` +
      `${totalOf(payments)}${' '.repeat(39)}`,
  ];
  while (records.length % BLOCK !== 0) records.push('9'.repeat(RECORD));
  return records.map((record) => `${record}\n`).join('');
}

/** What a bank would refuse in the order as a NACHA file. */
export function nachaProblems(order: PaymentOrder): PaymentProblem[] {
  const { payer, payments, currency } = order;
  const found: PaymentProblem[] = [];
  const ofPayer = (isWrong: boolean, wrong: string) => {
    if (isWrong) found.push({ index: null, text: wrong });
  };
  ofPayer(currency !== 'USD', `NACHA files pay US dollars, not ${currency}`);
  ofPayer(
    payer.routingNumber === null,
    `${payer.name}: the account has no routing number. Add it to the bank details of the entity`,
  );
  ofPayer(
    !COMPANY_ID.test(payer.originator ?? ''),
    `${payer.name}: enter the originator ID that the bank gave you, ten letters or digits`,
  );
  const total = sum(payments.map(({ amount }) => amount));
  ofPayer(compare(total, MOST_TOTAL) > 0, `The total is above ${MOST_TOTAL}, the most that one file can pay`);
  for (const [index, { payee, amount }] of payments.entries()) {
    const say = (isWrong: boolean, wrong: string) => {
      if (isWrong) found.push({ index, text: `${payee.name}: ${wrong}` });
    };
    say(payee.routingNumber === null, 'the account has no routing number');
    say(
      !/^[A-Za-z0-9-]+$/.test(payee.accountNumber ?? ''),
      'the account number must have letters, digits and hyphens only',
    );
    say(
      (payee.accountNumber ?? '').length > LONGEST_ACCOUNT,
      `the account number has more than ${LONGEST_ACCOUNT} characters`,
    );
    say(compare(amount, MOST_ENTRY) > 0, `the amount is above ${MOST_ENTRY}, the most that one entry can pay`);
  }
  return found;
}
