import { addFractions, type Fraction, fraction, reduceFraction } from '../borrowing-base/exact.ts';
import { addDays, type CalendarDate, daysBetween } from '../dates/calendar-date.ts';
import type { DAY_COUNTS } from '../facilities/terms.schema.ts';

export type DayCount = (typeof DAY_COUNTS)[number];

const partsOf = (date: CalendarDate): [year: number, month: number, day: number] => {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  return [year, month, day];
};

const isLeapYear = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

const isLastOfFebruary = (date: CalendarDate): boolean =>
  date.slice(5, 7) === '02' && addDays(date, 1).slice(5, 7) === '03';

/** Days of 30-day months, once the rules of a convention have moved the days of the month. */
function days360(
  from: CalendarDate,
  to: CalendarDate,
  adjust: (first: number, last: number) => [number, number],
): number {
  const [fromYear, fromMonth, fromDay] = partsOf(from);
  const [toYear, toMonth, toDay] = partsOf(to);
  const [first, last] = adjust(fromDay, toDay);
  return 360 * (toYear - fromYear) + 30 * (toMonth - fromMonth) + (last - first);
}

/** 30/360 US, with its rules for the end of February (SIFMA; QuantLib's `Thirty360::USA`). */
function days30US(from: CalendarDate, to: CalendarDate): number {
  return days360(from, to, (fromDay, toDay) => {
    const startsInFebruary = isLastOfFebruary(from);
    const first = startsInFebruary || fromDay === 31 ? 30 : fromDay;
    if (startsInFebruary && isLastOfFebruary(to)) return [first, 30];
    return [first, toDay === 31 && first === 30 ? 30 : toDay];
  });
}

/** 30E/360 (Eurobond basis, ISDA 2006 section 4.16(g)): the 31st counts as the 30th. */
const days30E = (from: CalendarDate, to: CalendarDate): number =>
  days360(from, to, (fromDay, toDay) => [Math.min(fromDay, 30), Math.min(toDay, 30)]);

/** Days in leap years and in other years. The first day counts, the last does not. */
function daysByYear(from: CalendarDate, to: CalendarDate): { leap: number; other: number } {
  const days = { leap: 0, other: 0 };
  for (let start = from; start < to; ) {
    const year = partsOf(start)[0];
    const next = `${String(year + 1).padStart(4, '0')}-01-01`;
    const end = next < to ? next : to;
    days[isLeapYear(year) ? 'leap' : 'other'] += daysBetween(start, end);
    start = end;
  }
  return days;
}

export interface CountedPeriod {
  /** Days as the convention counts them. */
  readonly days: number;
  /** The part of a year. */
  readonly fraction: Fraction;
}

const of = (days: number, year: number): CountedPeriod => ({ days, fraction: fraction(BigInt(days), BigInt(year)) });

/** Counts a period from `from` (included) to `to` (excluded). @throws RangeError if it ends before it starts */
export function countPeriod(dayCount: DayCount, from: CalendarDate, to: CalendarDate): CountedPeriod {
  if (to < from) throw new RangeError(`A period ends before it starts: ${from} to ${to}`);
  switch (dayCount) {
    case 'ACT/360':
      return of(daysBetween(from, to), 360);
    case 'ACT/365F':
      return of(daysBetween(from, to), 365);
    case 'ACT/ACT ISDA': {
      const { leap, other } = daysByYear(from, to);
      return {
        days: leap + other,
        fraction: reduceFraction(addFractions(fraction(BigInt(leap), 366n), fraction(BigInt(other), 365n))),
      };
    }
    case '30/360 US':
      return of(days30US(from, to), 360);
    case '30E/360':
      return of(days30E(from, to), 360);
  }
}
