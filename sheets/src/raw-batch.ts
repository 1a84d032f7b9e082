import { CellTag } from './cell-tag.ts';
import { columnLetters } from './workbook-parts.ts';

/**
 * Day zero of a workbook's date serials: the 1900 system (with its false 29 February 1900) or the Macintosh 1904
 * system.
 */
export type Epoch = 1900 | 1904;

/** Excel's own limits; anything larger was not written by a spreadsheet program. */
export const MAX_SHEET_ROWS = 1_048_576;
export const MAX_SHEET_COLUMNS = 16_384;

/** A column of the sheet that has a name. `index` is its index among such columns, `i` in the batches. */
export interface SheetColumn {
  readonly index: number;
  /**
   * The header as displayed: trimmed, inner line breaks and runs of blanks as one space, a date as YYYY-MM-DD; numbered
   * if several columns share it: "Margin (1)", "Margin (2)".
   */
  readonly header: string;
  /** 0-based column of the sheet (0 = A). */
  readonly sheetColumn: number;
  /** The text directly above the header over a group of columns, if there is one. */
  readonly group?: string;
}

/** Texts by code. Decoding is lazy: a code's bytes become a string only on request. */
export interface TextTable {
  /** Greater than every code. */
  readonly count: number;
  /** The bytes of a code's UTF-8 text are in `bytes(code)` at `start(code)`, `length(code)` long. */
  bytes(code: number): Uint8Array;
  start(code: number): number;
  length(code: number): number;
  text(code: number): string;
}

/** One column of a batch; both arrays have one entry for each row. */
export interface RawColumn {
  readonly tags: Uint8Array;
  /** A number, 0 or 1 for a boolean, a date serial; for text and errors the code in the batch's text table. */
  readonly values: Float64Array;
}

/** Data rows in sheet order, by column. */
export interface RawBatch {
  /** 0-based index of the batch in the sheet. */
  readonly index: number;
  /** Sheet row number (1-based) of the first data row. */
  readonly firstRow: number;
  readonly rowCount: number;
  /** Sheet row numbers, ascending. */
  readonly rowNumbers: Int32Array;
  readonly columns: readonly RawColumn[];
  readonly texts: TextTable;
  /** Fully blank rows between the last row of the previous batch (or the header) and the last row of this one. */
  readonly blankRows: number;
  /**
   * Rows that have more fields than the header, by sheet row number: the beginning of the surplus. Which of their
   * values belongs to which column is unknown.
   */
  readonly misfits: ReadonlyMap<number, string>;
}

/** Information about a sheet that accompanies its batches. */
export interface SheetHead {
  readonly sheetName: string;
  /** Sheet row number (1-based) of the header. */
  readonly headerRow: number;
  readonly columns: readonly SheetColumn[];
  /** Headers that several columns share, each once, as in the sheet. */
  readonly duplicatedHeaders: readonly string[];
  readonly epoch: Epoch;
}

/** Columns (1-based) from first to last: "K", "K to M". */
export const columnRange = (first: number, last: number): string =>
  first === last ? columnLetters(first - 1) : `${columnLetters(first - 1)} to ${columnLetters(last - 1)}`;

/** The cell as a plain value: null (blank), number, text, boolean; dates stay serials and errors their text. */
export function readCell(batch: RawBatch, column: number, row: number): number | string | boolean | null {
  const cells = batch.columns[column];
  if (cells === undefined || row < 0 || row >= batch.rowCount) {
    throw new RangeError(`no cell at column ${column}, row ${row}`);
  }
  const value = cells.values[row]!;
  switch (cells.tags[row]) {
    case CellTag.blank:
      return null;
    case CellTag.text:
    case CellTag.error:
      return batch.texts.text(value);
    case CellTag.boolean:
      return value !== 0;
    default:
      return value;
  }
}
