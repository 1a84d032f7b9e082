import { join } from 'node:path';
import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import {
  addFractions,
  compareFractions,
  type Fraction,
  fraction,
  multiplyFractions,
  reduceFraction,
} from '@tapeline/domain/borrowing-base/exact.ts';
import {
  ASSET_ID_PATH,
  CURRENCY_OF_OUTSTANDING,
  OUTSTANDING_PATH,
  prepareContract,
} from '@tapeline/domain/borrowing-base/prepare.ts';
import type { TapeTerms } from '@tapeline/domain/borrowing-base/publish.ts';
import type { TransactionContract } from '@tapeline/domain/facilities/contract.schema.ts';
import { atCutOff } from '@tapeline/domain/filters/at-cut-off.ts';
import type { FieldCatalog } from '@tapeline/domain/filters/catalog.ts';
import { filterToDuckDb } from '@tapeline/domain/filters/duckdb.ts';
import type { Filter } from '@tapeline/domain/filters/filter.ts';
import { parseFilter } from '@tapeline/domain/filters/parse.ts';
import { toScaled } from '@tapeline/domain/money/decimal.ts';
import { exchangeFactor } from '@tapeline/domain/money/rates.ts';
import { BUCKET_DAYS } from '@tapeline/domain/pools/delinquency.ts';
import { DAYS_PAST_DUE_PATH } from '@tapeline/domain/scenarios/changed-inputs.ts';
import type { ChangeOf, ScenarioChange } from '@tapeline/domain/scenarios/scenario.schema.ts';
import { SEQUENCE_COLUMN } from '@tapeline/domain/tapes/target-schema.ts';
import { quoteName, quoteText } from '@tapeline/lake/lake.ts';
import { TapeParts } from './tape-parts.ts';

/** The table of what a scenario changes of each asset: its balance in units of 10^-4, and its days past due. */
const VALUES = 'changed_values';
/** Percentages of a change have 4 decimals, so that shares of the whole are whole numbers of this. */
const WHOLE = 1_000_000;
const SEQUENCE = quoteName(SEQUENCE_COLUMN);
const [BALANCE, DAYS] = [quoteName(OUTSTANDING_PATH), quoteName(DAYS_PAST_DUE_PATH)];

/** A filter as SQL on the tape. A field that the tape does not have is unknown. */
const conditionOf = (parts: TapeParts, filter: Filter): { sql: string; values: DuckDBValue[] } =>
  filterToDuckDb(filter, (field) => parts.column(field));

/**
 * The tape with the balances and the days past due of a scenario; the same files if it changes neither. Texts keep their
 * codes, and assets their positions.
 * @param file where a changed tape is written
 */
export async function changedTape(
  connection: DuckDBConnection,
  { parquetFiles, catalog, cutOffDate }: { parquetFiles: readonly string[]; catalog: FieldCatalog; cutOffDate: string },
  changes: readonly ScenarioChange[],
  folder: string,
  name: string,
): Promise<readonly string[]> {
  const ofAssets = changes.filter(({ kind }) => kind === 'haircut' || kind === 'rollRates');
  const parts = await TapeParts.open(connection, parquetFiles);
  if (ofAssets.length === 0 || parts.length === 0 || !parts.has(OUTSTANDING_PATH)) return parquetFiles;
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE ${VALUES} AS SELECT ${SEQUENCE} AS i, CAST(${BALANCE} * 10000 AS HUGEINT) AS units,
       CAST(${parts.named(DAYS_PAST_DUE_PATH)} AS DOUBLE) AS days,
       row_number() OVER (ORDER BY CAST(${parts.named(ASSET_ID_PATH)} AS VARCHAR) NULLS LAST, ${SEQUENCE}) AS place,
       ${BALANCE} > 0 AND ${parts.named(DAYS_PAST_DUE_PATH)} IS NOT NULL AS rolls
     FROM ${parts.from}`,
  );
  for (const change of ofAssets) {
    if (change.kind === 'haircut') {
      const filter = atCutOff(parseFilter(change.filter, catalog), cutOffDate);
      await reduceBalances(connection, parts, filter, change.percent);
    }
    if (change.kind === 'rollRates') await rollOn(connection, change);
  }
  const balance = `CAST(CAST(v.units AS DECIMAL(19,0)) * CAST('0.0001' AS DECIMAL(5,4)) AS DECIMAL(18,4))`;
  const days = parts.has(DAYS_PAST_DUE_PATH) ? `, v.days AS ${DAYS}` : '';
  const file = join(folder, `${name}.parquet`);
  await connection.run(
    `COPY (SELECT t.* REPLACE (${balance} AS ${BALANCE}${days})
       FROM ${parts.from} t JOIN ${VALUES} v ON v.i = t.${SEQUENCE} ORDER BY t.${SEQUENCE})
     TO ${quoteText(file)} (FORMAT parquet)`,
  );
  return [file];
}

/** Takes a percentage off positive balances, each rounded half-even to 4 decimals. */
async function reduceBalances(
  connection: DuckDBConnection,
  parts: TapeParts,
  filter: Filter,
  percent: number,
): Promise<void> {
  const left = `(units * ${BigInt(WHOLE) - toScaled(String(percent), 4)})`;
  const [floor, rest] = [`(${left} // ${WHOLE})`, `(${left} % ${WHOLE})`];
  const { sql, values } = conditionOf(parts, filter);
  await connection.run(
    `UPDATE ${VALUES} SET units = ${floor} + CASE WHEN ${rest} * 2 > ${WHOLE} OR (${rest} * 2 = ${WHOLE} AND ${floor} % 2 = 1) THEN 1 ELSE 0 END
     WHERE units > 0 AND i IN (SELECT ${SEQUENCE} FROM ${parts.from} WHERE ${sql})`,
    values,
  );
}

/**
 * Moves assets on to the next bucket, one month after another. The assets of a bucket are taken in the order of their ids;
 * the one at which the share of their number reaches another whole number moves, so that those that move are spread evenly.
 */
async function rollOn(connection: DuckDBConnection, { months, shares }: ChangeOf<'rollRates'>): Promise<void> {
  const bucket = `CASE ${BUCKET_DAYS.map(({ below }, at) => `WHEN days < ${below} THEN ${at}`).join(' ')} END`;
  const cases = (value: (at: number) => number | bigint): string =>
    `CASE bucket ${BUCKET_DAYS.map((_, at) => `WHEN ${at} THEN ${value(at)}`).join(' ')} END`;
  const share = cases((at) => toScaled(String(shares[BUCKET_DAYS[at]!.bucket as keyof typeof shares] ?? 0), 4));
  const reached = (count: string): string => `((${count}) * ${share} // ${WHOLE})`;
  for (let month = 0; month < months; month += 1) {
    await connection.run(
      `UPDATE ${VALUES} SET days = moved.below FROM (
         SELECT i, ${cases((at) => BUCKET_DAYS[at]!.below)} AS below FROM (
           SELECT i, bucket, row_number() OVER (PARTITION BY bucket ORDER BY place) AS rank
           FROM (SELECT i, place, ${bucket} AS bucket FROM ${VALUES} WHERE rolls) WHERE bucket IS NOT NULL)
         WHERE ${reached('rank')} > ${reached('rank - 1')}) AS moved
       WHERE ${VALUES}.i = moved.i`,
    );
  }
}

/**
 * The obligors with the largest positive balances in scope, added up at exact exchange rates. Of equal ones, the first by
 * the text that names it.
 */
export async function largestObligors(
  connection: DuckDBConnection,
  {
    parquetFiles,
    catalog,
    contract,
    tape,
  }: { parquetFiles: readonly string[]; catalog: FieldCatalog; contract: TransactionContract; tape: TapeTerms },
  { field, count }: ChangeOf<'largestDefault'>,
): Promise<string[]> {
  const parts = await TapeParts.open(connection, parquetFiles);
  if (parts.length === 0 || !parts.has(OUTSTANDING_PATH) || !parts.has(field)) return [];
  const { scopes } = prepareContract(contract, catalog, tape.cutOffDate);
  const values: DuckDBValue[] = [];
  const inScope = scopes.map(({ filter }) => {
    const condition = filterToDuckDb(filter, (one) => parts.column(one), values.length + 1);
    values.push(...condition.values);
    return `coalesce(${condition.sql}, false)`;
  });
  const main = quoteText(tape.mainCurrency);
  const key = `CAST(${quoteName(field)} AS VARCHAR)`;
  const found = await connection.stream(
    `SELECT ${key} AS key, coalesce(${parts.named(CURRENCY_OF_OUTSTANDING)}, ${main}) AS currency,
       CAST(sum(CAST(${BALANCE} * 10000 AS BIGINT)) AS VARCHAR) AS units
     FROM ${parts.from} WHERE ${BALANCE} > 0 AND ${key} IS NOT NULL AND (${inScope.join(' OR ')})
     GROUP BY 1, 2 ORDER BY 1, 2`,
    values,
  );
  const largest: { key: string; sum: Fraction }[] = [];
  /** Keys come in order, so that one that is equal to the last of the largest is not among them. */
  const add = (obligor: { key: string; sum: Fraction }): void => {
    const at = largest.findIndex(({ sum }) => compareFractions(sum, obligor.sum) < 0);
    largest.splice(at < 0 ? largest.length : at, 0, obligor);
    largest.length = Math.min(largest.length, count);
  };
  let current = null as { key: string; sum: Fraction } | null;
  for (let chunk = await found.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await found.fetchChunk()) {
    for (const [name, currency, units] of chunk.getRows()) {
      const { factor } = exchangeFactor(String(currency), tape.mainCurrency, tape.exchangeRates);
      const sum = multiplyFractions(fraction(BigInt(String(units)), 10_000n), factor);
      if (current !== null && current.key === name) current.sum = reduceFraction(addFractions(current.sum, sum));
      else {
        if (current) add(current);
        current = { key: String(name), sum };
      }
    }
  }
  if (current) add(current);
  return largest.map(({ key: name }) => name);
}
