import { formatCalendarDate } from '../dates/calendar-day.ts';
import type { FEE_TYPES } from '../facilities/terms.schema.ts';
import type { DayCount } from '../interest/day-count.ts';
import type { PricingTier } from '../interest/rates.ts';
import { add, type DecimalText, isZero, negate, subtract, sum } from '../money/decimal.ts';
import { formatAmount } from '../money/format-figure.ts';
import {
  CORRECTION_LABELS,
  type CorrectionReason,
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
  /** Where an amendment changed the day count: that of these days. Omitted if it is that of the line. */
  readonly dayCount?: DayCount;
  /** Of interest by a pricing grid: its tier. */
  readonly tier?: PricingTier;
  /** Of a grid by a covenant: the result that counted, null if there was none. */
  readonly tested?: DecimalText | null;
  /** Of interest while an event of default lasts: what the rate has of it. */
  readonly defaultMargin?: DecimalText;
  /** Of interest: the percentage points of the rate that are paid in kind. */
  readonly inKind?: DecimalText;
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
  /** Of interest: what had accrued at the end and at the beginning of the period. Of a correction: what accrues now, and what was invoiced. */
  readonly accrued: { readonly to: DecimalText; readonly from: DecimalText } | null;
  /** Of a fee on committed or undrawn amounts: the commitments that it was calculated with. */
  readonly committed?: DecimalText;
  /** Those by day, where an amendment changed them within the period. */
  readonly commitments?: readonly { readonly from: string; readonly sum: DecimalText }[];
  /** Of a fee: the sequence of the tranche whose terms it was calculated with; null if none was active. */
  readonly tranche?: number | null;
  /** Of a correction: the invoice whose interest or fee is another one now, and why. */
  readonly corrects?: {
    readonly invoice: string;
    readonly number: number;
    readonly from: string;
    readonly to: string;
    /** The title of the fee; omitted for interest. */
    readonly fee?: string;
    readonly why: readonly CorrectionReason[];
  };
  readonly unknown: { readonly why: UnknownLine; readonly of: string | null } | null;
}

/** Whether it is a correction of which nothing can be taken back yet: it asks for nothing. */
export const isLeftForLater = ({ corrects, amount }: InvoiceLine): boolean =>
  corrects !== undefined && amount !== null && isZero(amount);

/** The day count of a line; several where an amendment changed it: "ACT/360, then ACT/365F". */
export const dayCountText = ({ dayCount, pieces }: Pick<InvoiceLine, 'dayCount' | 'pieces'>): string | null =>
  dayCount && ([...new Set(pieces.map((piece) => piece.dayCount ?? dayCount))].join(', then ') || dayCount);

/** The interest that is added to the principal instead of being paid. */
export const paidInKind = (lines: readonly InvoiceLine[]): DecimalText =>
  sum(lines.flatMap(({ rule, amount }) => (rule === 'inKind' ? [negate(amount ?? '0')] : [])));

/** An issued invoice, as those after it see it. */
export interface IssuedInvoice {
  readonly id: string;
  readonly number: number;
  readonly currency: string;
  readonly from: string;
  readonly to: string;
  readonly lines: readonly InvoiceLine[];
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

/**
 * "Interest from 1 Jan 2026 to 1 Apr 2026 is 217,000.00 now, and 225,000.00 was invoiced: a draw or a repayment was recorded or
 * removed since"; null for a line that corrects nothing.
 */
export function correctionText({ corrects, accrued, amount }: InvoiceLine, currency: string): string | null {
  if (!corrects || !accrued) return null;
  const { from, to, why, fee = 'Interest' } = corrects;
  const written = (sum: DecimalText) => formatAmount({ sum, currency });
  const rest = add(subtract(accrued.from, accrued.to), amount ?? '0');
  return [
    `${fee} from ${formatCalendarDate(from)} to ${formatCalendarDate(to)} is ${written(accrued.to)} now, and ${written(accrued.from)} was invoiced: ${why.map((reason) => CORRECTION_LABELS[reason]).join(', ')}`,
    ...(isZero(rest) ? [] : [`${written(rest)} is left for the next invoice`]),
  ].join('. ');
}

/** "The base rate has no fixing on or before 1 Jul 2026". */
export const unknownText = ({ why, of }: NonNullable<InvoiceLine['unknown']>): string =>
  [UNKNOWN_LINE_LABELS[why], why === 'noFixing' && of ? formatCalendarDate(of) : of].filter(Boolean).join(' ');
