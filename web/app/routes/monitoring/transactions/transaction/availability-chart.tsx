import type { BorrowingBaseFigures } from '@tapeline/db/operations/borrowing-bases/borrowing-base-figures.ts';
import type { Amount } from '@tapeline/domain/money/amount.schema.ts';
import { toNumber } from '@tapeline/domain/money/decimal.ts';
import { StackedBarChart, type StackSeries } from '../../../../components/charts/bar-chart.tsx';
import { formatShort } from '../../../../components/figures/format.ts';
import { EmptyState } from '../../../../components/page/empty-state.tsx';
import { PanelSection } from '../../../../components/page/section.tsx';
import { pointLabels } from '../../borrowing-bases/point-labels.ts';
import { gapWords, missingMonthEnds, withGaps } from '../../month-gaps.ts';

const TITLE = 'Availability and balance';

/** The balance and what could be drawn on top of it, at each cut-off date. A deficiency is the part above the base. */
export function AvailabilityChart({
  bases,
  commitments,
}: {
  bases: readonly BorrowingBaseFigures[];
  commitments: Amount | null;
}) {
  const currency = bases.findLast(({ availability }) => availability)?.availability?.currency;
  // Before the first draw, the note has neither a balance nor a currency to draw them in.
  const inCurrency = (amount: Amount | null) =>
    amount !== null && amount.currency === currency ? toNumber(amount.sum) : null;
  const points = withGaps(
    bases.map((base) => ({
      cutOffDate: base.cutOffDate,
      availability: inCurrency(base.availability),
      balance: inCurrency(base.balance),
    })),
    (cutOffDate) => ({ cutOffDate, availability: null, balance: null }),
  );
  if (!currency || points.length < 2) {
    return (
      <PanelSection title={TITLE}>
        <EmptyState title="Not enough to draw yet">
          The chart starts with the second borrowing base of a note that has been drawn.
        </EmptyState>
      </PanelSection>
    );
  }
  const hasDeficiency = points.some(({ availability }) => availability !== null && availability < 0);
  const series: StackSeries[] = [
    {
      label: 'Balance',
      colour: 4,
      values: points.map(({ balance, availability }) =>
        balance === null ? null : balance + Math.min(0, availability ?? 0),
      ),
    },
    {
      label: 'Availability',
      colour: 1,
      values: points.map(({ availability }) => (availability === null ? null : Math.max(0, availability))),
    },
    ...(hasDeficiency
      ? [
          {
            label: 'Deficiency',
            colour: 2 as const,
            values: points.map(({ availability }) => (availability === null ? null : Math.max(0, -availability))),
          },
        ]
      : []),
  ];
  const committed = inCurrency(commitments);
  return (
    <StackedBarChart
      title={TITLE}
      note={[
        `at cut-off dates, ${currency}`,
        ...gapWords('borrowing base', missingMonthEnds(bases.map(({ cutOffDate }) => cutOffDate))),
      ].join(', ')}
      labels={pointLabels(points)}
      series={series}
      above={points.map(({ availability }) => availability)}
      {...(committed === null ? {} : { mark: { value: committed, label: `Commitments ${formatShort(committed)}` } })}
    />
  );
}
