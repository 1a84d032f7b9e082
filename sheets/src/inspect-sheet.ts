import { BatchTexts, type ColumnTarget } from './batches.ts';
import { CellTag } from './cell-tag.ts';
import { CSV_SHEET_NAME, readCsvHead } from './csv-file.ts';
import { serialToIso } from './date-serial.ts';
import { isCsvFile } from './file-kind.ts';
import { findHeader } from './header-row.ts';
import type { SheetLimits } from './limits.ts';
import { currencyMark } from './number-formats.ts';
import { columnRange, type Epoch, type SheetColumn } from './raw-batch.ts';
import { readHead, type SheetHeadCells } from './read-sheet.ts';
import { SheetError } from './sheet-error.ts';
import type { SheetFacts } from './sheet-facts.ts';
import { refuseSharedIndex } from './sheet-scanner.ts';
import { shownNumber } from './shown-number.ts';
import { openWorkbook, type Sheet, type Workbook } from './workbook.ts';

/** A cell as displayed in a preview. Dates are ISO dates; a blank's value is the empty text. */
export interface DisplayCell {
  readonly tag: CellTag;
  readonly value: string;
  /** Its number in a batch: a number, a date serial, 0 or 1 of a boolean; null for all others. */
  readonly number: number | null;
}

export type CellKind = 'number' | 'text' | 'boolean' | 'date' | 'error';

export interface InspectedColumn extends SheetColumn {
  /** Kinds of cells among the rows shown, the most frequent first; empty if all are blank. */
  readonly kinds: readonly CellKind[];
  /** Signs or codes of currencies that the formats of its numbers show (`currencyMark`); omitted if they show none. */
  readonly currencyMarks?: readonly string[];
}

export interface InspectedRow {
  /** Sheet row number (1-based). */
  readonly row: number;
  /** One cell for each column. */
  readonly cells: readonly DisplayCell[];
}

/** The start of a sheet, for a preview. */
export interface InspectedSheet {
  readonly kind: 'xlsx' | 'csv';
  readonly sheets: readonly Sheet[];
  readonly sheetName: string;
  readonly headerRow: number;
  /** What the rows above the header say, a text for each row: titles, notes and pairs of key and value. At most 20. */
  readonly titles: readonly string[];
  readonly columns: readonly InspectedColumn[];
  readonly duplicatedHeaders: readonly string[];
  /** The first 100 data rows. */
  readonly rows: readonly InspectedRow[];
  readonly epoch: Epoch;
  /** About the rows that were searched for the header. */
  readonly facts: SheetFacts;
  /** Those of these rows that have more fields than the header: the beginning of the surplus, by sheet row number. */
  readonly misfits: ReadonlyMap<number, string>;
}

const SHOWN_ROWS = 100;
const KINDS: Record<number, CellKind> = { 1: 'number', 2: 'text', 3: 'boolean', 4: 'date', 5: 'error' };

/**
 * Reads the start of a sheet, whatever the file's size: its sheets, header, columns and first 100 data rows.
 * @param options.ignoreDates also accept the only visible sheet whose name differs from `sheetName` just by its date
 * @throws SheetError as `readSheetBatches` does, for errors at the start of the file
 */
export async function inspectSheetFile(
  path: string,
  options: {
    sheetName?: string | undefined;
    /** The first of these names that the workbook has is read, unless there is a `sheetName`. */
    sheetNames?: readonly string[];
    ignoreDates?: boolean;
    headerRow?: number | undefined;
    limits?: SheetLimits | undefined;
  } = {},
): Promise<InspectedSheet> {
  if (await isCsvFile(path)) {
    const { head, cells, texts, misfits, facts } = await readCsvHead(path, options.headerRow);
    const rows = showRows(cells, head, (code) => texts.text(code), 1900, misfits);
    const sheets = [{ name: CSV_SHEET_NAME, hidden: false }];
    const titles = textsAbove(cells, head.headerRow, (code) => texts.text(code), 1900);
    return { kind: 'csv', sheets, ...head, titles, columns: withKinds(head.columns, rows), rows, facts, misfits };
  }
  const workbook = await openWorkbook(path, options.limits);
  try {
    const sheetName = options.sheetName ?? nameAmong(workbook.sheets, options.sheetNames ?? []);
    const sheet =
      sheetName === undefined ? await findDataSheet(workbook) : workbook.findSheet(sheetName, options.ignoreDates);
    const { cells, textOf, openFormulas } = await readShownRows(workbook, sheet);
    const header = findHeader({ cells, textOf, epoch: workbook.epoch }, options.headerRow);
    const rows = showRows(cells, header, textOf, workbook.epoch);
    return {
      kind: 'xlsx',
      sheets: workbook.sheets,
      sheetName: sheet.name,
      ...header,
      titles: textsAbove(cells, header.headerRow, textOf, workbook.epoch),
      columns: await withMarks(workbook, sheet, withKinds(header.columns, rows), header.headerRow),
      rows,
      epoch: workbook.epoch,
      facts: { formulasWithoutResult: openFormulas, ...unnamedCells(cells, header, textOf) },
      misfits: new Map(),
    };
  } finally {
    await workbook.close();
  }
}

/** More marks than this are no evidence of the currency of a sheet. */
const MAX_MARKS = 8;

/**
 * The columns with the currencies that the formats of their numbers show. The style of a cell is not kept, so the first
 * rows are read once more for each of these currencies, as if it were a date format: then its numbers are the dates.
 */
async function withMarks(
  workbook: Workbook,
  sheet: Sheet,
  columns: readonly InspectedColumn[],
  headerRow: number,
): Promise<InspectedColumn[]> {
  // A workbook can have thousands of styles, which share a few formats.
  const markOf = new Map([...new Set(workbook.formatOfStyle)].map((format) => [format, currencyMark(format)]));
  const markOfStyle = workbook.formatOfStyle.map((format) => markOf.get(format) ?? null);
  const marks = [...new Set(markOfStyle)].filter((mark) => mark !== null).slice(0, MAX_MARKS);
  const found = new Map<number, string[]>();
  for (const mark of marks) {
    const tagOfStyle = Uint8Array.from(markOfStyle, (own) => (own === mark ? CellTag.date : CellTag.number));
    const { cells } = await readHeadOf({ ...workbook, tagOfStyle }, sheet, UNREAD_STRINGS, () => false);
    for (const { index, sheetColumn } of columns) {
      for (let row = 0; row < cells.rowCount; row += 1) {
        if (cells.rowNumbers[row]! > headerRow && cells.tags[sheetColumn * cells.capacity + row] === CellTag.date) {
          found.set(index, [...(found.get(index) ?? []), mark]);
          break;
        }
      }
    }
  }
  return columns.map((column) => {
    const currencyMarks = found.get(column.index);
    return currencyMarks ? { ...column, currencyMarks } : column;
  });
}

/** The first of the names that a visible sheet has. */
const nameAmong = (sheets: readonly Sheet[], names: readonly string[]): string | undefined =>
  names.flatMap((name) =>
    sheets.flatMap((sheet) => (!sheet.hidden && sheet.name.toLowerCase() === name.toLowerCase() ? [sheet.name] : [])),
  )[0];

/** The first rows that are not blank, with all columns, as `readSheetBatches` finds them. */
async function readShownRows(
  workbook: Workbook,
  sheet: Sheet,
): Promise<{ cells: ColumnTarget; textOf: (code: number) => string; openFormulas: number }> {
  // Shared strings are read after the rows that refer to them, so that only as many are read as the rows need.
  const head = await readHeadOf(workbook, sheet, UNREAD_STRINGS, () => false);
  const highest = highestCode(head.cells);
  const strings = await workbook.readSharedStrings(1 + highest);
  refuseBeyond(head.cells, strings.arena.count);
  const { blankCodes } = strings;
  if (blankCodes === undefined || !hasBlankRow(head.cells, blankCodes)) {
    const { inline } = head;
    const textOf = (code: number): string =>
      code >= UNREAD_STRINGS ? inline.text(code - UNREAD_STRINGS) : strings.arena.text(code);
    return { ...head, textOf };
  }
  // Rows of blank texts took the place of others.
  const { arena, blankCodes: blanks } = await workbook.readSharedStrings();
  const read = await readHeadOf(workbook, sheet, arena.count, (code) => blanks?.[code] === 1);
  const texts = new BatchTexts(arena, read.inline);
  return { ...read, textOf: (code) => texts.text(code) };
}

async function readHeadOf(
  workbook: Workbook,
  sheet: Sheet,
  sharedCount: number,
  isBlankShared: (code: number) => boolean,
): Promise<SheetHeadCells> {
  const chunks = workbook.openSheet(sheet);
  try {
    return await readHead(workbook, chunks, sharedCount, isBlankShared);
  } finally {
    await chunks.return(undefined);
  }
}

/** Whether a row consists only of texts with these codes. */
function hasBlankRow(cells: ColumnTarget, blankCodes: Uint8Array): boolean {
  const shows = new Uint8Array(cells.rowCount);
  for (let slot = 0; slot < cells.width; slot += 1) {
    for (let row = 0; row < cells.rowCount; row += 1) {
      const cell = slot * cells.capacity + row;
      const tag = cells.tags[cell];
      if (tag !== CellTag.blank && !(tag === CellTag.text && blankCodes[cells.values[cell]!] === 1)) {
        shows[row] = 1;
      }
    }
  }
  return shows.includes(0);
}

/** Cells below the header that are not blank, in columns without a header. */
function unnamedCells(
  cells: ColumnTarget,
  { headerRow, columns }: { headerRow: number; columns: readonly SheetColumn[] },
  textOf: (code: number) => string,
): Omit<SheetFacts, 'formulasWithoutResult'> {
  const named = new Set(columns.map(({ sheetColumn }) => sheetColumn));
  const isBlank = blankTexts(textOf);
  const found: number[] = [];
  let count = 0;
  for (let slot = 0; slot < cells.width; slot += 1) {
    if (named.has(slot)) {
      continue;
    }
    const before = count;
    for (let row = 0; row < cells.rowCount; row += 1) {
      const cell = slot * cells.capacity + row;
      const tag = cells.tags[cell];
      if (tag !== CellTag.blank && cells.rowNumbers[row]! > headerRow) {
        count += tag === CellTag.text && isBlank(cells.values[cell]!) ? 0 : 1;
      }
    }
    if (count > before) {
      found.push(slot + 1);
    }
  }
  const [first] = found;
  return { unnamedCells: count, unnamedColumns: first === undefined ? null : columnRange(first, found.at(-1)!) };
}

/** A workbook has a cover, a summary or a dictionary in front at most; large workbooks are not searched completely. */
const SEARCHED_SHEETS = 12;

/**
 * The sheet with the data if none is named: the first visible sheet whose head is almost as full as the fullest.
 * Covers, notes and summaries are short or narrow.
 */
async function findDataSheet(workbook: Workbook): Promise<Sheet> {
  const first = workbook.findSheet();
  const visible = workbook.sheets.filter(({ hidden }) => !hidden).slice(0, SEARCHED_SHEETS);
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

/** Number of non-blank cells in a sheet's first rows; zero for a sheet that cannot be read. */
async function filledCells(workbook: Workbook, sheet: Sheet): Promise<number> {
  try {
    const { cells } = await readHeadOf(workbook, sheet, UNREAD_STRINGS, () => false);
    let filled = 0;
    for (let slot = 0; slot < cells.width; slot += 1) {
      const base = slot * cells.capacity;
      for (let cell = base; cell < base + cells.rowCount; cell += 1) {
        filled += cells.tags[cell] === CellTag.blank ? 0 : 1;
      }
    }
    return filled;
  } catch (error) {
    if (!(error instanceof SheetError)) {
      throw error;
    }
    return 0;
  }
}

/** Placeholder for the number of shared strings before they are read: above any index that a sheet can refer to. */
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

/** @throws SheetError for a cell whose text is not among the `count` shared ones */
function refuseBeyond(cells: ColumnTarget, count: number): void {
  for (let slot = 0; slot < cells.width; slot += 1) {
    for (let row = 0; row < cells.rowCount; row += 1) {
      const cell = slot * cells.capacity + row;
      const code = cells.values[cell]!;
      if (cells.tags[cell] === CellTag.text && code < UNREAD_STRINGS && code >= count) {
        throw refuseSharedIndex(slot, cells.rowNumbers[row]!);
      }
    }
  }
}

/** Whether the text of a code is blank. A long text may be in a large number of cells: each is examined once. */
function blankTexts(textOf: (code: number) => string): (code: number) => boolean {
  const known = new Map<number, boolean>();
  return (code) => {
    const isBlank = known.get(code) ?? textOf(code).trim() === '';
    known.set(code, isBlank);
    return isBlank;
  };
}

function showRows(
  cells: ColumnTarget,
  { headerRow, columns }: { headerRow: number; columns: readonly SheetColumn[] },
  textOf: (code: number) => string,
  epoch: Epoch,
  misfits?: ReadonlyMap<number, string>,
): InspectedRow[] {
  const isBlank = blankTexts(textOf);
  const rows: InspectedRow[] = [];
  for (let row = 0; row < cells.rowCount && rows.length < SHOWN_ROWS; row += 1) {
    if (cells.rowNumbers[row]! <= headerRow) {
      continue;
    }
    const shown = columns.map(({ sheetColumn }): DisplayCell => {
      const cell = sheetColumn * cells.capacity + row;
      return showCell(cells.tags[cell] as CellTag, cells.values[cell]!, textOf, epoch);
    });
    const showsAnything = columns.some(({ sheetColumn }) => {
      const cell = sheetColumn * cells.capacity + row;
      const tag = cells.tags[cell];
      return tag !== CellTag.blank && !(tag === CellTag.text && isBlank(cells.values[cell]!));
    });
    if (showsAnything || misfits?.has(cells.rowNumbers[row]!)) {
      rows.push({ row: cells.rowNumbers[row]!, cells: shown });
    }
  }
  return rows;
}

const MAX_TITLES = 20;
const MAX_TITLE_CHARACTERS = 200;

/** The cells of each row above the header, as one text. A row that names groups of columns is one of them. */
function textsAbove(cells: ColumnTarget, headerRow: number, textOf: (code: number) => string, epoch: Epoch): string[] {
  const titles: string[] = [];
  for (let row = 0; row < cells.rowCount && titles.length < MAX_TITLES; row += 1) {
    if (cells.rowNumbers[row]! >= headerRow) {
      break;
    }
    let title = '';
    for (let slot = 0; slot < cells.width && title.length < MAX_TITLE_CHARACTERS; slot += 1) {
      const cell = slot * cells.capacity + row;
      const { value } = showCell(cells.tags[cell] as CellTag, cells.values[cell]!, textOf, epoch);
      title += value === '' ? '' : ` ${value.slice(0, MAX_TITLE_CHARACTERS)}`;
    }
    title = title.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_TITLE_CHARACTERS);
    if (title !== '') {
      titles.push(title);
    }
  }
  return titles;
}

const BLANK: DisplayCell = { tag: CellTag.blank, value: '', number: null };

/** A cell of a batch as displayed: a text that is empty is blank. */
export function showCell(tag: CellTag, value: number, textOf: (code: number) => string, epoch: Epoch): DisplayCell {
  switch (tag) {
    case CellTag.text:
    case CellTag.error: {
      const text = textOf(value);
      return text === '' ? BLANK : { tag, value: text, number: null };
    }
    case CellTag.boolean:
      return { tag, value: value === 0 ? 'FALSE' : 'TRUE', number: value };
    case CellTag.date:
      return { tag, value: serialToIso(value, epoch) ?? shownNumber(value), number: value };
    case CellTag.number:
      return { tag, value: shownNumber(value), number: value };
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
