import { fromEpochDay, toEpochDay } from '@tapeline/domain/dates/calendar-date.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import type { PublishedRates } from '@tapeline/domain/money/rate.schema.ts';
import { createRandom } from './random.ts';

/** The level that each rate returns to, its daily deviation in percent of it, and its decimals. They resemble real ones. */
const COURSES: Readonly<Record<string, readonly [level: number, deviation: number, decimals: number]>> = {
  CHF: [0.8, 0.35, 4],
  EUR: [0.86, 0.35, 4],
  GBP: [0.75, 0.4, 5],
  ILS: [3.3, 0.5, 4],
  JPY: [153, 0.55, 2],
};

/** The day after the bundled rates. */
const FIRST = '2026-01-05';
const MAX_DAYS = 260;
/** The share of the distance to the level that a rate loses in a day. */
const RETURN = 0.03;

const isWeekday = (day: number): boolean => ![0, 6].includes(new Date(day * 86_400_000).getUTCDay());

/** Rates of the last year until a day, without weekends. A day has the same rates whatever the last day is. */
export function demonstrationRates(until: string): PublishedRates[] {
  const days: number[] = [];
  for (let day = toEpochDay(FIRST); day <= toEpochDay(until); day += 1) if (isWeekday(day)) days.push(day);
  const courses = Object.entries(COURSES).map(([code, [level, deviation, decimals]]) => {
    const random = createRandom(`rates of ${code}`);
    let rate = level;
    const course = days.map((): DecimalText => {
      rate += RETURN * (level - rate) + random.normal(0, (level * deviation) / 100);
      return rate.toFixed(decimals);
    });
    return [code, course] as const;
  });
  return days
    .map((day, index) => ({
      date: fromEpochDay(day),
      rates: Object.fromEntries(courses.map(([code, course]) => [code, course[index] as DecimalText])),
    }))
    .slice(-MAX_DAYS);
}
