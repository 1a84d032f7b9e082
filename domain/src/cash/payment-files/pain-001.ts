import { isSEPACountry } from 'ibantools';
import { compare, sum } from '../../money/decimal.ts';
import { latinIdentifier, latinText } from './latin-text.ts';
import type { AccountHolder, PaymentInstruction, PaymentOrder, PaymentProblem } from './payment-order.ts';

export type PainVersion = 'pain.001.001.03' | 'pain.001.001.09';

/** What the two versions call the same things. */
const WORDS = {
  'pain.001.001.03': { bic: 'BIC', day: (date: string) => date },
  'pain.001.001.09': { bic: 'BICFI', day: (date: string) => element('Dt', date) },
} as const;

/** Characters of a name: the schemas take 140, the rules of SEPA 70. */
const LONGEST_NAME = 70;
const LONGEST_IDENTIFIER = 35;
const LONGEST_PURPOSE = 140;
/** Of a SEPA credit transfer. */
const MOST_SEPA = '999999999.99';
/** The schemas take 18 digits, of which five are decimals. */
const MOST = '9999999999999.99';

/** An element with its content: nothing if the content is empty. */
const element = (name: string, ...content: string[]): string => {
  const inner = content.join('');
  return inner === '' ? '' : `<${name}>${inner}</${name}>`;
};

/** Between two accounts with IBANs of countries of SEPA, in euros. */
const isSepa = (order: PaymentOrder, { payee }: PaymentInstruction): boolean =>
  order.currency === 'EUR' &&
  [order.payer.iban, payee.iban].every((iban) => iban !== null && isSEPACountry(iban.slice(0, 2)));

const accountOf = ({ iban, accountNumber }: AccountHolder): string =>
  element('Id', iban === null ? element('Othr', element('Id', accountNumber ?? '')) : element('IBAN', iban));

function bankOf(holder: AccountHolder, version: PainVersion): string {
  const { bic, routingNumber } = holder;
  const known =
    element(WORDS[version].bic, bic ?? '') +
    (bic === null && routingNumber !== null
      ? element('ClrSysMmbId', element('ClrSysId', element('Cd', 'USABA')), element('MmbId', routingNumber))
      : '');
  return element('FinInstnId', known || element('Othr', element('Id', 'NOTPROVIDED')));
}

const partyOf = ({ name, city, country }: AccountHolder): string =>
  element('Nm', latinText(name, LONGEST_NAME)) +
  (country === null
    ? ''
    : element('PstlAdr', element('TwnNm', latinText(city ?? '', LONGEST_IDENTIFIER)), element('Ctry', country)));

const transferOf = (version: PainVersion, currency: string, payment: PaymentInstruction): string =>
  element(
    'CdtTrfTxInf',
    element('PmtId', element('EndToEndId', latinIdentifier(payment.reference, LONGEST_IDENTIFIER))),
    element('Amt', `<InstdAmt Ccy="${currency}">${payment.amount}</InstdAmt>`),
    // The bank of a payee in SEPA follows from its IBAN.
    payment.payee.bic === null && payment.payee.routingNumber === null
      ? ''
      : element('CdtrAgt', bankOf(payment.payee, version)),
    element('Cdtr', partyOf(payment.payee)),
    element('CdtrAcct', accountOf(payment.payee)),
    element('RmtInf', element('Ustrd', latinText(`${payment.reference} ${payment.purpose}`, LONGEST_PURPOSE))),
  );

function batchOf(version: PainVersion, order: PaymentOrder, index: number, isInSepa: boolean): string {
  const payments = order.payments.filter((payment) => isSepa(order, payment) === isInSepa);
  if (payments.length === 0) return '';
  return element(
    'PmtInf',
    element('PmtInfId', `${order.id}-${index}`),
    element('PmtMtd', 'TRF'),
    element('NbOfTxs', String(payments.length)),
    element('CtrlSum', sum(payments.map(({ amount }) => amount))),
    isInSepa ? element('PmtTpInf', element('SvcLvl', element('Cd', 'SEPA'))) : '',
    element('ReqdExctnDt', WORDS[version].day(order.executeOn)),
    element('Dbtr', partyOf(order.payer)),
    element('DbtrAcct', accountOf(order.payer) + element('Ccy', order.currency)),
    element('DbtrAgt', bankOf(order.payer, version)),
    // Each side pays its own bank: the only choice in SEPA, and the usual one elsewhere.
    element('ChrgBr', isInSepa ? 'SLEV' : 'SHAR'),
    ...payments.map((payment) => transferOf(version, order.currency, payment)),
  );
}

/** A customer credit transfer initiation of ISO 20022. Transfers in SEPA and others are in batches of their own. */
export const writePain001 = (version: PainVersion, order: PaymentOrder): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${version}">${element(
    'CstmrCdtTrfInitn',
    element(
      'GrpHdr',
      element('MsgId', order.id),
      element('CreDtTm', `${order.createdAt.slice(0, 19)}Z`),
      element('NbOfTxs', String(order.payments.length)),
      element('CtrlSum', sum(order.payments.map(({ amount }) => amount))),
      element('InitgPty', element('Nm', latinText(order.payer.name, LONGEST_NAME))),
    ),
    batchOf(version, order, 1, true),
    batchOf(version, order, 2, false),
  )}</Document>\n`;

/** What a bank would refuse in the order as credit transfers. */
export function painProblems(order: PaymentOrder): PaymentProblem[] {
  const found: PaymentProblem[] = [];
  const references = new Map<string, string>();
  for (const [index, payment] of order.payments.entries()) {
    const { payee, amount } = payment;
    const inSepa = isSepa(order, payment);
    const problems: string[] = [];
    if (!inSepa && payee.bic === null && payee.routingNumber === null) {
      problems.push('a payment outside SEPA needs the SWIFT code (BIC) or the routing number of the bank');
    }
    const most = inSepa ? MOST_SEPA : MOST;
    if (compare(amount, most) > 0) problems.push(`the amount is above ${most}, the most that one transfer can pay`);
    const identifier = latinIdentifier(payment.reference, LONGEST_IDENTIFIER);
    const before = references.get(identifier);
    if (identifier === '') problems.push('the reference has no letters or digits that banks take');
    else if (before !== undefined) problems.push(`its reference, as banks take it, is also that of ${before}`);
    references.set(identifier, payee.name);
    found.push(...problems.map((text) => ({ index, text: `${payee.name}: ${text}` })));
  }
  return found;
}
