import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import {
  AVAILABILITY_AT_CUT_OFF,
  BALANCE_AT_CUT_OFF,
  NO_BALANCE,
} from '@tapeline/domain/facilities/position-labels.ts';
import { toNumber } from '@tapeline/domain/money/decimal.ts';
import { LineChart } from '../../../../components/charts/line-chart.tsx';
import { EmptyState } from '../../../../components/page/empty-state.tsx';
import { MoreLink } from '../../../../components/page/section.tsx';
import { TableSection } from '../../../../components/tables/data-table.tsx';
import { paths } from '../../../../paths.ts';
import type { FacilityTab } from '../transaction-page.server.ts';

/** The note's borrowing bases over its tapes. */
export function NoteBases({ page: { tab, note } }: { page: FacilityTab<'bases'> }) {
  const currency = tab.bases.at(-1)?.currency ?? '';
  // Amounts of several currencies have no common axis.
  const drawn = tab.bases.filter((base) => base.currency === currency);
  return (
    <>
      {drawn.length > 1 ? (
        <LineChart
          title="Over time"
          note={currency}
          points={drawn.map((base) => formatCalendarDate(base.cutOffDate))}
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
      ) : null}
      <TableSection
        title="Borrowing bases"
        note={tab.bases.length > 0 ? `${currency}, latest first` : undefined}
        more={<MoreLink to={paths.borrowingBases()}>View all</MoreLink>}
        narrow="list"
        caption={`Borrowing bases of ${note.title}`}
        rows={tab.bases.toReversed()}
        rowTo={(base) => paths.borrowingBase(base.id)}
        empty={
          <EmptyState title="No borrowing bases yet">
            Upload a tape and calculate its borrowing base. The note needs an active contract on the tape’s cut-off
            date.
          </EmptyState>
        }
        columns={[
          { head: 'Cut-off', date: (base) => base.cutOffDate },
          { head: 'Eligible or performing', money: (base) => base.pool },
          { head: 'Advance rate', percent: (base) => base.weightedAdvanceRatePercent, unknown: 'The pool is empty' },
          { head: 'Net borrowing base', money: (base) => base.netBB },
          { head: BALANCE_AT_CUT_OFF, money: (base) => base.balance, unknown: NO_BALANCE },
          { head: AVAILABILITY_AT_CUT_OFF, money: (base) => base.availability, unknown: NO_BALANCE, zero: 'figure' },
        ]}
      />
    </>
  );
}
