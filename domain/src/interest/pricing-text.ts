import { formatFigure } from '../money/format-figure.ts';
import type { InterestSegment } from './accrual.ts';

/** "From 50% utilization, 2% in default": why the rate of interest is what it is. Empty if neither a pricing grid nor a default changes it. */
export function pricingText({ tier, defaultMargin }: Pick<InterestSegment, 'tier' | 'defaultMargin'>): string {
  const of = { base: 'Below the first tier', unknown: 'Utilization unknown: highest rate' };
  return [
    ...(tier ? [tier === 'base' || tier === 'unknown' ? of[tier] : `From ${formatFigure(tier)}% utilization`] : []),
    ...(defaultMargin ? [`${formatFigure(defaultMargin)}% in default`] : []),
  ].join(', ');
}
