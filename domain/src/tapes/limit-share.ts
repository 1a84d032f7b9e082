import { ADVANCE_RATE_DIGITS } from '../facilities/contract.schema.ts';
import { add, compare, type DecimalText, divide, fromScaled, multiply } from '../money/decimal.ts';

/**
 * A share in per cent, to compare with the limit of a contract. Rounded up to the decimals of a limit, so that exactly the
 * shares that are above one are beyond it. Null without a whole.
 */
export function percentBeside(part: DecimalText, whole: DecimalText): DecimalText | null {
  if (compare(whole, '0') <= 0) return null;
  const hundredfold = multiply(part, '100');
  const percent = divide(hundredfold, whole, ADVANCE_RATE_DIGITS, 'down');
  return compare(multiply(percent, whole), hundredfold) < 0
    ? add(percent, fromScaled(1n, ADVANCE_RATE_DIGITS))
    : percent;
}
