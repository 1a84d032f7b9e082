import { SPLIT_LABELS, type SplitRule } from '@tapeline/domain/capital/line-basis.ts';
import { labelOf } from '@tapeline/domain/documents/labels.ts';
import { compare, type DecimalText } from '@tapeline/domain/money/decimal.ts';
import { DateText, Money } from '../../../components/figures/figures.tsx';
import { formatFigure, writtenAmount } from '../../../components/figures/format.ts';
import { KeyFigures } from '../../../components/page/key-figures.tsx';
import { PanelSection } from '../../../components/page/section.tsx';
import { type Check, Checks } from '../checks.tsx';
import { ReviewColumns } from '../review-columns.tsx';
import { ShareGrid } from '../share-grid.tsx';
import { WhoIsToldSection } from '../who-is-told.tsx';
import type { DistributionReview as Review } from './distribution-entry.server.ts';
import { DistributionWaterfall, PaidTo } from './distribution-shares.tsx';
import { InvestorTiers } from './investor-tiers.tsx';

const ruleOf = (split: SplitRule): string => labelOf(SPLIT_LABELS, split).toLowerCase();

function checksOf({ warnings, beyond, totals, distributed, currency, tiers }: Review): Check[] {
  const money = (sum: DecimalText) => writtenAmount({ sum, currency });
  return [
    ...warnings.map((text) => ({ tone: beyond.includes(text) ? ('danger' as const) : ('warning' as const), text })),
    ...(compare(totals.totalDistributed, distributed) === 0
      ? [
          {
            tone: 'good' as const,
            text: 'Rows and columns add up',
            note: `to ${writtenAmount({ sum: distributed, currency })}`,
          },
        ]
      : []),
    ...(tiers === null
      ? []
      : [
          {
            tone: 'good' as const,
            text: `${money(tiers.toInvestors)} to the investors and ${money(tiers.toManager)} to the manager are the proceeds of ${money(tiers.proceeds)}.`,
          },
        ]),
    ...(tiers?.owed.map(({ investor, received, due, sum }) => ({
      tone: 'warning' as const,
      text: `The manager owes back ${money(sum)} for ${investor ?? 'an investor'}: with this distribution it receives ${money(received)} of carry, and ${money(due)} is due on the whole fund.`,
    })) ?? []),
  ];
}

/** The distribution as it would be, before anything is stored. */
export function ReviewedDistribution({ review }: { review: Review }) {
  const { tiers, shares, currency, principal, lines, totals, cutOffDate, distributed, isRecallable } = review;
  return (
    <>
      <KeyFigures
        figures={[
          {
            label: 'Distributed',
            value: <Money value={distributed} zero="figure" />,
            unit: currency,
            ...(review.investment === null ? {} : { note: `proceeds of ${review.investment}` }),
          },
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
      <ReviewColumns lines={lines.length + 1} checks={<Checks checks={checksOf(review)} />}>
        <PanelSection
          title="Each investor’s share"
          note={`${currency}; click an amount to change it. The rest is divided again, nothing is stored yet`}
        >
          <ShareGrid
            rows={shares}
            lines={[
              {
                title: 'Principal',
                note: ruleOf(review.principalSplit),
                control: review.principalControl,
                mayBeExcused: false,
                isRate: false,
              },
              ...lines.map(({ title, split, control }) => ({
                title,
                control,
                note: split === 'terms' ? 'by each investor’s rate' : ruleOf(split),
                mayBeExcused: false,
                isRate: split === 'terms',
              })),
            ]}
            currency={currency}
            total="Distributed"
            totalOf={(row) => row.totals.totalDistributed}
            was={review.was}
            adjusting={review.adjusting}
            own={review.own}
            who={review.isBeyond ? null : review.who}
            after={[{ head: 'Paid to', cell: (row) => <PaidTo row={row} /> }]}
          />
        </PanelSection>
      </ReviewColumns>
      {tiers === null ? null : <InvestorTiers tiers={tiers} currency={currency} />}
      <DistributionWaterfall principal={principal} lines={lines} totals={totals} currency={currency} />
      {review.isBeyond ? null : <WhoIsToldSection isFolded who={review.who} />}
    </>
  );
}
