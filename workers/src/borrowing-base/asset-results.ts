import {
  DOUBLE,
  type DuckDBConnection,
  DuckDBDataChunk,
  DuckDBInstance,
  type DuckDBType,
  INTEGER,
} from '@duckdb/node-api';
import { ruleKey } from '@tapeline/domain/borrowing-base/result.ts';
import { ADVANCE_RATE_DIGITS } from '@tapeline/domain/facilities/contract.schema.ts';
import { BORROWING_BASE_STATUSES } from '@tapeline/domain/facilities/pools.ts';
import { toScaled } from '@tapeline/domain/money/decimal.ts';
import { ROW_COLUMN, SEQUENCE_COLUMN } from '@tapeline/domain/tapes/target-schema.ts';
import { quoteText } from '@tapeline/lake/lake.ts';
import { type Answer, isSet } from './answers.ts';
import { CUTS_PER_WORD } from './cuts.ts';
import type { AssetColumns } from './engine.ts';
import { TapeParts } from './tape-parts.ts';

/** Whether a question about an asset is answered with yes. */
export const answered = (assets: AssetColumns, answer: Answer | null | undefined, index: number): boolean =>
  answer != null && isSet(assets.columns.words, answer, index);

/** Keys of the rules that an asset fails (see `ruleKey`), in stage order. */
export function failedRules(assets: AssetColumns, index: number): string[] {
  const { prepared, columns } = assets;
  const status = BORROWING_BASE_STATUSES[assets.status[index]!];
  if (status === undefined) return [];
  const failed: string[] = [];
  if (answered(assets, columns.layout.missing.get(prepared.outstanding.field.path), index))
    failed.push(ruleKey('eligible', -1));
  for (const [at, answer] of columns.layout.eligibility.entries()) {
    if (answered(assets, answer, index)) failed.push(ruleKey('eligible', prepared.eligibility[at]!.rule));
  }
  if (status === 'nonPerforming') {
    for (const [at, answer] of columns.layout.performance.entries()) {
      if (answered(assets, answer, index)) failed.push(ruleKey('performing', prepared.performance[at]!.rule));
    }
  }
  for (const [at, offset] of prepared.offsets.entries()) {
    const word = assets.offsetCuts[Math.floor(at / CUTS_PER_WORD)]!;
    if (((word[index]! >>> (at % CUTS_PER_WORD)) & 1) === 1) failed.push(ruleKey('offset', offset.rule));
  }
  for (const [at, rule] of prepared.concentration.entries()) {
    const word = assets.cuts[Math.floor(at / CUTS_PER_WORD)]!;
    if (((word[index]! >>> (at % CUTS_PER_WORD)) & 1) === 1) failed.push(ruleKey('concentration', rule.rule));
  }
  return failed;
}

/** Every distinct list of failed rules, and the list that applies to each asset. */
function failureCombinations(assets: AssetColumns): { combinations: string[][]; of: Int32Array } {
  const ids = new Map<string, number>();
  const combinations: string[][] = [];
  const of = new Int32Array(assets.length);
  const { layout, words } = assets.columns;
  const relevant = new Int32Array(words.length);
  const lacking = layout.missing.get(assets.prepared.outstanding.field.path) ?? null;
  for (const answer of [...layout.eligibility, ...layout.performance, lacking]) {
    if (answer) relevant[answer.word] = relevant[answer.word]! | (1 << answer.shift);
  }
  for (let index = 0; index < assets.length; index += 1) {
    let key = String(assets.status[index]);
    for (const [at, mask] of relevant.entries()) key += `,${words[at]![index]! & mask}`;
    for (const word of [...assets.offsetCuts, ...assets.cuts]) key += `,${word[index]}`;
    let id = ids.get(key);
    if (id === undefined) {
      id = combinations.length;
      ids.set(key, id);
      combinations.push(failedRules(assets, index));
    }
    of[index] = id;
  }
  return { combinations, of };
}

/** Rows appended at a time: the size of a DuckDB vector. */
const CHUNK_ROWS = 2048;

async function appendColumns(
  connection: DuckDBConnection,
  table: string,
  columns: readonly (Int32Array | Float64Array)[],
): Promise<void> {
  const types: DuckDBType[] = columns.map((column) => (column instanceof Int32Array ? INTEGER : DOUBLE));
  const appender = await connection.createAppender(table);
  const length = columns[0]?.length ?? 0;
  for (let start = 0; start < length; start += CHUNK_ROWS) {
    const rows = Math.min(CHUNK_ROWS, length - start);
    const chunk = DuckDBDataChunk.create(types, rows);
    for (const [at, column] of columns.entries()) {
      const vector = chunk.getColumnVector(at) as unknown as { items: Int32Array | Float64Array; flush(): void };
      vector.items.set(column.subarray(start, start + rows));
      vector.flush();
    }
    appender.appendDataChunk(chunk);
  }
  appender.flushSync();
  appender.closeSync();
}

const scaled = (whole: string, part: string): string =>
  `CAST(CAST(${whole} AS BIGINT) AS DECIMAL(38,12)) + CAST(CAST(${part} AS BIGINT) AS DECIMAL(19,0)) * CAST('0.000000000001' AS DECIMAL(13,12))`;

/**
 * Writes the results of all assets: a Parquet file with sequenceIndex, row, assetId and the columns of
 * ASSET_RESULT_FIELDS. `borrowingBase.failed` lists rule keys between commas (",eligible:0,performing:1,"), and is
 * empty if no rule failed. The same calculation writes the same bytes.
 */
export async function writeAssetResults(
  assets: AssetColumns,
  parquetFiles: readonly string[],
  file: string,
): Promise<void> {
  // Use one thread, because the Parquet bytes depend on the number of threads.
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  try {
    await connection.run(
      `CREATE TABLE results (i INTEGER, status INTEGER, scope INTEGER, rate INTEGER, failure INTEGER, lacks INTEGER,
        amount_whole DOUBLE, amount_part DOUBLE, counted_whole DOUBLE, counted_part DOUBLE, remaining_whole DOUBLE, remaining_part DOUBLE)`,
    );
    const { combinations, of } = failureCombinations(assets);
    const lacking = assets.columns.layout.missing.get(assets.prepared.outstanding.field.path);
    await appendColumns(connection, 'results', [
      Int32Array.from({ length: assets.length }, (_, index) => index),
      Int32Array.from(assets.status),
      Int32Array.from(assets.scope),
      Int32Array.from(assets.rateCase),
      of,
      Int32Array.from({ length: assets.length }, (_, index) => Number(answered(assets, lacking, index))),
      assets.amount.whole,
      assets.amount.part,
      assets.counted.whole,
      assets.counted.part,
      assets.remaining.whole,
      assets.remaining.part,
    ]);
    await createNames(connection, assets, combinations);
    const parts = await TapeParts.open(connection, parquetFiles);
    const tape =
      parquetFiles.length === 0 ? 'SELECT 0 AS i, 0 AS "row", NULL AS "assetId" WHERE FALSE' : tapeSql(parts);
    await connection.run(`COPY (${resultsSql(tape)}) TO ${quoteText(file)} (FORMAT parquet, COMPRESSION zstd)`);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

const tapeSql = (parts: TapeParts): string =>
  `SELECT "${SEQUENCE_COLUMN}" AS i, "${ROW_COLUMN}" AS "row", CAST(${parts.named('assetId')} AS VARCHAR) AS "assetId" FROM ${parts.from}`;

/** Creates small tables that map codes to their values. */
async function createNames(
  connection: DuckDBConnection,
  assets: AssetColumns,
  combinations: readonly string[][],
): Promise<void> {
  await connection.run('CREATE TABLE failures (id INTEGER, failed VARCHAR, first VARCHAR)');
  const appender = await connection.createAppender('failures');
  for (const [id, rules] of combinations.entries()) {
    appender.appendInteger(id);
    appender.appendVarchar(rules.length === 0 ? '' : `,${rules.join(',')},`);
    if (rules[0] === undefined) appender.appendNull();
    else appender.appendVarchar(rules[0]);
    appender.endRow();
  }
  appender.flushSync();
  appender.closeSync();
  const named = [...BORROWING_BASE_STATUSES, 'outOfScope'].map((status, id) => `(${id}, ${quoteText(status)})`);
  await connection.run(`CREATE TABLE statuses AS SELECT * FROM (VALUES ${named.join(', ')}) AS t(id, title)`);
  const scopes = assets.prepared.scopes.map(
    (scope, id) => `(${id}, ${scope.title === null ? 'CAST(NULL AS VARCHAR)' : quoteText(scope.title)})`,
  );
  await connection.run(`CREATE TABLE scopes AS SELECT * FROM (VALUES ${scopes.join(', ')}) AS t(id, title)`);
  // Units of 10^-8 percent are computed here: a DECIMAL product in SQL overflows at 100 %.
  const rates = assets.prepared.cases.map(
    ({ rate }, id) =>
      `(${id}, CAST(${quoteText(rate)} AS DECIMAL(11,8)), CAST(${toScaled(rate, ADVANCE_RATE_DIGITS)} AS BIGINT))`,
  );
  await connection.run(`CREATE TABLE rates AS SELECT * FROM (VALUES ${rates.join(', ')}) AS t(id, rate, units)`);
}

function resultsSql(tape: string): string {
  const amount = scaled('r.amount_whole', 'r.amount_part');
  const counted = scaled('r.counted_whole', 'r.counted_part');
  const remaining = scaled('r.remaining_whole', 'r.remaining_part');
  // remaining x rate / 100, rounded down at scale 12.
  const parts = 'CAST(r.remaining_whole AS HUGEINT) * 1000000000000 + CAST(r.remaining_part AS HUGEINT)';
  const lent = `((${parts}) * COALESCE(a.units, 0)) // 10000000000`;
  return `
    SELECT r.i AS "${SEQUENCE_COLUMN}", t."row", t."assetId", s.title AS "borrowingBase.status", c.title AS "borrowingBase.scope",
      f.failed AS "borrowingBase.failed", f.first AS "borrowingBase.firstFailed",
      CASE WHEN r.lacks = 1 THEN NULL ELSE ${amount} END AS "borrowingBase.amount",
      CASE WHEN a.id IS NULL THEN CAST(0 AS DECIMAL(38,12)) ELSE (${counted}) - (${remaining}) END AS "borrowingBase.excessRemoved",
      ${remaining} AS "borrowingBase.remaining", a.rate AS "borrowingBase.rate",
      ${scaled(`(${lent}) // 1000000000000`, `(${lent}) % 1000000000000`)} AS "borrowingBase.advanced"
    FROM results r
    JOIN (${tape}) t ON t.i = r.i
    JOIN statuses s ON s.id = r.status
    JOIN failures f ON f.id = r.failure
    LEFT JOIN scopes c ON c.id = r.scope
    LEFT JOIN rates a ON a.id = r.rate
    ORDER BY r.i`;
}
