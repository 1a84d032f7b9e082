import { listCallHeaders, listDistributionHeaders } from '@tapeline/db/operations/capital/calls-and-distributions.ts';
import { listCompanies } from '@tapeline/db/operations/companies/companies.ts';
import { listDraws } from '@tapeline/db/operations/draws/draw-views.ts';
import { listEntities } from '@tapeline/db/operations/entities/entities.ts';
import { listLPs } from '@tapeline/db/operations/investors/investors.ts';
import { listManagers } from '@tapeline/db/operations/managers/managers.ts';
import { listRepayments } from '@tapeline/db/operations/repayments/repayments.ts';
import { listServiceProviders } from '@tapeline/db/operations/service-providers/service-providers.ts';
import { listUsers } from '@tapeline/db/operations/users/users.ts';
import type { Session } from '@tapeline/db/store.ts';
import { GRIDS } from '@tapeline/domain/grid-views/grid-view.schema.ts';
import type { PermissionKey } from '@tapeline/domain/people/actor.ts';
import type { ExportColumn, ExportTable } from '@tapeline/lake/exports/export-table.ts';
import type { GridRow } from '../../components/grid/arrow-page.ts';
import { rowsOfDocuments } from '../../components/grid/document-rows.ts';
import type { GridColumn } from '../../components/grid/grid-columns.ts';
import type { ExportedGrid } from '../../components/grid/grid-export.ts';
import { writeCell } from '../../components/grid/grid-values.ts';
import {
  ENTITY_COLUMNS,
  LP_COLUMNS,
  PARTY_COLUMNS,
  SERVICE_PROVIDER_COLUMNS,
} from '../../components/organizations/organization-grid.tsx';
import { USER_COLUMNS, userRow } from '../admin/users/user-rows.ts';
import { CALL_COLUMNS, DISTRIBUTION_COLUMNS } from '../capital/header-rows.ts';
import { FUND_COLUMNS } from '../funds/list/columns.ts';
import { fundRows } from '../funds/list/list.server.ts';
import { MAIN_FUND_COLUMNS } from '../main-funds/columns.ts';
import { mainFundRows } from '../main-funds/rows.server.ts';
import { DRAW_COLUMNS } from '../monitoring/draws/draw-columns.ts';
import { REPAYMENT_COLUMNS } from '../monitoring/repayments/repayment-columns.ts';
import { repaymentRow } from '../monitoring/repayments/repayment-row.ts';
import { LIST_COLUMNS } from '../monitoring/transactions/list/columns.ts';
import { transactionRows } from '../monitoring/transactions/list/list.server.ts';

interface ExportedList {
  readonly permission: PermissionKey;
  readonly columns: readonly GridColumn[];
  /** A page of the list's rows, as the grid shows them. */
  rows(session: Session, query: unknown): Promise<readonly object[]>;
}

const of = <Document extends object>(
  permission: PermissionKey,
  columns: readonly GridColumn[],
  load: (
    session: Session,
    query: unknown,
  ) => Promise<{ documents: readonly Document[] } | { rows: readonly Document[] }>,
  row: (document: Document) => object = (document) => document,
): ExportedList => ({
  permission,
  columns,
  rows: async (session, query) => {
    const page = await load(session, query);
    return ('documents' in page ? page.documents : page.rows).map(row);
  },
});

const LISTS: Readonly<Record<ExportedGrid, ExportedList>> = {
  funds: of('funds/read', FUND_COLUMNS, fundRows),
  'main-funds': of('funds/read', MAIN_FUND_COLUMNS, mainFundRows),
  investors: of('LPs/read', LP_COLUMNS, listLPs),
  'capital-calls': of('contributions/read', CALL_COLUMNS, listCallHeaders),
  distributions: of('distributions/read', DISTRIBUTION_COLUMNS, listDistributionHeaders),
  transactions: of('transactions/read', LIST_COLUMNS, transactionRows),
  companies: of('companies/read', PARTY_COLUMNS, listCompanies),
  draws: of('transactionDraw/read', DRAW_COLUMNS, listDraws, (draw) => ({
    ...draw,
    transaction: { title: draw.transactionTitle },
  })),
  repayments: of('repayments/read', REPAYMENT_COLUMNS, listRepayments, repaymentRow),
  users: of('users/read', USER_COLUMNS, listUsers, userRow),
  managers: of('managers/read', PARTY_COLUMNS, listManagers),
  entities: of('entities/read', ENTITY_COLUMNS, listEntities),
  'service-providers': of('funds/read', SERVICE_PROVIDER_COLUMNS, listServiceProviders),
};

export const permissionOf = (grid: ExportedGrid): PermissionKey => LISTS[grid].permission;

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
  const { columns, rows } = LISTS[grid];
  const named = columns.filter(({ path }) => paths.includes(path));
  const chosen = named.length > 0 ? named : columns.filter(({ shown }) => shown);
  const query = { filter: { id: { in: [...ids] } }, limit: ids.length, ...(sort ? { sort } : {}) };
  const found = rowsOfDocuments(await rows(session, query), columns);
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
