import { addMonths, type CalendarDate, monthEndOf } from '../dates/calendar-day.ts';
import type { CovenantFrequency } from './covenant-labels.ts';

const MONTHS: Readonly<Record<CovenantFrequency, number>> = { monthly: 1, quarterly: 3, halfYearly: 6, yearly: 12 };

/** How many tests, or figures that are reported so often, there are in a year. */
export const timesPerYear = (frequency: CovenantFrequency): number => 12 / MONTHS[frequency];

interface TestDates {
  readonly firstTest: CalendarDate;
  readonly frequency: CovenantFrequency;
}

const monthsBetween = (from: CalendarDate, to: CalendarDate): number =>
  (Number(to.slice(0, 4)) - Number(from.slice(0, 4))) * 12 + Number(to.slice(5, 7)) - Number(from.slice(5, 7));

/** The test date so many tests after the first one. */
const testDateAt = ({ firstTest, frequency }: TestDates, index: number): CalendarDate =>
  monthEndOf(addMonths(firstTest, index * MONTHS[frequency]));

/** The last test date that is not after the day; null before the first one. */
export function latestTestDate(test: TestDates, day: CalendarDate): CalendarDate | null {
  if (day < test.firstTest) return null;
  const index = Math.floor(monthsBetween(test.firstTest, day) / MONTHS[test.frequency]);
  const date = testDateAt(test, index);
  return date <= day ? date : testDateAt(test, index - 1);
}

/** The first test date after the day. */
export function nextTestDate(test: TestDates, day: CalendarDate): CalendarDate {
  const latest = latestTestDate(test, day);
  return latest === null ? test.firstTest : monthEndOf(addMonths(latest, MONTHS[test.frequency]));
}

/** The test dates from one day to another, at most `most`, the last ones. */
export function testDatesUntil(test: TestDates, day: CalendarDate, most: number): CalendarDate[] {
  const latest = latestTestDate(test, day);
  if (latest === null) return [];
  const count = Math.floor(monthsBetween(test.firstTest, latest) / MONTHS[test.frequency]) + 1;
  return Array.from({ length: Math.min(count, most) }, (_, index) =>
    testDateAt(test, count - Math.min(count, most) + index),
  );
}

/** A period that a figure of a test is of: the days after `after`, to `to`. */
export interface TestPeriod {
  readonly after: CalendarDate;
  readonly to: CalendarDate;
}

/** The periods that a test of a date averages, the earliest first. */
export function periodsOf({ frequency, periods }: TestDates & { periods: number }, date: CalendarDate): TestPeriod[] {
  const end = (before: number) => monthEndOf(addMonths(date, -before * MONTHS[frequency]));
  return Array.from({ length: periods }, (_, index) => {
    const before = periods - 1 - index;
    return { after: end(before + 1), to: end(before) };
  });
}
