import { formatCalendarDate } from '../dates/calendar-day.ts';
import type { FEE_TYPES } from '../facilities/terms.schema.ts';
import type { DayCount } from '../interest/day-count.ts';
import { type DecimalText, sum } from '../money/decimal.ts';
import {
  INVOICE_LINE_KINDS,
  type InvoiceLineKind,
  type InvoiceRule,
  UNKNOWN_LINE_LABELS,
  type UnknownLine,
} from './labels.ts';

/** Days on which neither the basis nor the rate changed. The first day counts, the last does not. */
export interface InvoicePiece {
  readonly from: string;
  readonly to: string;
  /** As the day count counts them; null for what is charged once. */
  readonly days: number | null;
  readonly basis: DecimalText;
  /** In percent. */
  readonly rate: DecimalText;
  /** With four digits more than the currency has: only the line is rounded to its minor unit. */
  readonly amount: DecimalText;
}

/** What an invoice asks for, with what a person needs to calculate it again. */
export interface InvoiceLine {
  readonly kind: InvoiceLineKind;
  readonly title: string;
  /** Null if it is unknown. */
  readonly amount: DecimalText | null;
  readonly rule: InvoiceRule;
  /** What the percentage of a fee is of. */
  readonly basis: (typeof FEE_TYPES)[number] | null;
  readonly dayCount: DayCount | null;
  readonly pieces: readonly InvoicePiece[];
  /** Of a fixed amount: the amount and how many times it is charged. */
  readonly times: { readonly count: number; readonly each: DecimalText } | null;
  /** Of interest: what had accrued at the end and at the beginning of the period. */
  readonly accrued: { readonly to: DecimalText; readonly from: DecimalText } | null;
  readonly unknown: { readonly why: UnknownLine; readonly of: string | null } | null;
}

/** What each kind of line asks for. Null if a line is unknown. */
export function totalsByKind(lines: readonly InvoiceLine[]): Record<InvoiceLineKind, DecimalText> | null {
  if (lines.some(({ amount }) => amount === null)) return null;
  const totalOfKind = (kind: InvoiceLineKind): DecimalText =>
    sum(lines.flatMap((line) => (line.kind === kind ? [line.amount ?? '0'] : [])));
  return Object.fromEntries(INVOICE_LINE_KINDS.map((kind) => [kind, totalOfKind(kind)])) as Record<
    InvoiceLineKind,
    DecimalText
  >;
}

/** Null if a line is unknown. */
export function invoiceTotal(lines: readonly InvoiceLine[]): DecimalText | null {
  const totals = totalsByKind(lines);
  return totals && sum(Object.values(totals));
}

/** "The base rate has no fixing on or before 1 Jul 2026". */
export const unknownText = ({ why, of }: NonNullable<InvoiceLine['unknown']>): string =>
  [UNKNOWN_LINE_LABELS[why], why === 'noFixing' && of ? formatCalendarDate(of) : of].filter(Boolean).join(' ');
