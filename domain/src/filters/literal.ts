import { isCalendarDate } from '../dates/calendar-date.ts';
import { decimalOf, isDecimal } from '../money/decimal.ts';
import { isStorable, UNSTORABLE } from '../wire/text.ts';
import type { FieldType } from './catalog.ts';
import type { Literal } from './filter.ts';

/** A literal in the form of its field's type, or why it is not one. */
export type LiteralReading = { readonly literal: Literal } | { readonly problem: string };

/** Maximum digits of a decimal: within them, comparisons with any amount column stay within DuckDB's 38. */
export const DECIMAL_DIGITS = { whole: 28, fraction: 10 } as const;
const LONGEST_TEXT = 10_000;
const INSTANT = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(\.\d{1,3})?)?(Z|[+-]\d{2}:?\d{2}))?$/;

/** Converts a JSON value to a literal of the type. */
export function readLiteral(type: FieldType, value: unknown): LiteralReading {
  switch (type) {
    case 'text':
      return readText(value);
    case 'number':
      return readNumber(value);
    case 'decimal':
      return readDecimal(value);
    case 'boolean':
      return typeof value === 'boolean' ? { literal: value } : { problem: `must be true or false, not ${show(value)}` };
    case 'date':
      return isCalendarDate(value)
        ? { literal: value }
        : { problem: `must be a date like 2026-10-31, not ${show(value)}` };
    case 'instant':
      return readInstant(value);
  }
}

/** Text that both databases can store: well-formed Unicode without NUL. */
export function readText(value: unknown): { literal: string } | { problem: string } {
  if (typeof value !== 'string') return { problem: `must be text, not ${show(value)}` };
  if (value.length > LONGEST_TEXT) return { problem: `must be at most ${LONGEST_TEXT} characters long` };
  if (!isStorable(value)) return { problem: UNSTORABLE };
  return { literal: value };
}

function readNumber(value: unknown): LiteralReading {
  // A literal with more digits than a double arrives from the API as decimal text; a shorter text was text.
  const number = isDecimal(value) && String(Number(value)) !== value && value.length > 15 ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number))
    return { problem: `must be a number, not ${show(value)}` };
  return { literal: number === 0 ? 0 : number };
}

function readDecimal(value: unknown): LiteralReading {
  const acceptable = isDecimal(value) ? value.length <= 100 : typeof value === 'number' && Number.isFinite(value);
  if (!acceptable) return { problem: `must be a number, not ${show(value)}` };
  const literal = decimalOf(value as string | number);
  const [whole = '', fraction = ''] = literal.replace('-', '').split('.');
  if (whole.length > DECIMAL_DIGITS.whole) return { problem: `must have at most ${DECIMAL_DIGITS.whole} digits` };
  if (fraction.length > DECIMAL_DIGITS.fraction) {
    return { problem: `must have at most ${DECIMAL_DIGITS.fraction} digits after the point` };
  }
  return { literal };
}

function readInstant(value: unknown): LiteralReading {
  const problem = { problem: `must be a timestamp like 2026-10-31T09:30:00Z, or a date, not ${show(value)}` };
  const match = typeof value === 'string' ? INSTANT.exec(value) : null;
  if (!match || !isCalendarDate(match[1])) return problem;
  const [, date, hours = '00', minutes = '00', seconds = '00', fraction = '.000', zone = 'Z'] = match;
  const moment = Date.parse(`${date}T${hours}:${minutes}:${seconds}${fraction.padEnd(4, '0')}${withColon(zone)}`);
  if (Number.isNaN(moment)) return problem;
  const literal = new Date(moment).toISOString();
  return literal.length === 24 ? { literal } : problem;
}

const withColon = (zone: string): string => (zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone);

/** A value as quoted in an error, never at length. */
export function show(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (value !== null && typeof value === 'object') return 'an object';
  if (value === null) return 'null';
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
