import type { DuckDBConnection, DuckDBListValue, DuckDBValue } from '@duckdb/node-api';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { Field } from '@tapeline/domain/filters/catalog.ts';
import { filterToDuckDb } from '@tapeline/domain/filters/duckdb.ts';
import type { Filter } from '@tapeline/domain/filters/filter.ts';
import type { Accumulator } from '@tapeline/domain/filters/list-query.schema.ts';
import { type DecimalText, decimalOf, divide, isZero } from '@tapeline/domain/money/decimal.ts';
import { ASSET_ID, assetRelation, knownFields, moneyColumns, RESULT_COLUMNS, type TapeSource } from './assets.ts';
import { type Lake, quoteName } from './lake.ts';
import { fromLake, type LakeValue } from './values.ts';

export interface AssetGroup {
  /** What the assets have in common; null for those that lack it, and for the one group of everything. */
  key: LakeValue;
  /** The accumulated figure; null where no asset of the group has the field. */
  value: DecimalText | null;
  count: number;
  ids?: string[];
}

export interface AssetGrouping {
  filter: Filter;
  /** Null: one group of everything. */
  by: Field | null;
  accumulator: Accumulator;
  /** Null counts assets. */
  field: Field | null;
  /** Set exactly for `$wAvg`. */
  weight: Field | null;
  /** Whether each group carries the ids of its assets. */
  keepIds: boolean;
  /** Groups passed over, and groups answered; all where left out. */
  skip?: number;
  limit?: number;
}

/** Digits after the point of an average: beyond those of any column. */
const AVERAGE_DIGITS = 12;

/**
 * Decimals are added up as decimals. Products of two lake columns stay within DECIMAL(38), where one is wide: two of
 * DECIMAL(18) would be held to DECIMAL(18) and overflow; per-asset results are wider
 * and go through doubles there, as numbers that are doubles anyway do.
 */
const isExact = (...fields: (Field | null)[]): boolean =>
  fields.every((field) => field?.type === 'decimal' && !RESULT_COLUMNS.includes(field.path));

/** SQL of a group's figure as a numerator and what it is to be divided by (NULL: nothing). */
function figureOf({ accumulator, field, weight }: AssetGrouping): { numerator: string; divisor: string } {
  if (!field) return { numerator: 'count(*)', divisor: 'NULL' };
  const measured = quoteName(field.path);
  // Compensated summation, so that the order of rows does not show.
  const total = field.type === 'decimal' ? `sum(${measured})` : `fsum(${measured})`;
  if (accumulator === '$sum') return { numerator: total, divisor: 'NULL' };
  if (accumulator === '$avg' || !weight) return { numerator: total, divisor: `count(${measured})` };
  const by = quoteName(weight.path);
  const where = `FILTER (WHERE ${measured} IS NOT NULL)`;
  return isExact(field, weight)
    ? { numerator: `sum(CAST(${measured} AS DECIMAL(28,8)) * ${by})`, divisor: `sum(${by}) ${where}` }
    : {
        numerator: `fsum(CAST(${measured} AS DOUBLE) * CAST(${by} AS DOUBLE))`,
        divisor: `fsum(CAST(${by} AS DOUBLE)) ${where}`,
      };
}

function decimal(value: DuckDBValue): DecimalText | null {
  const read = fromLake(value);
  return read === null || (typeof read === 'number' && !Number.isFinite(read)) ? null : decimalOf(String(read));
}

function figureFrom(numerator: DuckDBValue, divisor: DuckDBValue, divides: boolean): DecimalText | null {
  const above = decimal(numerator);
  if (!divides || above === null) return above;
  const below = decimal(divisor);
  return below === null || isZero(below) ? null : divide(above, below, AVERAGE_DIGITS);
}

/** SQL of the first and the last currency of the amounts that a group adds up or weighs by, each beside its name in the query. */
function currenciesOf({ field, weight }: AssetGrouping, sources: readonly TapeSource[]) {
  const money = moneyColumns(sources);
  return Object.entries({ field, weightedField: weight }).flatMap(([name, of]) => {
    if (!of || !money.has(of.path)) return [];
    const currency = quoteName(`${of.path}.currency`);
    const present = `FILTER (WHERE ${quoteName(of.path)} IS NOT NULL)`;
    const [first, last] = [`first_of_${name}`, `last_of_${name}`];
    const sql = `min(${currency}) ${present} AS ${first}, max(${currency}) ${present} AS ${last}`;
    return [{ name: `groupBy.${name}`, path: of.path, first, last, sql }];
  });
}

/** Amounts of several currencies are no numbers of one kind. */
async function refuseMixedCurrencies(connection: DuckDBConnection, currencies: ReturnType<typeof currenciesOf>) {
  for (const { name, path, first, last } of currencies) {
    const found = await connection.runAndReadAll(
      `SELECT min(${first}), max(${last}) FROM asset_groups WHERE ${first} <> ${last}`,
    );
    const [one, other] = found.getRows()[0] ?? [];
    if (typeof one !== 'string') continue;
    const message = `Amounts of ${path} are in ${one} and ${other}, which are not added together: group by ${path}.currency, or filter for one currency`;
    throw new Refusal('badRequest', message, { flags: { [name]: 'has amounts of several currencies' } });
  }
}

/**
 * Groups of the filtered assets with one accumulated figure each, the largest first; `total` counts all groups.
 * @throws Refusal badRequest where a group would add up amounts of several currencies
 */
export async function groupAssets(
  lake: Lake,
  sources: readonly TapeSource[],
  query: AssetGrouping,
): Promise<{ groups: AssetGroup[]; total: number }> {
  if (sources.length === 0) return { groups: [], total: 0 };
  const { sql: where, values } = filterToDuckDb(query.filter, (field) => quoteName(field.path));
  const { numerator, divisor } = figureOf(query);
  const divides = divisor !== 'NULL';
  const key = query.by ? quoteName(query.by.path) : 'NULL::VARCHAR';
  const ids = query.keepIds ? `list(${ASSET_ID} ORDER BY ${ASSET_ID})` : 'NULL::VARCHAR[]';
  const currencies = currenciesOf(query, sources);
  const value = divides ? 'CAST(numerator AS DOUBLE) / nullif(CAST(divisor AS DOUBLE), 0)' : 'numerator';
  return lake.connected(async (connection) => {
    // A table of the connection's own: the assets are gone through once for the groups and their number.
    await connection.run(
      `CREATE TEMP TABLE asset_groups AS
       SELECT key, ${numerator} AS numerator, ${divides ? divisor : 'NULL::INTEGER'} AS divisor, count(*) AS members,
         ${[...currencies.map(({ sql }) => sql), `${ids} AS ids`].join(', ')}
       FROM (SELECT *, ${key} AS key FROM ${assetRelation(sources, knownFields(sources))}) WHERE ${where} GROUP BY key`,
      [...values],
    );
    await refuseMixedCurrencies(connection, currencies);
    const counted = await connection.runAndReadAll('SELECT count(*) FROM asset_groups');
    const page = query.limit === undefined ? '' : `LIMIT ${Math.trunc(query.limit)}`;
    const read = await connection.runAndReadAll(
      `SELECT key, numerator, divisor, members, ids FROM asset_groups
       ORDER BY ${value} DESC NULLS LAST, key NULLS LAST ${page} OFFSET ${Math.trunc(query.skip ?? 0)}`,
    );
    return {
      total: Number(counted.getColumns()[0]?.[0] ?? 0),
      groups: read.getRows().map(([found, above = null, below = null, members, list]) => ({
        key: fromLake(found ?? null),
        value: figureFrom(above, below, divides),
        count: Number(members),
        ...(query.keepIds ? { ids: (list as DuckDBListValue).items.map(String) } : {}),
      })),
    };
  });
}
