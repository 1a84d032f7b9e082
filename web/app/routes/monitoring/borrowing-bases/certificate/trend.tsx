import type { BorrowingBaseFigures } from '@tapeline/db/operations/borrowing-bases/borrowing-base-figures.ts';
import { AVAILABILITY_AT_CUT_OFF, AVAILABLE_BASE, NO_BALANCE } from '@tapeline/domain/facilities/position-labels.ts';
import { absolute, isNegative, toNumber } from '@tapeline/domain/money/decimal.ts';
import { LineChart } from '../../../../components/charts/line-chart.tsx';
import { formatPercent } from '../../../../components/figures/format.ts';
import { Columns } from '../../../../components/page/section.tsx';
import { TableSection } from '../../../../components/tables/data-table.tsx';
import { paths } from '../../../../paths.ts';
import { gapWords, missingMonthEnds, withGaps } from '../../month-gaps.ts';
import { pointLabels } from '../point-labels.ts';

const numberOf = (sum: string | undefined | null): number | null => (sum == null ? null : toNumber(sum));

/** How the figures of the note changed from tape to tape. Empty for the first one. */
export function Trend({ points, shownId }: { points: readonly BorrowingBaseFigures[]; shownId: string }) {
  const currency = points.at(-1)?.currency ?? '';
  // Amounts of several currencies have no common axis.
  const drawn = points.filter((point) => point.currency === currency);
  if (drawn.length < 2) return null;
  const missing = missingMonthEnds(drawn.map(({ cutOffDate }) => cutOffDate));
  const shown = withGaps<Pick<BorrowingBaseFigures, 'cutOffDate'> & Partial<BorrowingBaseFigures>>(
    drawn,
    (cutOffDate) => ({ cutOffDate }),
  );
  const labels = pointLabels(shown);
  const inCurrency = (amount: BorrowingBaseFigures['availability'] | undefined) =>
    amount?.currency === currency ? numberOf(amount.sum) : null;
  const hasReserves = drawn.some(({ netBB, availableBase }) => availableBase !== netBB);
  const availability = shown.map((point) => inCurrency(point.availability));
  return (
    <>
      <Columns split="wide">
        <LineChart
          title="Over tapes"
          note={[currency, ...gapWords('borrowing base', missing)].join(', ')}
          points={labels}
          series={[
            { label: 'Eligible or performing', values: shown.map(({ pool }) => numberOf(pool?.sum)), colour: 4 },
            { label: 'Net borrowing base', values: shown.map(({ netBB }) => numberOf(netBB)), colour: 1, strong: true },
            ...(hasReserves
              ? [
                  {
                    label: AVAILABLE_BASE,
                    values: shown.map(({ availableBase }) => numberOf(availableBase)),
                    colour: 2 as const,
                  },
                ]
              : []),
            ...(availability.some((value) => value !== null)
              ? [{ label: AVAILABILITY_AT_CUT_OFF, values: availability, colour: 3 as const }]
              : []),
          ]}
        />
        <LineChart
          title="Weighted advance rate"
          note="% of the remaining pool"
          points={labels}
          format={(value) => formatPercent(value)}
          series={[
            {
              label: 'Advance rate',
              values: shown.map((point) => numberOf(point.weightedAdvanceRatePercent)),
              colour: 1,
            },
          ]}
        />
      </Columns>
      <TableSection
        title="Figures over tapes"
        note={`${currency}, latest cut-off first`}
        narrow="list"
        rows={drawn.toReversed()}
        rowTo={({ id }) => (id === shownId ? null : paths.borrowingBase(id))}
        isShown={({ id }) => id === shownId}
        columns={[
          { head: 'Cut-off', date: (point) => point.cutOffDate },
          { head: 'Eligible or performing', money: (point) => point.pool },
          { head: 'Advance rate', percent: (point) => point.weightedAdvanceRatePercent, unknown: 'The pool is empty' },
          { head: 'Net borrowing base', money: (point) => point.netBB },
          ...(hasReserves
            ? [
                {
                  head: AVAILABLE_BASE,
                  money: (point: BorrowingBaseFigures) => point.availableBase,
                  unknown: NO_BALANCE,
                },
              ]
            : []),
          { head: AVAILABILITY_AT_CUT_OFF, money: (point) => point.availability, unknown: NO_BALANCE, zero: 'figure' },
          {
            head: 'Deficiency at cut-off',
            money: ({ availability: left }) => left && (isNegative(left.sum) ? absolute(left.sum) : '0'),
            unknown: NO_BALANCE,
          },
        ]}
      />
    </>
  );
}
