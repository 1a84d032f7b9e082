import { fromEpochDay, isCalendarDate } from './calendar-date.ts';
import { TIME_OF_DAY } from './time-of-day.ts';

const TIME = `(?:[T ]${TIME_OF_DAY})?`;
const YEAR_FIRST = new RegExp(`^(\\d{4})([-/.])(\\d{1,2})\\2(\\d{1,2})${TIME}$`);
const COMPACT = /^(\d{4})(\d{2})(\d{2})$/;
/** A date of numbers with the year last, as its parts: `31/10/2026`. */
export const NUMERIC_DATE = new RegExp(`^(\\d{1,2})([-/.])(\\d{1,2})\\2(\\d{4}|\\d{2})${TIME}$`);
const DAY_NAME = /^(\d{1,2})(?:st|nd|rd|th)?[-/. ]+(\p{L}{3,9})\.?[-/., ]+(\d{4}|\d{2})$/u;
const NAME_DAY = /^(\p{L}{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/u;
/** A longer text is no date. */
const MAX_CHARACTERS = 40;
const SERIAL = /^\d{5}$/;
/** Excel's number of 1970-01-01. */
const SERIAL_OF_1970 = 25_569;
/** The days from 1982 to 2119 as Excel counts them. */
const [FIRST_SERIAL, LAST_SERIAL] = [30_000, 80_000];
const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

const dateOf = (year: string, month: number, day: number): string | null => {
  // Two digits of a year are of this century up to 69.
  const full = year.length === 4 ? year : `${Number(year) < 70 ? '20' : '19'}${year}`;
  const date = `${full}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
  return isCalendarDate(date) ? date : null;
};

const monthOf = (name: string): number => {
  const word = name.toLowerCase();
  const full = word === 'sept' ? 'september' : word;
  return MONTHS.findIndex((month) => month === full || month.slice(0, 3) === full) + 1;
};

/** The two numbers before the year, where both could be the month. */
export const isOpenDate = (first: number, second: number): boolean => first <= 12 && second <= 12 && first !== second;

/** A written date as YYYY-MM-DD; null if it is none, or if it is not known whether the day is first. */
export function plainDate(text: string, dayFirst: boolean | null): string | null {
  const yearFirst = YEAR_FIRST.exec(text) ?? COMPACT.exec(text);
  if (yearFirst) {
    const [month, day] = yearFirst.slice(-2).map(Number) as [number, number];
    return dateOf(yearFirst[1]!, month, day);
  }
  const numeric = NUMERIC_DATE.exec(text);
  if (numeric) {
    const [first, second, year] = [Number(numeric[1]), Number(numeric[3]), numeric[4]!];
    const isDayFirst = isOpenDate(first, second) ? dayFirst : first > 12;
    if (isDayFirst === null) return null;
    return isDayFirst ? dateOf(year, second, first) : dateOf(year, first, second);
  }
  const dayName = DAY_NAME.exec(text);
  if (dayName) return dateOf(dayName[3]!, monthOf(dayName[2]!), Number(dayName[1]));
  const nameDay = NAME_DAY.exec(text);
  if (nameDay) return dateOf(nameDay[3]!, monthOf(nameDay[1]!), Number(nameDay[2]));
  const serial = SERIAL.test(text) ? Number(text) : 0;
  return serial >= FIRST_SERIAL && serial <= LAST_SERIAL ? fromEpochDay(serial - SERIAL_OF_1970) : null;
}

/** What a typed date can mean: one day, two where the day and the month could be exchanged, or none. */
export function typedDates(text: string): readonly string[] {
  const written = text.trim();
  // A person who types 46326 means no day of Excel.
  if (written.length > MAX_CHARACTERS || SERIAL.test(written)) return [];
  return [...new Set([plainDate(written, true), plainDate(written, false)])].filter((date) => date !== null);
}
