import { z } from 'zod';
import { calendarDateOf } from '../dates/calendar-day.ts';
import { plainDate } from '../dates/written-date.ts';
import { Refusal } from '../errors/refusal.ts';
import { IMPORT_COLUMNS } from './columns.ts';
import { type ImportKind, isTimeSeriesKind, KIND_TITLES, MAX_ROWS } from './kinds.ts';
import { isNothing, plainNumber } from './written-cells.ts';

/** Letters beyond the last column of a workbook, for the columns that turned columns become. */
export const TURNED_LETTERS = { head: 'ZZY', value: 'ZZZ' } as const;

/** Columns of a sheet that one file can have. */
const MAX_TURNED = 200;

/** Columns that become rows: one row for each of their cells that has an amount. */
export const turnSchema = z.object({
  letters: z
    .array(z.string().regex(/^[A-Z]{1,3}$/))
    .min(2, { message: 'Choose at least two columns' })
    .max(MAX_TURNED),
  /** The column of the import that the headers are. */
  head: z.string().max(100),
});
export type Turn = z.output<typeof turnSchema>;

/** What the headers of turned columns can be. */
const HEADS = new Set(['date', 'dueDate', 'fundClassCode', 'fundCode', 'investorCode', 'currency', 'callName']);
export const turnHeadsOf = (kind: ImportKind) =>
  isTimeSeriesKind(kind) ? IMPORT_COLUMNS[kind].filter(({ key }) => HEADS.has(key)) : [];

interface Sheet {
  readonly columns: readonly { readonly letters: string; readonly header: string }[];
  readonly rows: readonly {
    readonly row: number;
    readonly cells: readonly string[];
    /** The cell of the file, if columns were turned into rows. */
    readonly source?: string;
  }[];
}

const lastDay = (year: number, month: number): string => calendarDateOf(new Date(Date.UTC(year, month, 0)));
const fullYear = (text: string): number => (text.length === 2 ? 2000 + Number(text) : Number(text));

/** The last day of a period: "Q3 2026", "3Q26", "H1 2026", "Sep 2026", "2026-09", "FY2025". Null for anything else. */
function endOfPeriod(text: string): string | null {
  const quarter =
    /^(?:Q|T|quarter |quartal )([1-4])[ /'-]*(\d{4}|\d{2})$/i.exec(text) ??
    /^([1-4])\.? ?(?:Q|T|quarter|quartal)[ /'-]*(\d{4}|\d{2})$/i.exec(text);
  if (quarter) return lastDay(fullYear(quarter[2]!), Number(quarter[1]) * 3);
  const yearQuarter = /^(\d{4})[ /-]*[QT]([1-4])$/i.exec(text);
  if (yearQuarter) return lastDay(Number(yearQuarter[1]), Number(yearQuarter[2]) * 3);
  const half = /^[HS]([12])[ /'-]*(\d{4}|\d{2})$/i.exec(text);
  if (half) return lastDay(fullYear(half[2]!), Number(half[1]) * 6);
  const month = /^(\d{4})[-/](\d{1,2})$/.exec(text) ?? null;
  if (month && Number(month[2]) >= 1 && Number(month[2]) <= 12) return lastDay(Number(month[1]), Number(month[2]));
  const year = /^FY ?(\d{4}|\d{2})$/i.exec(text);
  if (year) return lastDay(fullYear(year[1]!), 12);
  const named = /^(\p{L}{3,9})\.?[ '-]*(\d{4}|\d{2})$/u.exec(text);
  const first = named && plainDate(`1 ${named[1]} ${fullYear(named[2]!)}`, null);
  return first ? lastDay(Number(first.slice(0, 4)), Number(first.slice(5, 7))) : null;
}

/** Words before the date in a header, and a currency after it: "NAV at 31 Mar 2026 (USD)". */
const BEFORE =
  /^(?:(?:nav|net asset value|value|valuation|amount|capital|balance|nettoinventarwert|vni|valeur)\s+)?(?:(?:as of|as at|at|on|per|zum|au|al)\s+)?/i;
/** A longer header is no date. */
const MAX_HEADER = 80;
const CURRENCY_AFTER = /\s*\([A-Z]{3}\)$/;

/** The date of a header; null if it has none, or one that can be read in two ways. */
export function dateOfHeader(header: string): string | null {
  if (header.length > MAX_HEADER) return null;
  const written = header.trim();
  for (const text of [written, written.replace(CURRENCY_AFTER, '').replace(BEFORE, '')]) {
    const date = (/^\d{5}$|^\d{8}$/.test(text) ? null : plainDate(text, null)) ?? endOfPeriod(text);
    if (date !== null) return date;
  }
  return null;
}

/** Cells below a header by which it is judged. */
const SAMPLE_ROWS = 100;

/** Cells of turned columns that have an amount. */
function filledIn(sheet: Sheet, { letters }: Pick<Turn, 'letters'>): number {
  const wanted = new Set(letters);
  const turning = sheet.columns.flatMap((column, index) => (wanted.has(column.letters) ? [index] : []));
  return sheet.rows.reduce(
    (count, { cells }) => count + turning.filter((index) => !isNothing(cells[index] ?? '')).length,
    0,
  );
}

/** Columns with a date or period each as their header, and amounts below it: they should probably become rows. */
export function suggestTurn(kind: ImportKind, sheet: Sheet): Turn | null {
  if (!isTimeSeriesKind(kind)) return null;
  const letters = sheet.columns.flatMap(({ header, letters: of }, index) => {
    if (dateOfHeader(header) === null) return [];
    const filled = sheet.rows
      .slice(0, SAMPLE_ROWS)
      .flatMap(({ cells }) => (isNothing(cells[index] ?? '') ? [] : [cells[index] ?? '']));
    const numbers = filled.filter((cell) => plainNumber(cell, '.') !== null || plainNumber(cell, ',') !== null);
    return numbers.length * 2 >= filled.length && filled.length > 0 ? [of] : [];
  });
  const turn = { letters, head: 'date' };
  return letters.length >= 2 && filledIn(sheet, turn) <= MAX_ROWS[kind] ? turn : null;
}

/**
 * The sheet with a row for each amount in the turned columns: its other cells, the header of the column, and the amount.
 * Rows get new numbers, and name the cell that they come from.
 * @throws Refusal badRequest if there would be more rows than an import may have
 */
export function turned<One extends Sheet>(kind: ImportKind, sheet: One, turn: Turn | null | undefined): One {
  if (!turn) return sheet;
  const filled = filledIn(sheet, turn);
  if (filled > MAX_ROWS[kind])
    throw new Refusal(
      'badRequest',
      `Turned into rows, these columns are ${filled} ${KIND_TITLES[kind].nouns}. An import has at most ${MAX_ROWS[kind]}: choose fewer columns, or split the file.`,
    );
  const wanted = new Set(turn.letters);
  const isDate = turn.head === 'date' || turn.head === 'dueDate';
  const all = sheet.columns.map(({ letters, header }, index) => ({ letters, header, index }));
  const kept = all.filter(({ letters }) => !wanted.has(letters));
  const turning = all
    .filter(({ letters }) => wanted.has(letters))
    .map((column) => ({ ...column, head: (isDate ? dateOfHeader(column.header) : null) ?? column.header }));
  const columns = [
    ...kept.map(({ letters, header }) => ({ letters, header })),
    { letters: TURNED_LETTERS.head, header: 'Header of the column' },
    { letters: TURNED_LETTERS.value, header: 'Amount in the column' },
  ];
  const rows = sheet.rows.flatMap(({ row, cells }) =>
    turning.flatMap(({ letters, head, index }) => {
      const amount = cells[index] ?? '';
      if (isNothing(amount)) return [];
      return [
        { cells: [...kept.map((column) => cells[column.index] ?? ''), head, amount], source: `${letters}${row}` },
      ];
    }),
  );
  return { ...sheet, columns, rows: rows.map((one, index) => ({ row: index + 2, ...one })) };
}
