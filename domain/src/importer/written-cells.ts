import { fromEpochDay, isCalendarDate } from '../dates/calendar-date.ts';
import { TIME_OF_DAY } from '../dates/time-of-day.ts';
import { readTypedNumber, separatedDigits } from '../money/typed-number.ts';
import type { ImportColumn, ImportColumnType } from './columns.ts';

/** How a file writes what can be read in two ways. */
export interface WrittenForm {
  /** Whether 03/04/2026 is 3 April. Null if the file does not show it: such dates are then not read. */
  readonly dayFirst: boolean | null;
  /** What stands before the decimals. Null if the file does not show it: `1.250` is then not read. */
  readonly decimal: '.' | ',' | null;
}

/** A file's form, and what it leaves open. A person decides it before anything is read. */
export interface FoundForm extends WrittenForm {
  /** A date that can be read in two ways; null if every date is clear, or there is none. */
  readonly unclearDate: string | null;
  /** The same for a number. */
  readonly unclearNumber: string | null;
  /** The file has dates, or numbers, whose reading depends on the form. */
  readonly hasNumericDates: boolean;
  readonly hasSeparators: boolean;
}

const TIME = `(?:[T ]${TIME_OF_DAY})?`;
const YEAR_FIRST = new RegExp(`^(\\d{4})([-/.])(\\d{1,2})\\2(\\d{1,2})${TIME}$`);
const COMPACT = /^(\d{4})(\d{2})(\d{2})$/;
const NUMERIC = new RegExp(`^(\\d{1,2})([-/.])(\\d{1,2})\\2(\\d{4}|\\d{2})${TIME}$`);
const DAY_NAME = /^(\d{1,2})(?:st|nd|rd|th)?[-/. ]+(\p{L}{3,9})\.?[-/., ]+(\d{4}|\d{2})$/u;
const NAME_DAY = /^(\p{L}{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/u;
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
const isOpen = (first: number, second: number): boolean => first <= 12 && second <= 12 && first !== second;

/** A date of a file as YYYY-MM-DD; null if it is none, or if the form leaves open which. */
export function plainDate(text: string, dayFirst: boolean | null): string | null {
  const yearFirst = YEAR_FIRST.exec(text) ?? COMPACT.exec(text);
  if (yearFirst) {
    const [month, day] = yearFirst.slice(-2).map(Number) as [number, number];
    return dateOf(yearFirst[1]!, month, day);
  }
  const numeric = NUMERIC.exec(text);
  if (numeric) {
    const [first, second, year] = [Number(numeric[1]), Number(numeric[3]), numeric[4]!];
    const isDayFirst = isOpen(first, second) ? dayFirst : first > 12;
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

/** One separator before three digits: of thousands, or of decimals. */
const ONE_COMMA = /^[1-9]\d{0,2},\d{3}$/;
const ONE_POINT = /^[1-9]\d{0,2}\.\d{3}$/;
/** Where a file does not show its decimal sign, commas before three digits are between thousands. */
const DECIMALS = 2;

/** A number of a file as a plain decimal; null if it is none, or if the form leaves open which. */
export function plainNumber(text: string, decimal: WrittenForm['decimal'], currency = ''): string | null {
  const read = readTypedNumber(text, { decimals: DECIMALS, decimal, currency: currency || null });
  return read.problem === null ? read.value : null;
}

/** "LP-0471" and "Fund 3" name codes. */
const CODE = /^(?:lp|fund|investor|inv|no|nr|#)[ .:#_-]*0*(\d{1,9})$/i;
/** What people write in a cell that has no number, date or choice. */
const NOTHING = new Set(['-', '–', '—', '--', 'n/a', 'na', 'n.a.', 'none', 'null', 'tbd', '#n/a']);
/** Whether a cell has no amount: it is blank, or says so. */
export const isNothing = (cell: string): boolean => cell.trim() === '' || NOTHING.has(cell.trim().toLowerCase());
const TYPED: ReadonlySet<ImportColumnType> = new Set(['date', 'decimal', 'wholeNumber', 'choice', 'currency', 'email']);

/**
 * The text of a cell as an import reads it: dates as YYYY-MM-DD, numbers as plain decimals. What cannot be read stays as
 * it is, so that it is shown with its problem.
 */
export function plainCell(
  { type }: Pick<ImportColumn, 'type'>,
  cell: string,
  form: WrittenForm,
  currency = '',
): string {
  const text = cell.trim();
  if (TYPED.has(type) && NOTHING.has(text.toLowerCase())) return '';
  switch (type) {
    case 'date':
      return plainDate(text, form.dayFirst) ?? text;
    case 'decimal':
      return plainNumber(text, form.decimal, currency) ?? text;
    case 'wholeNumber':
      return CODE.exec(text)?.[1] ?? text;
    default:
      return text;
  }
}

interface WrittenCells {
  /** The cells of columns of dates. */
  readonly dates: readonly string[];
  /** The cells of columns of amounts. */
  readonly numbers: readonly string[];
  /** The numbers of a workbook are not texts: a point in them is the decimal point. */
  readonly isWorkbook: boolean;
}

function dateFormOf(cells: readonly string[], chosen: boolean | null) {
  const written = cells.flatMap((text) => {
    const found = NUMERIC.exec(text.trim());
    return found ? [{ text, first: Number(found[1]), second: Number(found[3]), separator: found[2] }] : [];
  });
  const isDayFirst = written.some(({ first }) => first > 12);
  const isMonthFirst = written.some(({ second }) => second > 12);
  const open = written.filter(({ first, second }) => isOpen(first, second));
  // Dates with points have the day first.
  const byPoints = !isMonthFirst && open.length > 0 && open.every(({ separator }) => separator === '.');
  const shown = isDayFirst === isMonthFirst ? (byPoints ? true : null) : isDayFirst;
  const dayFirst = chosen ?? shown;
  return {
    dayFirst,
    unclearDate: dayFirst === null ? (open[0]?.text ?? null) : null,
    hasNumericDates: open.length > 0,
  };
}

/** The digits and separators of a cell that has a number and no date. */
const separatorsOf = (text: string): string | null => (NUMERIC.test(text.trim()) ? null : separatedDigits(text));

function numberFormOf({ numbers, isWorkbook }: WrittenCells, chosen: WrittenForm['decimal']) {
  if (isWorkbook) return { decimal: '.' as const, unclearNumber: null, hasSeparators: false };
  const bare = numbers.flatMap((text) => separatorsOf(text) ?? []).filter((text) => /[.,]/.test(text));
  const isComma = bare.some((text) => /\.\d{3},\d+$/.test(text) || (/^\d+,\d+$/.test(text) && !ONE_COMMA.test(text)));
  const isPoint = bare.some((text) => /,\d{3}\.\d+$/.test(text) || (/^\d*\.\d+$/.test(text) && !ONE_POINT.test(text)));
  const unclear = bare.find((text) => ONE_POINT.test(text));
  const shown = isPoint ? '.' : isComma ? ',' : unclear === undefined ? '.' : null;
  const decimal = chosen ?? shown;
  return {
    decimal,
    unclearNumber: decimal === null ? (unclear ?? null) : null,
    hasSeparators: bare.length > 0,
  };
}

/**
 * How a file writes dates and numbers: as a person chose, otherwise as its cells show. One date or number that can be
 * read in one way only decides for all.
 */
export const formOf = (cells: WrittenCells, chosen: Partial<WrittenForm> = {}): FoundForm => ({
  ...dateFormOf(cells.dates, chosen.dayFirst ?? null),
  ...numberFormOf(cells, chosen.decimal ?? null),
});
