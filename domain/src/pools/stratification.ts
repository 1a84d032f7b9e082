import { add, compare, type DecimalText, divide, isZero } from '../money/decimal.ts';
import type { Band } from './bands.ts';
import { PoolConverter, type PoolCurrency } from './conversion.ts';
import { SHARE_DIGITS } from './movements.ts';
import { sharesOf } from './shares.ts';

/** Decimal places of a weighted average. */
export const AVERAGE_DIGITS = 6;

/** The measures that are averaged by outstanding sum; null if the tape does not have the field. */
export interface StratumMeasures {
  readonly rate: string | null;
  readonly term: string | null;
  readonly score: string | null;
}
export type StratumMeasure = keyof StratumMeasures;
export const STRATUM_MEASURES: readonly StratumMeasure[] = ['rate', 'term', 'score'];

/**
 * The contents of a stratum: a band of an ordered column, one value of another column, all values that are not among
 * the first ones, or missing values.
 */
export type StratumKey =
  | { readonly kind: 'band'; readonly index: number; readonly band: Band }
  | { readonly kind: 'value'; readonly index: number; readonly value: string | boolean }
  | { readonly kind: 'other'; readonly index: number; readonly values: number }
  | { readonly kind: 'missing'; readonly index: number };

export interface StratumSums {
  /** The stratum's `index`. */
  readonly index: number;
  /** Null: the assets have no outstanding sum. */
  readonly currency: string | null;
  readonly count: number;
  readonly balance: DecimalText | null;
  /** For each measure: the sum of value times balance, and the balance of the assets that have the value. */
  readonly weighed: Readonly<
    Record<StratumMeasure, { readonly product: DecimalText; readonly weight: DecimalText } | null>
  >;
}

export interface Stratum {
  readonly key: StratumKey;
  readonly count: number;
  /** Share of the pool's count; all strata add up to exactly 1. */
  readonly countShare: DecimalText;
  /** Outstanding in the pool's currency; null if no asset has it. */
  readonly balance: DecimalText | null;
  /** Share of the pool's balance; all strata add up to exactly 1. Null if the pool has none. */
  readonly balanceShare: DecimalText | null;
  /** Averages weighted by balance; null if no asset has both. The rate is in points, the term in days. */
  readonly averages: Readonly<Record<StratumMeasure, DecimalText | null>>;
}

export interface Stratification {
  readonly currency: string;
  readonly missingRates: readonly string[];
  readonly strata: readonly Stratum[];
  /** The same for the whole pool. */
  readonly total: Omit<Stratum, 'key' | 'countShare' | 'balanceShare'>;
}

/** The pool by stratum, in the order of the keys. Strata without assets stay, since an empty band is informative. */
export function stratify(
  keys: readonly StratumKey[],
  sums: readonly StratumSums[],
  pool: PoolCurrency,
): Stratification {
  const converter = new PoolConverter(pool);
  const folded = keys.map((key) => ({
    key,
    ...fold(
      sums.filter(({ index }) => index === key.index),
      converter,
    ),
  }));
  const countShares = sharesOf(
    folded.map(({ count }) => String(count)),
    SHARE_DIGITS,
  );
  const hasBalance = folded.some(({ balance }) => balance !== null);
  const balanceShares = hasBalance
    ? sharesOf(
        folded.map(({ balance }) => balance ?? '0'),
        SHARE_DIGITS,
      )
    : null;
  return {
    currency: converter.currency,
    strata: folded.map((stratum, index) => ({
      ...stratum,
      countShare: countShares?.[index] ?? '0',
      balance: stratum.balance ?? (hasBalance && stratum.count === 0 ? '0' : null),
      balanceShare: balanceShares?.[index] ?? null,
    })),
    total: fold(sums, converter),
    missingRates: converter.missingRates,
  };
}

function fold(sums: readonly StratumSums[], converter: PoolConverter): Stratification['total'] {
  const average = (measure: StratumMeasure): DecimalText | null => {
    let [product, weight] = ['0', '0'];
    for (const { weighed, currency } of sums) {
      const own = weighed[measure];
      if (own === null || currency === null) continue;
      product = add(product, converter.convert(own.product, currency));
      weight = add(weight, converter.convert(own.weight, currency));
    }
    return isZero(weight) || compare(weight, '0') < 0 ? null : divide(product, weight, AVERAGE_DIGITS);
  };
  return {
    count: sums.reduce((total, { count }) => total + count, 0),
    balance: converter.total(
      sums.flatMap(({ balance, currency }) =>
        balance === null || currency === null ? [] : [{ sum: balance, currency }],
      ),
    ),
    averages: { rate: average('rate'), term: average('term'), score: average('score') },
  };
}

/**
 * The filter, in the language of lists, that only assets of the stratum pass; `values` are those of the strata besides
 * an `other`.
 */
export function stratumFilter(
  path: string,
  key: StratumKey,
  values: readonly (string | boolean)[],
  isNumber: boolean,
): Record<string, unknown> {
  const literal = (edge: string) => (isNumber ? Number(edge) : edge);
  switch (key.kind) {
    case 'missing':
      return { [path]: { exists: false } };
    case 'value':
      return { [path]: key.value };
    case 'other':
      return { [path]: { nin: [...values] } };
    case 'band': {
      const { from, below } = key.band;
      if (from === null && below === null) return { [path]: { exists: true } };
      return {
        [path]: {
          ...(from === null ? {} : { gte: literal(from) }),
          ...(below === null ? {} : { lt: literal(below) }),
        },
      };
    }
  }
}
