import type { DecimalText } from '../money/decimal.ts';
import {
  compareFractions,
  decimalToFraction,
  type Fraction,
  fraction,
  reduceFraction,
  subtractFractions,
} from './exact.ts';

/** What a dilution reserve reads: the facility figures of the twelve months before the cut-off date, added up. */
export interface DilutionFigures {
  /** Position in the contract's reserves. */
  readonly rule: number;
  /** Non-cash credits and gross sales, in one currency. */
  readonly credits: DecimalText;
  readonly sales: DecimalText;
}

const NONE = fraction(0n);

/** Credits as an exact share of sales. Null without sales. */
export function dilutionRatio({ credits, sales }: Pick<DilutionFigures, 'credits' | 'sales'>): Fraction | null {
  const of = decimalToFraction(sales);
  if (of.numerator <= 0n) return null;
  const part = decimalToFraction(credits);
  return reduceFraction(fraction(part.numerator * of.denominator, part.denominator * of.numerator));
}

/** How far a ratio is above the threshold, not below zero. @param threshold a share: 0.05 for 5% */
export function dilutionAbove(ratio: Fraction, threshold: Fraction): Fraction {
  const above = subtractFractions(ratio, threshold);
  return compareFractions(above, NONE) > 0 ? above : NONE;
}
