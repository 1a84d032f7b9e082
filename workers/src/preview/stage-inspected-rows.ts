import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteName } from '@tapeline/db/lake/lake.ts';
import { CellTag } from '@tapeline/domain/tapes/cell-tag.ts';
import type { InspectedSheet } from '../sheets/inspect-sheet.ts';
import { rawTableColumns } from '../sheets/stage-batch.ts';

/** The first rows of a sheet as a table in the staged layout, so that the very SQL of whole tapes maps them. */
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
      if (tag === CellTag.text || tag === CellTag.error) appender.appendVarchar(value);
      else appender.appendNull();
    }
    appender.endRow();
  }
  appender.closeSync();
}
