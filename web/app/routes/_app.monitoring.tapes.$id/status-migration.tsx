import { Link, useSearchParams } from '@remix-run/react';
import type { StatusMove } from '@tapeline/db/lake/status-migration.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { HeatMap } from '../../components/charts/heat-map.tsx';
import { migrationTable } from '../../tapes/migration-table.ts';
import type { TapeHead } from '../../tapes/tape-head.ts';

/** "2026-10-31" as "31 Oct". */
const dayOf = (date: string) => formatCalendarDate(date).split(' ').slice(0, 2).join(' ');

/** How the assets of the company's tape before moved between statuses, as shares of what they opened with. */
export function StatusMigration({ head, moves }: { head: TapeHead; moves: readonly StatusMove[] }) {
  const [search] = useSearchParams();
  const previous = head.previous;
  if (!previous || moves.length === 0) return null;
  const hasBalances = (head.pool?.currencies.length ?? 0) === 1 && moves.some((move) => move.outstanding !== null);
  const byCount = !hasBalances || search.get('migration') === 'count';
  const table = migrationTable(moves, byCount ? 'count' : 'balance');
  const other = new URLSearchParams(search);
  if (byCount) other.delete('migration');
  else other.set('migration', 'count');
  return (
    <HeatMap
      title="Status migration"
      note={`per cent of ${byCount ? 'assets' : 'opening balance'}, ${dayOf(previous.cutOffDate)} to ${dayOf(head.cutOffDate)}`}
      more={
        hasBalances ? (
          <Link to={`?${other}`} preventScrollReset className="hover:underline">
            {byCount ? 'By balance' : 'By count'}
          </Link>
        ) : undefined
      }
      corner={`${dayOf(previous.cutOffDate)} \\ ${dayOf(head.cutOffDate)}`}
      columns={table.columns}
      rows={table.rows}
      meaning={table.meaning}
    />
  );
}
