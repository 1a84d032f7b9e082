import type { Lake } from '../lake.ts';
import { exportArrow } from './arrow-stream.ts';
import { exportCsv } from './csv.ts';
import type { ExportFormat, ExportPace, ExportTable } from './export-table.ts';
import { exportParquet } from './parquet.ts';
import { sortOnDisk } from './sort-on-disk.ts';
import { exportXlsx, refuseLongWorkbook } from './xlsx.ts';

/**
 * The list as a file, streamed while it is read: memory holds at most one slice. Aborting ends the query.
 * @param options.sheetName the name of the first sheet in a workbook
 * @throws Refusal badRequest, before anything is written, if the format cannot hold the list
 */
export async function* exportList(
  lake: Lake,
  table: ExportTable,
  format: ExportFormat,
  { sheetName, ...pace }: { sheetName: string } & ExportPace,
): AsyncGenerator<Uint8Array, void, void> {
  if (format === 'xlsx') refuseLongWorkbook(table);
  const sorted = table.order ? await sortOnDisk(lake, table, table.order, pace) : null;
  try {
    yield* written(lake, sorted?.table ?? table, format, sheetName, pace);
  } finally {
    await sorted?.dispose();
  }
}

function written(
  lake: Lake,
  table: ExportTable,
  format: ExportFormat,
  sheetName: string,
  pace: ExportPace,
): AsyncGenerator<Uint8Array, void, void> {
  switch (format) {
    case 'csv':
      return exportCsv(lake, table, pace);
    case 'xlsx':
      return exportXlsx(lake, table, sheetName, pace);
    case 'parquet':
      return exportParquet(lake, table, pace);
    case 'arrow':
      return exportArrow(lake, table, pace);
  }
}
