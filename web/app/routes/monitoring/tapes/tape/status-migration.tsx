import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import type { MovementMatrix } from '@tapeline/domain/pools/movements.ts';
import { HeatMap } from '../../../../components/charts/heat-map.tsx';
import { cellWords, type MovementMeasure, statusTable } from '../movement-table.ts';

/** "2026-10-31" as "31 Oct". */
const dayOf = (date: string) => formatCalendarDate(date).split(' ').slice(0, 2).join(' ');

/** How the assets of an earlier tape moved between statuses, as shares of their opening figures. */
export function StatusMigration({
  cutOffDate,
  against,
  matrix,
  measure,
}: {
  cutOffDate: string;
  against: { readonly cutOffDate: string };
  matrix: MovementMatrix;
  /** Without balances, shares are of the number of assets. */
  measure: MovementMeasure;
}) {
  const shown = matrix.opening === null ? 'count' : measure;
  const table = statusTable(matrix, shown);
  const [from, to] = [dayOf(against.cutOffDate), dayOf(cutOffDate)];
  return (
    <HeatMap
      title="Status migration"
      note={`% of ${shown === 'count' ? 'assets' : 'opening balance'}, ${from} to ${to}`}
      corner={`${from} \\ ${to}`}
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
