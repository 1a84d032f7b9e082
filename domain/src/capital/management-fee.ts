import { type CalendarDate, daysBetween } from '../dates/calendar-date.ts';
import { type DecimalText, divide, multiply, round, sum } from '../money/decimal.ts';

/** What a management fee is charged on: its amount on each day of a period, constant within a stretch of days. */
export interface FeeStretch {
  readonly from: CalendarDate;
  /** The first day that is no longer part of it. */
  readonly to: CalendarDate;
  readonly days: number;
  readonly basis: DecimalText;
}

/** A management fee with the days and amounts that it is made of. */
export interface ManagementFee {
  readonly ratePercent: DecimalText;
  readonly stretches: readonly FeeStretch[];
  readonly amount: DecimalText;
}

const DAYS_PER_YEAR = '365';

/**
 * The days of a period in stretches of the same basis. The first day counts, the last does not.
 * @param changes days on which the basis can change
 * @param basisAt the basis on a day
 */
export function feeStretches(
  period: { from: CalendarDate; to: CalendarDate },
  changes: readonly CalendarDate[],
  basisAt: (day: CalendarDate) => DecimalText,
): FeeStretch[] {
  const starts = [...new Set([period.from, ...changes.filter((day) => day > period.from && day < period.to)])].sort();
  return starts
    .map((from, index) => ({ from, to: starts[index + 1] ?? period.to }))
    .map(({ from, to }) => ({ from, to, days: daysBetween(from, to), basis: basisAt(from) }));
}

/** The fee: basis x rate / 365 for each day, rounded once at the end. */
export function managementFee(
  stretches: readonly FeeStretch[],
  ratePercent: DecimalText,
  digits: number,
): ManagementFee {
  const dailyBasis = sum(stretches.map(({ basis, days }) => multiply(basis, String(days))));
  const exact = divide(multiply(dailyBasis, ratePercent), multiply('100', DAYS_PER_YEAR), digits + 20, 'down');
  return { ratePercent, stretches, amount: round(exact, digits) };
}

/** A fee on the interest of the period, without time. */
export const interestFee = (interest: DecimalText, ratePercent: DecimalText, digits: number): DecimalText =>
  divide(multiply(interest, ratePercent), '100', digits);
