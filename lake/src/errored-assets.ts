import type { DuckDBListValue } from '@duckdb/node-api';
import type { Association } from '@tapeline/domain/documents/document.schema.ts';
import { createCatalog, type Field, type FieldCatalog } from '@tapeline/domain/filters/catalog.ts';
import { filterToDuckDb } from '@tapeline/domain/filters/duckdb.ts';
import { evaluateFilter } from '@tapeline/domain/filters/evaluate.ts';
import { EVERYTHING, type Filter, fieldsOf, isEverything } from '@tapeline/domain/filters/filter.ts';
import type { SortKey } from '@tapeline/domain/filters/list-query.schema.ts';
import { UNKNOWN_STATUS_REASONS } from '@tapeline/domain/tapes/cell-reasons.ts';
import { rowId } from '@tapeline/domain/tapes/corrections.schema.ts';
import { statusKey } from '@tapeline/domain/tapes/statuses.ts';
import { type ErroredRow, summarizeProblems } from '@tapeline/domain/tapes/tape.schema.ts';
import { type Lake, quoteName, quoteText, readParquet } from './lake.ts';

/** A row that could not become an asset: its cells as read, and every reason. */
export interface ErroredAsset {
  /** The id that the row keeps when it becomes an asset. */
  id: string;
  /** It waits for a correction. */
  status: 'Pending';
  assoc: Association;
  loanTapeId: string;
  rowNumber: number;
  originData: ErroredRow['origin'];
  /** The reasons in one line. */
  error: string;
  errors: ErroredRow['errors'];
}

export interface ErroredSource {
  tapeId: string;
  managerId: string;
  /** First 16 digits of the ids of the tape's rows. */
  assetPrefix: string;
  paths: readonly string[];
  /** Sheet rows that were discarded and are no longer listed. */
  discarded?: readonly number[] | 'all';
}

/** A condition that excludes the discarded rows. */
const without = (discarded: ErroredSource['discarded'] = []): string =>
  discarded === 'all' ? 'WHERE false' : discarded.length > 0 ? `WHERE "row" NOT IN (${rowList(discarded)})` : '';

const rowList = (rows: readonly number[]): string => rows.map((row) => Math.trunc(row)).join(', ');

/** The rows of the sources that were not discarded, each with the index of its source; there must be at least one. */
export const erroredRelation = (sources: readonly ErroredSource[]): string =>
  `(${sources
    .map(
      ({ tapeId, assetPrefix, paths, discarded }, index) =>
        `SELECT ${index} AS source, "row", origin, errors, "row" AS "rowNumber", ${quoteText(tapeId)} AS "loanTapeId",
           concat(${quoteText(assetPrefix)}, printf('%08x', "row")) AS id FROM ${readParquet(paths)} ${without(discarded)}`,
    )
    .join(' UNION ALL ')})`;

const LOAN_TAPE: Field = { path: 'loanTapeId', label: 'Loan tape', type: 'text' };
const ERRORED_FIELDS = createCatalog([
  LOAN_TAPE,
  { path: 'id', label: 'Id', type: 'text' },
  { path: 'rowNumber', label: 'Sheet row', type: 'number' },
]);

/** The fields that errored rows can be filtered and sorted by. */
export const ERRORED_CATALOG: FieldCatalog = {
  fields: ERRORED_FIELDS.fields,
  resolve: (path) => (path === 'loanTape' ? { field: LOAN_TAPE } : ERRORED_FIELDS.resolve(path)),
};

/** The filter and sort of a list. Ties, and a list without a sort, are ordered by source and row. */
export interface ErroredOrder {
  filter?: Filter;
  sort?: readonly SortKey[];
}

/** SQL that selects and orders rows of the relation, and its bound values. */
export function erroredOrder({ filter = EVERYTHING, sort = [] }: ErroredOrder): {
  where: string;
  values: readonly (string | boolean)[];
  order: string;
} {
  const { sql, values } = isEverything(filter)
    ? { sql: 'true', values: [] }
    : filterToDuckDb(filter, (field) => quoteName(field.path));
  const keys = sort.map(({ field, direction }) => `${quoteName(field.path)} ${direction === 1 ? 'ASC' : 'DESC'}`);
  return { where: sql, values, order: [...keys, 'source', '"row"'].join(', ') };
}

/** The sources that can contain matching rows; sources of other tapes need not be read. */
export function erroredSourcesOf(sources: readonly ErroredSource[], { filter = EVERYTHING }: ErroredOrder) {
  const parts = filter.kind === 'and' ? filter.filters : [filter];
  const ofTapes = parts.filter((part) => fieldsOf(part).every(({ path }) => path === LOAN_TAPE.path));
  return sources.filter(
    ({ tapeId, paths, discarded }) =>
      paths.length > 0 && discarded !== 'all' && ofTapes.every((part) => evaluateFilter(part, () => tapeId) === true),
  );
}

/** Which of the sheet rows are in the errored parts, ascending; all rows of the parts if `rows` is null. */
export async function findErroredRows(
  lake: Lake,
  paths: readonly string[],
  rows: readonly number[] | null,
): Promise<number[]> {
  if (paths.length === 0 || rows?.length === 0) return [];
  const named = rows ? `WHERE "row" IN (${rowList(rows)})` : '';
  return lake.connected(async (connection) => {
    const found = await connection.runAndReadAll(
      `SELECT DISTINCT "row" FROM ${readParquet(paths)} ${named} ORDER BY "row"`,
    );
    return found.getRows().map(([row]) => Number(row));
  });
}

/** The sheet rows that are in the errored parts, in row order, with their cells as read and every reason. */
export async function readErroredRows(
  lake: Lake,
  paths: readonly string[],
  rows: readonly number[],
): Promise<ErroredRow[]> {
  if (paths.length === 0 || rows.length === 0) return [];
  return lake.connected(async (connection) => {
    const read = await connection.runAndReadAll(
      `SELECT "row", origin, CAST(to_json(errors) AS VARCHAR) FROM ${readParquet(paths)} WHERE "row" IN (${rowList(rows)}) ORDER BY "row"`,
    );
    return read.getRows().map(([row, origin, errors]) => ({
      row: Number(row),
      origin: JSON.parse(String(origin)),
      errors: JSON.parse(String(errors)),
    }));
  });
}

/** The column that a reason refers to: a header of the sheet, or the target of a computed column. */
const REASON_COLUMN = 'coalesce(e."column", e.target)';

/** How many of a tape's errored rows have a reason at each column, the most frequent first. */
export async function countReasons(lake: Lake, source: ErroredSource): Promise<{ column: string; rows: number }[]> {
  if (source.paths.length === 0 || source.discarded === 'all') return [];
  return lake.connected(async (connection) => {
    const counted = await connection.runAndReadAll(
      `SELECT ${REASON_COLUMN}, count(DISTINCT "row") FROM (
         SELECT "row", unnest(errors) AS e FROM ${readParquet(source.paths)} ${without(source.discarded)}
       ) GROUP BY 1 ORDER BY 2 DESC, 1`,
    );
    return counted.getRows().map(([column, rows]) => ({ column: String(column), rows: Number(rows) }));
  });
}

/** Maximum number of different texts; a column with more does not contain statuses. */
const MAX_SPELLINGS = 1_000;

/** A text of the sheet that no step maps to a status. */
export interface UnknownStatus {
  word: string;
  /** The header of its column. */
  column: string;
  rows: number;
}

/** The texts that make rows of a tape errored because they are not a status, most frequent first. */
export async function unknownStatuses(lake: Lake, source: ErroredSource, most: number): Promise<UnknownStatus[]> {
  if (source.paths.length === 0 || source.discarded === 'all') return [];
  const { notStatus, noCase } = UNKNOWN_STATUS_REASONS;
  return lake.connected(async (connection) => {
    const counted = await connection.runAndReadAll(
      `SELECT trim(e."value"), e."column", count(DISTINCT "row") FROM (
         SELECT "row", unnest(errors) AS e FROM ${readParquet(source.paths)} ${without(source.discarded)}
       ) WHERE e.target = 'assetStatus' AND e."column" IS NOT NULL AND trim(e."value") <> ''
         AND (e.reason LIKE $1 OR e.reason LIKE $2)
       GROUP BY 1, 2 ORDER BY 3 DESC, 1 LIMIT ${MAX_SPELLINGS}`,
      [`% ${notStatus}`, `% ${noCase}`],
    );
    // Spellings that a mapping treats as one are merged under the most frequent.
    const found = new Map<string, UnknownStatus>();
    for (const [word, column, rows] of counted.getRows()) {
      const key = JSON.stringify([statusKey(String(word)), column]);
      const known = found.get(key);
      if (known) known.rows += Number(rows);
      else found.set(key, { word: String(word), column: String(column), rows: Number(rows) });
    }
    return [...found.values()].sort((a, b) => b.rows - a.rows).slice(0, most);
  });
}

/**
 * Errored rows of the tapes, with the total before paging.
 * @param page.column only rows with a reason at this column
 */
export async function listErroredAssets(
  lake: Lake,
  sources: readonly ErroredSource[],
  page: { skip: number; limit: number; column?: string | null } & ErroredOrder,
): Promise<{ rows: ErroredAsset[]; total: number }> {
  const held = erroredSourcesOf(sources, page);
  if (held.length === 0) return { rows: [], total: 0 };
  const relation = erroredRelation(held);
  const { column } = page;
  const passing = erroredOrder(page);
  const values = [...passing.values, ...(column ? [column] : [])];
  const where = `WHERE (${passing.where}) ${
    column ? `AND len(list_filter(errors, lambda e: ${REASON_COLUMN} = $${values.length})) > 0` : ''
  }`;
  return lake.connected(async (connection) => {
    const counted = await connection.runAndReadAll(`SELECT count(*) FROM ${relation} ${where}`, values);
    const read = await connection.runAndReadAll(
      `SELECT source, "row", origin, to_json(errors) FROM ${relation} ${where}
       ORDER BY ${passing.order} LIMIT ${Math.trunc(page.limit)} OFFSET ${Math.trunc(page.skip)}`,
      values,
    );
    const rows = read.getRows().map(([source, row, origin, errors]): ErroredAsset => {
      const reasons = JSON.parse(String(errors)) as ErroredAsset['errors'];
      const { tapeId = '', managerId = '', assetPrefix = '' } = held[Number(source)] ?? {};
      return {
        id: rowId(assetPrefix, Number(row)),
        status: 'Pending',
        assoc: { manager: { id: managerId } },
        loanTapeId: tapeId,
        rowNumber: Number(row),
        originData: JSON.parse(String(origin)),
        error: summarizeProblems(reasons),
        errors: reasons,
      };
    });
    return { rows, total: Number(counted.getColumns()[0]?.[0] ?? 0) };
  });
}

/** The number of errored rows of each tape that has any, largest first, with their ids on request. */
export async function groupErroredAssets(
  lake: Lake,
  sources: readonly ErroredSource[],
  keepIds: boolean,
  filter: Filter = EVERYTHING,
): Promise<{ tapeId: string; count: number; ids?: string[] }[]> {
  const held = erroredSourcesOf(sources, { filter });
  if (held.length === 0) return [];
  const { where, values } = erroredOrder({ filter });
  return lake.connected(async (connection) => {
    const read = await connection.runAndReadAll(
      `SELECT source, count(*), ${keepIds ? 'list("row" ORDER BY "row")' : 'NULL'} FROM ${erroredRelation(held)} WHERE ${where} GROUP BY source ORDER BY 2 DESC, source`,
      [...values],
    );
    return read.getRows().map(([index, count, rows]) => {
      const { tapeId, assetPrefix } = held[Number(index)]!;
      const ids = keepIds ? (rows as DuckDBListValue).items.map((row) => rowId(assetPrefix, Number(row))) : null;
      return { tapeId, count: Number(count), ...(ids ? { ids } : {}) };
    });
  });
}

/**
 * The sum of the numbers that errored rows have in a column of the file, as they are written there, and the number of
 * rows that have one. Null if no row has a number. Numbers of more than 24 digits before the point are not counted: any
 * file can have some, and their sum could be too large for the database.
 */
export async function sumAsWritten(
  lake: Lake,
  sources: readonly ErroredSource[],
  header: string,
): Promise<{ sum: string; rows: number } | null> {
  if (sources.length === 0) return null;
  const path = `/${header.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  return lake.connected(async (connection) => {
    const read = await connection.runAndReadAll(
      `SELECT sum(value)::VARCHAR, count(value)::INTEGER FROM (
         SELECT try_cast(json_extract_string(origin, $1) AS DECIMAL(28, 4)) AS value FROM ${erroredRelation(sources)})`,
      [path],
    );
    const [sum, rows] = read.getRows()[0] ?? [];
    return typeof sum === 'string' ? { sum, rows: Number(rows) } : null;
  });
}
