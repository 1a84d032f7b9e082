import type { Session } from '@tapeline/db/store.ts';
import { GRIDS } from '@tapeline/domain/grid-views/grid-view.schema.ts';
import type { ExportColumn, ExportTable } from '@tapeline/lake/exports/export-table.ts';
import { linesTable } from '@tapeline/lake/exports/lines-table.ts';
import type { GridRow } from '../../components/grid/arrow-page.ts';
import { rowsOfDocuments } from '../../components/grid/document-rows.ts';
import type { GridColumn } from '../../components/grid/grid-columns.ts';
import type { ExportedGrid } from '../../components/grid/grid-export.ts';
import type { GridList } from '../../components/grid/grid-list.ts';
import { writeCell } from '../../components/grid/grid-values.ts';

const isFigure = ({ kind }: GridColumn): boolean => kind === 'decimal' || kind === 'number';

/** A cell as text: figures with all their digits, dates as YYYY-MM-DD, and everything else as the grid writes it. */
function cellOf(row: GridRow, column: GridColumn): string | null {
  const value = row[column.path];
  if (value === null || value === undefined || value === '') return null;
  if (isFigure(column)) return /^-?\d+(\.\d+)?$/.test(String(value)) ? String(value) : null;
  return column.kind === 'date' ? String(value).slice(0, 10) : writeCell(value, column);
}

const MAX_DIGITS = 38;

/** A column of the file, with as many decimals as its values have. */
function exportColumn(column: GridColumn, at: number, cells: readonly (string | null)[][]): Omit<ExportColumn, 'sql'> {
  const { path: name, label } = column;
  if (column.kind === 'date') return { name, label, kind: 'date', type: 'DATE' };
  const decimals = Math.max(0, ...cells.map((row) => row[at]?.split('.')[1]?.length ?? 0));
  const digits = Math.max(0, ...cells.map((row) => row[at]?.split('.')[0]?.length ?? 0));
  // A figure with more digits than a number can have stays exact as text.
  if (!isFigure(column) || digits + decimals > MAX_DIGITS) return { name, label, kind: 'text', type: 'VARCHAR' };
  return { name, label, kind: 'amount', type: `DECIMAL(${MAX_DIGITS},${decimals})` };
}

/**
 * The rows of a grid with these ids as a table for a file.
 * @param paths the columns, in the order of the grid; all that are shown at first if none is known
 */
export async function exportedRows(
  session: Session,
  { grid, columns, load }: GridList & { grid: ExportedGrid },
  { ids, sort, paths }: { ids: readonly string[]; sort?: string | undefined; paths: readonly string[] },
): Promise<ExportTable & { name: string }> {
  const named = columns.filter(({ path }) => paths.includes(path));
  const chosen = named.length > 0 ? named : columns.filter(({ shown }) => shown);
  const query = { filter: { id: { in: [...ids] } }, limit: ids.length, ...(sort ? { sort } : {}) };
  const found = rowsOfDocuments((await load(session, query)).rows, columns);
  const cells = found.map((row) => chosen.map((column) => cellOf(row, column)));
  const exported = chosen.map((column, at) => exportColumn(column, at, cells));
  return { name: GRIDS[grid], ...linesTable(exported, cells) };
}
