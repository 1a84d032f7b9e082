import { type DecimalText, decimalOf, divide, isZero, round } from '../money/decimal.ts';

/** Decimal places of a rate of 1. */
export const SPEED_DIGITS = 8;

/** Minimum days between two tapes: months are counted whole, and closer tapes give no monthly speed. */
export const LEAST_DAYS = 15;
/** Tapes further apart say nothing about single months. */
export const MAX_MONTHS = 12;
const DAYS_A_MONTH = 30.4375;

/** Whole months between two cut-off dates, at 30.4375 days a month; null if less than half a month, or over twelve. */
export function monthsApart(days: number): number | null {
  if (days < LEAST_DAYS) return null;
  const months = Math.max(1, Math.round(days / DAYS_A_MONTH));
  return months > MAX_MONTHS ? null : months;
}

/** A share of a period of `months` as the monthly rate that leads to it: 1 - (1 - share)^(1/months). */
export function monthlyRate(share: DecimalText, months: number): DecimalText {
  if (months === 1) return round(share, SPEED_DIGITS);
  return rounded(1 - Math.max(0, 1 - Number(share)) ** (1 / months));
}

/** A monthly rate as a yearly one: 1 - (1 - rate)^12. Single monthly mortality becomes CPR, the default rate CDR. */
export function yearlyRate(monthly: DecimalText): DecimalText {
  return rounded(1 - Math.max(0, 1 - Number(monthly)) ** 12);
}

/** part / whole; null if there is no whole. */
export function fractionOf(part: DecimalText, whole: DecimalText): DecimalText | null {
  return isZero(whole) || whole.startsWith('-') ? null : divide(part, whole, 12);
}

const rounded = (rate: number): DecimalText => round(decimalOf(rate), SPEED_DIGITS);
