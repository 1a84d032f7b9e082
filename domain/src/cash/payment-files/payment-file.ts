import { isCalendarDate } from '../../dates/calendar-day.ts';
import { CSV_TYPE } from '../../files/file-types.ts';
import { compare, isDecimal, round, sum } from '../../money/decimal.ts';
import { isCurrencyCode, minorUnitDigits } from '../../money/minor-units.ts';
import { accountProblems } from './account-numbers.ts';
import { isWritable } from './latin-text.ts';
import { nachaProblems, writeNacha } from './nacha.ts';
import { painProblems, writePain001 } from './pain-001.ts';
import type { PAYMENT_FORMAT_LABELS, PaymentOrder, PaymentProblem } from './payment-order.ts';
import { writePaymentTable } from './payment-table.ts';

export type PaymentFormat = keyof typeof PAYMENT_FORMAT_LABELS;

interface Format {
  readonly extension: string;
  readonly type: string;
  readonly write: (order: PaymentOrder) => string;
  readonly problems: (order: PaymentOrder) => PaymentProblem[];
}

const FORMATS: Readonly<Record<PaymentFormat, Format>> = {
  'pain.001.001.03': {
    extension: 'xml',
    type: 'application/xml',
    write: (order) => writePain001('pain.001.001.03', order),
    problems: painProblems,
  },
  'pain.001.001.09': {
    extension: 'xml',
    type: 'application/xml',
    write: (order) => writePain001('pain.001.001.09', order),
    problems: painProblems,
  },
  NACHA: { extension: 'ach', type: 'text/plain', write: writeNacha, problems: nachaProblems },
  CSV: { extension: 'csv', type: CSV_TYPE, write: writePaymentTable, problems: () => [] },
};

/** What any bank would refuse, whatever the format. */
function commonProblems({ payer, payments, currency }: PaymentOrder): PaymentProblem[] {
  const found: PaymentProblem[] = [];
  if (payments.length === 0) found.push({ index: null, text: 'Choose at least one payment' });
  for (const text of accountProblems(payer)) found.push({ index: null, text: `${payer.name}: ${text}` });
  const digits = minorUnitDigits(currency);
  for (const [index, { payee, amount }] of payments.entries()) {
    const say = (text: string) => found.push({ index, text: `${payee.name}: ${text}` });
    if (!isWritable(payee.name)) say('banks take Latin letters only. Enter the account name in Latin letters');
    for (const text of accountProblems(payee)) say(text);
    if (compare(amount, '0') <= 0) say('the amount must be above 0');
    if (compare(round(amount, digits), amount) !== 0) {
      say(`${currency} has ${digits === 0 ? 'no' : digits} decimal places`);
    }
  }
  return found;
}

/** Why an order cannot be written in a format; empty if it can. */
export const paymentProblems = (format: PaymentFormat, order: PaymentOrder): PaymentProblem[] => [
  ...commonProblems(order),
  ...FORMATS[format].problems(order),
];

/** A file for a bank, with what it adds up to. */
export interface PaymentFile {
  readonly name: string;
  readonly type: string;
  /** The same order always gives the same text. Written as UTF-8. */
  readonly text: string;
  readonly count: number;
  readonly total: string;
}

/** What the system itself fills in, and no file escapes. */
function requireSound({ id, createdAt, executeOn, currency, payer, payments }: PaymentOrder): void {
  const countries = [payer, ...payments.map(({ payee }) => payee)].map(({ country }) => country);
  const isSound =
    /^[A-Za-z0-9-]{1,30}$/.test(id) &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(createdAt) &&
    isCalendarDate(executeOn) &&
    isCurrencyCode(currency) &&
    countries.every((country) => country === null || /^[A-Z]{2}$/.test(country)) &&
    payments.every(({ amount }) => isDecimal(amount));
  if (!isSound)
    throw new RangeError('a payment order has an id, a day, a currency, a country or an amount that is none');
}

/** Writes the file. @throws RangeError for an order with problems: ask `paymentProblems` first */
export function writePaymentFile(format: PaymentFormat, order: PaymentOrder): PaymentFile {
  requireSound(order);
  const [problem] = paymentProblems(format, order);
  if (problem) throw new RangeError(problem.text);
  const { extension, type, write } = FORMATS[format];
  const digits = minorUnitDigits(order.currency);
  const payments = order.payments.map((payment) => ({ ...payment, amount: round(payment.amount, digits) }));
  return {
    name: `${order.id}.${extension}`,
    type,
    text: write({ ...order, payments }),
    count: payments.length,
    total: sum(payments.map(({ amount }) => amount)),
  };
}
