import type { PoolOverTapes } from './pool-over-tapes.ts';

/** The share of a pool that pays late, at each cut-off date. */
export interface DelinquencyOverTapes {
  readonly labels: string[];
  /** In per cent of the pool's outstanding amount, or of its assets if the tapes have no common currency. Null for an empty pool. */
  readonly series: { label: string; values: (number | null)[]; colour: 1 | 2 | 3 | 4 }[];
}

/** The bands of the pool behind on payments, as shares of the whole pool. For drawing, so in floating point. */
export function delinquencyOverTapes(pool: PoolOverTapes): DelinquencyOverTapes {
  const totals = pool.labels.map((_, at) => pool.series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0));
  return {
    labels: pool.labels,
    series: pool.series
      .filter(({ label }) => label !== 'Current')
      .map(({ label, values, colour }) => ({
        label,
        colour,
        values: values.map((value, at) => {
          const total = totals[at] ?? 0;
          return value !== null && total > 0 ? (value / total) * 100 : null;
        }),
      })),
  };
}
