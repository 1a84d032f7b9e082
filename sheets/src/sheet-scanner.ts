import type { ColumnTarget } from './batches.ts';
import { CellReader } from './cell-reader.ts';
import { CellTag } from './cell-tag.ts';
import { LOOKAHEAD_BYTES } from './chunk-window.ts';
import { MAX_TEXT_BYTES, refuseDamaged, refuseLongText, refuseSheet, SHEET_LIMITS } from './limits.ts';
import { MAX_DEPTH, Markup, MarkupReader } from './markup.ts';
import { columnRange, type Epoch, MAX_SHEET_COLUMNS, MAX_SHEET_ROWS } from './raw-batch.ts';
import type { SheetFacts } from './sheet-facts.ts';
import { SheetMemory, type SheetTables, Stop } from './sheet-memory.ts';
import { isBlankText, TextArena } from './text-arena.ts';
import { columnLetters } from './workbook-parts.ts';

const Phase = { preamble: 0, rows: 1, tail: 2 } as const;

/** Maximum bytes of inline texts in one batch; a batch ends early rather than exceed it. */
const MAX_INLINE_BYTES = 128 << 20;
/** A row larger than this is rescanned only once twice as much of it has arrived. */
const PATIENCE_BYTES = 64 << 10;

export interface SheetScannerOptions extends SheetTables {
  /** Tag of a number by cell style: `CellTag.date` if the style shows a date, else `CellTag.number`. */
  readonly tagOfStyle: Uint8Array;
  /** Number of shared strings; a cell that refers beyond them means that the file is damaged. */
  readonly sharedCount: number;
  readonly isBlankShared: (code: number) => boolean;
  readonly epoch: Epoch;
  /** Rows up to this number (the header and rows above it) are skipped. */
  readonly headerRow: number;
}

/**
 * Scans a worksheet's XML into columns. The forms that Excel and similar programs write (an `r`, then `s`, then `t`,
 * then one `v`) are scanned by compiled code (`scanner/row-scanner.ts`). Where that stops, `MarkupReader` and `CellReader` read
 * everything that XML allows, in the same memory, and the compiled code continues after it.
 * A row that does not end within the available bytes is scanned again once there are more, so no state is kept within a
 * row.
 */
export class SheetScanner {
  /** Inline texts of the cells; their codes follow those of the shared strings. */
  inline = new TextArena({ distinct: true });
  private readonly options: SheetScannerOptions;
  private memory: SheetMemory;
  private readonly markup = new MarkupReader();
  private readonly cells: CellReader;
  private phase: number = Phase.preamble;
  /** The XML that is available but not scanned yet is bytes[position, end). */
  private position: number;
  private end: number;
  /** Scanning stops here; what follows may only be looked at. */
  private limit = 0;
  private retryBytes = 0;
  /** Elements that are open before the rows begin. */
  private readonly open: string[] = [];
  /** Whether the last markup opened a row with cells. */
  private isRowOpen = false;
  private paused = false;

  /** @param sheetColumns 0-based sheet columns, in the order of the batch's columns */
  constructor(sheetColumns: readonly number[], capacity: number, options: SheetScannerOptions) {
    this.options = options;
    this.memory = new SheetMemory(sheetColumns, capacity, options);
    this.position = this.memory.inputStart;
    this.end = this.position;
    this.cells = new CellReader(options.epoch, options.tagOfStyle);
  }

  /** The batch being filled. */
  get target(): ColumnTarget {
    return this.memory.target;
  }

  /** Whether a row followed one with a higher number. */
  get isUnordered(): boolean {
    return this.memory.scanner.isUnordered.value !== 0;
  }

  /** The last sheet column (1-based) that any row has. */
  get highestColumn(): number {
    return this.memory.scanner.highestColumn.value;
  }

  /** Facts about the rows scanned so far that the batches do not show. */
  get facts(): SheetFacts {
    const { allOuterCells, firstOfAllOuter, lastOfAllOuter, allOpenFormulas } = this.memory.scanner;
    const outerCells: number = allOuterCells.value;
    return {
      formulasWithoutResult: allOpenFormulas.value,
      unnamedCells: outerCells,
      unnamedColumns: outerCells === 0 ? null : columnRange(firstOfAllOuter.value, lastOfAllOuter.value),
    };
  }

  get isPastRows(): boolean {
    return this.phase === Phase.tail;
  }

  /** Whether the batch is full and rows remain. */
  get isPaused(): boolean {
    return this.paused;
  }

  /** Starts the next batch. */
  openBatch(): void {
    const leftBytes = this.end - this.position;
    const paddingBytes = this.end - this.limit;
    this.memory = this.memory.succeed(this.position, this.end);
    this.inline = new TextArena({ distinct: true });
    this.position = this.memory.inputStart;
    this.end = this.position + leftBytes;
    this.limit = this.end - paddingBytes;
  }

  feed(chunk: Uint8Array): void {
    const { memory } = this;
    const leftBytes = this.end - this.position;
    const { inputStart } = memory;
    memory.reserve(leftBytes + chunk.length + LOOKAHEAD_BYTES);
    memory.bytes.copyWithin(inputStart, this.position, this.end);
    memory.bytes.set(chunk, inputStart + leftBytes);
    this.position = inputStart;
    this.end = inputStart + leftBytes + chunk.length;
    this.limit = this.end - LOOKAHEAD_BYTES;
    this.run();
  }

  /** Continues after a pause. */
  resume(): void {
    this.run();
  }

  /** The last chunk has arrived: the rest must be complete. */
  finish(): void {
    const { memory, end } = this;
    memory.reserve(end - memory.inputStart + LOOKAHEAD_BYTES);
    memory.bytes.fill(0, end, end + LOOKAHEAD_BYTES);
    this.limit = end;
    this.retryBytes = 0;
    this.run();
  }

  /** @throws SheetError if the sheet ends before its rows do */
  refuseTruncated(): void {
    if (this.phase !== Phase.tail) {
      throw refuseDamaged('the sheet ends too early');
    }
  }

  private run(): void {
    this.paused = false;
    if (this.position >= this.limit || this.end - this.position < this.retryBytes) {
      return;
    }
    if (this.phase === Phase.preamble) {
      this.scanPreamble();
    }
    if (this.phase === Phase.rows) {
      this.scanRows();
    }
    if (this.phase === Phase.tail) {
      this.position = this.end;
    }
    if (this.paused) {
      return;
    }
    const leftBytes = this.end - this.position;
    if (leftBytes > SHEET_LIMITS.rowBytes) {
      throw refuseSheet(
        `A row of the sheet is larger than ${SHEET_LIMITS.rowBytes >> 20} MB, which no spreadsheet program writes. Save the file again and open the new one.`,
      );
    }
    this.retryBytes = leftBytes > PATIENCE_BYTES ? leftBytes * 2 : 0;
  }

  private scanPreamble(): void {
    const markup = this.markup.over(this.memory.bytes, this.limit);
    for (let at = markup.read(this.position); at !== -1; at = markup.read(at)) {
      this.position = at;
      markup.refuseText();
      if (markup.kind > Markup.empty) {
        continue;
      }
      if (this.open.length === 0 && !markup.is('worksheet')) {
        throw refuseDamaged('the part of the sheet is not a worksheet');
      }
      if (markup.kind === Markup.close && this.open.pop() !== markup.name) {
        markup.refuse();
      }
      if (markup.kind === Markup.open && this.open.push(markup.name) > MAX_DEPTH) {
        markup.refuse();
      }
      if (markup.is('sheetData') && markup.kind <= Markup.empty) {
        this.phase = markup.kind === Markup.open ? Phase.rows : Phase.tail;
        return;
      }
      if (markup.is('worksheet') && markup.kind === Markup.close) {
        this.phase = Phase.tail;
        return;
      }
    }
  }

  private scanRows(): void {
    const { scanner } = this.memory;
    const { bytes, target } = this.memory;
    const { limit } = this;
    let at = this.position;
    let isWithinRow = false;
    for (;;) {
      const stop = scanner.scan(at, limit, isWithinRow ? 1 : 0);
      at = scanner.position.value;
      isWithinRow = false;
      if (stop === Stop.cell) {
        const next = this.readCell(bytes, at);
        if (next === -1) {
          at = scanner.rowStart.value;
          break;
        }
        at = next;
        isWithinRow = !this.cells.isRowEnd;
        if (!isWithinRow) {
          this.endRow();
        }
      } else if (stop === Stop.textCell) {
        this.keepText(bytes);
        isWithinRow = true;
      } else if (stop === Stop.undecidedRow) {
        this.endRow();
      } else if (stop === Stop.markup) {
        const next = this.readMarkup(bytes, at);
        if (next === -1 || this.phase === Phase.tail) {
          break;
        }
        at = next;
        isWithinRow = this.isRowOpen;
      } else if (stop === Stop.more) {
        break;
      } else if (stop === Stop.full) {
        this.paused = true;
        break;
      } else {
        throw this.refusalOf(stop);
      }
    }
    this.position = at;
    target.rowCount = scanner.rowCount.value;
  }

  /** Reads markup between rows, or a row's opening tag. @returns the position after it, or -1 if it does not end */
  private readMarkup(bytes: Uint8Array, start: number): number {
    const { scanner } = this.memory;
    const markup = this.markup.over(bytes, this.limit);
    const next = markup.read(start);
    this.isRowOpen = false;
    if (next === -1) {
      return -1;
    }
    markup.refuseText();
    if (markup.kind === Markup.close && markup.is('sheetData')) {
      this.phase = Phase.tail;
    } else if (markup.kind <= Markup.empty) {
      if (markup.kind === Markup.close || !markup.is('row')) {
        markup.refuse();
      }
      const stated = markup.attribute('r');
      const rowNumber =
        stated === undefined ? scanner.lastRow.value + 1 : /^\s*\d{1,9}\s*$/.test(stated) ? Number(stated) : 0;
      if (rowNumber < 1 || rowNumber > MAX_SHEET_ROWS) {
        throw refuseRow(rowNumber);
      }
      scanner.openRow(start, rowNumber);
      if (markup.kind === Markup.empty) {
        scanner.closeRow();
      } else {
        this.isRowOpen = true;
      }
    }
    return next;
  }

  /** Reads a cell of any form, or a row's end. @returns the position after it, or -1 if it does not end */
  private readCell(bytes: Uint8Array, start: number): number {
    const { cells } = this;
    const { scanner, target } = this.memory;
    const next = cells.read(bytes, start, this.limit, scanner.column.value, scanner.rowNumber.value);
    if (next === -1 || cells.isRowEnd) {
      return next;
    }
    const { column, tag } = cells;
    if (column > MAX_SHEET_COLUMNS) {
      throw refuseColumn();
    }
    scanner.column.value = column;
    if (cells.isOpenFormula) {
      scanner.openFormulas.value += 1;
    }
    const { sharedCount, isBlankShared, headerRow } = this.options;
    let { value } = cells;
    if (cells.isShared && !(value >= 0 && value < sharedCount)) {
      throw refuseSharedIndex(column - 1, scanner.rowNumber.value);
    }
    if (tag === CellTag.blank || scanner.rowNumber.value <= headerRow) {
      return next;
    }
    const base = target.baseOfColumn[column]!;
    if (base < 0) {
      const isBlank = tag === CellTag.text && (cells.isShared ? isBlankShared(value) : cells.text.trim() === '');
      if (!isBlank) {
        scanner.countOuter(column);
      }
    } else {
      if (!cells.isShared && (tag === CellTag.text || tag === CellTag.error)) {
        value = sharedCount + this.inline.addText(cells.text);
        this.limitTexts();
      }
      const cell = base + scanner.rowCount.value;
      target.values[cell] = value;
      target.tags[cell] = tag;
      if (tag === CellTag.text) {
        scanner.hasText.value = 1;
        scanner.noteText(column);
      } else {
        scanner.hasSolid.value = 1;
      }
    }
    return next;
  }

  /** Stores the text that the compiled code found in a cell. */
  private keepText(bytes: Uint8Array): void {
    const { scanner, target } = this.memory;
    if (scanner.rowNumber.value <= this.options.headerRow) {
      return;
    }
    const column: number = scanner.column.value;
    const base = target.baseOfColumn[column]!;
    const start: number = scanner.textStart.value;
    const end: number = scanner.textEnd.value;
    if (end - start > MAX_TEXT_BYTES) {
      throw refuseLongText();
    }
    if (base < 0) {
      if (!isBlankText(bytes, start, end)) {
        scanner.countOuter(column);
      }
    } else if (end > start) {
      const cell = base + scanner.rowCount.value;
      target.values[cell] = this.options.sharedCount + this.inline.add(bytes, start, end);
      target.tags[cell] = CellTag.text;
      scanner.hasText.value = 1;
      scanner.noteText(column);
      this.limitTexts();
    }
  }

  /** Ends the batch with this row if it has many inline texts. */
  private limitTexts(): void {
    if (this.inline.usedBytes > MAX_INLINE_BYTES) {
      const { rowLimit, rowCount } = this.memory.scanner;
      rowLimit.value = rowCount.value + 1;
    }
  }

  /** Commits the row, or clears its cells. */
  private endRow(): void {
    const { scanner, target } = this.memory;
    scanner.closeRow();
    const hasSolid = scanner.hasSolid.value !== 0;
    if (!hasSolid && scanner.hasText.value === 0) {
      return;
    }
    const row = scanner.rowCount.value;
    const columns = this.memory.textColumns();
    const bases = columns === undefined ? this.allBases() : columns.map((column) => target.baseOfColumn[column]!);
    if (!(hasSolid || this.showsText(bases, row))) {
      for (const base of bases) {
        target.tags[base + row] = CellTag.blank;
        target.values[base + row] = 0;
      }
    } else if (scanner.keepRow() === 0) {
      throw this.refusalOf(Stop.lateRow);
    }
  }

  private allBases(): Int32Array {
    const { width, capacity } = this.memory.target;
    return Int32Array.from({ length: width }, (_, slot) => slot * capacity);
  }

  /** Whether any text of a row with only texts is not blank. */
  private showsText(bases: Int32Array, row: number): boolean {
    const { tags, values } = this.memory.target;
    const { sharedCount, isBlankShared } = this.options;
    for (const base of bases) {
      const cell = base + row;
      if (tags[cell] === CellTag.text) {
        const code = values[cell]!;
        if (!(code < sharedCount ? isBlankShared(code) : this.inline.isBlank(code - sharedCount))) {
          return true;
        }
      }
    }
    return false;
  }

  private refusalOf(stop: number): Error {
    const { rowNumber, settledRow, column } = this.memory.scanner;
    switch (stop) {
      case Stop.badRow:
        return refuseRow(rowNumber.value);
      case Stop.badColumn:
        return refuseColumn();
      case Stop.badSharedString:
        return refuseSharedIndex(column.value - 1, rowNumber.value);
      case Stop.lateRow:
        return refuseSheet(
          `The sheet's rows are out of order: row ${rowNumber.value} comes after row ${settledRow.value}. Open the file in Excel or LibreOffice, save it again and open the new file.`,
        );
      default:
        return new Error(`the row scanner stopped for no known reason (${stop})`);
    }
  }
}

function refuseRow(rowNumber: number): Error {
  return rowNumber > MAX_SHEET_ROWS
    ? refuseSheet(
        `The sheet has more than ${MAX_SHEET_ROWS.toLocaleString('en')} rows, the most a worksheet can hold. Split the file into several files.`,
      )
    : refuseDamaged('a row has no valid number');
}

function refuseColumn(): Error {
  return refuseSheet(
    `The sheet has more than ${MAX_SHEET_COLUMNS.toLocaleString('en')} columns, the most a worksheet can hold. Remove the columns that are not needed.`,
  );
}

/** @param column 0-based */
export function refuseSharedIndex(column: number, row: number): Error {
  return refuseDamaged(`the cell ${columnLetters(column)}${row} refers to a text that the workbook does not contain`);
}
