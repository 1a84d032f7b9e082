import type { DuckDBListValue, DuckDBValue } from '@duckdb/node-api';
import { ASSET_RESULT_AMOUNTS } from '@tapeline/domain/borrowing-base/result.ts';
import type { Field } from '@tapeline/domain/filters/catalog.ts';
import { filterToDuckDb } from '@tapeline/domain/filters/duckdb.ts';
import type { Filter } from '@tapeline/domain/filters/filter.ts';
import type { Accumulator } from '@tapeline/domain/filters/list-query.schema.ts';
import { type DecimalText, decimalOf, divide, isZero } from '@tapeline/domain/money/decimal.ts';
import { type CurrencyFigure, soleFigure } from '@tapeline/domain/money/totals.ts';
import { assetRelation, knownFields, moneyColumns, RESULT_COLUMNS, type TapeSource } from './asset-relation.ts';
import { type Lake, quoteName, quoteText } from './lake.ts';
import { fromLake, type LakeValue } from './values.ts';

export interface AssetGroup {
  /** The value that the assets share; null for assets without one, and for the single group of all assets. */
  key: LakeValue;
  /** The accumulated figure; null if no asset of the group has the field, or its amounts are in several currencies. */
  value: DecimalText | null;
  count: number;
  ids?: string[];
  /** One figure for each currency; present if the figure is an amount of money. */
  byCurrency?: readonly CurrencyFigure[];
}

export interface AssetGrouping {
  filter: Filter;
  /** Null: a single group of all assets. */
  by: Field | null;
  accumulator: Accumulator;
  /** Null counts assets. */
  field: Field | null;
  /** Set only for `$wAvg`. */
  weight: Field | null;
  /** Whether each group includes the ids of its assets. */
  keepIds: boolean;
  /** Groups to skip, and groups to return; all if omitted. */
  skip?: number;
  limit?: number;
}

/** Decimal places of an average: more than any column has. */
const AVERAGE_DIGITS = 12;

/**
 * Decimals are added as decimals. Products of two lake columns stay within DECIMAL(38), provided that one operand is
 * wide: the product of two DECIMAL(18) would be limited to DECIMAL(18) and overflow. Per-asset results are wider and
 * are computed as doubles, as are values that are doubles anyway.
 */
const isExact = (...fields: (Field | null)[]): boolean =>
  fields.every((field) => field?.type === 'decimal' && !RESULT_COLUMNS.includes(field.path));

/** SQL of a group's figure: a numerator, and its divisor (NULL: none). */
function figureOf({ accumulator, field, weight }: AssetGrouping): { numerator: string; divisor: string } {
  if (!field) return { numerator: 'count(*)', divisor: 'NULL' };
  const measured = quoteName(field.path);
  // Compensated summation, so that the order of rows does not affect the result.
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

/** SQL of the currency of an amount, or null if the field is not an amount. */
function currencyOf(field: Field | null, sources: readonly TapeSource[]): string | null {
  if (!field) return null;
  if (moneyColumns(sources).has(field.path)) return quoteName(`${field.path}.currency`);
  if (!ASSET_RESULT_AMOUNTS.includes(field.path)) return null;
  // A borrowing-base result is in the currency of that borrowing base.
  const cases = sources.map(({ borrowingBase }, index) =>
    borrowingBase ? `WHEN ${index} THEN ${quoteText(borrowingBase.currency)}` : '',
  );
  return cases.some((one) => one !== '') ? `CASE "source" ${cases.join(' ')} END` : null;
}

/** SQL of whether an asset has the fields that its group's figure is computed from. */
const isMeasured = ({ field, weight }: AssetGrouping): string =>
  ['true', ...[field, weight].flatMap((one) => (one ? [`${quoteName(one.path)} IS NOT NULL`] : []))].join(' AND ');

/** SQL of the currency of an asset's figure; null if the figure is not an amount. */
function figureCurrency(query: AssetGrouping, sources: readonly TapeSource[]): string | null {
  const { field, weight } = query;
  const [measured, by] = [currencyOf(field, sources), currencyOf(weight, sources)];
  // An amount weighted by one in another currency is a separate part, named by both currencies.
  const currency =
    measured && by && measured !== by
      ? `CASE WHEN ${measured} = ${by} THEN ${measured} ELSE concat_ws('/', ${measured}, ${by}) END`
      : (measured ?? by);
  if (!currency) return null;
  // A missing amount has no currency.
  return `CASE WHEN ${isMeasured(query)} THEN ${currency} END`;
}

/**
 * Groups of the filtered assets, the largest value first; `total` counts all groups. Amounts are added by currency: a
 * group in one currency has the figure as its `value`, a group in several has no `value` and its figures in
 * `byCurrency`.
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
  const ids = query.keepIds ? `list("id" ORDER BY "id")` : 'NULL::VARCHAR[]';
  const currency = figureCurrency(query, sources);
  const value = divides ? 'CAST(numerator AS DOUBLE) / nullif(CAST(divisor AS DOUBLE), 0)' : 'numerator';
  return lake.connected(async (connection) => {
    // A temporary table: one scan of the assets serves both the groups and their number.
    await connection.run(
      `CREATE TEMP TABLE asset_parts AS
       SELECT key, "figureCurrency", ${numerator} AS numerator, ${divides ? divisor : 'NULL::INTEGER'} AS divisor,
         count(*) AS members, count(*) FILTER (WHERE ${isMeasured(query)}) AS measured, ${ids} AS ids
       FROM (SELECT *, ${key} AS key, ${currency ?? 'NULL::VARCHAR'} AS "figureCurrency"
             FROM ${assetRelation(sources, knownFields(sources))}) WHERE ${where} GROUP BY key, "figureCurrency"`,
      [...values],
    );
    await connection.run(
      `CREATE TEMP TABLE asset_groups AS
       SELECT key, row_number() OVER (ORDER BY value DESC NULLS LAST, key NULLS LAST) AS index
       FROM (SELECT key, CASE WHEN count(${value}) = 1 THEN max(${value}) END AS value FROM asset_parts GROUP BY key)`,
    );
    const counted = await connection.runAndReadAll('SELECT count(*) FROM asset_groups');
    const skip = Math.trunc(query.skip ?? 0);
    const upTo = query.limit === undefined ? '' : `AND index <= ${skip + Math.trunc(query.limit)}`;
    const read = await connection.runAndReadAll(
      `SELECT index, asset_groups.key, "figureCurrency", numerator, divisor, members, measured, ids
       FROM asset_groups JOIN asset_parts ON asset_parts.key IS NOT DISTINCT FROM asset_groups.key WHERE index > ${skip} ${upTo}
       ORDER BY index, "figureCurrency" NULLS LAST`,
    );
    return {
      total: Number(counted.getColumns()[0]?.[0] ?? 0),
      groups: joinParts(
        read.getRows().map(([index, found = null, of = null, above = null, below = null, members, measured, list]) => ({
          index: Number(index),
          key: fromLake(found),
          currency: of === null ? null : String(of),
          value: figureFrom(above, below, divides),
          count: Number(members),
          measured: Number(measured),
          ids: query.keepIds ? (list as DuckDBListValue).items.map(String) : null,
        })),
        currency !== null,
      ),
    };
  });
}

interface GroupPart extends Pick<AssetGroup, 'key' | 'value' | 'count'> {
  index: number;
  currency: string | null;
  /** Assets that the value is computed from. */
  measured: number;
  ids: string[] | null;
}

/** Joins the parts of each group, one for each currency, into one group. */
function joinParts(parts: readonly GroupPart[], isMoney: boolean): AssetGroup[] {
  const byPlace = Map.groupBy(parts, ({ index }) => index);
  return [...byPlace.values()].map((own) => {
    const figures = own.flatMap(({ currency, value, measured }) =>
      value === null ? [] : [{ currency, value, count: measured }],
    );
    const [first] = own;
    const ids = own.flatMap((part) => part.ids ?? []).sort();
    return {
      key: first?.key ?? null,
      value: soleFigure(figures),
      count: own.reduce((count, part) => count + part.count, 0),
      ...(first?.ids ? { ids } : {}),
      ...(isMoney ? { byCurrency: figures } : {}),
    };
  });
}
