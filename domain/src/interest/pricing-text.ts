import { formatFigure } from '../money/format-figure.ts';
import type { InterestSegment } from './accrual.ts';

type Tier = Pick<InterestSegment, 'tier' | 'tested'>;

const byUtilization = (tier: NonNullable<Tier['tier']>): string => {
  if (tier === 'unknown') return 'Utilization unknown: highest rate';
  return tier === 'base' ? 'Below the first tier' : `From ${formatFigure(tier)}% utilization`;
};

function byCovenant(tier: NonNullable<Tier['tier']>, tested: Tier['tested']): string {
  if (tier === 'unknown') return 'Covenant not tested: highest rate';
  if (tested == null) return 'Before the first test';
  return `Tested at ${formatFigure(tested)}: ${tier === 'base' ? 'below the first tier' : `from ${formatFigure(tier)}`}`;
}

/**
 * "From 50% utilization, 2% in default, 3% in kind": why the rate of interest is what it is, and how much of it is not paid.
 * Empty if nothing but the terms themselves says so.
 */
export const pricingText = ({
  tier,
  tested,
  defaultMargin,
  inKind,
}: Tier & Pick<InterestSegment, 'defaultMargin' | 'inKind'>): string =>
  [
    tier && (tested === undefined ? byUtilization(tier) : byCovenant(tier, tested)),
    defaultMargin && `${formatFigure(defaultMargin)}% in default`,
    inKind && `${formatFigure(inKind)}% in kind`,
  ]
    .filter(Boolean)
    .join(', ');
