import type { CalendarDate } from '../dates/calendar-date.ts';
import { plainDate } from '../dates/written-date.ts';
import { valuesOf } from '../documents/labels.ts';
import { formOf, isNothing, plainNumber } from '../importer/written-cells.ts';
import { add, type DecimalText } from '../money/decimal.ts';
import { isCurrencyCode } from '../money/minor-units.ts';
import { type DocumentSheet, isTapeAmount } from '../tapes/document-limits.ts';

/** What a column of a payment file can hold. */
export const PAYMENT_COLUMN_LABELS = {
  assetId: 'Asset id',
  principal: 'Principal',
  advance: 'Advance',
  writtenOff: 'Written off',
  date: 'Date',
  currency: 'Currency',
} as const;
export type PaymentColumn = keyof typeof PAYMENT_COLUMN_LABELS;
export const PAYMENT_COLUMNS = valuesOf(PAYMENT_COLUMN_LABELS);
const AMOUNTS = ['principal', 'advance', 'writtenOff'] as const;

/** A difference that counts as proved. */
export const PROVED_WITHIN: DecimalText = '0.01';

/** The header of the file for each column; null if the file has none. */
export type PaymentMapping = Readonly<Record<PaymentColumn, string | null>>;

const HEADERS: Readonly<Record<PaymentColumn, RegExp>> = {
  assetId: /^(asset|loan|account|contract|agreement|receivable|invoice)[ _-]*(id|no\.?|number|ref\w*|code)?$|^id$/i,
  principal: /\b(principal|capital)\b(?!.*\b(balance|outstanding)\b)/i,
  advance: /\b(advances?|draws?|drawn|disburse\w*|further lending)\b/i,
  writtenOff: /\b(written|write|charged?)[ _-]*offs?\b/i,
  date: /\b(date|paid on|received on|booked)\b/i,
  currency: /\b(currency|ccy)\b/i,
};

/** The column that each header seems to hold. A header is taken once. */
export function proposedColumns(headers: readonly string[]): PaymentMapping {
  const free = new Set(headers);
  const find = (column: PaymentColumn): string | null => {
    const found = [...free].find((header) => HEADERS[column].test(header.trim())) ?? null;
    if (found !== null) free.delete(found);
    return found;
  };
  return Object.fromEntries(PAYMENT_COLUMNS.map((column) => [column, find(column)])) as PaymentMapping;
}

/** The payments of one loan in one currency. Null: the file does not say which, so it is that of the loan. */
export interface LoanPayments {
  /** Null: the rows have no id. */
  readonly assetId: string | null;
  readonly currency: string | null;
  readonly principal: DecimalText;
  readonly advance: DecimalText;
  readonly writtenOff: DecimalText;
}

/** A cell that is no amount, date or currency; its row is left out. */
export interface UnreadPayment {
  readonly row: number;
  readonly column: PaymentColumn;
  readonly cell: string;
}

export interface ReadPayments {
  readonly loans: readonly LoanPayments[];
  /** Rows that were read: those of the period. */
  readonly rows: number;
  /** Rows of another period, which are left out. */
  readonly otherPeriod: number;
  readonly unread: readonly UnreadPayment[];
}

/**
 * Adds up the payments of a file by loan. A blank amount is none. Payments after `period.after` up to `period.upTo` are
 * read if the file has dates, all of them otherwise.
 */
export function readPayments(
  sheet: DocumentSheet,
  mapping: PaymentMapping,
  period: { readonly after: CalendarDate; readonly upTo: CalendarDate },
): ReadPayments {
  const at = (column: PaymentColumn): number => {
    const header = mapping[column];
    return header === null ? -1 : sheet.headers.indexOf(header);
  };
  const indexes = new Map(PAYMENT_COLUMNS.map((column) => [column, at(column)]));
  const cellOf = (cells: readonly string[], column: PaymentColumn): string => {
    const cell = cells[indexes.get(column) ?? -1]?.trim() ?? '';
    return isNothing(cell) ? '' : cell;
  };
  const form = formOf({
    dates: sheet.rows.map(({ cells }) => cellOf(cells, 'date')),
    numbers: sheet.rows.flatMap(({ cells }) => AMOUNTS.map((column) => cellOf(cells, column))),
    isWorkbook: sheet.kind === 'xlsx',
  });
  const loans = new Map<string, LoanPayments>();
  const unread: UnreadPayment[] = [];
  let [rows, otherPeriod] = [0, 0];
  for (const { row, cells } of sheet.rows) {
    const read = readRow((column) => cellOf(cells, column), form);
    if ('problem' in read) {
      unread.push({ row, column: read.problem, cell: cellOf(cells, read.problem) });
      continue;
    }
    const { date, payments } = read;
    if (date !== null && (date <= period.after || date > period.upTo)) {
      otherPeriod += 1;
      continue;
    }
    rows += 1;
    const key = JSON.stringify([payments.assetId, payments.currency]);
    const known = loans.get(key);
    loans.set(key, known ? added(known, payments) : payments);
  }
  return { loans: [...loans.values()], rows, otherPeriod, unread };
}

const added = (one: LoanPayments, other: LoanPayments): LoanPayments => ({
  ...one,
  principal: add(one.principal, other.principal),
  advance: add(one.advance, other.advance),
  writtenOff: add(one.writtenOff, other.writtenOff),
});

function readRow(
  cell: (column: PaymentColumn) => string,
  form: ReturnType<typeof formOf>,
): { date: CalendarDate | null; payments: LoanPayments } | { problem: PaymentColumn } {
  const currency = cell('currency').toUpperCase();
  if (currency !== '' && !isCurrencyCode(currency)) return { problem: 'currency' };
  const written = cell('date');
  const date = written === '' ? null : plainDate(written, form.dayFirst);
  if (written !== '' && date === null) return { problem: 'date' };
  const amounts = new Map<string, DecimalText>();
  for (const column of AMOUNTS) {
    const text = cell(column);
    const amount = text === '' ? '0' : plainNumber(text, form.decimal, currency);
    if (amount === null || !isTapeAmount(amount)) return { problem: column };
    amounts.set(column, amount);
  }
  const [principal = '0', advance = '0', writtenOff = '0'] = AMOUNTS.map((column) => amounts.get(column));
  const payments = { assetId: cell('assetId') || null, currency: currency || null, principal, advance, writtenOff };
  return { date, payments };
}

/** What the payments of a file prove of the balances in one currency: opening, payments and unexplained are closing. */
export interface CurrencyProof {
  readonly currency: string;
  /** Loans of the earlier tape that can be proved: listed once, with balances in one currency. */
  readonly loans: number;
  readonly opening: DecimalText;
  readonly advance: DecimalText;
  readonly principal: DecimalText;
  readonly writtenOff: DecimalText;
  readonly unexplained: DecimalText;
  readonly closing: DecimalText;
  /** Loans whose difference is at most `PROVED_WITHIN`, and their opening balance. */
  readonly proved: number;
  readonly provedBalance: DecimalText;
  /** The differences of the other loans, without their signs. */
  readonly differences: DecimalText;
  /** Loans of the earlier tape that cannot be proved, and new ones, with their balances on their tape. */
  readonly notProvable: { readonly count: number; readonly balance: DecimalText };
  readonly added: { readonly count: number; readonly balance: DecimalText };
}

/** Payments of loans that are not among those that can be proved. */
export interface UnmatchedPayments {
  /** Null: the file does not name it. */
  readonly currency: string | null;
  readonly loans: number;
  readonly principal: DecimalText;
  readonly advance: DecimalText;
  readonly writtenOff: DecimalText;
}

export interface PaymentProof {
  readonly currencies: readonly CurrencyProof[];
  readonly unmatched: readonly UnmatchedPayments[];
}
