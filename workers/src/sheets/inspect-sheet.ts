import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { CellTag } from '@tapeline/domain/tapes/cell-tag.ts';
import { BatchTexts } from './batch-texts.ts';
import type { ColumnTarget } from './column-target.ts';
import { CSV_SHEET_NAME, readCsvHead } from './csv-file.ts';
import { serialToIso } from './date-serial.ts';
import { isCsvFile } from './file-kind.ts';
import { findHeader } from './header-row.ts';
import { refuseDamaged } from './limits.ts';
import { showGeneral } from './number-formats.ts';
import type { Epoch, SheetColumn } from './raw-batch.ts';
import { readHead } from './read-sheet.ts';
import { openWorkbook, type Sheet, type Workbook } from './workbook.ts';

/** A cell as a person sees it in a preview. Dates are ISO dates; a blank's value is the empty text. */
export interface DisplayCell {
  readonly tag: CellTag;
  readonly value: string;
  /** What stands behind it, as the raw layout has it: a number, a date serial, 0 or 1 of a boolean; null for all others. */
  readonly number: number | null;
}

export type CellKind = 'number' | 'text' | 'boolean' | 'date' | 'error';

export interface InspectedColumn extends SheetColumn {
  /** Kinds of cells among the rows shown, the most frequent first; none where all are blank. */
  readonly kinds: readonly CellKind[];
}

export interface InspectedRow {
  /** Sheet row number (1-based). */
  readonly row: number;
  /** One cell a column. */
  readonly cells: readonly DisplayCell[];
}

/** The start of a sheet, for a preview and for suggesting a mapping. */
export interface InspectedSheet {
  readonly kind: 'xlsx' | 'csv';
  readonly sheets: readonly Sheet[];
  readonly sheetName: string;
  readonly headerRow: number;
  readonly columns: readonly InspectedColumn[];
  readonly duplicatedHeaders: readonly string[];
  /** The first 100 data rows. */
  readonly rows: readonly InspectedRow[];
  readonly epoch: Epoch;
}

const SHOWN_ROWS = 100;
const KINDS: Record<number, CellKind> = { 1: 'number', 2: 'text', 3: 'boolean', 4: 'date', 5: 'error' };

/**
 * Reads the start of a sheet, whatever the file's size: its sheets, header, columns and first 100 data rows.
 * @param options.isMappingsSheet `sheetName` is a mapping's: this month's sheet may have another date in its name.
 * @throws Refusal badRequest as `readSheetBatches` does, as far as the start of the file shows it.
 */
export async function inspectSheetFile(
  path: string,
  options: { sheetName?: string | undefined; isMappingsSheet?: boolean; headerRow?: number | undefined } = {},
): Promise<InspectedSheet> {
  if (await isCsvFile(path)) {
    const { head, cells, texts } = await readCsvHead(path, options.headerRow);
    const rows = showRows(cells, head.headerRow, head.columns, (code) => texts.text(code), 1900);
    const sheets = [{ name: CSV_SHEET_NAME, hidden: false }];
    return { kind: 'csv', sheets, ...head, columns: withKinds(head.columns, rows), rows };
  }
  const workbook = await openWorkbook(path);
  try {
    const sheet =
      options.sheetName === undefined
        ? await findTapeSheet(workbook)
        : workbook.findSheet(options.sheetName, options.isMappingsSheet);
    const chunks = workbook.openSheet(sheet);
    // Shared strings come after the rows that name them, so that only as many are read as the rows need.
    const { cells, inline } = await readHead(workbook, chunks, UNREAD_STRINGS, () => false).finally(() =>
      chunks.return(undefined),
    );
    const highest = highestCode(cells);
    const strings = await workbook.readSharedStrings(1 + highest);
    if (highest >= strings.arena.count) {
      throw refuseDamaged(`a cell points at text ${highest} of a table of ${strings.arena.count}`);
    }
    const texts = new BatchTexts(strings.arena, inline);
    const textOf = (code: number): string => {
      if (code >= UNREAD_STRINGS) {
        return inline.text(code - UNREAD_STRINGS);
      }
      return texts.text(code);
    };
    const header = findHeader({ cells, textOf, epoch: workbook.epoch }, options.headerRow);
    const rows = showRows(cells, header.headerRow, header.columns, textOf, workbook.epoch);
    return {
      kind: 'xlsx',
      sheets: workbook.sheets,
      sheetName: sheet.name,
      ...header,
      columns: withKinds(header.columns, rows),
      rows,
      epoch: workbook.epoch,
    };
  } finally {
    await workbook.close();
  }
}

/** A workbook has a cover, a summary or a dictionary in front at most; not every sheet of a large one is looked at. */
const LOOKED_AT_SHEETS = 12;

/**
 * The sheet that holds the tape where nobody says which: of those a person sees, the first whose head is nearly as
 * full as the fullest. Covers, notes and summaries are short or narrow.
 */
async function findTapeSheet(workbook: Workbook): Promise<Sheet> {
  const first = workbook.findSheet();
  const visible = workbook.sheets.filter(({ hidden }) => !hidden).slice(0, LOOKED_AT_SHEETS);
  if (visible.length < 2) {
    return first;
  }
  const filled: number[] = [];
  for (const sheet of visible) {
    filled.push(await filledCells(workbook, sheet));
  }
  const most = Math.max(...filled);
  return visible[filled.findIndex((cells) => cells >= most / 2)] ?? first;
}

/** Cells of a sheet's first rows that are not blank; none of a sheet that cannot be read. */
async function filledCells(workbook: Workbook, sheet: Sheet): Promise<number> {
  const chunks = workbook.openSheet(sheet);
  try {
    const { cells } = await readHead(workbook, chunks, UNREAD_STRINGS, () => false);
    let filled = 0;
    for (let slot = 0; slot < cells.width; slot += 1) {
      const base = slot * cells.capacity;
      for (let cell = base; cell < base + cells.rowCount; cell += 1) {
        filled += cells.tags[cell] === CellTag.blank ? 0 : 1;
      }
    }
    return filled;
  } catch (error) {
    if (!isRefusal(error)) {
      throw error;
    }
    return 0;
  } finally {
    await chunks.return(undefined);
  }
}

/** Stands for the number of shared strings before they are read: above any index a sheet can name. */
const UNREAD_STRINGS = 2 ** 40;

function highestCode(cells: ColumnTarget): number {
  let highest = -1;
  for (let slot = 0; slot < cells.width; slot += 1) {
    for (let row = 0; row < cells.rowCount; row += 1) {
      const cell = slot * cells.capacity + row;
      const code = cells.values[cell]!;
      if (cells.tags[cell] === CellTag.text && code < UNREAD_STRINGS && code > highest) {
        highest = code;
      }
    }
  }
  return highest;
}

function showRows(
  cells: ColumnTarget,
  headerRow: number,
  columns: readonly SheetColumn[],
  textOf: (code: number) => string,
  epoch: Epoch,
): InspectedRow[] {
  const rows: InspectedRow[] = [];
  for (let row = 0; row < cells.rowCount && rows.length < SHOWN_ROWS; row += 1) {
    if (cells.rowNumbers[row]! <= headerRow) {
      continue;
    }
    const shown = columns.map(({ sheetColumn }): DisplayCell => {
      const cell = sheetColumn * cells.capacity + row;
      return showCell(cells.tags[cell] as CellTag, cells.values[cell]!, textOf, epoch);
    });
    if (shown.some((cell) => cell.value.trim() !== '')) {
      rows.push({ row: cells.rowNumbers[row]!, cells: shown });
    }
  }
  return rows;
}

const BLANK: DisplayCell = { tag: CellTag.blank, value: '', number: null };

function showCell(tag: CellTag, value: number, textOf: (code: number) => string, epoch: Epoch): DisplayCell {
  switch (tag) {
    case CellTag.text:
    case CellTag.error: {
      const text = textOf(value);
      return text === '' ? BLANK : { tag, value: text, number: null };
    }
    case CellTag.boolean:
      return { tag, value: value === 0 ? 'FALSE' : 'TRUE', number: value };
    case CellTag.date:
      return { tag, value: serialToIso(value, epoch) ?? showGeneral(value), number: value };
    case CellTag.number:
      return { tag, value: showGeneral(value), number: value };
    default:
      return BLANK;
  }
}

function withKinds(columns: readonly SheetColumn[], rows: readonly InspectedRow[]): InspectedColumn[] {
  return columns.map((column) => {
    const counts = new Map<CellKind, number>();
    for (const { cells } of rows) {
      const kind = KINDS[cells[column.index]!.tag];
      if (kind !== undefined) {
        counts.set(kind, (counts.get(kind) ?? 0) + 1);
      }
    }
    return { ...column, kinds: [...counts].sort((left, right) => right[1] - left[1]).map(([kind]) => kind) };
  });
}
