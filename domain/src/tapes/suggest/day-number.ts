import { CellTag } from '@tapeline/sheets/cell-tag.ts';
import { type CalendarDate, isCalendarDate, toEpochDay } from '../../dates/calendar-date.ts';
import { dateDigits, orderedDate } from '../ordered-dates.ts';
import type { DateOrder } from '../serialization.schema.ts';
import { monthFormOf } from './column-shape.ts';
import type { SampleCell } from './column-summary.ts';
import { type DayFirst, dayFirstOf, isSerial, writtenDate } from './dates.ts';

/** The day that a workbook counts as the days since 1899-12-30. */
const SERIAL_OF_1970 = 25_569;

/**
 * The day numbers of a column's dates, for comparing dates of a row; null for a cell without a date, or one whose day
 * and month could be either.
 */
export function dayNumbers(cells: readonly SampleCell[]): (number | null)[] {
  const isDayFirst = dayFirstOf([cells]);
  return cells.map((cell) => {
    if (cell.tag === CellTag.date) return dayOf(cell.value.trim().slice(0, 10));
    const order = orderOf(cell, isDayFirst);
    if (order !== null) {
      const text = cell.tag === CellTag.number ? dateDigits(Number(cell.value), order) : cell.value;
      return dayOf(text && orderedDate(text, order));
    }
    return isSerial(cell) ? Math.floor(Number(cell.value)) - SERIAL_OF_1970 : null;
  });
}

const dayOf = (date: CalendarDate | null): number | null => (isCalendarDate(date) ? toEpochDay(date) : null);

/** The order in which a cell writes a date; null if it is none, or if its day and month could be either. */
export function orderOf(cell: SampleCell, isDayFirst: DayFirst): DateOrder | null {
  const months = monthFormOf(cell);
  if (months !== null) return months === 'yearMonth' ? 'yearMonth' : 'monthYear';
  const date = writtenDate(cell);
  switch (date?.written) {
    case 'iso':
    case 'yearFirst':
    case 'compact':
    case 'yearName':
      return 'yearFirst';
    case 'dayName':
      return 'dayFirst';
    case 'nameYear':
      return 'monthYear';
    case 'numeric': {
      const isFirstDay = isDayFirst ?? (date.separator === '.' ? true : null);
      return isFirstDay === null ? null : isFirstDay ? 'dayFirst' : 'monthFirst';
    }
    default:
      return null;
  }
}
