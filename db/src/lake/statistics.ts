import type { DuckDBConnection } from '@duckdb/node-api';
import { filterToDuckDb } from '@tapeline/domain/filters/duckdb.ts';
import type { Filter } from '@tapeline/domain/filters/filter.ts';
import type { AssetStatistics } from '@tapeline/domain/tapes/tape.schema.ts';
import { assetRelation, knownFields, type TapeSource } from './assets.ts';
import { type Lake, quoteName } from './lake.ts';
import { fromLake } from './values.ts';

/** Name of the assets whose tape says no status. */
export const NO_STATUS = 'unknown';

/**
 * Counts by asset status, and financed and outstanding sums by status and currency, over a relation of assets.
 * @param columns those the relation holds; a tape without a column has no figure for it, not zero.
 */
export async function tapeStatistics(
  connection: DuckDBConnection,
  relation: string,
  columns: ReadonlySet<string>,
  where: { sql: string; values: readonly (string | number | boolean)[] } = { sql: 'true', values: [] },
): Promise<AssetStatistics> {
  const status = columns.has('assetStatus') ? `coalesce("assetStatus", '${NO_STATUS}')` : `'${NO_STATUS}'`;
  const counts = await connection.runAndReadAll(
    `SELECT ${status} AS name, count(*) AS value FROM ${relation} WHERE ${where.sql} GROUP BY 1 ORDER BY 2 DESC, 1`,
    [...where.values],
  );
  const sums = async (path: string): Promise<AssetStatistics['sum']> => {
    if (!columns.has(path)) return [];
    const result = await connection.runAndReadAll(
      `SELECT ${status} AS name, ${quoteName(`${path}.currency`)} AS currency, sum(${quoteName(path)}) AS total
       FROM ${relation} WHERE ${where.sql} AND ${quoteName(path)} IS NOT NULL GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2`,
      [...where.values],
    );
    return result.getRows().map(([name, currency, total]) => ({
      name: String(name),
      amount: { sum: String(fromLake(total ?? null, true)), currency: String(currency) },
    }));
  };
  return {
    assetsStatuses: counts.getRows().map(([name, value]) => ({ name: String(name), value: Number(value) })),
    sum: await sums('sums.sum'),
    outstandingSum: await sums('sums.outstandingSum'),
  };
}

/** The statistics of the assets of several tapes that pass a filter. */
export async function assetStatistics(
  lake: Lake,
  sources: readonly TapeSource[],
  filter: Filter,
): Promise<AssetStatistics> {
  if (sources.length === 0) return { assetsStatuses: [], sum: [], outstandingSum: [] };
  const relation = assetRelation(sources, knownFields(sources));
  const columns = new Set(sources.flatMap((source) => source.columns));
  const where = filterToDuckDb(filter, (field) => quoteName(field.path));
  return lake.connected((connection) => tapeStatistics(connection, relation, columns, where));
}
