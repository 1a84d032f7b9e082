import { type DecimalText, divide, isZero, multiply } from '@tapeline/domain/money/decimal.ts';

const DIGITS = 4;

/** A part in percent of the whole; null if the whole is zero. */
export const percentOf = (part: DecimalText, whole: DecimalText): DecimalText | null =>
  isZero(whole) ? null : divide(multiply(part, '100'), whole, DIGITS);
