import { limitDigits, Percent, ShareBar, Unknown } from '../../../components/figures/figures.tsx';
import { formatCount, formatFigure } from '../../../components/figures/format.ts';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { MoreLink } from '../../../components/page/section.tsx';
import { TableSection } from '../../../components/tables/data-table.tsx';
import { paths } from '../../../paths.ts';
import type { MonitoringView } from './monitoring.server.ts';

type Limits = NonNullable<MonitoringView['limits']>;
type Limit = Limits['limits'][number];

export const UNMEASURED = 'Nothing was measured for this limit';

/** The room as a share of the limit. The bar is how much of the limit is used. */
export function RoomShare({ limit }: { limit: Pick<Limit, 'room' | 'breached'> }) {
  if (limit.room === null) return <Unknown reason={UNMEASURED} />;
  const room = Number(limit.room);
  return (
    <span className="flex items-center justify-end gap-2">
      <Percent value={room * 100} digits={1} zero="figure" />
      <ShareBar
        fraction={1 - room}
        tone={limit.breached ? 'danger' : room < 0.1 ? 'chart-2' : 'chart-1'}
        width="w-20"
      />
    </span>
  );
}

/** How close each note's pool is to its concentration limits, the least headroom first. */
export function RoomInLimits({ limits: { limits, total, breached } }: { limits: Limits }) {
  const digits = limitDigits(limits);
  const breaches =
    breached === 0 ? 'all within limits' : `${formatCount(breached, 'limit')} of ${formatFigure(total)} exceeded`;
  const shown = limits.length < total ? `, the ${limits.length} with the least headroom` : ', the least headroom first';
  return (
    <TableSection
      title="Concentration headroom"
      note={total === 0 ? undefined : breaches + shown}
      more={<MoreLink to={paths.borrowingBases()}>All borrowing bases</MoreLink>}
      narrow="list"
      rows={limits}
      rowKey={(limit) => `${limit.baseId}/${limit.rule}/${limit.title}`}
      rowTo={(limit) => paths.borrowingBase(limit.baseId)}
      columns={[
        {
          head: 'Rule',
          name: (limit) => limit.title,
          length: 44,
        },
        { head: 'Note', name: (limit) => `${limit.company}, ${limit.noteTitle}`, length: 44 },
        {
          head: 'Measured',
          measured: ({ unit, measured, currency }) => ({ unit, value: measured, currency, digits }),
          unknown: UNMEASURED,
        },
        {
          head: 'Limit',
          measured: ({ unit, limit, currency }) => ({ unit, value: limit, currency, digits }),
          unknown: UNMEASURED,
        },
        { head: 'Headroom, % of limit', numeric: true, cell: (limit) => <RoomShare limit={limit} /> },
      ]}
      empty={
        <EmptyState title="No concentration limits yet">
          Limits of a contract appear here with its first borrowing base.
        </EmptyState>
      }
    />
  );
}
