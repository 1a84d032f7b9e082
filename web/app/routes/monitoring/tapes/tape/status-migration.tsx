import { Link, useSearchParams } from '@remix-run/react';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import type { MovementMatrix } from '@tapeline/domain/pools/movements.ts';
import { HeatMap } from '../../../../components/charts/heat-map.tsx';
import { cellWords, statusTable } from '../movement-table.ts';
import type { TapeHead } from '../tape-head.ts';

/** "2026-10-31" as "31 Oct". */
const dayOf = (date: string) => formatCalendarDate(date).split(' ').slice(0, 2).join(' ');

/** How the assets of the company's previous tape moved between statuses, as shares of their opening figures. */
export function StatusMigration({ head, matrix }: { head: TapeHead; matrix: MovementMatrix }) {
  const [search] = useSearchParams();
  const previous = head.previous;
  if (!previous || matrix.count === 0) return null;
  const hasBalances = matrix.opening !== null;
  const byCount = !hasBalances || search.get('migration') === 'count';
  const table = statusTable(matrix, byCount ? 'count' : 'balance');
  const other = new URLSearchParams(search);
  if (byCount) other.delete('migration');
  else other.set('migration', 'count');
  return (
    <HeatMap
      title="Status migration"
      note={`% of ${byCount ? 'assets' : 'opening balance'}, ${dayOf(previous.cutOffDate)} to ${dayOf(head.cutOffDate)}`}
      more={
        hasBalances ? (
          <Link to={`?${other}`} preventScrollReset className="tap-text hover:underline">
            {byCount ? 'By balance' : 'By count'}
          </Link>
        ) : undefined
      }
      corner={`${dayOf(previous.cutOffDate)} \\ ${dayOf(head.cutOffDate)}`}
      columns={table.columns.map(({ label }) => label)}
      rows={table.rows.map((row) => ({
        label: row.label,
        cells: row.cells.map((cell) => ({
          points: cell.points,
          isEmpty: cell.count === 0,
          title: cellWords(cell, matrix.currency),
        })),
      }))}
      meaning={table.meaning}
    />
  );
}
