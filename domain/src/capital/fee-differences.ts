import { absolute, compare, type DecimalText, divide, multiply, subtract, sum } from '../money/decimal.ts';
import { type SplitInvestor, splitLines } from './split.ts';

/** An investor of a fund with its own fee. */
export interface InvestorFee extends SplitInvestor {
  readonly title: string;
  /** What its terms come to, in the currency of the fund. */
  readonly own: DecimalText;
}

/** An investor whose part of a call would not be its own fee. */
export interface FeeDifference {
  readonly title: string;
  readonly own: DecimalText;
  readonly part: DecimalText;
}

/**
 * The investors whom a call of the whole fee, split by commitment as every call is, would charge another fee than their
 * own: by more than one minor unit, which rounding explains.
 * @param digits decimals of the currency
 * @throws RangeError if nobody has a commitment
 */
export function feeDifferences(investors: readonly InvestorFee[], whole: DecimalText, digits: number): FeeDifference[] {
  const parts = splitLines([whole], investors, digits);
  const unit = digits === 0 ? '1' : `0.${'0'.repeat(digits - 1)}1`;
  return investors.flatMap(({ id, title, own }) => {
    const part = parts.get(id)?.[0] ?? '0';
    return compare(absolute(subtract(part, own)), unit) > 0 ? [{ title, own, part }] : [];
  });
}

/** A fee that a call of all investors can charge, or whom it would charge another fee than its own. */
export interface CallableFee {
  /** What to call: the sum of the own fees, or as many minor units more or less as their roundings come to. */
  readonly amount: DecimalText;
  readonly differences: readonly FeeDifference[];
}

/**
 * What to call, so that each investor's part is its own fee within one minor unit.
 *
 * The own fees are rounded each for itself. Those of hundreds of small investors can so add up to less or more than all of
 * them together are worth, which a split by commitment would charge to the largest one. Then the fee is scaled from the
 * largest one's, whose rounding weighs least. Fees that follow the commitments are therefore never refused.
 * @throws RangeError if nobody has a commitment
 */
export function callableFee(investors: readonly InvestorFee[], digits: number): CallableFee {
  const whole = sum(investors.map(({ own }) => own));
  const differences = feeDifferences(investors, whole, digits);
  const [first, ...others] = investors;
  if (differences.length === 0 || !first) return { amount: whole, differences };
  const largest = others.reduce((found, one) => (compare(one.weight, found.weight) > 0 ? one : found), first);
  const weights = sum(investors.map(({ weight }) => weight));
  const scaled = divide(multiply(largest.own, weights), largest.weight, digits);
  return feeDifferences(investors, scaled, digits).length === 0
    ? { amount: scaled, differences: [] }
    : { amount: whole, differences };
}
