import { absolute, compare, type DecimalText, divide, multiply, subtract } from './decimal.ts';

/** Percent by which a rate may differ from the latest earlier one without a question. */
const MAX_JUMP = '30';

/** By how many percent a rate differs from the latest earlier one, to one decimal; null if it is plausible. */
export function rateJump(rate: DecimalText, before: DecimalText): DecimalText | null {
  const size = absolute(multiply(subtract(rate, before), '100'));
  // Compared before it is rounded.
  if (compare(size, multiply(before, MAX_JUMP)) <= 0) return null;
  return divide(size, before, 1);
}

/** Percentage points by which a fixing of a base rate may differ from the one before without a question. */
const MAX_FIXING_JUMP = '2';

/** By how many percentage points a base rate differs from the fixing before; null if it is plausible. */
export function fixingJump(rate: DecimalText, before: DecimalText): DecimalText | null {
  const size = absolute(subtract(rate, before));
  return compare(size, MAX_FIXING_JUMP) <= 0 ? null : size;
}
