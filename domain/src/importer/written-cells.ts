import { isOpenDate, NUMERIC_DATE, plainDate } from '../dates/written-date.ts';
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
    const found = NUMERIC_DATE.exec(text.trim());
    return found ? [{ text, first: Number(found[1]), second: Number(found[3]), separator: found[2] }] : [];
  });
  const isDayFirst = written.some(({ first }) => first > 12);
  const isMonthFirst = written.some(({ second }) => second > 12);
  const open = written.filter(({ first, second }) => isOpenDate(first, second));
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
const separatorsOf = (text: string): string | null => (NUMERIC_DATE.test(text.trim()) ? null : separatedDigits(text));

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
