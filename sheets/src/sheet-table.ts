import { CellTag } from './cell-tag.ts';
import { serialToIso } from './date-serial.ts';
import { inspectSheetFile } from './inspect-sheet.ts';
import { refuseSheet, type SheetLimits } from './limits.ts';
import type { Epoch, RawBatch, SheetColumn } from './raw-batch.ts';
import { readSheetBatches } from './read-sheet.ts';
import { NO_FACTS, type SheetFacts } from './sheet-facts.ts';
import { shownNumber } from './shown-number.ts';
import type { Sheet } from './workbook.ts';
import { columnLetters } from './workbook-parts.ts';

export interface TableColumn {
  /** The header as displayed; numbered if several columns share it. */
  readonly header: string;
  /** "A", "AB". */
  readonly letters: string;
}

export interface TableRow {
  /** Sheet row number (1-based). */
  readonly row: number;
  /**
   * One text for each column: numbers as plain decimals with every digit that Excel keeps, dates as YYYY-MM-DD, errors
   * as "#N/A", blanks as the empty text.
   */
  readonly cells: readonly string[];
}

/** A whole sheet in memory, for files of limited size that a person has written. */
export interface SheetTable {
  readonly kind: 'xlsx' | 'csv';
  readonly sheets: readonly Sheet[];
  readonly sheetName: string;
  readonly headerRow: number;
  readonly columns: readonly TableColumn[];
  readonly duplicatedHeaders: readonly string[];
  readonly rows: readonly TableRow[];
  /** Fully blank rows between the rows. */
  readonly blankRows: number;
  readonly facts: SheetFacts;
  /** Rows with more fields than the header, by sheet row number: the beginning of the surplus. */
  readonly misfits: ReadonlyMap<number, string>;
}

export interface TableOptions {
  /** The first of these that the workbook has; otherwise the sheet that looks like data. */
  readonly sheetNames?: readonly string[];
  readonly headerRow?: number | undefined;
  readonly maxRows: number;
  readonly maxColumns: number;
  /** Characters of a cell. */
  readonly maxCharacters: number;
  /** Characters of all cells. */
  readonly maxText: number;
  readonly limits?: SheetLimits;
  readonly signal?: AbortSignal;
}

/**
 * Reads a whole sheet of limited size as texts. Reading stops at the first row beyond a limit.
 * @throws SheetError if the file cannot be read or exceeds a limit
 */
export async function readSheetTable(path: string, options: TableOptions): Promise<SheetTable> {
  const { maxRows, maxColumns, maxCharacters, maxText, limits, signal } = options;
  const shown = await inspectWanted(path, options);
  if (shown.columns.length > maxColumns)
    throw refuseSheet(
      `The sheet has ${shown.columns.length} columns. At most ${maxColumns} are read: remove those that are not needed.`,
    );
  let facts: SheetFacts = NO_FACTS;
  let blankRows = 0;
  let characters = 0;
  const rows: TableRow[] = [];
  const misfits = new Map<number, string>();
  const batches = readSheetBatches(path, {
    sheetName: shown.sheetName,
    headerRow: shown.headerRow,
    // One row more than allowed tells that there are too many.
    batchRows: maxRows + 1,
    limits,
    signal,
    onFacts: (found) => {
      facts = found;
    },
  });
  for await (const batch of batches) {
    if (rows.length + batch.rowCount > maxRows)
      throw refuseSheet(`The sheet has more than ${maxRows} rows. Split it into several files.`);
    blankRows += batch.blankRows;
    for (const [row, surplus] of batch.misfits) misfits.set(row, surplus);
    for (let at = 0; at < batch.rowCount; at += 1) {
      const cells = shown.columns.map((_, column) => cellText(batch, column, at, shown.epoch));
      for (const [column, cell] of cells.entries()) {
        characters += cell.length;
        if (cell.length > maxCharacters || characters > maxText)
          throw refuseTooLong(shown.columns[column], batch.rowNumbers[at], cell.length > maxCharacters, options);
      }
      rows.push({ row: batch.rowNumbers[at] ?? 0, cells });
    }
  }
  return {
    kind: shown.kind,
    sheets: shown.sheets,
    sheetName: shown.sheetName,
    headerRow: shown.headerRow,
    columns: shown.columns.map(({ header, sheetColumn }) => ({ header, letters: columnLetters(sheetColumn) })),
    duplicatedHeaders: shown.duplicatedHeaders,
    rows,
    blankRows,
    facts,
    misfits,
  };
}

/** The start of the sheet that is meant: the first of the names that the workbook has, or the one with data. */
async function inspectWanted(path: string, { sheetNames = [], headerRow, limits }: TableOptions) {
  const shown = await inspectSheetFile(path, { headerRow: undefined, limits, sheetNames });
  return headerRow === undefined || headerRow === shown.headerRow
    ? shown
    : inspectSheetFile(path, { headerRow, limits, sheetName: shown.sheetName });
}

function cellText(batch: RawBatch, column: number, row: number, epoch: Epoch): string {
  const cells = batch.columns[column];
  const value = cells?.values[row] ?? 0;
  switch (cells?.tags[row]) {
    case CellTag.text:
    case CellTag.error:
      return batch.texts.text(value);
    case CellTag.boolean:
      return value === 0 ? 'FALSE' : 'TRUE';
    case CellTag.date:
      return serialToIso(value, epoch) ?? shownNumber(value);
    case CellTag.number:
      return plainDecimal(shownNumber(value));
    default:
      return '';
  }
}

/** A number without exponent: "1e-7" as "0.0000001". */
function plainDecimal(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent] = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text) ?? [];
  if (exponent === undefined) return text;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return point >= digits.length
    ? sign + digits + '0'.repeat(point - digits.length)
    : `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

function refuseTooLong(
  column: Pick<SheetColumn, 'header'> | undefined,
  row: number | undefined,
  isCell: boolean,
  { maxCharacters, maxText }: TableOptions,
) {
  return refuseSheet(
    isCell
      ? `Row ${row}, column ${column?.header}: a cell has at most ${maxCharacters} characters.`
      : `The sheet has more than ${maxText} characters of text. Split it into several files.`,
  );
}
