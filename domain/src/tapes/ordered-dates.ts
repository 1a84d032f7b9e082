import { type CalendarDate, isCalendarDate } from '../dates/calendar-date.ts';
import { monthNamed } from '../dates/month-names.ts';
import { TIME_OF_DAY } from '../dates/time-of-day.ts';
import { type DateOrder, DEFAULT_FIRST_YEAR } from './serialization.schema.ts';

const DAY = String.raw`(?<day>\d{1,2})(?:st|nd|rd|th|er|\.|º)?`;
const MONTH = String.raw`(?<month>\d{1,2})`;
const YEAR = String.raw`(?<year>\d{4}|\d{2})`;
const NAME = String.raw`(?<name>[\p{L}\p{M}]{3,12})\.?`;
/** Between numbers. */
const BETWEEN = String.raw`(?:[ \u00a0]*[-/.][ \u00a0]*|[ \u00a0]+)`;
/** Beside a month's name: `31Dec2024`, `31 de diciembre de 2024`. */
const BESIDE = String.raw`[-/.,'’ \u00a0]*(?:(?:de|del|do|of)[ \u00a0]+)?`;
/** Between a day and the year after it. */
const COMMA = String.raw`[-/., \u00a0]+`;

const NAMED = [`${DAY}${BESIDE}${NAME}${BESIDE}${YEAR}`, `${NAME}${BESIDE}${DAY}${COMMA}${YEAR}`];
/** The ways to write a date in each order: with numbers, with names, without separators. */
const WAYS: Readonly<Record<DateOrder, readonly string[]>> = {
  dayFirst: [
    `${DAY}${BETWEEN}${MONTH}${BETWEEN}${YEAR}`,
    ...NAMED,
    '(?<day>\\d\\d?)(?<month>\\d\\d)(?<year>\\d{4})',
    '(?<day>\\d\\d)(?<month>\\d\\d)(?<year>\\d\\d)',
  ],
  monthFirst: [
    `${MONTH}${BETWEEN}${DAY}${BETWEEN}${YEAR}`,
    ...NAMED,
    '(?<month>\\d\\d?)(?<day>\\d\\d)(?<year>\\d{4})',
    '(?<month>\\d\\d)(?<day>\\d\\d)(?<year>\\d\\d)',
  ],
  yearFirst: [
    `${YEAR}${BETWEEN}${MONTH}${BETWEEN}${DAY}`,
    `${YEAR}${BESIDE}${NAME}${BESIDE}${DAY}`,
    `${YEAR}(?<month>\\d\\d)(?<day>\\d\\d)`,
  ],
  yearMonth: [`${YEAR}${BETWEEN}${MONTH}`, `${YEAR}${BESIDE}${NAME}`, '(?<year>\\d{4})(?<month>\\d\\d)'],
  monthYear: [`${MONTH}${BETWEEN}${YEAR}`, `${NAME}${BESIDE}${YEAR}`, '(?<month>\\d\\d?)(?<year>\\d{4})'],
};
const PATTERNS = Object.fromEntries(
  Object.entries(WAYS).map(([order, ways]) => [
    order,
    ways.map((way) => new RegExp(`^${way}(?: ${TIME_OF_DAY})?$`, 'u')),
  ]),
) as Record<DateOrder, RegExp[]>;
const ISO = new RegExp(`^(\\d{4}-\\d{2}-\\d{2})(?:[T ]${TIME_OF_DAY})?$`);

/**
 * The date that a text writes in an order, or as YYYY-MM-DD, with or without a time after it; null if it writes none. Whole
 * tapes are read by compiled SQL, which is tested against this.
 */
export function orderedDate(text: string, order: DateOrder, firstYear = DEFAULT_FIRST_YEAR): CalendarDate | null {
  const bare = text.replace(/^[\t\n\f\r \u00a0]+|[\t\n\f\r \u00a0]+$/g, '');
  const iso = ISO.exec(bare)?.[1];
  if (isCalendarDate(iso)) return iso;
  for (const pattern of PATTERNS[order]) {
    const { day = '1', month, name, year } = pattern.exec(bare)?.groups ?? {};
    const number = name === undefined ? month : monthNamed(name);
    if (year === undefined || number === undefined || number === null) continue;
    const date = `${fullYear(year, firstYear)}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}`;
    return year.length === 4 && year < '1000' ? null : isCalendarDate(date) ? date : null;
  }
  return null;
}

function fullYear(digits: string, firstYear: number): string {
  if (digits.length === 4) return digits;
  const full = firstYear - (firstYear % 100) + Number(digits);
  return String(full < firstYear ? full + 100 : full);
}

/**
 * The digits of a number that is a date, with the leading zero that a sheet drops; null for any other number of digits. Five
 * digits are not read with the day or month first, because they can be a serial.
 */
export function dateDigits(value: number, order: DateOrder): string | null {
  if (!Number.isInteger(value) || value <= 0) return null;
  const digits = String(value);
  const isLacking =
    order === 'dayFirst' || order === 'monthFirst'
      ? digits.length === 7
      : digits.length === 5 && (order === 'yearFirst' || order === 'monthYear');
  const all = isLacking ? `0${digits}` : digits;
  const lengths = order === 'yearMonth' || order === 'monthYear' ? [6] : [6, 8];
  return lengths.includes(all.length) ? all : null;
}
