import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import type { AssetStatistics } from '@tapeline/domain/tapes/tape.schema.ts';
import { statusPool } from '../tapes/pool-by-status.ts';

/** The statuses that a chart of four colours can tell apart, from best to worst; paid and canceled loans owe nothing. */
const BANDS = [
  { label: 'Current', statuses: ['current', 'performingAsset', 'pending'], colour: 1 },
  { label: 'Past due', statuses: ['pastDue', 'slowPayment'], colour: 4 },
  { label: 'Delinquent', statuses: ['delinquent', 'nonPerformingAsset', 'unknown'], colour: 3 },
  { label: 'Default and charged off', statuses: ['default', 'chargedOff'], colour: 2 },
] as const;

export interface PoolOverTapes {
  /** Null: assets are counted, since there is no one currency over the tapes. */
  readonly currency: string | null;
  readonly labels: string[];
  readonly series: { label: string; values: number[]; colour: 1 | 2 | 3 | 4 }[];
}

/**
 * Outstanding by band of status over the tapes, oldest first; the latest tape of each cut-off date counts.
 * @param tapes the latest first. Floating point: the figures are drawn, not counted on
 */
export function poolOverTapes(
  tapes: readonly { cutOffDate: string; statistics: AssetStatistics }[],
  most: number,
): PoolOverTapes {
  const byDate = new Map<string, AssetStatistics>();
  for (const { cutOffDate, statistics } of tapes) if (!byDate.has(cutOffDate)) byDate.set(cutOffDate, statistics);
  const dates = [...byDate.keys()].sort().slice(-most);
  const pools = dates.map((date) => statusPool(byDate.get(date) as AssetStatistics));
  const currencies = new Set(pools.flatMap((pool) => pool.currencies));
  const [currency = null] = currencies.size === 1 ? currencies : [];
  const weigh = (pool: (typeof pools)[number], statuses: readonly string[]) =>
    pool.lines
      .filter((line) => statuses.includes(line.status))
      .reduce((total, line) => total + (currency ? Number(line.outstanding[0] ?? 0) : line.count), 0);
  return {
    currency,
    labels: dates.map((date) => formatCalendarDate(date)),
    series: BANDS.map(({ label, statuses, colour }) => ({
      label,
      colour,
      values: pools.map((pool) => weigh(pool, statuses)),
    })).filter(({ values }) => values.some((value) => value > 0)),
  };
}
