import type { CalendarDate } from '../dates/calendar-date.ts';
import { add, type DecimalText, divide, isZero, multiply, sum } from '../money/decimal.ts';

/** What decides how much an investor has committed on a day. Sums are in the currency of the fund. */
export interface CommitmentTerms {
  readonly closingDate: CalendarDate;
  /** Committed from the closing date on. */
  readonly activeCommitment: DecimalText;
  /** Changes from their date on: later closings and transfers. */
  readonly deltas: readonly { readonly date: CalendarDate; readonly amount: DecimalText }[];
}

/** The commitment in force on a day: zero before the closing date. */
export function activeCommitmentAt(terms: CommitmentTerms, at: CalendarDate): DecimalText {
  if (at < terms.closingDate) return '0';
  return terms.deltas
    .filter(({ date }) => date <= at)
    .reduce((committed, { amount }) => add(committed, amount), terms.activeCommitment);
}

/** Decimal places of a holding percentage, which is for display: splits use the exact commitments. */
const PERCENTAGE_DIGITS = 8;

/** Each commitment as a percentage of all of them; null if nothing is committed. */
export function holdingPercentages(commitments: readonly DecimalText[]): (DecimalText | null)[] {
  const whole = sum(commitments);
  return commitments.map((part) => (isZero(whole) ? null : divide(multiply(part, '100'), whole, PERCENTAGE_DIGITS)));
}
