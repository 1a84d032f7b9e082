import { CellTag } from '@tapeline/sheets/cell-tag.ts';
import { formatFigure } from '../../money/format-figure.ts';
import { isCurrencyCode } from '../../money/minor-units.ts';
import { ASSET_TYPES } from '../statuses.ts';
import type { ColumnSummary, SampleCell } from './column-summary.ts';
import { figureFormOf, isTermText, readFigure } from './figures.ts';
import { isState } from './state-names.ts';
import { statusMeant } from './statuses.ts';
import type { Shape } from './target-synonyms.ts';

/** A text of a column, or an error of the sheet, and the number of cells in the whole sheet that have it. */
export interface ColumnWord {
  readonly value: string;
  readonly count: number;
  readonly isError?: boolean;
}

export interface ReadColumn {
  /** Cells of the first rows. */
  readonly cells: readonly SampleCell[];
  /** Every text of the column, as far as it was read, if there are few; otherwise only the texts that mean missing. */
  readonly words?: readonly ColumnWord[] | undefined;
  /** A text below the first rows has a leading or trailing space. */
  readonly isPadded?: boolean | undefined;
  /** Number of cells with a value in the rows that were read, and number of different values. */
  readonly counted?: { readonly filled: number; readonly different: number } | undefined;
}

export interface HeadedColumn extends ReadColumn {
  readonly header: string;
}

/** What Excel writes when a lookup finds nothing. */
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

const summaries = new WeakMap<ReadColumn, ColumnSummary>();

/** The summary of a column, which is made once. */
export function summarizeColumn(column: ReadColumn): ColumnSummary {
  const known = summaries.get(column) ?? summaryOf(column);
  summaries.set(column, known);
  return known;
}

function summaryOf({ cells, words = [], isPadded = false, ...column }: ReadColumn): ColumnSummary {
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
  // A survey that ended early may have read fewer rows than are shown.
  const ofCells = { filled: filled.length, different: counts.size };
  const counted = column.counted && column.counted.filled >= filled.length ? column.counted : ofCells;
  return {
    filled,
    form,
    numbers,
    distinct,
    words: said.length === 0 ? distinct : withWords(counts, said),
    isPadded,
    notAvailable: cells.filter(({ tag, value }) => tag === CellTag.error && value === NOT_AVAILABLE).length,
    counted,
    distinctShare: counted.filled === 0 ? 0 : counted.different / counted.filled,
    missing: [...missing],
  };
}

const commonestFirst = (counts: ReadonlyMap<string, number>): { value: string; count: number }[] =>
  [...counts].map(([value, count]) => ({ value, count })).sort((a, b) => b.count - a.count);

/**
 * Replaces the counts of the first rows with those of the whole column. Numeric codes keep the counts of the first
 * rows.
 */
function withWords(counts: ReadonlyMap<string, number>, words: readonly ColumnWord[]): ColumnSummary['words'] {
  const whole = new Map<string, number>();
  for (const { value, count } of words) whole.set(value.trim(), (whole.get(value.trim()) ?? 0) + count);
  for (const [value, count] of counts) if (!whole.has(value)) whole.set(value, count);
  return commonestFirst(whole);
}

/** How tapes write months without a day, as numbers. */
export type MonthForm = 'yearMonth' | 'monthYear' | 'month/year';

/** `201803`, `2018-03`, `032018` (or the number 32018), `03/2018`; null for anything else. */
export function monthFormOf(cell: SampleCell): MonthForm | null {
  const text = cell.value.trim();
  const isYear = (year: string) => Number(year) >= 1950 && Number(year) < 2100;
  const isMonth = (month: string) => Number(month) >= 1 && Number(month) <= 12;
  if (cell.tag !== CellTag.number && cell.tag !== CellTag.text) return null;
  const digits = /^(\d{1,2})(\d{4})$/.exec(text);
  if (digits && isMonth(digits[1]!) && isYear(digits[2]!)) return 'monthYear';
  const turned = /^(\d{4})[-/]?(\d{2})$/.exec(text);
  if (turned && isYear(turned[1]!) && isMonth(turned[2]!)) return 'yearMonth';
  const slashed = /^(\d{1,2})\/(\d{4})$/.exec(text);
  return slashed && isMonth(slashed[1]!) && isYear(slashed[2]!) ? 'month/year' : null;
}

/** The month form of nearly all values of a column. */
export function monthFormOfColumn(filled: readonly SampleCell[]): MonthForm | null {
  const counts = new Map<MonthForm, number>();
  for (const cell of filled) {
    const form = monthFormOf(cell);
    if (form) counts.set(form, (counts.get(form) ?? 0) + 1);
  }
  const [most] = [...counts].sort((a, b) => b[1] - a[1]);
  return most && most[1] >= 0.9 * filled.length ? most[0] : null;
}

/** How well values fit a shape: the share that fits (null if there are no values), and a description. */
export interface ShapeFit {
  readonly share: number | null;
  readonly words: string;
}

const FLAGS = new Set(['y', 'n', 'yes', 'no', 'true', 'false', '0', '1', 't', 'f']);

const MOSTLY = 0.9;
/** Names that repeat can be regions, and much else: too little for 90 %. */
const REGION_SHARE = 0.55;
const ASSET_TYPE_WORDS: ReadonlySet<string> = new Set(ASSET_TYPES);

const isBasisPoints = (header: string): boolean => /\bbps?\b|basis/i.test(header);

/**
 * How well values fit a shape. Dates and statuses are excluded: they are read from the forms and words of the whole
 * column.
 */
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
    const isCoded = /(?:code|naics|sic|nace)\b/i.test(header);
    const texts =
      filled.filter((cell) => isCoded || (cell.tag === CellTag.text && readFigure(cell.value, summary.form) === null))
        .length / filled.length;
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
        words: `${formatFigure(summary.counted.different)} of ${formatFigure(summary.counted.filled)} values are different`,
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
    case 'state': {
      const known = ofCells((cell) => cell.tag === CellTag.text && isState(cell.value), 'states');
      // The states of other countries have names that are not listed, but they repeat. A "region" can be anything.
      const isFew = summary.distinct.length <= Math.max(20, filled.length * 0.4);
      const isStatus = summary.distinct.some(({ value }) => statusMeant(value, false) !== null);
      if (known.share! >= MOSTLY || !isFew || isStatus || /region/i.test(header)) return known;
      const named = ofCells(
        ({ tag, value }) => tag === CellTag.text && /^\p{L}[\p{L} .'-]*$/u.test(value.trim()),
        'names',
      );
      return { ...named, share: named.share! * REGION_SHARE };
    }
    case 'assetType': {
      const fit = ofCells((cell) => ASSET_TYPE_WORDS.has(cell.value.trim().toLowerCase()), 'loan or investment');
      // A column that also contains "credit line" distinguishes kinds of loans.
      return fit.share! < MOSTLY ? { ...fit, share: 0 } : fit;
    }
    case 'zip':
      return ofCells((cell) => /^(?=.*\d)[A-Z0-9][A-Z0-9 -]{2,9}$/i.test(cell.value.trim()), 'postal codes');
    case 'flag':
      // In a column of arrears, most values are 0.
      if (numbers.some((value) => value !== 0 && value !== 1)) return { share: 0, words: 'numbers other than 0 and 1' };
      return ofCells((cell) => cell.tag === CellTag.boolean || FLAGS.has(cell.value.trim().toLowerCase()), 'yes or no');
    case 'currency':
      return ofCells((cell) => isCurrencyCode(cell.value.trim().toUpperCase()), 'currency codes');
    case 'country':
      return ofCells((cell) => cell.tag === CellTag.text && /^[\p{L} .'()-]{2,60}$/u.test(cell.value.trim()), 'names');
    case 'text':
      return few('texts');
  }
}
