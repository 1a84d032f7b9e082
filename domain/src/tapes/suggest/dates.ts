import { CellTag } from '@tapeline/sheets/cell-tag.ts';
import { TIME_OF_DAY } from '../../dates/time-of-day.ts';
import { dateDigits, orderedDate } from '../ordered-dates.ts';
import { type DateOrder, DEFAULT_FIRST_YEAR, type SerializationInput } from '../serialization.schema.ts';
import { monthFormOf, monthFormOfColumn } from './column-shape.ts';
import type { ColumnSummary, SampleCell } from './column-summary.ts';

/** How a column writes its dates, and the steps that read them. */
export interface DateReading {
  readonly steps: readonly SerializationInput[];
  readonly fits: (cell: SampleCell) => boolean;
  /** `dates written day first, as 31/10/2024`. */
  readonly words: string;
  /** What the values leave ambiguous; null if nothing. */
  readonly doubt: string | null;
}

/** Whether dates that write the day and month as numbers have the day first; null if the tape does not show it. */
export type DayFirst = boolean | null;

type Written = 'iso' | 'yearFirst' | 'numeric' | 'compact' | 'short' | 'dayName' | 'nameYear' | 'yearName';

interface WrittenDate {
  readonly written: Written;
  readonly separator: string;
  readonly yearDigits: number;
  /** For `numeric`: the two numbers before the year. */
  readonly first: number;
  readonly second: number;
  readonly year: number;
}

/** What systems write when there is no date. */
const NO_DATES = new Set(['0', '00000000', '00/00/0000', '0000-00-00', '00.00.0000', '1/0/1900', '01/00/1900']);
export const isNoDate = (cell: SampleCell): boolean => NO_DATES.has(cell.value.trim());

const ISO_DATE = new RegExp(`^\\d{4}-\\d{2}-\\d{2}(?:[T ]${TIME_OF_DAY})?$`);
const YEAR_FIRST_DATE = new RegExp(`^(\\d{4})([-/.])(\\d{1,2})\\2(\\d{1,2})( ${TIME_OF_DAY})?$`);
const NUMERIC_DATE = new RegExp(`^(\\d{1,2})([-/.])(\\d{1,2})\\2(\\d{4}|\\d{2})( ${TIME_OF_DAY})?$`);

const isDay = (month: number, day: number): boolean => month >= 1 && month <= 12 && day >= 1 && day <= 31;

/** Parses a text as a date; null if it is not one. */
export function writtenDate(cell: SampleCell): WrittenDate | null {
  if (cell.tag !== CellTag.number && cell.tag !== CellTag.text) return null;
  const text = cell.value.trim();
  if (!/\d/.test(text)) return null;
  const date = (written: Written, parts: Partial<WrittenDate> = {}): WrittenDate => ({
    written,
    separator: '',
    yearDigits: 4,
    first: 0,
    second: 0,
    year: 0,
    ...parts,
  });
  const compact = /^(\d{4})(\d{2})(\d{2})$/.exec(text);
  if (compact) {
    const [year, month, day] = compact.slice(1).map(Number) as [number, number, number];
    if (year >= 1900 && year < 2200 && isDay(month, day)) return date('compact', { year });
  }
  const yearLast = /^(\d{1,2})(\d{2})((?:19|20|21)\d{2})$/.exec(text);
  if (yearLast) {
    const [first, second, year] = yearLast.slice(1).map(Number) as [number, number, number];
    return isDay(first, second) || isDay(second, first) ? date('numeric', { first, second, year }) : null;
  }
  const short = /^(\d{2})(\d{2})(\d{2})$/.exec(text);
  if (short) {
    const [year, month, day] = short.slice(1).map(Number) as [number, number, number];
    return isDay(month, day) ? date('short', { yearDigits: 2, year }) : null;
  }
  if (cell.tag === CellTag.number) return null;
  if (ISO_DATE.test(text)) return date('iso');
  const yearFirst = YEAR_FIRST_DATE.exec(text);
  if (yearFirst) {
    const fits = isDay(Number(yearFirst[3]), Number(yearFirst[4]));
    return fits ? date('yearFirst', { separator: yearFirst[2]! }) : null;
  }
  const numeric = NUMERIC_DATE.exec(text);
  if (numeric) {
    const [first, second] = [Number(numeric[1]), Number(numeric[3])];
    if (!isDay(first, second) && !isDay(second, first)) return null;
    const year = numeric[4]!;
    return date('numeric', {
      separator: numeric[2]!,
      yearDigits: year.length,
      first,
      second,
      year: Number(year),
    });
  }
  if (!/\p{L}{3}/u.test(text)) return null;
  // Texts with a month's name say themselves what is what.
  const year = /(?<!\d)(\d{4}|\d{2})$/.exec(text.replace(/ \d{1,2}:.*$/, ''))?.[1] ?? '';
  const named = { yearDigits: year.length === 2 ? 2 : 4, year: Number(year) };
  if (orderedDate(text, 'dayFirst') !== null) return date('dayName', named);
  if (orderedDate(text, 'monthYear') !== null) return date('nameYear', named);
  if (orderedDate(text, 'yearFirst') !== null) return date('yearName');
  return null;
}

/** Evidence from all columns of a tape: a date that can only be read day first decides for all similar dates. */
export function dayFirstOf(columns: readonly (readonly SampleCell[])[]): DayFirst {
  let dayFirst = 0;
  let monthFirst = 0;
  for (const cells of columns) {
    for (const cell of cells) {
      const date = writtenDate(cell);
      if (date?.written !== 'numeric' || date.separator === '') continue;
      if (date.first > 12) dayFirst += 1;
      if (date.second > 12) monthFirst += 1;
    }
  }
  return dayFirst === monthFirst ? null : dayFirst > monthFirst;
}

const keyOf = ({ written, separator, yearDigits }: WrittenDate): string => `${written}${separator}${yearDigits}`;

/** The form in which most values of a column are written; null if they are not texts that contain dates. */
export function readWrittenDates(filled: readonly SampleCell[], tape: DayFirst): DateReading | null {
  const all = filled.flatMap((cell) => writtenDate(cell) ?? []);
  const counts = new Map<string, number>();
  for (const date of all) counts.set(keyOf(date), (counts.get(keyOf(date)) ?? 0) + 1);
  const [key] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [];
  const dates = all.filter((date) => keyOf(date) === key);
  const [sample] = dates;
  if (!sample) return null;
  const example = filled
    .find((cell) => {
      const date = writtenDate(cell);
      return date !== null && keyOf(date) === key;
    })!
    .value.trim();
  const isDateOfSheet = ({ tag }: SampleCell): boolean => tag === CellTag.date;
  if (sample.written === 'iso') {
    return {
      steps: [{ type: 'date', format: 'ISO' }],
      fits: (cell) => isDateOfSheet(cell) || writtenDate(cell)?.written === 'iso',
      words: `dates, as ${example}`,
      doubt: null,
    };
  }
  const made = (order: DateOrder, words: string, doubt: string | null = null): DateReading => {
    const shortYears = dates.filter(({ yearDigits }) => yearDigits === 2);
    const window = shortYears.length > 0 ? ` in the years ${DEFAULT_FIRST_YEAR} to ${DEFAULT_FIRST_YEAR + 99}` : '';
    // Numbers among texts are the days that a sheet counts.
    const format = isDigits(sample) || !filled.some(isSerial) ? 'ISO' : 'excel';
    return {
      steps: [{ type: 'date', format, order, ...(window === '' ? {} : { firstYear: DEFAULT_FIRST_YEAR }) }],
      fits: (cell) =>
        isDateOfSheet(cell) ||
        (cell.tag === CellTag.text && orderedDate(cell.value, order) !== null) ||
        (cell.tag === CellTag.number && (format === 'excel' ? isSerial(cell) : isDigitsOf(cell, order))),
      words: `${words}${window}`,
      doubt: doubt ?? centuryDoubt(shortYears),
    };
  };
  switch (sample.written) {
    case 'yearFirst':
    case 'yearName':
      return made('yearFirst', `dates, as ${example}`);
    case 'compact':
    case 'short':
      return made('yearFirst', `dates written year, month, day, as ${example},`);
    case 'numeric': {
      const { isDayFirst, doubt } = orderOf(dates, sample.separator, tape);
      const words = `dates written ${isDayFirst ? 'day' : 'month'} first, such as ${example}`;
      const isAmerican = ({ separator, yearDigits }: WrittenDate) => separator === '/' && yearDigits === 4;
      if (!isDayFirst && all.length === filled.length && all.every(isAmerican)) {
        const reading = made('monthFirst', words, doubt);
        return { ...reading, steps: [{ type: 'date', format: 'american' }] };
      }
      return made(isDayFirst ? 'dayFirst' : 'monthFirst', words, doubt);
    }
    case 'dayName':
      return made('dayFirst', `dates, as ${example}`);
    case 'nameYear':
      return made('monthYear', `months, as ${example}`);
  }
}

const isDigits = ({ written }: WrittenDate): boolean => written === 'compact' || written === 'short';
/** Whether a number can be a date of this century or the last, as a workbook counts days. */
export const isSerial = ({ tag, value }: SampleCell): boolean =>
  tag === CellTag.number && Number(value) > 20_000 && Number(value) < 80_000;

function isDigitsOf({ value }: SampleCell, order: DateOrder): boolean {
  const digits = dateDigits(Number(value), order);
  return digits !== null && orderedDate(digits, order) !== null;
}

function orderOf(
  dates: readonly WrittenDate[],
  separator: string,
  tape: DayFirst,
): { isDayFirst: boolean; doubt: string | null } {
  const dayFirst = dates.filter(({ first }) => first > 12).length;
  const monthFirst = dates.filter(({ second }) => second > 12).length;
  if (dayFirst > 0 && monthFirst > 0) {
    return {
      isDayFirst: dayFirst > monthFirst,
      doubt: `some have the day first (${dayFirst}) and others the month (${monthFirst})`,
    };
  }
  if (dayFirst > 0 || monthFirst > 0) return { isDayFirst: dayFirst > 0, doubt: null };
  if (tape !== null) return { isDayFirst: tape, doubt: null };
  const isDayFirst = separator === '.';
  return {
    isDayFirst,
    doubt: isDayFirst ? null : 'no day is above 12: check whether the day or the month comes first',
  };
}

/** Two-digit years from 70 on belong to the previous century, which is a doubt where others do not. */
function centuryDoubt(shortYears: readonly WrittenDate[]): string | null {
  const old = shortYears.filter(({ year }) => year >= DEFAULT_FIRST_YEAR % 100).length;
  return old === 0 || old === shortYears.length ? null : `${old} two-digit years are read as years before 2000`;
}

/** Dates that one rule can read: months as tapes write them, serial numbers and timestamps. */
export function readPlainDates({ filled, numbers }: ColumnSummary): SerializationInput[] {
  const ordered = (order: DateOrder): SerializationInput[] => [{ type: 'date', format: 'ISO', order }];
  switch (monthFormOfColumn(filled)) {
    case 'month/year':
    case 'monthYear':
      return ordered('monthYear');
    case 'yearMonth':
      return ordered('yearMonth');
    default: {
      const middle = [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
      const format = middle > 1e11 ? 'timestampMilliseconds' : middle > 1e8 ? 'timestampSeconds' : 'excel';
      return [{ type: 'date', format }];
    }
  }
}

/** Dates this far off are what systems write for "open end" or for no date. */
const isFarOff = ({ tag, value }: SampleCell): boolean =>
  (tag === CellTag.date && (value < '1950' || value >= '2100')) ||
  (tag === CellTag.text && /\b(1[0-8]\d\d|190\d|2[1-9]\d\d|9999)\b/.test(value.trim()));

/** How a column's dates are read; null if its values are not dates. */
export function readDates(summary: ColumnSummary, header: string, tape: DayFirst): DateReading | null {
  const reading = readForm(summary, header, tape);
  const far = summary.filled.filter(isFarOff);
  if (reading === null || far.length === 0 || reading.doubt !== null) return reading;
  return {
    ...reading,
    doubt: `${far.length} out of range, such as ${far[0]!.value.trim()}: leave them out if they mean no date`,
  };
}

const MIN_SHORT_SHARE = 0.9;

function readForm(summary: ColumnSummary, header: string, tape: DayFirst): DateReading | null {
  const filled = summary.filled.filter((cell) => !isNoDate(cell));
  if (filled.length === 0) return null;
  const plain = (fits: DateReading['fits'], words: string): DateReading => ({
    steps: readPlainDates({ ...summary, filled }),
    fits,
    words,
    doubt: null,
  });
  const styled = filled.filter((cell) => cell.tag === CellTag.date).length;
  const isNamedDate = /date|month|maturity|\bd\b|_d$|dt|dte|period/i.test(header);
  const months = monthFormOfColumn(filled);
  if (months !== null && isNamedDate) return plain((cell) => monthFormOf(cell) !== null, 'months');
  const written = readWrittenDates(filled, tape);
  const fitting = written ? filled.filter(written.fits).length : 0;
  // Such digits are a date only where nearly all of a column named for dates can be one.
  const isShort = filled.some((cell) => {
    const date = writtenDate(cell);
    return date?.written === 'short' || (date?.written === 'numeric' && date.separator === '');
  });
  const isUnlikely = isShort && !(isNamedDate && fitting >= MIN_SHORT_SHARE * filled.length);
  if (
    written &&
    !isUnlikely &&
    fitting > styled &&
    (isNamedDate || fitting < filled.length || !written.words.startsWith('dates, as 1'))
  ) {
    return written;
  }
  if (styled > 0)
    return { ...plain((cell) => cell.tag === CellTag.date, 'dates'), steps: [{ type: 'date', format: 'excel' }] };
  if (written && !isUnlikely) return written;
  const isDay = (cell: SampleCell): boolean => isNamedDate && (isSerial(cell) || Number(cell.value) > 1e8);
  return filled.some(isDay) ? plain(isDay, 'numbers that can be days') : null;
}
