/** What the package offers to whoever installs it; README.md describes it. */
export type { ReadOptions } from './batches.ts';
export { CellTag } from './cell-tag.ts';
export type { InspectedColumn, InspectedRow, InspectedSheet } from './inspect-sheet.ts';
export { inspectSheetFile } from './inspect-sheet.ts';
export type { SheetLimits } from './limits.ts';
export { SHEET_LIMITS } from './limits.ts';
export type { RawBatch, RawColumn, SheetColumn, SheetHead, TextTable } from './raw-batch.ts';
export { readCell } from './raw-batch.ts';
export { readSheetBatches } from './read-sheet.ts';
export { SheetError } from './sheet-error.ts';
export type { SheetFacts } from './sheet-facts.ts';
export type { SheetTable, TableColumn, TableOptions, TableRow } from './sheet-table.ts';
export { readSheetTable } from './sheet-table.ts';
export type {
  CellStyle,
  ColumnRule,
  NumberFormat,
  WrittenCell,
  WrittenSheet,
  WrittenWorkbook,
} from './workbook-writer.ts';
export { writeWorkbook } from './workbook-writer.ts';
