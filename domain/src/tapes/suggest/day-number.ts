import { CellTag } from '@tapeline/sheets/cell-tag.ts';
import { MONTH_NAMES, monthFormOf } from './column-shape.ts';
import type { SampleCell } from './column-summary.ts';
import { dayFirstOf, writtenDate } from './dates.ts';

const DAY_MS = 86_400_000;
const dayNumber = (year: number, month: number, day = 1): number => Date.UTC(year, month - 1, day) / DAY_MS;
const monthOfName = (name: string): number =>
  MONTH_NAMES.findIndex((each) => each.toLowerCase() === name.slice(0, 3).toLowerCase()) + 1;

/** Dates of this century and the last, as days of a workbook. */
const SERIALS = { min: 20_000, max: 80_000, epoch: 25_569 } as const;

/**
 * The day numbers of a column's dates, for comparing dates of a row; null for a cell without a date, or one whose day
 * and month could be either.
 */
export function dayNumbers(cells: readonly SampleCell[]): (number | null)[] {
  const isDayFirst = dayFirstOf([cells]);
  return cells.map((cell) => dayOf(cell, isDayFirst));
}

function dayOf(cell: SampleCell, isDayFirst: boolean | null): number | null {
  const text = cell.value.trim();
  if (cell.tag === CellTag.date || /^\d{4}-\d{2}-\d{2}/.test(text)) {
    const time = Date.parse(`${text.slice(0, 10)}T00:00:00Z`);
    return Number.isNaN(time) ? null : time / DAY_MS;
  }
  const digits = text.match(/\d+/g) ?? [];
  const [first = 0, second = 0] = digits.map(Number);
  switch (monthFormOf(cell)) {
    case 'yearMonth':
      return dayNumber(Number(text.slice(0, 4)), Number(text.slice(4)));
    case 'monthYear':
      return dayNumber(Number(text.slice(-4)), Number(text.slice(0, -4)));
    case 'month/year':
      return dayNumber(second, first);
    case 'month-name':
      return dayNumber(first, monthOfName(text));
    case null:
  }
  const written = writtenDate(cell);
  switch (written?.written) {
    case 'compact':
      return dayNumber(Number(text.slice(0, 4)), Number(text.slice(4, 6)), Number(text.slice(6)));
    case 'yearFirst':
      return dayNumber(first, second, Number(digits[2]));
    case 'numeric': {
      const isFirstDay = isDayFirst ?? (written.separator === '.' ? true : null);
      if (isFirstDay === null || written.yearDigits !== 4) return null;
      return isFirstDay
        ? dayNumber(written.year, written.second, written.first)
        : dayNumber(written.year, written.first, written.second);
    }
    default: {
      const serial = cell.tag === CellTag.number ? Number(text) : Number.NaN;
      return serial > SERIALS.min && serial < SERIALS.max ? Math.floor(serial) - SERIALS.epoch : null;
    }
  }
}
