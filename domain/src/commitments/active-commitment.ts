import type { CalendarDate } from '../dates/calendar-date.ts';
import { reason, type Why } from '../errors/reason.ts';
import { add, compare, type DecimalText, divide, isNegative, isZero, multiply, sum } from '../money/decimal.ts';

/** What decides how much an investor has committed on a day. Sums are in the currency of the fund. */
export interface CommitmentTerms {
  readonly closingDate: CalendarDate;
  /** Committed from the closing date on. */
  readonly activeCommitment: DecimalText;
  /** Changes from their date on: later closings and transfers. */
  readonly deltas: readonly {
    readonly date: CalendarDate;
    readonly amount: DecimalText;
    readonly title?: string | null | undefined;
    /** The transfer that it is part of. */
    readonly transfer?: string | null | undefined;
  }[];
}

/** The commitment in force on a day: zero before the closing date. */
export function activeCommitmentAt(terms: CommitmentTerms, at: CalendarDate): DecimalText {
  if (at < terms.closingDate) return '0';
  return terms.deltas
    .filter(({ date }) => date <= at)
    .reduce((committed, { amount }) => add(committed, amount), terms.activeCommitment);
}

/**
 * What is wrong with the changes of a commitment, by their position: each is on or after the closing date, and leaves
 * the commitment between zero and its maximum.
 */
export function deltaProblems(terms: CommitmentTerms, maxCommitment: DecimalText): Map<number, Why> {
  const problems = new Map<number, Why>();
  for (const [index, { date }] of terms.deltas.entries()) {
    const committed = activeCommitmentAt(terms, date);
    if (date < terms.closingDate) problems.set(index, reason('beforeClosing'));
    else if (isNegative(committed)) problems.set(index, `leaves a commitment of ${committed}, below zero`);
    else if (compare(committed, maxCommitment) > 0) {
      problems.set(index, `leaves a commitment of ${committed}, above the maximum of ${maxCommitment}`);
    }
  }
  return problems;
}

/** Decimal places of a holding percentage, which is for display: splits use the exact commitments. */
const PERCENTAGE_DIGITS = 8;

/** A commitment as a percentage of the whole; null if nothing is committed. */
export const holdingPercentage = (part: DecimalText, whole: DecimalText): DecimalText | null =>
  isZero(whole) ? null : divide(multiply(part, '100'), whole, PERCENTAGE_DIGITS);

/** Each commitment as a percentage of all of them; null if nothing is committed. */
export function holdingPercentages(commitments: readonly DecimalText[]): (DecimalText | null)[] {
  const whole = sum(commitments);
  return commitments.map((part) => holdingPercentage(part, whole));
}
