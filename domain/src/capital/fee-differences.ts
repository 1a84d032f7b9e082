import { compare, type DecimalText, isNegative, negate, subtract } from '../money/decimal.ts';
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
    const difference = subtract(part, own);
    const size = isNegative(difference) ? negate(difference) : difference;
    return compare(size, unit) > 0 ? [{ title, own, part }] : [];
  });
}
