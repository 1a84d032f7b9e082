import type { Lake } from '../lake.ts';
import { exportArrow } from './arrow-stream.ts';
import { exportCsv } from './csv.ts';
import type { ExportFormat, ExportTable } from './export-table.ts';
import { exportParquet } from './parquet.ts';
import { exportXlsx } from './xlsx.ts';

/**
 * The list as a file, made while it is read: nothing holds more of it than a few thousand rows. Aborting ends the query.
 * @param options.sheetName the first sheet's name in a workbook
 * @throws Refusal badRequest before anything is written, where the format cannot hold the list
 */
export function exportList(
  lake: Lake,
  table: ExportTable,
  format: ExportFormat,
  { sheetName, signal }: { sheetName: string; signal?: AbortSignal },
): AsyncGenerator<Uint8Array, void, void> {
  switch (format) {
    case 'csv':
      return exportCsv(lake, table, signal);
    case 'xlsx':
      return exportXlsx(lake, table, sheetName, signal);
    case 'parquet':
      return exportParquet(lake, table, signal);
    case 'arrow':
      return exportArrow(lake, table, signal);
  }
}
