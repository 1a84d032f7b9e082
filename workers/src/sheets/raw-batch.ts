import { CellTag } from '@tapeline/domain/tapes/cell-tag.ts';

/** Day zero of a workbook's date serials: the 1900 system (with its false 29 February 1900) or the Macintosh 1904 one. */
export type Epoch = 1900 | 1904;

/** Excel's own bounds; anything larger was not made by a spreadsheet. */
export const MAX_SHEET_ROWS = 1_048_576;
export const MAX_SHEET_COLUMNS = 16_384;

/** A column of the sheet that has a name. `index` is its place among such columns, `i` of the raw layout. */
export interface SheetColumn {
  readonly index: number;
  /**
   * The header as a person reads it: trimmed, inner line breaks and runs of blanks as one space, a date as YYYY-MM-DD;
   * with a number where it stands over several columns: "Margin (1)", "Margin (2)".
   */
  readonly header: string;
  /** 0-based column of the sheet (0 = A). */
  readonly sheetColumn: number;
  /** What stands right above the header over a group of columns, where something does. */
  readonly group?: string;
}

/** Texts by code. Decoding is lazy: a code's bytes become a string only when asked for. */
export interface TextTable {
  /** Above every code. */
  readonly count: number;
  /** The bytes of a code's UTF-8 text stand in `bytes(code)` at `start(code)`, `length(code)` long. */
  bytes(code: number): Uint8Array;
  start(code: number): number;
  length(code: number): number;
  text(code: number): string;
}

/** One column of a batch; both arrays hold one entry a row. */
export interface RawColumn {
  readonly tags: Uint8Array;
  /** A number, 0 or 1 for a boolean, a date serial; for text and errors the code in the batch's text table. */
  readonly values: Float64Array;
}

/** Data rows in sheet order, by columns. */
export interface RawBatch {
  /** 0-based place of the batch in the sheet. */
  readonly index: number;
  /** Sheet row number (1-based) of the first data row. */
  readonly firstRow: number;
  readonly rowCount: number;
  /** Sheet row numbers, ascending. */
  readonly rowNumbers: Int32Array;
  readonly columns: readonly RawColumn[];
  readonly texts: TextTable;
  /** Fully blank rows that stand before a row of this batch and after the row before it (or the header). */
  readonly blankRows: number;
}

/** What travels beside the batches of a sheet. */
export interface SheetHead {
  readonly sheetName: string;
  /** Sheet row number (1-based) of the header. */
  readonly headerRow: number;
  readonly columns: readonly SheetColumn[];
  /** Headers that name more than one column, each once, as the sheet has them. */
  readonly duplicatedHeaders: readonly string[];
  readonly epoch: Epoch;
}

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
