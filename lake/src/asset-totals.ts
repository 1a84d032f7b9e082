import type { Filter } from '@tapeline/domain/filters/filter.ts';
import { add, type DecimalText, decimalOf, divide, isZero } from '@tapeline/domain/money/decimal.ts';
import type { CurrencyFigure } from '@tapeline/domain/money/totals.ts';
import type { TapeSource } from './asset-relation.ts';
import { searchOf } from './assets.ts';
import { type Lake, quoteName } from './lake.ts';
import { fromLake } from './values.ts';

export const SUMMED_FIELDS = ['sums.sum', 'sums.outstandingSum'] as const;
export const RATE_FIELD = 'interestRate';

/** Figures of the assets that pass a filter. */
export interface AssetTotals {
  /** Assets that pass, with or without the fields below. */
  readonly count: number;
  /** The sums of each field by currency. Empty for a field that no asset has. */
  readonly sums: Readonly<Record<(typeof SUMMED_FIELDS)[number], readonly CurrencyFigure[]>>;
  /** The interest rate in per cent, weighted by current balance, by the currency of the balances. */
  readonly rates: readonly CurrencyFigure[];
}

/** Decimal places of a weighted average, as of groups. */
const AVERAGE_DIGITS = 12;

const text = (value: Parameters<typeof fromLake>[0]): DecimalText | null => {
  const read = fromLake(value);
  return read === null ? null : decimalOf(String(read));
};

/** Adds up parts of a figure by currency. */
function byCurrency(parts: readonly CurrencyFigure[]): CurrencyFigure[] {
  const order = (a: CurrencyFigure, b: CurrencyFigure) => (a.currency ?? '~').localeCompare(b.currency ?? '~');
  return [...Map.groupBy(parts, ({ currency }) => currency)]
    .map(([currency, of]) => ({
      currency,
      value: of.reduce((total, { value }) => add(total, value), '0'),
      count: of.reduce((total, { count }) => total + count, 0),
    }))
    .sort(order);
}

/**
 * The totals of the assets that pass a filter, exact and never added across currencies. One scan, which is cached: parts
 * never change.
 */
export async function assetTotals(lake: Lake, sources: readonly TapeSource[], filter: Filter): Promise<AssetTotals> {
  if (sources.length === 0) return { count: 0, sums: { 'sums.sum': [], 'sums.outstandingSum': [] }, rates: [] };
  const { key, list, query } = await searchOf(lake, sources, { filter, sort: [] });
  const [original, balance] = SUMMED_FIELDS.map(quoteName);
  const rate = quoteName(RATE_FIELD);
  // As in `groupAssets`: the product of two DECIMAL(18) would overflow, so one of them is widened.
  const sql = `SELECT ${SUMMED_FIELDS.map((path) => quoteName(`${path}.currency`)).join(', ')}, count(*),
      sum(${original}), count(${original}), sum(${balance}), count(${balance}),
      sum(CAST(${rate} AS DECIMAL(28,8)) * ${balance}), sum(${balance}) FILTER (WHERE ${rate} IS NOT NULL),
      count(*) FILTER (WHERE ${rate} IS NOT NULL AND ${balance} IS NOT NULL)
    FROM ${list.relation} WHERE ${query.where?.sql ?? 'true'} GROUP BY ALL`;
  const { totals } = await lake.cache.get(`totals ${key}`, async () => {
    const found = await lake.connected((connection) => connection.runAndReadAll(sql, [...(query.where?.values ?? [])]));
    const rows = found.getRows();
    const part = (currency: number, value: number, count: number): CurrencyFigure[] =>
      rows.flatMap((row) => {
        const read = text(row[value]!);
        const of = row[currency] ?? null;
        return read === null
          ? []
          : [{ currency: of === null ? null : String(of), value: read, count: Number(row[count]) }];
      });
    const weights = new Map(byCurrency(part(1, 8, 9)).map((weight) => [weight.currency, weight.value]));
    const totals: AssetTotals = {
      count: rows.reduce((total, row) => total + Number(row[2]), 0),
      sums: { 'sums.sum': byCurrency(part(0, 3, 4)), 'sums.outstandingSum': byCurrency(part(1, 5, 6)) },
      rates: byCurrency(part(1, 7, 9)).flatMap(({ currency, value, count }) => {
        const weight = weights.get(currency);
        return weight === undefined || isZero(weight)
          ? []
          : [{ currency, value: divide(value, weight, AVERAGE_DIGITS), count }];
      }),
    };
    return { totals, bytes: 2 * JSON.stringify(totals).length };
  });
  return totals;
}
