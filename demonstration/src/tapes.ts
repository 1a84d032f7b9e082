import { readFileSync } from 'node:fs';
import type { CalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { readData } from './data.ts';

/**
 * A cell as the lender's system would write it. In a date column, a calendar date is a date. Any other text in a date
 * column or a numeric column is text that was typed by hand. Percent columns contain fractions (0.1149 is 11.49 %).
 */
export type TapeCell = string | number | null;

export interface TapeColumn {
  readonly header: string;
  readonly kind: 'text' | 'whole' | 'decimal' | 'money' | 'percent' | 'date';
  /** In characters. */
  readonly width: number;
}

/** One sheet of a loan tape, ready to be written as a workbook. */
export interface TapeSheet {
  readonly fileName: string;
  readonly sheetName: string;
  readonly cutOffDate: CalendarDate;
  /** Lines above the header; an empty text is a blank row. */
  readonly titleRows: readonly string[];
  /** Columns left blank at the left edge of every row. */
  readonly blankColumns: number;
  readonly columns: readonly TapeColumn[];
  readonly rows: readonly (readonly TapeCell[])[];
  readonly documents: readonly TapeDocument[];
}

/** A file that is kept with a tape, such as a list of payments by loan. */
export interface TapeDocument {
  readonly fileName: string;
  readonly bytes: Buffer;
}

export type Lender = 'northwind' | 'alder' | 'severn' | 'hallam';

/** How a lender writes its tapes, whose rows are in a file each (`tapes/NAME.csv`). */
interface LenderTapes extends Pick<TapeSheet, 'sheetName' | 'titleRows' | 'blankColumns' | 'columns'> {
  readonly company: string;
  readonly mainCurrency: string;
  /** Whether the company has a facility when its tapes are uploaded. */
  readonly calculateBB: boolean;
  /** Oldest first. */
  readonly files: readonly {
    readonly name: string;
    readonly cutOffDate: CalendarDate;
    /** The names of the files that are kept with the tape (`documents/NAME.csv`). */
    readonly documents?: readonly string[];
  }[];
}

const NUMBER = /^-?\d+(\.\d+)?$/;

function cellOf(text: string, kind: TapeColumn['kind']): TapeCell {
  if (text === '') return null;
  return kind !== 'text' && kind !== 'date' && NUMBER.test(text) ? Number(text) : text;
}

/** The rows of a file without quotes: no cell of the demonstration contains a comma. */
function rowsOf(name: string, columns: readonly TapeColumn[]): TapeCell[][] {
  const lines = readFileSync(new URL(`../data/tapes/${name}.csv`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.slice(1).map((line) => line.split(',').map((text, column) => cellOf(text, columns[column]!.kind)));
}

const lenderTapes = (lender: Lender): LenderTapes => readData<Record<Lender, LenderTapes>>('tapes')[lender];

const documentOf = (name: string): TapeDocument => ({
  fileName: `${name}.csv`,
  bytes: readFileSync(new URL(`../data/documents/${name}.csv`, import.meta.url)),
});

/** A lender's tapes, oldest first. */
export function tapesOf(lender: Lender): TapeSheet[] {
  const { files, sheetName, titleRows, blankColumns, columns } = lenderTapes(lender);
  return files.map(({ name, cutOffDate, documents = [] }) => ({
    documents: documents.map(documentOf),
    fileName: `${name}.xlsx`,
    sheetName,
    cutOffDate,
    titleRows,
    blankColumns,
    columns,
    rows: rowsOf(name, columns),
  }));
}

export interface TapeUpload {
  readonly company: string;
  readonly cutOffDate: CalendarDate;
  readonly calculateBB: boolean;
  readonly mainCurrency: string;
  readonly sheet: TapeSheet;
}

/** The uploads of a lender's tapes, oldest first. */
export function uploadsOf(lender: Lender): TapeUpload[] {
  const { company, mainCurrency, calculateBB } = lenderTapes(lender);
  return tapesOf(lender).map((sheet) => ({ company, mainCurrency, calculateBB, cutOffDate: sheet.cutOffDate, sheet }));
}
