import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import type { Field } from '@tapeline/domain/filters/catalog.ts';
import { filterToDuckDb } from '@tapeline/domain/filters/duckdb.ts';
import { type Filter, fieldsOf } from '@tapeline/domain/filters/filter.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { type BandEdges, bandsOf, isBanded, suggestEdges } from '@tapeline/domain/pools/bands.ts';
import type { PoolCurrency } from '@tapeline/domain/pools/conversion.ts';
import {
  STRATUM_MEASURES,
  type StratumKey,
  type StratumMeasures,
  type StratumSums,
} from '@tapeline/domain/pools/stratification.ts';
import { assetRelation, knownFields, RESULT_COLUMNS, type TapeSource } from './asset-relation.ts';
import { type Lake, quoteName, quoteText } from './lake.ts';
import { holdsColumn } from './tape-columns.ts';
import { fromLake } from './values.ts';

export interface StratificationQuery {
  readonly field: Field;
  /** Null: use the suggested edges. Only for fields that are cut into bands. */
  readonly edges: BandEdges | null;
  /** How many text values get a stratum of their own; the rest share one stratum. */
  readonly top: number;
  readonly filter: Filter;
}

export interface StratifiedTape {
  readonly keys: readonly StratumKey[];
  readonly sums: readonly StratumSums[];
  readonly measures: StratumMeasures;
  /** The edges used; null for a field that is grouped by value. */
  readonly edges: BandEdges | null;
}

const BALANCE = 'sums.outstandingSum';
const MEASURE_PATHS = {
  rate: ['interestRate'],
  term: ['remainingTerm.days', 'term.days'],
  score: ['creditScores.origination', 'creditScores.current'],
} as const;

/** The measures that this tape can be averaged on: of each kind the first that it has. */
export function measuresOf(source: TapeSource): StratumMeasures {
  const first = (paths: readonly string[]) => paths.find((path) => holdsColumn(source, path)) ?? null;
  return { rate: first(MEASURE_PATHS.rate), term: first(MEASURE_PATHS.term), score: first(MEASURE_PATHS.score) };
}

/** Adds up the assets of a tape that pass the filter, exactly, by band or value of a field and by currency. */
export function stratifyTape(
  lake: Lake,
  source: TapeSource,
  query: StratificationQuery,
  pool: PoolCurrency,
): Promise<StratifiedTape> {
  const measures = measuresOf(source);
  const assets = assetsOf(source, query);
  return lake.connected(async (connection) => {
    if (!isBanded(query.field)) {
      await gather(connection, assets, { sql: quoteName(query.field.path), values: [] }, measures);
      return { ...(await byValue(connection, query.top, pool)), measures, edges: null };
    }
    const edges = query.edges ?? suggestEdges(query.field, await rangeOf(connection, assets, query.field));
    const bands = bandsOf(edges);
    await gather(connection, assets, placeOf(query.field, edges, assets.values.length + 1), measures);
    const read = await connection.runAndReadAll(`SELECT value, ${SUMS} FROM strata GROUP BY 1, 2 ORDER BY 1, 2`);
    const sums = read.getRows().map(sumsOf);
    const keys = bands.map((band, index): StratumKey => ({ kind: 'band', index, band }));
    return { keys: [...keys, ...missingKey(sums, bands.length)], sums, measures, edges };
  });
}

interface BoundSql {
  readonly sql: string;
  readonly values: readonly (string | boolean)[];
}

/** The tape's assets that pass the filter, for use in FROM. */
function assetsOf(source: TapeSource, { field, filter }: StratificationQuery): BoundSql {
  const { sql: where, values } = filterToDuckDb(filter, (one) => quoteName(one.path));
  const named = [field, ...fieldsOf(filter)].some(({ path }) => RESULT_COLUMNS.includes(path));
  const sources = [named ? source : { ...source, borrowingBase: null }];
  return { sql: `(SELECT * FROM ${assetRelation(sources, knownFields(sources))} WHERE ${where})`, values };
}

/** The index of an asset's band; assets without a value come after the last band. */
function placeOf(field: Field, edges: BandEdges, firstParameter: number): BoundSql {
  const column = quoteName(field.path);
  const cases = edges.map(
    (edge, index) => `WHEN ${column} < ${literal(field, edge, firstParameter + index)} THEN ${index}`,
  );
  return {
    sql: `CASE WHEN ${column} IS NULL THEN ${edges.length + 1} ${cases.join(' ')} ELSE ${edges.length} END`,
    values: [...edges],
  };
}

/**
 * Adds up the assets by key and currency, in decimals throughout, so that the order in which rows are read never
 * changes a figure.
 */
async function gather(
  connection: DuckDBConnection,
  assets: BoundSql,
  key: BoundSql,
  measures: StratumMeasures,
): Promise<void> {
  const balance = quoteName(BALANCE);
  const weighed = STRATUM_MEASURES.map((measure) => {
    const path = measures[measure];
    if (path === null) return `NULL AS ${measure}_product, NULL AS ${measure}_weight`;
    // A rate has eight digits; days and scores are doubles, of which six digits count.
    const value =
      measure === 'rate'
        ? `CAST(${quoteName(path)} AS DECIMAL(28,8))`
        : `CAST(TRY_CAST(${quoteName(path)} AS DECIMAL(18,6)) AS DECIMAL(28,6))`;
    return `sum(${value} * ${balance}) AS ${measure}_product,
      sum(${balance}) FILTER (WHERE ${value} IS NOT NULL) AS ${measure}_weight`;
  });
  await connection.run(
    `CREATE TEMP TABLE strata AS
     SELECT ${key.sql} AS value, CASE WHEN ${balance} IS NOT NULL THEN ${quoteName(`${BALANCE}.currency`)} END AS currency,
       count(*) AS members, sum(${balance}) AS balance, ${weighed.join(', ')}
     FROM ${assets.sql} GROUP BY 1, 2`,
    [...assets.values, ...key.values],
  );
}

/** The range that holds most assets: outliers do not get bands of their own. Null if no asset has the value. */
async function rangeOf(
  connection: DuckDBConnection,
  assets: BoundSql,
  field: Field,
): Promise<{ low: string; high: string } | null> {
  const column = quoteName(field.path);
  const read = await connection.runAndReadAll(
    `SELECT quantile_disc(${column}, 0.01), quantile_disc(${column}, 0.99) FROM ${assets.sql}`,
    [...assets.values],
  );
  const [low, high] = (read.getRows()[0] ?? []).map((value) => fromLake(value));
  return low === null || low === undefined || high === null || high === undefined
    ? null
    : { low: String(low), high: String(high) };
}

const SUMS = `currency, sum(members), sum(balance), ${STRATUM_MEASURES.flatMap((measure) => [
  `sum(${measure}_product)`,
  `sum(${measure}_weight)`,
]).join(', ')}`;

function literal(field: Field, edge: string, parameter: number): string {
  if (field.type === 'date') return `CAST($${parameter} AS DATE)`;
  if (field.type === 'number') return `CAST($${parameter} AS DOUBLE)`;
  const [whole = '', fraction = ''] = edge.replace('-', '').split('.');
  return `CAST($${parameter} AS DECIMAL(${whole.length + fraction.length}, ${fraction.length}))`;
}

/**
 * The largest values by balance in the pool's currency (by count if there is no balance), then all others, then the
 * missing.
 */
async function byValue(
  connection: DuckDBConnection,
  top: number,
  pool: PoolCurrency,
): Promise<{ keys: StratumKey[]; sums: StratumSums[] }> {
  const main = pool.currency === 'USD' ? 1 : Number(pool.rates[pool.currency] ?? 1);
  const factors = Object.entries({ ...pool.rates, USD: '1', [pool.currency]: String(main) }).map(
    ([code, rate]) => `(${quoteText(code)}, ${main / Number(rate)}::DOUBLE)`,
  );
  // These doubles only determine the order; the sums themselves stay exact.
  await connection.run(
    `CREATE TEMP TABLE value_order AS
     SELECT value, row_number() OVER (ORDER BY weight DESC NULLS LAST, members DESC, value) - 1 AS index FROM (
       SELECT value, sum(members) AS members, sum(CAST(balance AS DOUBLE) * coalesce(factor, ${main})) AS weight
       FROM strata LEFT JOIN (VALUES ${factors.join(', ')}) AS rates(code, factor) ON code = currency
       WHERE value IS NOT NULL GROUP BY 1)`,
  );
  const first = await connection.runAndReadAll('SELECT value FROM value_order WHERE index < $1 ORDER BY index', [top]);
  const counted = await connection.runAndReadAll('SELECT count(*) FROM value_order');
  const values = first.getRows().map(([value]) => (typeof value === 'boolean' ? value : String(value)));
  const others = Number(counted.getRows()[0]?.[0] ?? 0) - values.length;
  const other = values.length;
  const missing = other + (others > 0 ? 1 : 0);
  const read = await connection.runAndReadAll(
    `SELECT CASE WHEN strata.value IS NULL THEN ${missing} ELSE least(index, ${other}) END AS index, ${SUMS}
     FROM strata LEFT JOIN value_order ON value_order.value = strata.value GROUP BY 1, 2 ORDER BY 1, 2`,
  );
  const sums = read.getRows().map(sumsOf);
  return {
    keys: [
      ...values.map((value, index) => ({ kind: 'value' as const, index, value })),
      ...(others > 0 ? [{ kind: 'other' as const, index: other, values: others }] : []),
      ...missingKey(sums, missing),
    ],
    sums,
  };
}

/** The stratum of assets without the value comes last, if there are any. */
const missingKey = (sums: readonly StratumSums[], index: number): StratumKey[] =>
  sums.some((one) => one.index === index) ? [{ kind: 'missing', index }] : [];

function sumsOf([index, currency, count, balance, ...weighed]: DuckDBValue[]): StratumSums {
  const exact = (value: DuckDBValue | undefined): DecimalText | null =>
    value === null || value === undefined ? null : String(fromLake(value));
  const of = (index: number) => {
    const [product, weight] = [exact(weighed[2 * index]), exact(weighed[2 * index + 1])];
    return product === null || weight === null ? null : { product, weight };
  };
  return {
    index: Number(index),
    currency: currency === null || currency === undefined ? null : String(currency),
    count: Number(count),
    balance: exact(balance),
    weighed: { rate: of(0), term: of(1), score: of(2) },
  };
}
