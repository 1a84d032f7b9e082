import {
  addFractions,
  decimalToFraction,
  type Fraction,
  fraction,
  fractionToDecimal,
  multiplyFractions,
} from '../borrowing-base/exact.ts';
import { addDays, type CalendarDate } from '../dates/calendar-date.ts';
import { countPeriod, type DayCount } from '../interest/day-count.ts';
import { compare, type DecimalText, isNegative, subtract, sum } from '../money/decimal.ts';

/** By what terms default interest is calculated: those of the due date. */
export interface DefaultInterestTerms {
  readonly ratePercent: DecimalText;
  /** Days after the due date that bear no interest. */
  readonly graceDays: number;
  readonly dayCount: DayCount;
}

/** An amount that was due, and what reduced it: payments on their value dates, and what was closed without a payment. */
export interface LateAmount {
  readonly amount: DecimalText;
  readonly dueDate: CalendarDate;
  readonly reduced: readonly { readonly on: CalendarDate; readonly amount: DecimalText }[];
}

/** Days on which the same was open. The first day counts, the last does not. */
export interface InterestPiece {
  readonly from: CalendarDate;
  readonly to: CalendarDate;
  readonly open: DecimalText;
  /** As the day count counts them. */
  readonly days: number;
  /** To more digits than the currency has: only the total is rounded to these. */
  readonly amount: DecimalText;
}

export interface DefaultInterest {
  readonly pieces: readonly InterestPiece[];
  readonly total: DecimalText;
}

/** Default interest that a call asks for: on which overdue call of the same investor, and up to which day. */
export interface ChargedInterest {
  /** The contribution that was overdue. */
  readonly document: string;
  readonly callNumber: string;
  readonly until: CalendarDate;
  readonly amount: DecimalText;
}

/** Digits of a piece beyond those of the currency. */
const MORE_DIGITS = 4;
const NOTHING: Fraction = fraction(0n);

/**
 * Default interest on what was open after the due date and the days of grace, up to a day. It is simple interest. The exact
 * amounts of the pieces are added, and the total is rounded once, half to even.
 * @param digits of the currency
 */
export function defaultInterest(
  { amount, dueDate, reduced }: LateAmount,
  { ratePercent, graceDays, dayCount }: DefaultInterestTerms,
  { until, digits }: { until: CalendarDate; digits: number },
): DefaultInterest {
  const start = addDays(dueDate, graceDays);
  if (until <= start) return { pieces: [], total: fractionToDecimal(NOTHING, digits) };
  const days = reduced.map(({ on }) => on).filter((on) => on > start && on < until);
  const bounds = [...new Set([start, ...days, until])].sort();
  const rate = multiplyFractions(decimalToFraction(ratePercent), fraction(1n, 100n));
  let total = NOTHING;
  const pieces = bounds.slice(1).flatMap((to, index): InterestPiece[] => {
    const from = bounds[index]!;
    const open = subtract(amount, sum(reduced.filter(({ on }) => on <= from).map((one) => one.amount)));
    if (isNegative(open) || compare(open, '0') === 0) return [];
    const counted = countPeriod(dayCount, from, to);
    const exact = multiplyFractions(multiplyFractions(decimalToFraction(open), rate), counted.fraction);
    total = addFractions(total, exact);
    return [{ from, to, open, days: counted.days, amount: fractionToDecimal(exact, digits + MORE_DIGITS) }];
  });
  return { pieces, total: fractionToDecimal(total, digits) };
}
