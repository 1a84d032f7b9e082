import { randomUUID } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { LoanFate } from '@tapeline/domain/pools/loan-fate.ts';
import type { LoanLives } from '@tapeline/domain/pools/loan-lives.ts';
import type { LifeCell } from '@tapeline/domain/pools/vintages.ts';
import type { TapeSource } from './asset-relation.ts';
import { DERIVED_FILE, type Lake, quoteText, readParquet } from './lake.ts';
import type { Sized } from './result-cache.ts';
import { currencyOf, cutOffOf, fateColumns, tapeColumn } from './tape-columns.ts';
import { fromLake } from './values.ts';

/**
 * Rows of one tape as observations of loans. If the row says that the loan has ended, `ended`, `fate` and `fate_date`
 * are set, otherwise `open`.
 */
function observations(source: TapeSource): string {
  const { fate, date } = fateColumns(source);
  const cutOff = cutOffOf(source);
  return `SELECT "row", id, ${cutOff} AS first_seen, ${cutOff} AS last_seen, financed, original, currency,
      CASE WHEN fate IS NULL THEN ${cutOff} END AS open, CASE WHEN fate IS NOT NULL THEN ${cutOff} END AS ended, fate, fate_date
    FROM (SELECT "row", ${tapeColumn(source, 'assetId')} AS id, ${tapeColumn(source, 'dateFinanced')} AS financed,
        ${tapeColumn(source, 'sums.sum')} AS original, ${currencyOf(source, 'sums.sum')} AS currency,
        ${fate} AS fate, ${date} AS fate_date
      FROM ${readParquet(source.paths)})`;
}

/** The columns of a loan as observed so far; each id occurs once. */
const LOAN = 'id, first_seen, last_seen, financed, original, currency, open, ended, fate, fate_date';

/** The rows of a tape that share an id as one loan: each fact comes from the first row that has it. */
const oncePerId = (rows: string): string =>
  `SELECT id, min(first_seen) AS first_seen, max(last_seen) AS last_seen, arg_min(financed, "row") AS financed,
     arg_min(original, "row") AS original, arg_min(currency, "row") FILTER (WHERE original IS NOT NULL) AS currency,
     min(open) AS open, min(ended) AS ended, arg_min(fate, "row") AS fate,
     (arg_min({'date': fate_date}, "row") FILTER (WHERE fate IS NOT NULL)).date AS fate_date
   FROM (${rows}) GROUP BY id`;

/** Merges the loans observed so far (`seen`) with a later tape: each fact keeps its first observation. */
const mergedWith = (seen: string, tape: string): string =>
  `SELECT coalesce(s.id, t.id) AS id, coalesce(s.first_seen, t.first_seen) AS first_seen,
     coalesce(t.last_seen, s.last_seen) AS last_seen, coalesce(s.financed, t.financed) AS financed,
     coalesce(s.original, t.original) AS original,
     CASE WHEN s.original IS NULL THEN t.currency ELSE s.currency END AS currency,
     coalesce(s.open, t.open) AS open, coalesce(s.ended, t.ended) AS ended, coalesce(s.fate, t.fate) AS fate,
     CASE WHEN s.fate IS NULL THEN t.fate_date ELSE s.fate_date END AS fate_date
   FROM ${seen} s FULL OUTER JOIN (${tape}) t ON s.id = t.id`;

/**
 * What is known of every loan after some tapes. Kept as a file, so that the next month only has to read its own tape.
 */
interface SeenLoans extends Sized {
  /** Rows without an id so far. */
  readonly withoutId: number;
  /** Runs `work` on the file, which is not removed before it is done; null if the file is gone. */
  read<T>(work: (path: string) => Promise<T>): Promise<T> | null;
}

async function writeSeenLoans(
  lake: Lake,
  connection: DuckDBConnection,
  table: string,
  withoutId: number,
): Promise<SeenLoans> {
  const path = join(lake.spillFolder, `${DERIVED_FILE}loans-${randomUUID()}.parquet`);
  await connection.run(`COPY ${table} TO ${quoteText(path)} (FORMAT parquet, COMPRESSION snappy)`);
  const { size } = await stat(path);
  let [readers, isGone] = [0, false];
  const removeUnread = () => {
    if (isGone && readers === 0) void rm(path, { force: true });
  };
  return {
    bytes: size,
    withoutId,
    read(work) {
      if (isGone) return null;
      readers += 1;
      return work(path).finally(() => {
        readers -= 1;
        removeUnread();
      });
    },
    dispose() {
      isGone = true;
      removeUnread();
    },
  };
}

/** Identifies what was read: published parts never change. */
const seriesKey = (sources: readonly TapeSource[]): string =>
  ['loans', ...sources.flatMap(({ cutOffDate, paths }) => [cutOffDate, ...paths])].join('|');

/**
 * The lives of loans as observed tape by tape, as `livesFromTapes` beside the domain's tests finds them. Each tape is
 * read once. What is known after the last tape is cached, so that one more tape costs only that tape.
 * @param sources in ascending order of cut-off date, at most one a month
 * @param onTape called before each tape with the number of tapes done
 */
export async function livesOverTapes(
  lake: Lake,
  sources: readonly TapeSource[],
  onTape: (done: number) => void = () => undefined,
): Promise<LoanLives> {
  const [first] = sources;
  if (!first) return { cells: [], leftOut: NOTHING };
  return lake.connected(async (connection) => {
    let [done, withoutId] = await loadSeen(lake, connection, sources);
    for (const source of sources.slice(done)) {
      onTape(done);
      withoutId += await see(connection, source, done);
      done += 1;
    }
    await lake.rowFiles.get(seriesKey(sources), () => writeSeenLoans(lake, connection, 'seen', withoutId));
    await connection.run(
      `CREATE TEMP TABLE lives AS
       WITH entered AS (
         SELECT *, CASE WHEN financed IS NULL OR financed > first_seen THEN 'withoutDate'
             WHEN NOT financed > ${cutOffOf(first)} AND (open IS NULL OR ended <= open) THEN 'closedBefore' END AS left_out,
           CASE WHEN financed > ${cutOffOf(first)} THEN -1 ELSE datediff('month', financed, open) END AS entry
         FROM seen)
       SELECT left_out, strftime(financed, '%Y-%m') AS originated, entry, fate,
         CASE WHEN fate IS NULL THEN datediff('month', financed, last_seen)
           ELSE greatest(entry + 1, datediff('month', financed, coalesce(fate_date, ended))) END AS exit, original, currency
       FROM entered`,
    );
    return readLives(connection, withoutId);
  });
}

/**
 * Creates the table `seen` from the longest cached run of the first tapes.
 * @returns the number of tapes in it, and of their rows without an id
 */
async function loadSeen(
  lake: Lake,
  connection: DuckDBConnection,
  sources: readonly TapeSource[],
): Promise<[number, number]> {
  for (let count = sources.length; count > 0; count -= 1) {
    const known = lake.rowFiles.peek<SeenLoans>(seriesKey(sources.slice(0, count)));
    const taken = known?.read((path) => connection.run(`CREATE TEMP TABLE seen AS FROM ${readParquet([path])}`));
    if (known && taken) {
      await taken;
      return [count, known.withoutId];
    }
  }
  return [0, 0];
}

/** Adds a tape to the table `seen`, which the first tape creates. @returns its rows without an id */
async function see(connection: DuckDBConnection, source: TapeSource, seenTapes: number): Promise<number> {
  const id = tapeColumn(source, 'assetId');
  // As many hashes as ids means that no id occurs twice. That is the rule, and it saves grouping the rows by id.
  const counted = await connection.runAndReadAll(
    `SELECT count(*), count(${id}), count(DISTINCT hash(${id})) FILTER (WHERE ${id} IS NOT NULL) FROM ${readParquet(source.paths)}`,
  );
  const [rows, ids, distinct] = (counted.getRows()[0] ?? []).map(Number);
  const all = `${observations(source)} WHERE id IS NOT NULL`;
  const loans = ids === distinct ? all : oncePerId(all);
  const from = `SELECT ${LOAN} FROM (${seenTapes === 0 ? loans : mergedWith('seen', loans)})`;
  await connection.run(`CREATE TEMP TABLE next_seen AS ${from}`);
  await connection.run('DROP TABLE IF EXISTS seen');
  await connection.run('ALTER TABLE next_seen RENAME TO seen');
  return Number(rows) - Number(ids);
}

/** The lives of loans from the dates of one tape that lists every loan ever made, as `livesFromDates` beside the domain's tests. */
export function livesOfOneTape(lake: Lake, source: TapeSource): Promise<LoanLives> {
  return lake.connected(async (connection) => {
    await connection.run(
      `CREATE TEMP TABLE lives AS
       SELECT CASE WHEN financed IS NULL OR financed > first_seen THEN 'withoutDate'
           WHEN fate IS NOT NULL AND fate_date IS NULL THEN 'undated' END AS left_out,
         strftime(financed, '%Y-%m') AS originated, -1 AS entry, fate,
         greatest(0, datediff('month', financed, coalesce(fate_date, first_seen))) AS exit, original, currency
       FROM (${observations(source)})`,
    );
    return readLives(connection, 0);
  });
}

const NOTHING = { withoutId: 0, withoutDate: 0, closedBefore: 0, undated: 0 };

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
