import { formatCalendarDate } from './calendar-date.ts';

/** An instant in UTC, identical on the server and in every browser: "2 Nov 2026, 09:14". */
export function formatInstant(instant: string | Date): string {
  const iso = new Date(instant).toISOString();
  return `${formatCalendarDate(iso.slice(0, 10))}, ${iso.slice(11, 16)}`;
}
