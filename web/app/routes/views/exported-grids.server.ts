import { listCallHeaders, listDistributionHeaders } from '@tapeline/db/operations/capital/calls-and-distributions.ts';
import { listDraws } from '@tapeline/db/operations/draws/draw-views.ts';
import { listRepayments } from '@tapeline/db/operations/repayments/repayments.ts';
import { listUsers } from '@tapeline/db/operations/users/users.ts';
import type { Session } from '@tapeline/db/store.ts';
import { COLLECTIONS, callsOf, columnsOf } from '@tapeline/domain/collections/collections.ts';
import { COLLECTION_OF_GRID, GRIDS } from '@tapeline/domain/grid-views/grid-view.schema.ts';
import type { PermissionKey } from '@tapeline/domain/people/actor.ts';
import type { ExportColumn, ExportTable } from '@tapeline/lake/exports/export-table.ts';
import { endpoints } from '../../api/api.server.ts';
import type { GridRow } from '../../components/grid/arrow-page.ts';
import { rowsOfDocuments } from '../../components/grid/document-rows.ts';
import type { GridColumn } from '../../components/grid/grid-columns.ts';
import type { ExportedGrid } from '../../components/grid/grid-export.ts';
import { writeCell } from '../../components/grid/grid-values.ts';
import { userRow } from '../admin/users/user-rows.ts';
import { fundRows } from '../funds/list/list.server.ts';
import { mainFundRows } from '../main-funds/rows.server.ts';
import { repaymentRow } from '../monitoring/repayments/repayment-row.ts';
import { transactionRows } from '../monitoring/transactions/list/list.server.ts';

type Rows = (session: Session, query: unknown) => Promise<readonly object[]>;

const of =
  <Document extends object>(
    load: (
      session: Session,
      query: unknown,
    ) => Promise<{ documents: readonly Document[] } | { rows: readonly Document[] }>,
    row: (document: Document) => object = (document) => document,
  ): Rows =>
  async (session, query) => {
    const page = await load(session, query);
    return ('documents' in page ? page.documents : page.rows).map(row);
  };

/** Pages of rows, as the grid shows them, of lists whose rows are not the documents of the list's REST call. */
const ROWS: Partial<Record<ExportedGrid, Rows>> = {
  funds: of(fundRows),
  'main-funds': of(mainFundRows),
  'capital-calls': of(listCallHeaders),
  distributions: of(listDistributionHeaders),
  transactions: of(transactionRows),
  draws: of(listDraws, (draw) => ({ ...draw, transaction: { title: draw.transactionTitle } })),
  repayments: of(listRepayments, repaymentRow),
  users: of(listUsers, userRow),
};

function rowsOf(grid: ExportedGrid): Rows {
  const path = callsOf(COLLECTION_OF_GRID[grid]);
  const load = endpoints.find((endpoint) => endpoint.method === 'GET' && endpoint.path === path)?.load;
  const rows = ROWS[grid] ?? (load && of(load));
  if (!rows) throw new Error(`${path} has no list`);
  return rows;
}

/** The permission to read the rows of a grid. */
export const permissionOf = (grid: ExportedGrid): PermissionKey => COLLECTIONS[COLLECTION_OF_GRID[grid]].read;

const isFigure = ({ kind }: GridColumn): boolean => kind === 'decimal' || kind === 'number';

/** A cell as text: figures with all their digits, dates as YYYY-MM-DD, and everything else as the grid writes it. */
function cellOf(row: GridRow, column: GridColumn): string | null {
  const value = row[column.path];
  if (value === null || value === undefined || value === '') return null;
  if (isFigure(column)) return /^-?\d+(\.\d+)?$/.test(String(value)) ? String(value) : null;
  return column.kind === 'date' ? String(value).slice(0, 10) : writeCell(value, column);
}

const MOST_DIGITS = 38;

/** A column of the file, with as many decimals as its values have. */
function exportColumn(column: GridColumn, at: number, cells: readonly (string | null)[][]): ExportColumn {
  const { path: name, label } = column;
  const cell = `cells[${at + 1}]`;
  if (column.kind === 'date') return { name, label, kind: 'date', sql: `CAST(${cell} AS DATE)`, type: 'DATE' };
  if (!isFigure(column)) return { name, label, kind: 'text', sql: cell, type: 'VARCHAR' };
  const decimals = Math.max(0, ...cells.map((row) => row[at]?.split('.')[1]?.length ?? 0));
  const digits = Math.max(0, ...cells.map((row) => row[at]?.split('.')[0]?.length ?? 0));
  // A figure with more digits than a number can have stays exact as text.
  if (digits + decimals > MOST_DIGITS) return { name, label, kind: 'text', sql: cell, type: 'VARCHAR' };
  const type = `DECIMAL(${MOST_DIGITS},${decimals})` as const;
  return { name, label, kind: 'amount', sql: `CAST(${cell} AS ${type})`, type };
}

/**
 * The rows of a grid with these ids as a table for a file.
 * @param paths the columns, in the order of the grid; all that are shown at first if none is known
 */
export async function exportedRows(
  session: Session,
  grid: ExportedGrid,
  { ids, sort, paths }: { ids: readonly string[]; sort?: string | undefined; paths: readonly string[] },
): Promise<ExportTable & { name: string }> {
  const columns = columnsOf(COLLECTION_OF_GRID[grid]);
  const named = columns.filter(({ path }) => paths.includes(path));
  const chosen = named.length > 0 ? named : columns.filter(({ shown }) => shown);
  const query = { filter: { id: { in: [...ids] } }, limit: ids.length, ...(sort ? { sort } : {}) };
  const found = rowsOfDocuments(await rowsOf(grid)(session, query), columns);
  const cells = found.map((row) => chosen.map((column) => cellOf(row, column)));
  return {
    name: GRIDS[grid],
    columns: chosen.map((column, at) => exportColumn(column, at, cells)),
    rows: cells.length,
    queries:
      cells.length === 0
        ? []
        : [
            {
              from: `FROM (SELECT unnest(from_json(CAST($1 AS JSON), '[["VARCHAR"]]')) AS cells) AS exported`,
              values: [JSON.stringify(cells)],
            },
          ],
  };
}
