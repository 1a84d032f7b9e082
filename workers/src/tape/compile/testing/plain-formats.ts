import { type CalendarDate, isCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { monthNamed } from '@tapeline/domain/dates/month-names.ts';
import type { DateOrder, FigureOptions } from '@tapeline/domain/tapes/serialization.schema.ts';
import type { Cell, Held } from './held.ts';
import { isBlank, SPACE, trim } from './plain-cells.ts';

const day = String.raw`(?<day>\d{1,2})(?:st|nd|rd|th|er|\.|º)?`;
const month = String.raw`(?<month>\d{1,2})`;
const year = String.raw`(?<year>\d{4}|\d{2})`;
const name = String.raw`(?<name>[\p{L}\p{M}]{3,12})\.?`;
const gap = String.raw`(?:[ \u00a0]*[-/.][ \u00a0]*|[ \u00a0]+)`;
const beside = String.raw`[-/.,'’ \u00a0]*(?:(?:de|del|do|of)[ \u00a0]+)?`;
const behind = String.raw`[-/., \u00a0]+`;

const NAMED = [`${day}${beside}${name}${beside}${year}`, `${name}${beside}${day}${behind}${year}`];
const WAYS: Readonly<Record<DateOrder, readonly string[]>> = {
  dayFirst: [`${day}${gap}${month}${gap}${year}`, ...NAMED],
  monthFirst: [`${month}${gap}${day}${gap}${year}`, ...NAMED],
  yearFirst: [`${year}${gap}${month}${gap}${day}`, `${year}${beside}${name}${beside}${day}`],
  yearMonth: [`${year}${gap}${month}`, `${year}${beside}${name}`],
  monthYear: [`${month}${gap}${year}`, `${name}${beside}${year}`],
};
const RUNS: Readonly<Record<DateOrder, string>> = {
  dayFirst: String.raw`(?<day>\d\d)(?<month>\d\d)${year}`,
  monthFirst: String.raw`(?<month>\d\d)(?<day>\d\d)${year}`,
  yearFirst: String.raw`${year}(?<month>\d\d)(?<day>\d\d)`,
  yearMonth: String.raw`(?<year>\d{4})(?<month>\d\d)`,
  monthYear: String.raw`(?<month>\d\d)(?<year>\d{4})`,
};

/**
 * A date in an order, with a time behind it or without. Null if the text is none.
 * @param isTime whether a text is a time of day
 */
export function orderedDate(
  written: string,
  order: DateOrder,
  firstYear: number,
  isTime: (text: string) => boolean,
): CalendarDate | null {
  const text = trim(written);
  for (const way of [...WAYS[order], RUNS[order]]) {
    const found = new RegExp(`^${way}(?: (?<time>\\d{1,2}:[^\\n]*))?$`, 'u').exec(text)?.groups;
    if (!found || (found.time !== undefined && !isTime(found.time))) continue;
    const number = found.name === undefined ? Number(found.month) : monthNamed(found.name);
    if (number === null) continue;
    const date = [
      fullYear(found.year!, firstYear),
      String(number).padStart(2, '0'),
      (found.day ?? '1').padStart(2, '0'),
    ].join('-');
    return isCalendarDate(date) ? date : null;
  }
  return null;
}

function fullYear(digits: string, firstYear: number): string {
  if (digits.length === 4) return digits;
  let full = firstYear;
  while (full % 100 !== Number(digits)) full += 1;
  return String(full);
}

/** The digits of a number, with the zero in front that a sheet does not keep. Null if it has another number of digits. */
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

/** A value with its text as figures are written by default. */
export function plainFigure(held: Held, { decimal, negative }: FigureOptions): Held {
  const change = (text: string): string => {
    const signed =
      negative === 'brackets' ? unbracketed(text) : negative === 'trailing' ? withMinusInFront(text) : text;
    return decimal === undefined ? signed : figure(signed, decimal);
  };
  if (held.kind === 'text' && held.data !== null) return { ...held, data: change(held.data as string) };
  if (held.kind !== 'cell') return held;
  const cell = held.data as Cell;
  return cell.tag === 'text' ? { ...held, data: { ...cell, text: change(cell.text) } } : held;
}

const bare = (text: string): string => text.replace(SPACE, '');

function unbracketed(text: string): string {
  const inside = /^\(([^()+-]*)\)(%?)$/.exec(bare(text));
  return inside ? `-${inside[1]}${inside[2]}` : text;
}

function withMinusInFront(text: string): string {
  const before = /^([^()+-]+)-(%?)$/.exec(bare(text));
  return before ? `-${before[1]}${before[2]}` : text;
}

function figure(text: string, decimal: 'point' | 'comma'): string {
  if (isBlank(text)) return text;
  const written = bare(text).replace(/[%\u202f\u2009]/g, '');
  const [point, separator] = decimal === 'comma' ? [',', '.'] : ['.', ','];
  const [, sign = '', rest = ''] = /^([+-]?)(.*)$/s.exec(written) ?? [];
  const [whole = '', ...places] = rest.split(point);
  const fraction = places.join(point);
  const marks = new Set(whole.replace(/\d/g, ''));
  const groups = whole.split(/[^\d]/);
  const isGrouped =
    groups.length === 1
      ? whole !== '' || (places.length === 1 && fraction !== '')
      : /^\d{1,3}$/.test(groups[0]!) && groups.slice(1).every((group) => /^\d{3}$/.test(group));
  const areMarks =
    [...marks].every((mark) => mark === separator) || [...marks].every((mark) => mark === "'" || mark === '’');
  if (!isGrouped || !areMarks || places.length > 1 || /\D/.test(fraction)) return 'no figure';
  const digits = `${sign}${groups.join('')}${places.length > 0 ? `.${fraction}` : ''}`;
  return text.includes('%') ? `${digits}%` : digits;
}
