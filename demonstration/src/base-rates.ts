import { fromEpochDay, toEpochDay } from '@tapeline/domain/dates/calendar-date.ts';
import { latestFirst } from '@tapeline/domain/tables/fixings-csv.ts';
import type { BaseRate, TableValue } from '@tapeline/domain/tables/table.schema.ts';

/** Levels of overnight rates after changes of policy, in percent. They resemble the real ones. */
const LEVELS: Readonly<Partial<Record<BaseRate, readonly (readonly [from: string, percent: number])[]>>> = {
  SOFR: [
    ['2020-01-01', 4.83],
    ['2024-11-08', 4.58],
    ['2024-12-19', 4.33],
    ['2025-09-18', 4.13],
    ['2025-10-30', 3.9],
    ['2025-12-11', 3.66],
    ['2026-06-18', 3.41],
  ],
  SONIA: [
    ['2020-01-01', 4.95],
    ['2024-11-07', 4.7],
    ['2025-02-06', 4.45],
    ['2025-05-08', 4.22],
    ['2025-08-07', 3.97],
    ['2026-02-05', 3.72],
    ['2026-08-06', 3.47],
  ],
};

const FRIDAY = 5;
const WEEKS = 105;

/** A small deterministic deviation, at most 0.04 in either direction. */
const deviation = (day: number, rate: BaseRate): number =>
  Math.round(Math.sin(day * (rate === 'SOFR' ? 1.7 : 2.3)) * (rate === 'SOFR' ? 4 : 1)) / 100;

/** Two years of weekly fixings until a day. */
export function demonstrationFixings(until: string): TableValue[] {
  const last = toEpochDay(until);
  // 1 January 1970 was a Thursday.
  const friday = last - ((((last + 4 - FRIDAY) % 7) + 7) % 7);
  const fixings = Object.entries(LEVELS).flatMap(([rate, levels]) =>
    Array.from({ length: WEEKS }, (_, week): TableValue => {
      const date = fromEpochDay(friday - 7 * week);
      const level = levels.findLast(([from]) => from <= date)?.[1] ?? 0;
      const value = level + deviation(friday - 7 * week, rate as BaseRate);
      return { title: rate, isRetired: false, date, rate: String(Number(value.toFixed(2))) };
    }),
  );
  return fixings.sort(latestFirst);
}
