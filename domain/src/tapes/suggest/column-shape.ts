import { isCurrencyCode } from '../../money/currencies.ts';
import { CellTag } from '../cell-tag.ts';
import { type FigureForm, figureFormOf, isTermText, readFigure } from './figures.ts';
import type { Shape } from './target-synonyms.ts';

/** A cell as a preview shows it; the tag is a `CellTag`. */
export interface SampleCell {
  readonly tag: number;
  readonly value: string;
}

/** A text of a column, or an error of the sheet, with how many cells of the whole sheet have it. */
export interface ColumnWord {
  readonly value: string;
  readonly count: number;
  readonly isError?: boolean;
}

/** A column as a suggestion reads it. */
export interface ReadColumn {
  /** Of the first rows. */
  readonly cells: readonly SampleCell[];
  /** Every text of the column as far as it was read, where it has few; of one with many, those that mean missing. */
  readonly words?: readonly ColumnWord[] | undefined;
  /** A text further down has a space in front of it or behind. */
  readonly isPadded?: boolean | undefined;
}

/** What a column holds, by its first rows. */
export interface ColumnSummary {
  /** Cells that say something: no blanks, no `NA`, no errors of the sheet. */
  readonly filled: readonly SampleCell[];
  /** How its texts write figures. */
  readonly form: FigureForm;
  /** Of all cells, numbers or texts that read as one. */
  readonly numbers: readonly number[];
  /** Distinct values with how often each stands, the commonest first. */
  readonly distinct: readonly { readonly value: string; readonly count: number }[];
  /** 1 where no value comes twice. */
  readonly distinctShare: number;
  /** Texts that mean missing, as written, wherever in the column they stand. */
  readonly missing: readonly string[];
  /** As `distinct`, of the whole column where all of it was read. */
  readonly words: readonly { readonly value: string; readonly count: number }[];
  /** Some text below the first rows has an outer space. */
  readonly isPadded: boolean;
  /** Cells with `#N/A`, as a look-up that found nothing leaves it, among the cells looked at. */
  readonly notAvailable: number;
}

/** What Excel writes where a look-up found nothing. */
export const NOT_AVAILABLE = '#N/A';

const MISSING_WORDS = new Set([
  'na',
  'n/a',
  'n.a.',
  'null',
  'none',
  'nan',
  '-',
  '--',
  '–',
  '—',
  'n.d.',
  'tbd',
  'not applicable',
  '(blank)',
  'unknown',
  'not available',
  '#n/a',
]);

export const isMissingWord = (text: string): boolean => MISSING_WORDS.has(text.trim().toLowerCase());

export function summarizeColumn({ cells, words = [], isPadded = false }: ReadColumn): ColumnSummary {
  const missing = new Set<string>();
  const filled = cells.filter((cell) => {
    if (cell.tag === CellTag.blank || cell.tag === CellTag.error || cell.value.trim() === '') return false;
    if (cell.tag !== CellTag.text || !isMissingWord(cell.value)) return true;
    missing.add(cell.value.trim());
    return false;
  });
  const said = words.filter(({ value, isError }) => {
    if (isError || value.trim() === '') return false;
    if (isMissingWord(value)) missing.add(value.trim());
    return !isMissingWord(value);
  });
  const counts = new Map<string, number>();
  for (const { value } of filled) counts.set(value.trim(), (counts.get(value.trim()) ?? 0) + 1);
  const form = figureFormOf(filled);
  const numbers = filled.flatMap((cell) => {
    const number = cell.tag === CellTag.number || cell.tag === CellTag.text ? readFigure(cell.value, form) : null;
    return number === null ? [] : [number];
  });
  const distinct = commonestFirst(counts);
  return {
    filled,
    form,
    numbers,
    distinct,
    words: said.length === 0 ? distinct : withWords(counts, said),
    isPadded,
    notAvailable: cells.filter(({ tag, value }) => tag === CellTag.error && value === NOT_AVAILABLE).length,
    distinctShare: filled.length === 0 ? 0 : counts.size / filled.length,
    missing: [...missing],
  };
}

const commonestFirst = (counts: ReadonlyMap<string, number>): { value: string; count: number }[] =>
  [...counts].map(([value, count]) => ({ value, count })).sort((a, b) => b.count - a.count);

/** The words of the whole column in place of the counts of its first rows; codes that are numbers stay as counted there. */
function withWords(counts: ReadonlyMap<string, number>, words: readonly ColumnWord[]): ColumnSummary['words'] {
  const whole = new Map<string, number>();
  for (const { value, count } of words) whole.set(value.trim(), (whole.get(value.trim()) ?? 0) + count);
  for (const [value, count] of counts) if (!whole.has(value)) whole.set(value, count);
  return commonestFirst(whole);
}

/** Months as tapes write them where no day is said. */
export type MonthForm = 'yearMonth' | 'monthYear' | 'month/year' | 'month-name';

export const MONTH_NAMES = [
  'Jan',
  'Feb',
  'Mar',
  'Apr',
  'May',
  'Jun',
  'Jul',
  'Aug',
  'Sep',
  'Oct',
  'Nov',
  'Dec',
] as const;

/** `201803`, `032018` (or the number 32018), `03/2018`, `Mar-2018`; null for anything else. */
export function monthFormOf(cell: SampleCell): MonthForm | null {
  const text = cell.value.trim();
  const isYear = (year: string) => Number(year) >= 1950 && Number(year) < 2100;
  const isMonth = (month: string) => Number(month) >= 1 && Number(month) <= 12;
  if (cell.tag !== CellTag.number && cell.tag !== CellTag.text) return null;
  const digits = /^(\d{1,2})(\d{4})$/.exec(text);
  if (digits && isMonth(digits[1]!) && isYear(digits[2]!)) return 'monthYear';
  const turned = /^(\d{4})(\d{2})$/.exec(text);
  if (turned && isYear(turned[1]!) && isMonth(turned[2]!)) return 'yearMonth';
  const slashed = /^(\d{1,2})\/(\d{4})$/.exec(text);
  if (slashed && isMonth(slashed[1]!) && isYear(slashed[2]!)) return 'month/year';
  const named = /^([A-Z][a-z]{2})-(\d{4})$/.exec(text);
  return named && (MONTH_NAMES as readonly string[]).includes(named[1]!) && isYear(named[2]!) ? 'month-name' : null;
}

/** The form of months that nearly all values of a column have. */
export function monthFormOfColumn(filled: readonly SampleCell[]): MonthForm | null {
  const counts = new Map<MonthForm, number>();
  for (const cell of filled) {
    const form = monthFormOf(cell);
    if (form) counts.set(form, (counts.get(form) ?? 0) + 1);
  }
  const [most] = [...counts].sort((a, b) => b[1] - a[1]);
  return most && most[1] >= 0.9 * filled.length ? most[0] : null;
}

/** How well values fit a shape: the share of them that do (null where there are none), and that in words. */
export interface ShapeFit {
  readonly share: number | null;
  readonly words: string;
}

const STATES = new Set(
  'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY PR VI GU AS MP'.split(
    ' ',
  ),
);
const FLAGS = new Set(['y', 'n', 'yes', 'no', 'true', 'false', '0', '1', 't', 'f']);

const isBasisPoints = (header: string): boolean => /\bbps?\b|basis/i.test(header);

/** How well values fit any shape but dates and statuses, which are read by the forms and words of the whole column. */
export function shapeFit(summary: ColumnSummary, shape: Exclude<Shape, 'date' | 'status'>, header: string): ShapeFit {
  const { filled, numbers } = summary;
  if (filled.length === 0) return { share: null, words: 'the first rows are blank' };
  const ofCells = (fits: (cell: SampleCell) => boolean, what: string): ShapeFit => {
    const hits = filled.filter(fits).length;
    return { share: hits / filled.length, words: `${hits} of ${filled.length} values are ${what}` };
  };
  const ofNumbers = (fits: (value: number) => boolean, what: string): ShapeFit => {
    const hits = numbers.filter(fits).length;
    return { share: hits / filled.length, words: `${hits} of ${filled.length} values are ${what}` };
  };
  const few = (what: string): ShapeFit => {
    const isFew = summary.distinct.length <= Math.max(20, filled.length * 0.4);
    const texts =
      filled.filter((cell) => cell.tag === CellTag.text && readFigure(cell.value, summary.form) === null).length /
      filled.length;
    return {
      share: texts * (isFew ? 1 : 0.4),
      words: `${summary.distinct.length} different ${what} in ${filled.length} rows`,
    };
  };
  switch (shape) {
    case 'id':
      return {
        share: filled.some((cell) => cell.tag === CellTag.boolean || cell.tag === CellTag.date)
          ? 0
          : 0.5 + 0.5 * summary.distinctShare,
        words: `${summary.distinct.length} of ${filled.length} values are different`,
      };
    case 'amount':
      return ofNumbers((value) => Math.abs(value) < 1e13, 'numbers');
    case 'rate':
      return ofNumbers(
        (value) => value >= 0 && value <= (isBasisPoints(header) ? 5000 : 100),
        'numbers that can be rates',
      );
    case 'percent':
      return ofNumbers((value) => value >= 0 && value <= 1000, 'numbers that can be percentages');
    case 'count':
      return ofNumbers((value) => Number.isInteger(value) && value >= -600 && value < 10_000, 'whole numbers');
    case 'term':
      return ofCells((cell) => {
        const value = readFigure(cell.value, summary.form);
        return isTermText(cell.value) || (value !== null && value >= 0 && value <= 11_000);
      }, 'lengths of time');
    case 'score':
      return ofNumbers((value) => value === 0 || (value >= 250 && value <= 999), 'numbers that can be scores');
    case 'grade':
      return ofCells((cell) => cell.value.trim().length <= 4 && cell.tag !== CellTag.date, 'short');
    case 'state':
      return ofCells(
        (cell) =>
          STATES.has(cell.value.trim().toUpperCase()) ||
          (cell.tag === CellTag.text && /^[\p{L} .'-]{4,40}$/u.test(cell.value.trim())),
        'states',
      );
    case 'zip':
      return ofCells((cell) => /^(?=.*\d)[A-Z0-9][A-Z0-9 -]{2,9}$/i.test(cell.value.trim()), 'postal codes');
    case 'flag':
      return ofCells((cell) => cell.tag === CellTag.boolean || FLAGS.has(cell.value.trim().toLowerCase()), 'yes or no');
    case 'currency':
      return ofCells((cell) => isCurrencyCode(cell.value.trim().toUpperCase()), 'currency codes');
    case 'country':
      return ofCells((cell) => cell.tag === CellTag.text && /^[\p{L} .'()-]{2,60}$/u.test(cell.value.trim()), 'names');
    case 'text':
      return few('texts');
  }
}
