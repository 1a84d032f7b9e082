import type { CalendarDate } from '../dates/calendar-day.ts';
import {
  type Frequency,
  latestPeriodEnd,
  nextPeriodEnd,
  periodEndsUntil,
  periodTo,
  type ReportingPeriod,
} from '../dates/reporting-periods.ts';

/** Of one covenant, so many at most are read: forty years of months. */
export const MAX_TEST_DATES = 480;

export interface TestDates {
  readonly firstTest: CalendarDate;
  readonly frequency: Frequency;
}

const periodsOfTest = ({ firstTest: first, frequency }: TestDates) => ({ first, frequency });

/** The last test date that is not after the day; null before the first one. */
export const latestTestDate = (test: TestDates, day: CalendarDate): CalendarDate | null =>
  latestPeriodEnd(periodsOfTest(test), day);

/** The first test date after the day. */
export const nextTestDate = (test: TestDates, day: CalendarDate): CalendarDate =>
  nextPeriodEnd(periodsOfTest(test), day);

/** The test dates until a day, at most `most`, the last ones. */
export const testDatesUntil = (test: TestDates, day: CalendarDate, most: number): CalendarDate[] =>
  periodEndsUntil(periodsOfTest(test), day, most);

/** The periods that a test of a date averages, the earliest first. */
export const periodsOf = (
  { frequency, periods }: TestDates & { periods: number },
  date: CalendarDate,
): ReportingPeriod[] => Array.from({ length: periods }, (_, index) => periodTo(frequency, date, periods - 1 - index));
