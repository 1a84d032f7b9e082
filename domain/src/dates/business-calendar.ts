import { valuesOf } from '../documents/labels.ts';
import { type CalendarDate, fromEpochDay, monthEndOf, toEpochDay } from './calendar-day.ts';

/** Which days are business days. */
export const BUSINESS_CALENDAR_LABELS = {
  weekdays: 'Monday to Friday',
  newYork: 'New York (Federal Reserve)',
  target: 'Euro area (TARGET)',
} as const;
export const BUSINESS_CALENDARS = valuesOf(BUSINESS_CALENDAR_LABELS);
export type BusinessCalendar = (typeof BUSINESS_CALENDARS)[number];

/** Where a date goes that is no business day. */
export const BUSINESS_DAY_RULE_LABELS = {
  none: 'Stays on its day',
  following: 'Next business day',
  modifiedFollowing: 'Next business day in the same month',
  preceding: 'Business day before',
} as const;
export const BUSINESS_DAY_RULES = valuesOf(BUSINESS_DAY_RULE_LABELS);
export type BusinessDayRule = (typeof BUSINESS_DAY_RULES)[number];

const dayOf = (year: number, month: number, day: number): number => Date.UTC(year, month - 1, day) / 86_400_000;

/** 0 is Monday. 1970-01-01 was a Thursday. */
const weekdayOf = (epochDay: number): number => (((epochDay + 3) % 7) + 7) % 7;
const SUNDAY = 6;

/** The nth such weekday of a month; the last one for -1. */
function nthWeekday(year: number, month: number, weekday: number, nth: number): number {
  if (nth > 0) {
    const first = dayOf(year, month, 1);
    return first + ((weekday - weekdayOf(first) + 7) % 7) + (nth - 1) * 7;
  }
  const last = dayOf(year, month + 1, 0);
  return last - ((weekdayOf(last) - weekday + 7) % 7);
}

/** Easter Sunday, by the Gregorian rule of Meeus. */
function easterOf(year: number): number {
  const a = year % 19;
  const [b, c] = [Math.floor(year / 100), year % 100];
  const h = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const at = h + l - 7 * m + 114;
  return dayOf(year, Math.floor(at / 31), (at % 31) + 1);
}

/** Juneteenth is a holiday since then. */
const JUNETEENTH_SINCE = 2021;

/** The holidays of a year that can fall on a weekday. */
const HOLIDAYS: Readonly<Record<BusinessCalendar, (year: number) => number[]>> = {
  weekdays: () => [],
  newYork: (year) => [
    nthWeekday(year, 1, 0, 3),
    nthWeekday(year, 2, 0, 3),
    nthWeekday(year, 5, 0, -1),
    nthWeekday(year, 9, 0, 1),
    nthWeekday(year, 10, 0, 2),
    nthWeekday(year, 11, 3, 4),
    // The Federal Reserve is closed on the Monday after a holiday on a Sunday, and open before one on a Saturday.
    ...[
      dayOf(year, 1, 1),
      ...(year >= JUNETEENTH_SINCE ? [dayOf(year, 6, 19)] : []),
      dayOf(year, 7, 4),
      dayOf(year, 11, 11),
      dayOf(year, 12, 25),
    ].map((day) => (weekdayOf(day) === SUNDAY ? day + 1 : day)),
  ],
  target: (year) => [
    dayOf(year, 1, 1),
    easterOf(year) - 2,
    easterOf(year) + 1,
    dayOf(year, 5, 1),
    dayOf(year, 12, 25),
    dayOf(year, 12, 26),
  ],
};

/** The holidays of years that were asked for: dates lie between 1950 and 2150, so there are few. */
const known = new Map<string, ReadonlySet<number>>();
function holidaysOf(calendar: BusinessCalendar, year: number): ReadonlySet<number> {
  const key = `${calendar}/${year}`;
  const days = known.get(key) ?? new Set(HOLIDAYS[calendar](year));
  known.set(key, days);
  return days;
}

const isBusiness = (epochDay: number, calendar: BusinessCalendar): boolean =>
  weekdayOf(epochDay) < 5 && !holidaysOf(calendar, new Date(epochDay * 86_400_000).getUTCFullYear()).has(epochDay);

export const isBusinessDay = (date: CalendarDate, calendar: BusinessCalendar): boolean =>
  isBusiness(toEpochDay(date), calendar);

function nextIn(epochDay: number, step: 1 | -1, calendar: BusinessCalendar): number {
  let day = epochDay;
  while (!isBusiness(day, calendar)) day += step;
  return day;
}

/** The date, moved by the rule if it is no business day. */
export function adjustDate(date: CalendarDate, rule: BusinessDayRule, calendar: BusinessCalendar): CalendarDate {
  if (rule === 'none') return date;
  const day = toEpochDay(date);
  const after = fromEpochDay(nextIn(day, 1, calendar));
  if (rule === 'following' || (rule === 'modifiedFollowing' && after <= monthEndOf(date))) return after;
  return fromEpochDay(nextIn(day, -1, calendar));
}

/** The business day that is so many business days after the date; the date itself for none. */
export function businessDaysAfter(date: CalendarDate, days: number, calendar: BusinessCalendar): CalendarDate {
  let day = toEpochDay(date);
  for (let left = days; left > 0; left -= 1) day = nextIn(day + 1, 1, calendar);
  return fromEpochDay(day);
}
