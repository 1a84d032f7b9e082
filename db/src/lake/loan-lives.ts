import type { DuckDBConnection } from '@duckdb/node-api';
import type { LoanFate } from '@tapeline/domain/pools/loan-fate.ts';
import type { LoanLives } from '@tapeline/domain/pools/loan-lives.ts';
import type { LifeCell } from '@tapeline/domain/pools/vintages.ts';
import type { TapeSource } from './assets.ts';
import { type Lake, readParquet } from './lake.ts';
import { currencyOf, cutOffOf, fateColumns, tapeColumn } from './tape-columns.ts';
import { fromLake } from './values.ts';

/** Rows of one tape as sightings of loans; `place` orders them over all tapes. */
function sightings(source: TapeSource, tape: number): string {
  const { fate, date } = fateColumns(source);
  return `SELECT ${tape}::BIGINT * 4294967296 + "row" AS place, ${cutOffOf(source)} AS cut_off,
      ${tapeColumn(source, 'assetId')} AS id, ${tapeColumn(source, 'dateFinanced')} AS financed,
      ${tapeColumn(source, 'sums.sum')} AS original, ${currencyOf(source, 'sums.sum')} AS currency,
      ${fate} AS fate, ${date} AS fate_date
    FROM ${readParquet(source.paths)}`;
}

/**
 * The lives of loans as one tape after the other saw them: `livesFromTapes` of the domain over the lake.
 * @param sources in ascending order of cut-off date, at most one a month
 */
export function livesOverTapes(lake: Lake, sources: readonly TapeSource[]): Promise<LoanLives> {
  const [first] = sources;
  if (!first) return Promise.resolve({ cells: [], leftOut: NOTHING });
  return lake.connected(async (connection) => {
    await connection.run(
      `CREATE TEMP TABLE lives AS
       WITH loans AS (
         SELECT min(cut_off) AS first_seen, max(cut_off) AS last_seen, arg_min(financed, place) AS financed,
           arg_min({'sum': original, 'currency': currency}, place) FILTER (WHERE original IS NOT NULL) AS original,
           min(cut_off) FILTER (WHERE fate IS NULL) AS open, min(cut_off) FILTER (WHERE fate IS NOT NULL) AS ended,
           arg_min({'fate': fate, 'date': fate_date, 'cut_off': cut_off}, place) FILTER (WHERE fate IS NOT NULL) AS fate
         FROM (${sources.map(sightings).join(' UNION ALL ')}) WHERE id IS NOT NULL GROUP BY id),
       entered AS (
         SELECT *, financed > ${cutOffOf(first)} AS from_birth,
           CASE WHEN financed IS NULL OR financed > first_seen THEN 'withoutDate'
             WHEN NOT financed > ${cutOffOf(first)} AND (open IS NULL OR ended <= open) THEN 'closedBefore' END AS left_out,
           CASE WHEN financed > ${cutOffOf(first)} THEN -1 ELSE datediff('month', financed, open) END AS entry
         FROM loans)
       SELECT left_out, strftime(financed, '%Y-%m') AS originated, entry, fate.fate AS fate,
         CASE WHEN fate IS NULL THEN datediff('month', financed, last_seen)
           ELSE greatest(entry + 1, datediff('month', financed, coalesce(fate.date, fate.cut_off))) END AS exit,
         original.sum AS original, original.currency AS currency
       FROM entered`,
    );
    return readLives(connection, await withoutId(connection, sources));
  });
}

/** The lives of loans from the dates of one tape that lists every loan ever made: `livesFromDates` of the domain. */
export function livesOfOneTape(lake: Lake, source: TapeSource): Promise<LoanLives> {
  return lake.connected(async (connection) => {
    await connection.run(
      `CREATE TEMP TABLE lives AS
       SELECT CASE WHEN financed IS NULL OR financed > cut_off THEN 'withoutDate'
           WHEN fate IS NOT NULL AND fate_date IS NULL THEN 'undated' END AS left_out,
         strftime(financed, '%Y-%m') AS originated, -1 AS entry, fate,
         greatest(0, datediff('month', financed, coalesce(fate_date, cut_off))) AS exit, original, currency
       FROM (${sightings(source, 0)})`,
    );
    return readLives(connection, 0);
  });
}

const NOTHING = { withoutId: 0, withoutDate: 0, closedBefore: 0, undated: 0 };

async function withoutId(connection: DuckDBConnection, sources: readonly TapeSource[]): Promise<number> {
  const counts = sources.map(
    (source) => `SELECT count(*) AS n FROM ${readParquet(source.paths)} WHERE ${tapeColumn(source, 'assetId')} IS NULL`,
  );
  const read = await connection.runAndReadAll(`SELECT sum(n) FROM (${counts.join(' UNION ALL ')})`);
  return Number(read.getRows()[0]?.[0] ?? 0);
}

async function readLives(connection: DuckDBConnection, withoutIds: number): Promise<LoanLives> {
  const left = await connection.runAndReadAll(
    'SELECT left_out, count(*) FROM lives WHERE left_out IS NOT NULL GROUP BY 1',
  );
  const read = await connection.runAndReadAll(
    `SELECT originated, entry, exit, fate, currency, count(*), sum(original) FROM lives WHERE left_out IS NULL
     GROUP BY ALL ORDER BY ALL`,
  );
  return {
    leftOut: {
      ...NOTHING,
      ...Object.fromEntries(left.getRows().map(([why, count]) => [String(why), Number(count)])),
      withoutId: withoutIds,
    },
    cells: read.getRows().map(
      ([originated, entry, exit, fate, currency, count, original]): LifeCell => ({
        originated: String(originated),
        entry: Number(entry),
        exit: Number(exit),
        fate: fate === null ? null : (String(fate) as LoanFate),
        currency: currency === null ? null : String(currency),
        count: Number(count),
        original: original === null || original === undefined ? null : String(fromLake(original)),
      }),
    ),
  };
}
