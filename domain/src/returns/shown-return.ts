import { addMonths, type CalendarDate } from '../dates/calendar-date.ts';
import { type DecimalText, decimalOf, round } from '../money/decimal.ts';
import type { RateOfReturn } from './irr.ts';

/** Screens and documents show no rate of return before this many months. */
const LEAST_MONTHS = 12;
const TOO_SHORT = `Less than ${LEAST_MONTHS} months since the first cash flow`;
const PERCENT_DIGITS = 2;

/** A rate of return in percent with two decimals, or why none is shown. */
export type ShownReturn =
  | { readonly percent: DecimalText; readonly reason: null }
  | { readonly percent: null; readonly reason: string };

/**
 * A rate of return as people see it: a rate over a short time says little once it is annualized.
 * @param first the day of the first cash flow, if there is any
 */
export function shownReturn(rate: RateOfReturn, first: CalendarDate | undefined, at: CalendarDate): ShownReturn {
  if (first !== undefined && at < addMonths(first, LEAST_MONTHS)) return { percent: null, reason: TOO_SHORT };
  if (rate.rate === null) return { percent: null, reason: rate.reason };
  return { percent: round(decimalOf(rate.rate * 100), PERCENT_DIGITS), reason: null };
}
