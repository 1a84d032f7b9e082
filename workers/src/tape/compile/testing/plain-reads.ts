import { type CalendarDate, fromEpochDay, isCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { absolute, compare, decimalOf, round, toNumber } from '@tapeline/domain/money/decimal.ts';
import { LONGEST_TEXT } from '@tapeline/domain/tapes/longest-text.ts';
import { dateDigits, orderedDate } from '@tapeline/domain/tapes/ordered-dates.ts';
import { plainFigure } from '@tapeline/domain/tapes/plain-figure.ts';
import type { DateForm } from '@tapeline/domain/tapes/planned-rule.ts';
import { DEFAULT_FIRST_YEAR, type FigureOptions } from '@tapeline/domain/tapes/serialization.schema.ts';
import { shownNumber } from '@tapeline/sheets/shown-number.ts';
import { REASONS } from '../values.ts';
import { type Amount, type Cell, fail, type Held, type Rate, type Term } from './held.ts';
import { digitsOf, exactOf, isBlank, lower, parseNumber, SPACE, seen, serialDate, trim } from './plain-cells.ts';

type Epoch = 1900 | 1904;

/** Reads a value as text, as displayed. */
export function readText(held: Held, epoch: Epoch): string | null {
  if (held.data === null) return null;
  if (held.kind === 'cell') {
    const cell = held.data as Cell;
    if (cell.tag === 'error') return fail(REASONS.sheetError);
    const shown = seen(cell, epoch);
    return shown !== null && [...shown].length > LONGEST_TEXT ? fail(REASONS.tooLong) : shown;
  }
  return held.kind === 'number' ? shownNumber(held.data as number) : String(held.data);
}

/** Reads a value as one number: points of a rate, sum of an amount, value of a term. */
export function readNumber(held: Held): number | null {
  if (held.data === null) return null;
  switch (held.kind) {
    case 'number':
      return held.data as number;
    case 'text': {
      const text = held.data as string;
      return isBlank(text) ? null : (parseNumber(text) ?? fail(REASONS.notNumber));
    }
    case 'amount':
      return toNumber((held.data as Amount).sum);
    case 'interest':
      return toNumber((held.data as Rate).points);
    case 'percentage':
      return toNumber(held.data as string);
    case 'term':
      return (held.data as Term).value;
    default:
      return cellNumber(held.data as Cell);
  }
}

function cellNumber(cell: Cell): number | null {
  switch (cell.tag) {
    case 'blank':
      return null;
    case 'number':
      return Number.isFinite(cell.number) ? cell.number : fail(REASONS.tooLarge);
    case 'text':
      return isBlank(cell.text) ? null : (parseNumber(cell.text) ?? fail(REASONS.notNumber));
    case 'boolean':
      return fail(REASONS.booleanNotNumber);
    case 'date':
      return fail(REASONS.dateNotNumber);
    default:
      return fail(REASONS.sheetError);
  }
}

/** Reads a value as a boolean. 1, y, yes, true and positive are true, everything else is false. Blank is missing. */
export function readBoolean(held: Held): boolean | null {
  if (held.data === null) return null;
  if (held.kind === 'boolean') return held.data as boolean;
  if (held.kind === 'number') return held.data === 1;
  const truth = (text: string): boolean | null =>
    isBlank(text) ? null : ['1', 'y', 'yes', 'true', 'positive'].includes(lower(text.replace(SPACE, '')));
  if (held.kind !== 'cell') return truth(held.data as string);
  const cell = held.data as Cell;
  if (cell.tag === 'blank') return null;
  if (cell.tag === 'number') return cell.number === 1;
  if (cell.tag === 'boolean') return cell.boolean;
  if (cell.tag === 'text') return truth(cell.text);
  return fail(cell.tag === 'date' ? REASONS.notBoolean : REASONS.sheetError);
}

/** Reads a value as a date. A cell that the sheet styles as a date is accepted in any format. */
export function readDate(held: Held, form: DateForm, epoch: Epoch): CalendarDate | null {
  const { format, order, firstYear = DEFAULT_FIRST_YEAR } = form;
  if (held.data === null || held.kind === 'date') return held.data as CalendarDate | null;
  const reason = format === 'excel' && order === undefined ? REASONS.notSerial : REASONS.notDate;
  const inOrder = (text: string): CalendarDate | null =>
    order === undefined ? null : orderedDate(text, order, firstYear);
  const ofNumber = (value: number): CalendarDate => {
    const digits = order !== undefined && (format === 'ISO' || format === 'american') ? dateDigits(value, order) : null;
    const date = digits === null ? dateOfNumber(value, format, epoch) : inOrder(digits);
    return date ?? fail(reason);
  };
  const ofText = (text: string): CalendarDate | null => {
    if (isBlank(text)) return null;
    if (order !== undefined) return inOrder(text) ?? fail(reason);
    if (format === 'ISO' || format === 'american') return dateOfText(trim(text), format) ?? fail(reason);
    const number = parseNumber(text);
    return number === null ? fail(reason) : ofNumber(number);
  };
  if (held.kind === 'number') return ofNumber(held.data as number);
  if (held.kind !== 'cell') return ofText(held.data as string);
  const cell = held.data as Cell;
  if (cell.tag === 'blank') return null;
  if (cell.tag === 'date') return serialDate(cell.serial, epoch) ?? fail(reason);
  if (cell.tag === 'text') return ofText(cell.text);
  if (cell.tag === 'number') return ofNumber(cell.number);
  return fail(cell.tag === 'error' ? REASONS.sheetError : reason);
}

function dateOfNumber(value: number, format: string, epoch: Epoch): CalendarDate | null {
  if (format === 'excel') return serialDate(value, epoch);
  if (!format.startsWith('timestamp')) return null;
  const day = Math.floor(value / (format === 'timestampSeconds' ? 86400 : 86400000));
  return day >= -719162 && day < 2932897 ? fromEpochDay(day) : null;
}

/**
 * Whether the text after a date is empty or a time of day: hours and minutes, optionally with seconds, AM or PM and a
 * zone.
 */
const isTimeOrNothing = (text: string | undefined): boolean =>
  text === undefined ||
  /^\d\d?:\d\d(:\d\d([.,]\d{1,9})?)?( ?[ap]\.?m\.?)?$/i.test(
    text.replace(/ ?(Z|UTC|GMT|[+-]\d\d|[+-]\d\d:?\d\d)$/, ''),
  );

function dateOfText(text: string, format: 'ISO' | 'american'): CalendarDate | null {
  if (format === 'ISO') {
    const [, date, time] = /^(\d{4}-\d{2}-\d{2})(?:[T ]([^\n]*))?$/.exec(text) ?? [];
    return isCalendarDate(date) && isTimeOrNothing(time) ? date : null;
  }
  const [, month = '', day = '', year, time] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?: ([^\n]*))?$/.exec(text) ?? [];
  if (!isTimeOrNothing(time)) return null;
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isCalendarDate(date) ? date : null;
}

/** A value with its text as figures are written by default. */
export function withPlainFigure(held: Held, options: FigureOptions = {}): Held {
  if (held.kind === 'text' && held.data !== null) return { ...held, data: plainFigure(held.data as string, options) };
  const cell = held.kind === 'cell' ? (held.data as Cell) : null;
  return cell?.tag === 'text' ? { ...held, data: { ...cell, text: plainFigure(cell.text, options) } } : held;
}

/** Exact decimal text: a text's own digits, or the 15 significant digits of a number. */
export function readExact(held: Held): { exact: string; percentSign: boolean } | null {
  if (held.data === null) return null;
  const cell = held.kind === 'cell' ? (held.data as Cell) : null;
  const text = cell?.tag === 'text' ? cell.text : held.kind === 'text' ? (held.data as string) : null;
  if (text !== null) {
    if (isBlank(text)) return null;
    const digits = digitsOf(text);
    return { exact: exactOf(digits ?? fail(REASONS.notNumber)), percentSign: text.includes('%') };
  }
  const number = readNumber(held);
  if (number === null) return null;
  return { exact: keptDigits(held) ?? decimalOf(shownNumber(number)), percentSign: false };
}

/** The digits of an amount, or of a number derived from amounts. Null if there are none. */
export function keptDigits(held: Held): string | null {
  if (held.data === null) return null;
  return held.kind === 'amount' ? (held.data as Amount).sum : held.kind === 'number' ? (held.exact ?? null) : null;
}

/** The digits for calculations with an amount, with 20 decimal places. Null if they do not fit. */
export function heldDigits(held: Held): string | null {
  const exact = keptDigits(held) ?? readExact(held)?.exact ?? null;
  if (exact === null) return null;
  const [whole = '', places = ''] = exact.split('.');
  // If a text has more than 20 decimals, the rest is replaced with a 1, so that the number does not become a tie.
  const written = held.kind === 'cell' ? (held.data as { text?: string }).text : held.data;
  const isLong = typeof written === 'string' && written.length > 21 && !/e/i.test(written) && places.length > 20;
  return withinBound(isLong ? `${whole}.${places.slice(0, 19)}1` : round(exact, 20, 'halfUp'));
}

export const withinBound = (digits: string | null): string | null =>
  digits !== null && compare(absolute(digits), '1000000000000000') < 0 ? digits : null;
