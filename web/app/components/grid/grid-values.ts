import { formatCalendarDate, fromEpochDay } from '@tapeline/domain/dates/calendar-date.ts';
import { codeLabel } from '@tapeline/domain/documents/code-labels.ts';
import { type Labels, labelOf } from '@tapeline/domain/documents/labels.ts';
import { countryName } from '@tapeline/domain/entities/countries.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { fromScaled } from '@tapeline/domain/money/decimal.ts';
import { EN_DASH, formatFigure, rateDigits } from '../figures/format.ts';
import type { GridColumn } from './grid-columns.ts';

const DEFAULT_DIGITS = 2;

/** A value of a row in memory: exact figures, dates as YYYY-MM-DD, null if missing. */
export type GridValue = string | number | boolean | null;

const WORD_BITS = 32n;

/**
 * Arrow stores a decimal as little-endian 32-bit words in two's complement, and drops the scale when printing. This
 * reads the words directly.
 */
export function decimalOfWords(words: Uint32Array, scale: number): DecimalText {
  let value = 0n;
  for (let index = words.length - 1; index >= 0; index -= 1) value = (value << WORD_BITS) | BigInt(words[index] ?? 0);
  return fromScaled(BigInt.asIntN(words.length * Number(WORD_BITS), value), scale);
}

/** Converts milliseconds since 1970 (Arrow's date representation) to a calendar date. */
export const dateOfMilliseconds = (milliseconds: number): string => fromEpochDay(Math.floor(milliseconds / 86_400_000));

/** The values of a cell by their labels. A cell of a list has several. */
const inWords = (value: string, words: Labels<string>): string =>
  value
    .split(', ')
    .map((each) => labelOf(words, each))
    .join(', ');

/** Formats a value for a cell. A missing value is "n/a", and zero is an en dash. */
export function writeCell(value: GridValue | undefined, column: Pick<GridColumn, 'kind' | 'digits' | 'words'>): string {
  if (value === null || value === undefined || value === '') return 'n/a';
  switch (column.kind) {
    case 'decimal':
    case 'number': {
      const figure = typeof value === 'boolean' ? Number(value) : value;
      const digits = column.kind === 'decimal' ? (column.digits ?? DEFAULT_DIGITS) : column.digits;
      const written = formatFigure(figure, digits === 'stored' ? rateDigits(figure) : digits);
      return /[1-9]/.test(written) ? written : EN_DASH;
    }
    case 'date':
      return formatCalendarDate(String(value).slice(0, 10));
    case 'country':
      return countryName(String(value));
    case 'boolean':
      return value === true || value === 'true' ? 'Yes' : 'No';
    case 'status':
      return codeLabel(String(value));
    default:
      return column.words ? inWords(String(value), column.words) : String(value);
  }
}
