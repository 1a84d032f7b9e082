import { addMonths, type CalendarDate, fromEpochDay, isCalendarDate, monthEndOf, toEpochDay } from './calendar-date.ts';

/** A month: '2026-11'. */
export type CalendarMonth = string;

export const isCalendarMonth = (value: unknown): value is CalendarMonth =>
  typeof value === 'string' && isCalendarDate(`${value}-01`);

export const monthOf = (day: CalendarDate): CalendarMonth => day.slice(0, 7);

/** The month that is so many months later, or earlier. */
export const monthAfter = (month: CalendarMonth, months: number): CalendarMonth =>
  monthOf(addMonths(`${month}-01`, months));

/** The first and the last day of a month. */
export const daysOfMonth = (month: CalendarMonth): { from: CalendarDate; to: CalendarDate } => ({
  from: `${month}-01`,
  to: monthEndOf(`${month}-01`),
});

/** The whole weeks, from Monday to Sunday, that a month covers. */
export function weeksOfMonth(month: CalendarMonth): CalendarDate[][] {
  const { from, to } = daysOfMonth(month);
  // 1970-01-01 was a Thursday: day 3 of a week that starts on a Monday.
  const monday = (day: number): number => day - ((((day + 3) % 7) + 7) % 7);
  const weeks: CalendarDate[][] = [];
  for (let first = monday(toEpochDay(from)); first <= toEpochDay(to); first += 7) {
    weeks.push(Array.from({ length: 7 }, (_, index) => fromEpochDay(first + index)));
  }
  return weeks;
}
