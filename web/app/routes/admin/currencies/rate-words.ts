import { compare, type DecimalText } from '@tapeline/domain/money/decimal.ts';

/** Decimals at which a rate is shown: four, and more for small ones that have them. The full rate is shown on hover. */
export function rateDigits(rate: DecimalText): number {
  if (compare(rate, '100') >= 0) return 2;
  if (compare(rate, '1') >= 0) return 4;
  const recorded = rate.split('.')[1]?.length ?? 0;
  return Math.max(4, Math.min(recorded, compare(rate, '0.001') >= 0 ? 6 : 12));
}

/** Years that the chart of a currency can show. */
export const SPANS = [1, 2, 5] as const;
