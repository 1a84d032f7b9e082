import { compare, type DecimalText, isZero } from '../money/decimal.ts';
import { splitByLargestRemainder } from '../money/shares.ts';

/** An investor of a split, with the exact commitment that decides its share. */
export interface SplitInvestor {
  readonly id: string;
  /** The investor's sequential code, which decides ties. */
  readonly code: number;
  readonly weight: DecimalText;
}

/**
 * Splits each line of a document over the investors in proportion to their commitments. Each line adds up over the
 * investors: every share is rounded down to the minor unit, and the units left go to the largest remainders; ties go to
 * the larger commitment, then to the lower code.
 * @param lines amounts with at most `digits` decimals
 * @returns for each investor, by id, its part of each line; investors without a commitment are left out
 * @throws RangeError if nobody has a commitment
 */
export function splitLines(
  lines: readonly DecimalText[],
  investors: readonly SplitInvestor[],
  digits: number,
): Map<string, DecimalText[]> {
  const order = investors
    .filter(({ weight }) => !isZero(weight))
    .sort((a, b) => compare(b.weight, a.weight) || a.code - b.code);
  const weights = order.map(({ weight }) => weight);
  const split = lines.map((line) => splitByLargestRemainder(line, weights, digits));
  return new Map(order.map(({ id }, place) => [id, split.map((parts) => parts[place] as DecimalText)]));
}
