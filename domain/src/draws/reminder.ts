import { type CalendarDate, fromEpochDay, toEpochDay } from '../dates/calendar-date.ts';

/** Business days before the due date on which a waiting request is reminded of. */
const DAYS_BEFORE = 2;
const HOUR_UTC = 8;

/** 1970-01-01 was a Thursday. */
const isWeekend = (day: number): boolean => [2, 3].includes(((day % 7) + 7) % 7);

/** The day that is so many business days (Monday to Friday) earlier. Holidays differ by country and are not counted. */
export function businessDaysBefore(date: CalendarDate, days: number): CalendarDate {
  let day = toEpochDay(date);
  for (let left = days; left > 0; ) {
    day -= 1;
    if (!isWeekend(day)) left -= 1;
  }
  return fromEpochDay(day);
}

/** When a waiting request is reminded of (ISO instant): in the morning, two business days before its due date. */
export const remindAt = (dueDate: CalendarDate): string =>
  `${businessDaysBefore(dueDate, DAYS_BEFORE)}T${String(HOUR_UTC).padStart(2, '0')}:00:00.000Z`;
