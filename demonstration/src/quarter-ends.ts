import { addDays, calendarDateOf } from '@tapeline/domain/dates/calendar-date.ts';

/** The last days of the latest quarters before a day, oldest first. */
export function quarterEnds(before: string, count: number): string[] {
  const [year = 0, month = 0] = before.split('-').map(Number);
  const quarter = Math.floor((month - 1) / 3);
  return Array.from({ length: count }, (_, index) => {
    const firstDay = new Date(Date.UTC(year, (quarter - (count - 1 - index)) * 3, 1));
    return addDays(calendarDateOf(firstDay), -1);
  });
}
