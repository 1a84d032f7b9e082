import { type CalendarDate, fromEpochDay, toEpochDay } from '@tapeline/domain/dates/calendar-date.ts';
import { decimalOf } from '@tapeline/domain/money/decimal.ts';
import { shownNumber } from '@tapeline/sheets/shown-number.ts';
import type { Cell } from './held.ts';

export const SPACE = /[\t\n\f\r \u00a0]/g;
export const trim = (text: string): string => text.replace(/^[\t\n\f\r \u00a0]+|[\t\n\f\r \u00a0]+$/g, '');
export const isBlank = (text: string): boolean => trim(text) === '';
export const keyOf = (text: string): string => lower(trim(text));
export const keyOfLiteral = (literal: string | number | boolean): string =>
  keyOf(typeof literal === 'number' ? shownNumber(literal) : String(literal));

/**
 * Lowercases character by character, as databases do: no character becomes two, and a final sigma stays a plain sigma.
 */
export const lower = (text: string): string => [...text].map((letter) => [...letter.toLowerCase()][0]).join('');
export const upper = (text: string): string =>
  [...text]
    .map((letter) => {
      if (letter === 'ß') return 'ẞ';
      const large = letter.toUpperCase();
      return [...large].length === 1 ? large : letter;
    })
    .join('');

/** The text that a cell displays, or null if it is blank. */
export function seen(cell: Cell, epoch: 1900 | 1904): string | null {
  switch (cell.tag) {
    case 'blank':
      return null;
    case 'number':
      return shownNumber(cell.number);
    case 'boolean':
      return String(cell.boolean);
    case 'date': {
      const date = serialDate(cell.serial, epoch);
      if (date === null) return shownNumber(cell.serial);
      const inDay = Math.round(cell.serial * 86400) % 86400;
      return inDay > 0 ? `${date}T${new Date(inDay * 1000).toISOString().slice(11, 19)}` : date;
    }
    case 'error':
      return cell.text;
    default:
      return isBlank(cell.text) ? null : cell.text;
  }
}

export function serialDate(serial: number, epoch: 1900 | 1904): CalendarDate | null {
  const day = Math.floor(Math.round(serial * 86400) / 86400);
  if (epoch === 1904) return serial >= 0 && day < 2957004 ? fromEpochDay(toEpochDay('1904-01-01') + day) : null;
  if (day >= 61 && day < 2958466) return fromEpochDay(day - 25569);
  return day >= 1 && day < 60 ? fromEpochDay(day - 25568) : null;
}

/**
 * The digits of a number as written. Percent signs and spaces are removed, and commas are only accepted in groups of
 * three digits.
 */
export function digitsOf(text: string): string | null {
  const bare = text.replaceAll('%', '').replace(SPACE, '');
  if (/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?$/.test(bare)) return bare;
  return /^[+-]?\d{1,3}(,\d{3})+(\.\d*)?$/.test(bare) ? bare.replaceAll(',', '') : null;
}

export function parseNumber(text: string): number | null {
  const digits = digitsOf(text);
  if (digits === null) return null;
  const value = Number(digits);
  return Number.isFinite(value) ? value : null;
}

/** The decimal for the digits as written: `+1.` is 1, `.5` is 0.5. */
export const exactOf = (digits: string): string =>
  decimalOf(
    digits
      .replace(/^\+/, '')
      .replace(/\.(?=$|e)/i, '')
      .replace(/^(-?)\./, '$10.'),
  );
