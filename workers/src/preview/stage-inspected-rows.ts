import type { DuckDBConnection } from '@duckdb/node-api';
import { LONGEST_TEXT } from '@tapeline/domain/tapes/longest-text.ts';
import { quoteName } from '@tapeline/lake/lake.ts';
import { CellTag } from '@tapeline/sheets/cell-tag.ts';
import type { InspectedSheet } from '@tapeline/sheets/inspect-sheet.ts';
import { rawTableColumns } from '../tape/stage-batch.ts';

/** UTF-16 units that always exceed the maximum characters of a text. A longer text is an error in any case. */
const STAGED_UNITS = 2 * LONGEST_TEXT + 2;

/** Writes the first rows of a sheet to a table in the staged layout, so that the SQL for whole tapes can map them. */
export async function stageInspectedRows(
  connection: DuckDBConnection,
  sheet: InspectedSheet,
  table: string,
): Promise<void> {
  await connection.run(`CREATE TEMP TABLE ${quoteName(table)} (${rawTableColumns(sheet.columns.length)})`);
  const appender = await connection.createAppender(table);
  for (const { row, cells } of sheet.rows) {
    appender.appendInteger(row);
    for (const { tag, value, number } of cells) {
      appender.appendUTinyInt(tag);
      if (number === null) appender.appendNull();
      else appender.appendDouble(number);
      if (tag === CellTag.text || tag === CellTag.error) appender.appendVarchar(value.slice(0, STAGED_UNITS));
      else appender.appendNull();
    }
    appender.endRow();
  }
  appender.closeSync();
}
