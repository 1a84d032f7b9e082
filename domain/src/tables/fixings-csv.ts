import { isCalendarDate } from '../dates/calendar-date.ts';
import { BASE_RATES } from '../facilities/terms.schema.ts';
import { readTypedNumber } from '../money/typed-number.ts';
import { fixingRateSchema, MAX_LIST_VALUES, RATE_DIGITS, type TableValue, valueKey } from './table.schema.ts';

/** Maximum characters of a pasted or uploaded list of fixings. */
export const MAX_CSV_CHARACTERS = 1_000_000;
/** Errors that are listed one by one; the others are counted. */
const MAX_ERRORS = 50;

export interface LineError {
  /** As a text editor numbers it, from 1. */
  line: number;
  message: string;
}

export type FixingsRead =
  | { ok: true; fixings: TableValue[] }
  | { ok: false; errors: LineError[] /** All errors, also those that are not listed. */; errorCount: number };

const COLUMNS = ['title', 'date', 'rate'] as const;
type Column = (typeof COLUMNS)[number];

const HEADS: Readonly<Record<string, Column>> = {
  'base rate': 'title',
  index: 'title',
  name: 'title',
  title: 'title',
  date: 'date',
  day: 'date',
  'effective date': 'date',
  rate: 'rate',
  'rate (%)': 'rate',
  'rate in percent': 'rate',
  percent: 'rate',
};

const separatorOf = (line: string): string => (line.includes('\t') ? '\t' : line.includes(';') ? ';' : ',');
const cellsOf = (line: string, separator: string): string[] =>
  line.split(separator).map((cell) =>
    cell
      .trim()
      .replace(/^"(.*)"$/s, '$1')
      .trim(),
  );

/** The column of each cell of a head line; null if the line is not a head. */
function headOf(cells: readonly string[]): Column[] | null {
  const columns = cells.map((cell) => HEADS[cell.toLowerCase()]);
  return COLUMNS.every((column) => columns.includes(column)) && columns.every((column) => column !== undefined)
    ? (columns as Column[])
    : null;
}

/** One line as a fixing, or what is wrong with it. */
function readLine(cells: readonly string[], columns: readonly Column[], separator: string): TableValue | string {
  if (cells.length !== columns.length) {
    return `has ${cells.length} ${cells.length === 1 ? 'value' : 'values'} instead of base rate, date and rate`;
  }
  const cell = (column: Column): string => cells[columns.indexOf(column)] ?? '';
  const title = BASE_RATES.find((rate) => rate === cell('title').toUpperCase());
  if (!title) return `"${shorten(cell('title'))}" is not one of ${BASE_RATES.join(', ')}`;
  const date = cell('date');
  if (!isCalendarDate(date)) return `"${shorten(date)}" is not a date as YYYY-MM-DD, for example 2026-10-31`;
  const written = cell('rate');
  // A decimal comma is only possible where the comma does not separate the cells.
  const decimal = separator === ',' ? '.' : written.includes('.') ? null : ',';
  const read = readTypedNumber(written, { decimals: RATE_DIGITS, isPercent: true, decimal });
  if (read.problem !== null) return `"${shorten(written)}" is not a rate in percent, for example 4.31`;
  const rate = fixingRateSchema.safeParse(read.value);
  if (!rate.success) return `the rate ${shorten(written)} ${rate.error.issues[0]?.message}`;
  return { title, isRetired: false, date, rate: rate.data };
}

const shorten = (text: string): string => (text.length > 40 ? `${text.slice(0, 39)}…` : text);

/**
 * Reads fixings from CSV text: base rate, date and rate in percent, separated by commas, semicolons or tabs. With a head
 * line, the columns can be in any order. Either every line is a fixing, or the errors of the lines are returned.
 */
export function readFixings(text: string): FixingsRead {
  if (text.length > MAX_CSV_CHARACTERS) {
    return failed([{ line: 1, message: `is too long: at most ${MAX_CSV_CHARACTERS} characters` }]);
  }
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  const filled = lines.flatMap((line, index) => (line.trim() === '' ? [] : [{ line, number: index + 1 }]));
  const [first] = filled;
  if (!first) return failed([{ line: 1, message: 'has no fixings: enter base rate, date and rate' }]);
  const separator = separatorOf(first.line);
  const head = headOf(cellsOf(first.line, separator));
  const rows = head ? filled.slice(1) : filled;
  if (rows.length === 0) return failed([{ line: first.number, message: 'is followed by no fixings' }]);
  if (rows.length > MAX_LIST_VALUES) {
    return failed([
      { line: rows[MAX_LIST_VALUES]?.number ?? 1, message: `is beyond the limit of ${MAX_LIST_VALUES} fixings` },
    ]);
  }
  const fixings: TableValue[] = [];
  const errors: LineError[] = [];
  const lineOf = new Map<string, number>();
  for (const { line, number } of rows) {
    const read = readLine(cellsOf(line, separator), head ?? COLUMNS, separator);
    if (typeof read === 'string') {
      errors.push({ line: number, message: read });
      continue;
    }
    const known = lineOf.get(valueKey(read));
    if (known === undefined) {
      lineOf.set(valueKey(read), number);
      fixings.push(read);
    } else errors.push({ line: number, message: `repeats the fixing of line ${known}` });
  }
  return errors.length > 0 ? failed(errors) : { ok: true, fixings };
}

const failed = (errors: LineError[]): FixingsRead => ({
  ok: false,
  errors: errors.slice(0, MAX_ERRORS),
  errorCount: errors.length,
});

/** Fixings in the order of screens: the latest day first, then by base rate. */
export const latestFirst = (a: TableValue, b: TableValue): number =>
  (b.date ?? '').localeCompare(a.date ?? '') || a.title.localeCompare(b.title);

export interface MergedFixings {
  values: TableValue[];
  added: number;
  changed: number;
  unchanged: number;
}

/** The stored fixings with the imported ones: one for each base rate and day, where the imported one replaces another. */
export function mergeFixings(stored: readonly TableValue[], imported: readonly TableValue[]): MergedFixings {
  const merged = new Map(stored.map((value) => [valueKey(value), value]));
  let [added, changed, unchanged] = [0, 0, 0];
  for (const fixing of imported) {
    const known = merged.get(valueKey(fixing));
    if (!known) added += 1;
    else if (known.rate === fixing.rate) unchanged += 1;
    else changed += 1;
    merged.set(valueKey(fixing), fixing);
  }
  return { values: [...merged.values()].sort(latestFirst), added, changed, unchanged };
}
