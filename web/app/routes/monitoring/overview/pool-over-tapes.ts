import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import type { AssetStatistics } from '@tapeline/domain/tapes/tape.schema.ts';
import { missingMonthEnds } from '../month-gaps.ts';
import { statusPool } from '../tapes/pool-by-status.ts';

/** Status bands for a chart of four colours, from best to worst. Paid and canceled loans have nothing outstanding. */
const BANDS = [
  { label: 'Current', statuses: ['current', 'performingAsset', 'pending'], colour: 1 },
  { label: 'Past due', statuses: ['pastDue', 'slowPayment'], colour: 4 },
  { label: 'Delinquent', statuses: ['delinquent', 'nonPerformingAsset', 'unknown'], colour: 3 },
  { label: 'Default and charged off', statuses: ['default', 'chargedOff'], colour: 2 },
] as const;

export interface PoolOverTapes {
  /** Null if the tapes have no common currency. Assets are counted instead. */
  readonly currency: string | null;
  readonly labels: string[];
  /** Month-ends without a tape. They have their label, and no value. */
  readonly missing: string[];
  /** Null where no tape was published. */
  readonly series: { label: string; values: (number | null)[]; colour: 1 | 2 | 3 | 4 }[];
}

/**
 * Outstanding by status band over the tapes, oldest first. Only the latest tape of each cut-off date is used.
 * @param tapes the latest first. Uses floating point, because the figures are only drawn and never calculated with
 */
export function poolOverTapes(
  tapes: readonly { cutOffDate: string; statistics: AssetStatistics }[],
  most: number,
): PoolOverTapes {
  const byDate = new Map<string, AssetStatistics>();
  for (const { cutOffDate, statistics } of tapes) if (!byDate.has(cutOffDate)) byDate.set(cutOffDate, statistics);
  const dates = [...byDate.keys()].sort().slice(-most);
  const missing = missingMonthEnds(dates);
  const shown = [...dates, ...missing].sort();
  const pools = shown.map((date) => {
    const statistics = byDate.get(date);
    return statistics ? statusPool(statistics) : null;
  });
  const currencies = new Set(pools.flatMap((pool) => pool?.currencies ?? []));
  const [currency = null] = currencies.size === 1 ? currencies : [];
  const weigh = (pool: NonNullable<(typeof pools)[number]>, statuses: readonly string[]) =>
    pool.lines
      .filter((line) => statuses.includes(line.status))
      .reduce((total, line) => total + (currency ? Number(line.outstanding[0] ?? 0) : line.count), 0);
  return {
    currency,
    labels: shown.map((date) => formatCalendarDate(date)),
    missing,
    series: BANDS.map(({ label, statuses, colour }) => ({
      label,
      colour,
      values: pools.map((pool) => (pool ? weigh(pool, statuses) : null)),
    })).filter(({ values }) => values.some((value) => value !== null && value > 0)),
  };
}
