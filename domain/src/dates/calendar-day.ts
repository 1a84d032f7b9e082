/** A date without time or zone, 'YYYY-MM-DD'. */
export type CalendarDate = string;

const PATTERN = /^(\d{4})-(\d{2})-(\d{2})$/;
const DAY_MS = 86_400_000;

export function isCalendarDate(value: unknown): value is CalendarDate {
  if (typeof value !== 'string') return false;
  const match = PATTERN.exec(value);
  if (!match) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const date = new Date(Date.UTC(year, month - 1, day));
  return year > 0 && date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** The day of an instant, in UTC. */
export const calendarDateOf = (instant: Date): CalendarDate => instant.toISOString().slice(0, 10);

/** Days since 1970-01-01. */
export function toEpochDay(date: CalendarDate): number {
  return Math.round(Date.parse(`${date}T00:00:00Z`) / DAY_MS);
}

export const fromEpochDay = (day: number): CalendarDate => calendarDateOf(new Date(day * DAY_MS));

/** The day so many days later, or earlier if they are negative. */
export const addDays = (date: CalendarDate, days: number): CalendarDate => fromEpochDay(toEpochDay(date) + days);

export const daysBetween = (from: CalendarDate, to: CalendarDate): number => toEpochDay(to) - toEpochDay(from);

/** The day so many months later; in a shorter month, its last day. */
export function addMonths(date: CalendarDate, months: number): CalendarDate {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  const lastOfMonth = new Date(Date.UTC(year, month + months, 0));
  return `${lastOfMonth.toISOString().slice(0, 8)}${String(Math.min(day, lastOfMonth.getUTCDate())).padStart(2, '0')}`;
}

/** The last day of the date's month. */
export function monthEndOf(date: CalendarDate): CalendarDate {
  const [year = 0, month = 1] = date.split('-').map(Number);
  return calendarDateOf(new Date(Date.UTC(year, month, 0)));
}

export const isMonthEnd = (date: CalendarDate): boolean => date === monthEndOf(date);

/** The days from Monday to Friday after `from`, up to and including `to`. */
export function businessDaysBetween(from: CalendarDate, to: CalendarDate): number {
  // 1970-01-01 was a Thursday: day 3 of the week that starts on a Monday.
  const through = (date: CalendarDate): number => {
    const day = toEpochDay(date) + 4;
    return Math.floor(day / 7) * 5 + Math.min(((day % 7) + 7) % 7, 5);
  };
  return Math.max(0, through(to) - through(from));
}

/** The day from Monday to Friday that is so many such days after the date. */
export function addBusinessDays(date: CalendarDate, days: number): CalendarDate {
  const weeks = Math.floor(days / 5);
  let day = toEpochDay(date) + weeks * 7;
  const isWeekend = () => [2, 3].includes(((day % 7) + 7) % 7);
  // From a weekend, the Friday before counts as the start.
  while (isWeekend()) day -= 1;
  for (let left = days % 5; left > 0; left -= 1) {
    do day += 1;
    while (isWeekend());
  }
  return fromEpochDay(day);
}

/** Day-count conversions of the product: a month is 30.4375 days, and so on. */
export const DAYS_PER = { days: 1, weeks: 7, months: 30.4375, quarters: 91.3125, years: 365.25 } as const;
export type TimeUnit = keyof typeof DAYS_PER;

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** '2026-10-31' for display: "31 Oct 2026". */
export function formatCalendarDate(date: CalendarDate): string {
  const [year, month, day] = date.split('-');
  return `${Number(day)} ${MONTHS[Number(month) - 1]} ${year}`;
}
