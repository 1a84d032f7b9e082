import type { SheetHead } from '@tapeline/workflows/preview/preview.ts';
import type { InspectedSheet } from '../sheets/inspect-sheet.ts';

const KINDS = ['blank', 'number', 'text', 'boolean', 'date', 'error'] as const;

/** The head of a sheet as it travels. */
export const toHead = (sheet: InspectedSheet): SheetHead => ({
  kind: sheet.kind,
  sheets: sheet.sheets.map(({ name, hidden }) => ({ name, hidden })),
  sheetName: sheet.sheetName,
  headerRow: sheet.headerRow,
  epoch: sheet.epoch,
  columns: sheet.columns.map(({ index, header, kinds, group }) => ({
    index,
    header,
    kinds: [...kinds],
    ...(group === undefined ? {} : { group }),
  })),
  rows: sheet.rows.map(({ row, cells }) => ({
    row,
    cells: cells.map(({ tag, value }) => ({ kind: KINDS[tag] ?? 'blank', text: value })),
  })),
});
