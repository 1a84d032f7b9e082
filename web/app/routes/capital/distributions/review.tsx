import { compare } from '@tapeline/domain/money/decimal.ts';
import { DateText, Money } from '../../../components/figures/figures.tsx';
import { formatFigure, writtenAmount } from '../../../components/figures/format.ts';
import { KeyFigures } from '../../../components/page/key-figures.tsx';
import { PanelSection } from '../../../components/page/section.tsx';
import { type Check, Checks } from '../checks.tsx';
import { WhoIsToldSection } from '../who-is-told.tsx';
import type { DistributionReview as Review } from './distribution-entry.server.ts';
import { DistributionShares, DistributionWaterfall } from './distribution-shares.tsx';

function checksOf({ warnings, totals, distributed, currency }: Review): Check[] {
  return [
    ...warnings.map((text) => ({ tone: 'warning' as const, text })),
    ...(compare(totals.totalDistributed, distributed) === 0
      ? [
          {
            tone: 'good' as const,
            text: `Each component and each investor’s share add up to ${writtenAmount({ sum: distributed, currency })}.`,
          },
        ]
      : []),
  ];
}

/** The distribution as it would be, before anything is stored. */
export function ReviewedDistribution({ review }: { review: Review }) {
  const { shares, currency, principal, lines, totals, cutOffDate, distributed, isRecallable } = review;
  return (
    <>
      <KeyFigures
        figures={[
          { label: 'Distributed', value: <Money value={distributed} zero="figure" />, unit: currency },
          {
            label: 'Principal',
            value: <Money value={principal} zero="figure" />,
            unit: currency,
            note: isRecallable ? 'can be called again' : 'cannot be called again',
          },
          { label: 'Investors', value: formatFigure(shares.length) },
          { label: 'Cut-off date', value: <DateText value={cutOffDate} /> },
        ]}
      />
      <Checks checks={checksOf(review)} />
      <WhoIsToldSection who={review.who} />
      <DistributionWaterfall principal={principal} lines={lines} totals={totals} currency={currency} />
      <PanelSection
        title="Each investor’s share"
        note={`${currency}, split by commitment and rounded so that the parts add up; nothing is stored yet`}
      >
        <DistributionShares rows={shares} isWhole showsShare />
      </PanelSection>
    </>
  );
}
