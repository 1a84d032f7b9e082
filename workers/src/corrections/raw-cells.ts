import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteName } from '@tapeline/db/lake/lake.ts';
import { CellTag } from '@tapeline/domain/tapes/cell-tag.ts';
import type { OriginCell } from '@tapeline/domain/tapes/corrections.schema.ts';
import { isoToSerial } from '../sheets/date-serial.ts';
import type { Epoch } from '../sheets/raw-batch.ts';
import { rawTableColumns } from '../sheets/stage-batch.ts';
import { originKeys } from '../tape/compile/origin.ts';

/** A cell of the raw layout. */
export interface RawCell {
  readonly tag: CellTag;
  /** Number, date serial, 0 or 1 of a boolean; null for all others. */
  readonly number: number | null;
  /** Of a text or a sheet error. */
  readonly text: string | null;
}

/** How the tape's file was read: it says what a text among the origin data can be. */
export interface OriginFacts {
  readonly epoch: Epoch;
  /** A .csv file holds nothing but texts. */
  readonly isCsv: boolean;
}

const BLANK: RawCell = { tag: CellTag.blank, number: null, text: null };
const SHEET_ERROR =
  /^#(?:N\/A|DIV\/0!|REF!|VALUE!|NAME\?|NUM!|NULL!|SPILL!|CALC!|GETTING_DATA|FIELD!|BLOCKED!|CONNECT!|UNKNOWN!|BUSY!)$/;
const ISO_DATE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2})?$/;

/**
 * A cell of origin data as the sheet would have it: an ISO date is a date of the workbook's calendar, `#N/A` and its kin are
 * errors. In a .csv file every text stays one.
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

/** Writes rows of origin data, in row order, into a new table in the raw layout, for the very SQL that maps whole tapes. */
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
