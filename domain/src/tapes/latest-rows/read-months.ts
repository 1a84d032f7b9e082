import { CellTag } from '@tapeline/sheets/cell-tag.ts';
import { type CalendarDate, fromEpochDay, isCalendarDate, monthEndOf } from '../../dates/calendar-date.ts';
import { dateDigits, orderedDate } from '../ordered-dates.ts';
import { type MonthForm, monthFormOf, monthFormOfColumn } from '../suggest/column-shape.ts';
import type { SampleCell } from '../suggest/column-summary.ts';
import { type DayFirst, dayFirstOf, isSerial, writtenDate } from '../suggest/dates.ts';
import { orderOf } from '../suggest/day-number.ts';

/** A month of a column, or a day of it. */
export interface ReadMonth {
  /** The day that is written, or the first day of the month. */
  readonly from: CalendarDate;
  /** The day that is written, or the last day of the month. */
  readonly date: CalendarDate;
}

/** Day 0 of the two ways in which workbooks count days, as days since 1970. */
const DAY_0 = { 1900: -25_569, 1904: -24_107 } as const;
/** What lies outside is no month of a ledger: a typing error, or what systems write for no date. */
const YEARS = { from: '1950', before: '2100' } as const;
/** Longer texts are no months, and are not examined. */
const MAX_CHARACTERS = 60;

/**
 * The months of a column, from its different cells. Dates that could have the day or the month first are read in the way
 * that gives each month the same day, if there is only one.
 * @param cells without repetition, since how the others are written decides what is ambiguous
 * @returns in their order; null for a cell that is not a month
 */
export function readMonths(cells: readonly SampleCell[], epoch: keyof typeof DAY_0): (ReadMonth | null)[] {
  const short = cells.map((cell) => (cell.value.length <= MAX_CHARACTERS ? cell : null));
  const known = short.filter((cell) => cell !== null);
  // Words, such as those of a row of totals, do not say how the months are written.
  const form = monthFormOfColumn(
    known.filter((cell) => monthFormOf(cell) !== null || isSerial(cell) || writtenDate(cell) !== null),
  );
  const isDayFirst = dayFirstOf([known]) ?? sameDayFirst(known);
  return short.map((cell) => cell && plausible(readMonth(cell, { form, isDayFirst, epoch })));
}

const plausible = (month: ReadMonth | null): ReadMonth | null =>
  month && month.from >= YEARS.from && month.from < YEARS.before ? month : null;

const wholeMonth = (from: CalendarDate | null): ReadMonth | null =>
  isCalendarDate(from) ? { from, date: monthEndOf(from) } : null;
const oneDay = (date: CalendarDate | null): ReadMonth | null => (isCalendarDate(date) ? { from: date, date } : null);

function readMonth(
  cell: SampleCell,
  { form, isDayFirst, epoch }: { form: MonthForm | null; isDayFirst: DayFirst; epoch: keyof typeof DAY_0 },
): ReadMonth | null {
  if (cell.tag === CellTag.date) return oneDay(cell.value.trim().slice(0, 10));
  if (cell.tag !== CellTag.number && cell.tag !== CellTag.text) return null;
  const months = monthFormOf(cell);
  // Digits alone are a month where the column has months: 42004 is also the day that a sheet counts.
  if (months !== null && (months === form || /\D/.test(cell.value.trim()))) {
    return wholeMonth(orderedDate(cell.value, months === 'yearMonth' ? 'yearMonth' : 'monthYear'));
  }
  if (months === null && !isSerial(cell)) {
    const order = orderOf(cell, isDayFirst);
    const text = order && cell.tag === CellTag.number ? dateDigits(Number(cell.value), order) : cell.value;
    if (order === null || text === null) return null;
    return (order === 'monthYear' ? wholeMonth : oneDay)(orderedDate(text, order));
  }
  return isSerial(cell) ? oneDay(fromEpochDay(Math.floor(Number(cell.value)) + DAY_0[epoch])) : null;
}

/** Whether the days come first in dates whose numbers are 12 at most: each month has the same day, such as the first. */
function sameDayFirst(cells: readonly SampleCell[]): DayFirst {
  const dates = cells.flatMap((cell) => {
    const date = writtenDate(cell);
    return date?.written === 'numeric' && date.separator !== '' ? [date] : [];
  });
  const firsts = new Set(dates.map(({ first }) => first)).size;
  const seconds = new Set(dates.map(({ second }) => second)).size;
  if (firsts === 1 && seconds > 1) return true;
  return seconds === 1 && firsts > 1 ? false : null;
}
