import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { BALANCE_AT_CUT_OFF } from '@tapeline/domain/facilities/position-labels.ts';
import { toNumber } from '@tapeline/domain/money/decimal.ts';
import { LineChart } from '../../../../components/charts/line-chart.tsx';
import { EmptyState } from '../../../../components/page/empty-state.tsx';
import { Columns, MoreLink } from '../../../../components/page/section.tsx';
import { TableSection } from '../../../../components/tables/data-table.tsx';
import { paths } from '../../../../paths.ts';
import type { TransactionPage } from '../transaction-page.server.ts';

/** Number of borrowing bases listed next to the chart. All of them are on their own page. */
const LISTED = 6;

/** The note's borrowing bases over its tapes. */
export function NoteOverTime({ page }: { page: TransactionPage }) {
  const { series, canReadBases, note } = page;
  if (!canReadBases) return null;
  const currency = series.at(-1)?.currency ?? '';
  const drawn = series.filter((base) => base.currency === currency);
  const list = (
    <TableSection
      title="Borrowing bases"
      note={currency}
      more={<MoreLink to={paths.borrowingBases()}>View all</MoreLink>}
      caption={`Borrowing bases of ${note.title}`}
      rows={series.toReversed().slice(0, LISTED)}
      rowTo={(base) => paths.borrowingBase(base.id)}
      empty={
        <EmptyState title="No borrowing bases yet">
          Upload a tape and calculate its borrowing base. The note needs an active contract on the tape’s cut-off date.
        </EmptyState>
      }
      columns={[
        { head: 'Cut-off', date: (base) => base.cutOffDate },
        { head: 'Net borrowing base', money: (base) => base.netBB },
        { head: 'Advance rate', percent: (base) => base.weightedAdvanceRatePercent, unknown: 'The pool is empty' },
      ]}
    />
  );
  if (drawn.length < 2) return list;
  return (
    <Columns split="wide">
      <LineChart
        title="Over time"
        note={currency}
        points={drawn.map((base) => formatCalendarDate(base.cutOffDate).slice(0, -5))}
        series={[
          { label: 'Eligible or performing', values: drawn.map((base) => toNumber(base.pool.sum)), colour: 4 },
          { label: 'Net borrowing base', values: drawn.map((base) => toNumber(base.netBB)), colour: 1 },
          ...(drawn.some((base) => base.balance)
            ? [
                {
                  label: BALANCE_AT_CUT_OFF,
                  values: drawn.map((base) => (base.balance ? toNumber(base.balance.sum) : null)),
                  colour: 2 as const,
                },
              ]
            : []),
        ]}
      />
      {list}
    </Columns>
  );
}
