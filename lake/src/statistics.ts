import type { DuckDBConnection } from '@duckdb/node-api';
import { filterToDuckDb } from '@tapeline/domain/filters/duckdb.ts';
import type { Filter } from '@tapeline/domain/filters/filter.ts';
import type { AssetStatistics } from '@tapeline/domain/tapes/tape.schema.ts';
import { assetRelation, knownFields, type TapeSource } from './asset-relation.ts';
import { type Lake, quoteName } from './lake.ts';
import { fromLake } from './values.ts';

/** Name of the group of assets without a status. */
export const NO_STATUS = 'unknown';

const SUMMED = [
  { path: 'sums.sum', name: 'financed' },
  { path: 'sums.outstandingSum', name: 'outstanding' },
] as const;

/**
 * Counts by asset status, and financed and outstanding sums by status and currency, over a relation of assets.
 * @param columns the columns of the relation; a tape without a column has no figure for it, not zero
 */
export async function tapeStatistics(
  connection: DuckDBConnection,
  relation: string,
  columns: ReadonlySet<string>,
  where: { sql: string; values: readonly (string | number | boolean)[] } = { sql: 'true', values: [] },
): Promise<AssetStatistics> {
  const status = columns.has('assetStatus') ? `coalesce("assetStatus", '${NO_STATUS}')` : `'${NO_STATUS}'`;
  const summed = SUMMED.filter(({ path }) => columns.has(path));
  const currencies = summed.map(({ path, name }) => `${quoteName(`${path}.currency`)} AS ${name}_currency`);
  const totals = summed.map(({ path, name }) => `sum(${quoteName(path)}) AS ${name}`);
  // One scan of the assets; the queries below read its few rows.
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE tape_totals AS
     SELECT ${[`${status} AS name`, 'count(*) AS assets', ...currencies, ...totals].join(', ')}
     FROM ${relation} WHERE ${where.sql} GROUP BY ALL`,
    [...where.values],
  );
  const counts = await connection.runAndReadAll(
    'SELECT name, sum(assets) AS value FROM tape_totals GROUP BY 1 ORDER BY 2 DESC, 1',
  );
  const sums = async (path: string): Promise<AssetStatistics['sum']> => {
    const found = summed.find((each) => each.path === path);
    if (!found) return [];
    const result = await connection.runAndReadAll(
      `SELECT name, ${found.name}_currency, sum(${found.name}) FROM tape_totals
       WHERE ${found.name} IS NOT NULL GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2`,
    );
    return result.getRows().map(([name, currency, total]) => ({
      name: String(name),
      amount: { sum: String(fromLake(total ?? null, true)), currency: String(currency) },
    }));
  };
  const [sum, outstandingSum] = [await sums('sums.sum'), await sums('sums.outstandingSum')];
  await connection.run('DROP TABLE tape_totals');
  return {
    assetsStatuses: counts.getRows().map(([name, value]) => ({ name: String(name), value: Number(value) })),
    sum,
    outstandingSum,
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
