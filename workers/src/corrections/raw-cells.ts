import type { DuckDBConnection } from '@duckdb/node-api';
import type { OriginCell } from '@tapeline/domain/tapes/corrections.schema.ts';
import { quoteName } from '@tapeline/lake/lake.ts';
import { CellTag } from '@tapeline/sheets/cell-tag.ts';
import { isoToSerial } from '@tapeline/sheets/date-serial.ts';
import type { Epoch } from '@tapeline/sheets/raw-batch.ts';
import { originKeys } from '../tape/compile/origin.ts';
import { rawTableColumns } from '../tape/stage-batch.ts';

/** A cell of the raw layout. */
export interface RawCell {
  readonly tag: CellTag;
  /** A number, a date serial, or 0 or 1 for a boolean; null for all other cells. */
  readonly number: number | null;
  /** The text of a text cell or a sheet error; null for all other cells. */
  readonly text: string | null;
}

/** How the tape's file was read. Determines how to interpret texts in the origin data. */
export interface OriginFacts {
  readonly epoch: Epoch;
  /** All cells of a .csv file are texts. */
  readonly isCsv: boolean;
}

const BLANK: RawCell = { tag: CellTag.blank, number: null, text: null };
const SHEET_ERROR =
  /^#(?:N\/A|DIV\/0!|REF!|VALUE!|NAME\?|NUM!|NULL!|SPILL!|CALC!|GETTING_DATA|FIELD!|BLOCKED!|CONNECT!|UNKNOWN!|BUSY!)$/;
const ISO_DATE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2})?$/;

/**
 * Converts a cell of origin data to its form in the sheet: an ISO date becomes a date of the workbook's calendar, and
 * `#N/A` and similar texts become errors. In a .csv file every text stays a text.
 */
export function rawCell(cell: OriginCell, { epoch, isCsv }: OriginFacts): RawCell {
  if (cell === null || cell === '') return BLANK;
  if (typeof cell === 'number') return { tag: CellTag.number, number: cell, text: null };
  if (typeof cell === 'boolean') return { tag: CellTag.boolean, number: cell ? 1 : 0, text: null };
  if (isCsv) return { tag: CellTag.text, number: null, text: cell };
  if (SHEET_ERROR.test(cell)) return { tag: CellTag.error, number: null, text: cell };
  const serial = ISO_DATE.test(cell) ? isoToSerial(cell, epoch) : undefined;
  return serial === undefined
    ? { tag: CellTag.text, number: null, text: cell }
    : { tag: CellTag.date, number: serial, text: null };
}

export interface OriginRow {
  /** 1-based row number of the sheet. */
  readonly row: number;
  readonly origin: Readonly<Record<string, OriginCell>>;
}

/**
 * Writes rows of origin data, in row order, to a new table in the raw layout. The SQL that maps whole tapes reads it.
 */
export async function stageOriginRows(
  connection: DuckDBConnection,
  rows: readonly OriginRow[],
  headers: readonly string[],
  facts: OriginFacts,
  table: string,
): Promise<void> {
  await connection.run(`CREATE TEMP TABLE ${quoteName(table)} (${rawTableColumns(headers.length)})`);
  const keys = originKeys(headers);
  const appender = await connection.createAppender(table);
  for (const { row, origin } of [...rows].sort((a, b) => a.row - b.row)) {
    appender.appendInteger(row);
    for (const key of keys) {
      const { tag, number, text } = rawCell(key === null ? null : (origin[key] ?? null), facts);
      appender.appendUTinyInt(tag);
      if (number === null) appender.appendNull();
      else appender.appendDouble(number);
      if (text === null) appender.appendNull();
      else appender.appendVarchar(text);
    }
    appender.endRow();
  }
  appender.closeSync();
}
