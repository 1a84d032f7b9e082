import type { CalendarDate } from '../dates/calendar-day.ts';
import type { DecimalText } from '../money/decimal.ts';
import { latestTestDate, MAX_TEST_DATES, type TestDates, testDatesUntil } from './test-dates.ts';

/** What the test of a date found; null if there is no result of it. */
export interface TestedDay {
  readonly date: CalendarDate;
  readonly value: DecimalText | null;
}

/** The test dates of covenants until today, the earliest first, by the id of the covenant. */
export type TestedCovenants = Readonly<Record<string, readonly TestedDay[]>>;

/**
 * The test dates of a covenant until today with what they found.
 * @param covenant.isTested whether it is tested today. If not, the last result goes on
 * @param results at most one of a date, the earliest first
 */
export function testedDays(
  covenant: TestDates & { readonly isTested: boolean },
  results: readonly TestedDay[],
  today: CalendarDate,
): TestedDay[] {
  const last = covenant.isTested ? latestTestDate(covenant, today) : (results.at(-1)?.date ?? null);
  if (last === null) return [];
  const found = new Map(results.map(({ date, value }) => [date, value]));
  const dates = new Set([...testDatesUntil(covenant, last, MAX_TEST_DATES), ...found.keys()]);
  return [...dates].sort().map((date) => ({ date, value: found.get(date) ?? null }));
}
