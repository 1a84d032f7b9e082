import type { DuckDBListValue } from '@duckdb/node-api';
import { rowId } from '@tapeline/domain/tapes/corrections.schema.ts';
import { UNKNOWN_STATUS_REASONS } from '@tapeline/domain/tapes/status-words.ts';
import { statusKey } from '@tapeline/domain/tapes/statuses.ts';
import { type ErroredRow, summarizeFaults } from '@tapeline/domain/tapes/tape.schema.ts';
import { type Lake, readParquet } from './lake.ts';

/** A row that could not become an asset, as listed: what was read, and every reason. */
export interface ErroredAsset {
  /** The id that the row keeps when it becomes an asset. */
  id: string;
  loanTape: string;
  rowNumber: number;
  originData: ErroredRow['origin'];
  /** The reasons in one line. */
  error: string;
  errors: ErroredRow['errors'];
}

export interface ErroredSource {
  tapeId: string;
  /** First 16 digits of the ids of the tape's rows. */
  assetPrefix: string;
  paths: readonly string[];
  /** Sheet rows that were discarded: they are listed no more. */
  discarded?: readonly number[] | 'all';
}

/** A condition that leaves the discarded rows out. */
const without = (discarded: ErroredSource['discarded'] = []): string =>
  discarded === 'all' ? 'WHERE false' : discarded.length > 0 ? `WHERE "row" NOT IN (${rowList(discarded)})` : '';

const rowList = (rows: readonly number[]): string => rows.map((row) => Math.trunc(row)).join(', ');

/** The rows of the sources that were not discarded, each with its source's place in the list; there must be one. */
export const erroredRelation = (sources: readonly ErroredSource[]): string =>
  `(${sources
    .map(
      ({ paths, discarded }, index) =>
        `SELECT ${index} AS source, "row", origin, errors FROM ${readParquet(paths)} ${without(discarded)}`,
    )
    .join(' UNION ALL ')})`;

/** Which of the sheet rows stand in the errored parts. */
export async function findErroredRows(
  lake: Lake,
  paths: readonly string[],
  rows: readonly number[],
): Promise<number[]> {
  if (paths.length === 0 || rows.length === 0) return [];
  return lake.connected(async (connection) => {
    const found = await connection.runAndReadAll(
      `SELECT DISTINCT "row" FROM ${readParquet(paths)} WHERE "row" IN (${rowList(rows)})`,
    );
    return found.getRows().map(([row]) => Number(row));
  });
}

/** Of these sheet rows, those that stand in the errored parts, in row order: what was read, and every reason. */
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

/** The column that a reason speaks of: a header of the sheet, or the target of a computed one. */
const REASON_COLUMN = 'coalesce(e."column", e.target)';

/** How many of a tape's errored rows have a reason at each column, the most first. */
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

/** Different texts that are looked through; a column of more holds no statuses. */
const MOST_SPELLINGS = 1_000;

/** A text of the sheet that no step makes a status of. */
export interface UnknownStatus {
  word: string;
  /** The header it stands under. */
  column: string;
  rows: number;
}

/** The texts that a tape's rows are errored for as they mean no status, those of the most rows first. */
export async function unknownStatuses(lake: Lake, source: ErroredSource, most: number): Promise<UnknownStatus[]> {
  if (source.paths.length === 0 || source.discarded === 'all') return [];
  const { notStatus, noCase } = UNKNOWN_STATUS_REASONS;
  return lake.connected(async (connection) => {
    const counted = await connection.runAndReadAll(
      `SELECT trim(e."value"), e."column", count(DISTINCT "row") FROM (
         SELECT "row", unnest(errors) AS e FROM ${readParquet(source.paths)} ${without(source.discarded)}
       ) WHERE e.target = 'assetStatus' AND e."column" IS NOT NULL AND trim(e."value") <> ''
         AND (e.reason LIKE $1 OR e.reason LIKE $2)
       GROUP BY 1, 2 ORDER BY 3 DESC, 1 LIMIT ${MOST_SPELLINGS}`,
      [`% ${notStatus}`, `% ${noCase}`],
    );
    // Spellings that a mapping takes for one are one, by the commonest of them.
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
 * Errored rows of the tapes, in the order of the sources and rows, with the total before paging.
 * @param page.column only rows with a reason at this column
 */
export async function listErroredAssets(
  lake: Lake,
  sources: readonly ErroredSource[],
  page: { skip: number; limit: number; column?: string | null },
): Promise<{ rows: ErroredAsset[]; total: number }> {
  const held = sources.filter((source) => source.paths.length > 0 && source.discarded !== 'all');
  if (held.length === 0) return { rows: [], total: 0 };
  const relation = erroredRelation(held);
  const { column } = page;
  const [where, values] = column
    ? [`WHERE len(list_filter(errors, lambda e: ${REASON_COLUMN} = $1)) > 0`, [column]]
    : ['', []];
  return lake.connected(async (connection) => {
    const counted = await connection.runAndReadAll(`SELECT count(*) FROM ${relation} ${where}`, values);
    const read = await connection.runAndReadAll(
      `SELECT source, "row", origin, to_json(errors) FROM ${relation} ${where}
       ORDER BY source, "row" LIMIT ${Math.trunc(page.limit)} OFFSET ${Math.trunc(page.skip)}`,
      values,
    );
    const rows = read.getRows().map(([source, row, origin, errors]): ErroredAsset => {
      const reasons = JSON.parse(String(errors)) as ErroredAsset['errors'];
      const { tapeId = '', assetPrefix = '' } = held[Number(source)] ?? {};
      return {
        id: rowId(assetPrefix, Number(row)),
        loanTape: tapeId,
        rowNumber: Number(row),
        originData: JSON.parse(String(origin)),
        error: summarizeFaults(reasons),
        errors: reasons,
      };
    });
    return { rows, total: Number(counted.getColumns()[0]?.[0] ?? 0) };
  });
}

/** The errored rows of each tape that has any, the most first; their ids where they are asked for. */
export async function groupErroredAssets(
  lake: Lake,
  sources: readonly ErroredSource[],
  keepIds: boolean,
): Promise<{ tapeId: string; count: number; ids?: string[] }[]> {
  const held = sources.filter((source) => source.paths.length > 0 && source.discarded !== 'all');
  if (held.length === 0) return [];
  return lake.connected(async (connection) => {
    const read = await connection.runAndReadAll(
      `SELECT source, count(*), ${keepIds ? 'list("row" ORDER BY "row")' : 'NULL'} FROM ${erroredRelation(held)} GROUP BY source ORDER BY 2 DESC, source`,
    );
    return read.getRows().map(([place, count, rows]) => {
      const { tapeId, assetPrefix } = held[Number(place)]!;
      const ids = keepIds ? (rows as DuckDBListValue).items.map((row) => rowId(assetPrefix, Number(row))) : null;
      return { tapeId, count: Number(count), ...(ids ? { ids } : {}) };
    });
  });
}
