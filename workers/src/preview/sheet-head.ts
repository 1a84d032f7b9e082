import { describeSheetFacts } from '@tapeline/domain/tapes/sheet-facts.ts';
import type { InspectedSheet } from '@tapeline/sheets/inspect-sheet.ts';
import type { SheetFacts } from '@tapeline/sheets/sheet-facts.ts';
import type { SheetHead } from '@tapeline/workflows/preview/preview.ts';
import { LONGEST_SHOWN } from '../tape/compile/run.ts';

/** The name of each `CellTag` in a preview. */
export const CELL_KINDS = ['blank', 'number', 'text', 'boolean', 'date', 'error'] as const;

const shortened = (value: string): string =>
  value.length > LONGEST_SHOWN ? `${value.slice(0, LONGEST_SHOWN)}…` : value;

/** Notices about the sheet for the user, to be shown before it is read as a tape. */
export function sheetNotices(facts: SheetFacts, misfits: number, isPart: boolean): string[] {
  const rows = misfits === 1 ? '1 row has' : `${misfits.toLocaleString('en')} rows have`;
  return [
    ...describeSheetFacts(facts, isPart),
    ...(misfits > 0
      ? [
          `${isPart ? 'At least ' : ''}${rows} more fields than the header and will be errored. Put quotes around values that hold the delimiter.`,
        ]
      : []),
  ];
}

/** Converts an inspected sheet to the head that is sent to clients. */
export const toHead = (sheet: InspectedSheet): SheetHead => ({
  notices: sheetNotices(sheet.facts, sheet.misfits.size, true),
  kind: sheet.kind,
  sheets: sheet.sheets.map(({ name, hidden }) => ({ name, hidden })),
  sheetName: sheet.sheetName,
  headerRow: sheet.headerRow,
  titles: [...sheet.titles],
  epoch: sheet.epoch,
  columns: sheet.columns.map(({ index, header, kinds, group, currencyMarks }) => ({
    index,
    header,
    kinds: [...kinds],
    ...(group === undefined ? {} : { group }),
    ...(currencyMarks ? { currencyMarks: [...currencyMarks] } : {}),
  })),
  rows: sheet.rows.map(({ row, cells }) => ({
    row,
    cells: cells.map(({ tag, value }) => ({ kind: CELL_KINDS[tag] ?? 'blank', text: shortened(value) })),
  })),
});
