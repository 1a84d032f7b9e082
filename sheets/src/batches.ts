import { refuseDamaged, type SheetLimits } from './limits.ts';
import { MAX_SHEET_COLUMNS, type RawBatch, type SheetHead, type TextTable } from './raw-batch.ts';
import type { SheetFacts } from './sheet-facts.ts';
import type { TextArena } from './text-arena.ts';

/** Column numbers that three letters can spell (ZZZ), so that a lookup needs no bounds check. */
const SPELLABLE_COLUMNS = 18_279;

interface TargetCells {
  readonly tags: Uint8Array<ArrayBuffer>;
  readonly values: Float64Array<ArrayBuffer>;
  readonly rowNumbers: Int32Array<ArrayBuffer>;
}

/**
 * The destination of scanned cells: a tag and a number for each cell, each column contiguous. Sheet columns without a
 * slot are skipped.
 */
export class ColumnTarget {
  readonly tags: Uint8Array<ArrayBuffer>;
  readonly values: Float64Array<ArrayBuffer>;
  readonly rowNumbers: Int32Array<ArrayBuffer>;
  readonly width: number;
  readonly capacity: number;
  /** Index of a column's first cell by 1-based sheet column; -1 if the column is not wanted. */
  readonly baseOfColumn: Int32Array;
  rowCount = 0;

  static readonly baseTableBytes = (SPELLABLE_COLUMNS + 1) * 4;

  /**
   * @param sheetColumns 0-based sheet columns, in the order of the slots
   * @param cells the arrays to fill, if the caller provides them
   */
  constructor(sheetColumns: readonly number[], capacity: number, cells?: TargetCells) {
    this.width = sheetColumns.length;
    this.capacity = capacity;
    this.tags = cells?.tags ?? new Uint8Array(this.width * capacity);
    this.values = cells?.values ?? new Float64Array(this.width * capacity);
    this.rowNumbers = cells?.rowNumbers ?? new Int32Array(capacity);
    this.baseOfColumn = new Int32Array(SPELLABLE_COLUMNS + 1).fill(-1);
    sheetColumns.forEach((column, slot) => {
      if (column < MAX_SHEET_COLUMNS) {
        this.baseOfColumn[column + 1] = slot * capacity;
      }
    });
  }

  /** Clears whatever was written to the row that is not committed yet. */
  clearRow(row: number): void {
    for (let slot = 0; slot < this.width; slot += 1) {
      this.tags[slot * this.capacity + row] = 0;
      this.values[slot * this.capacity + row] = 0;
    }
  }

  /** Sorts the rows by their numbers. @throws SheetError if two rows have the same one */
  sortRows(): void {
    const order = Array.from({ length: this.rowCount }, (_, row) => row).sort(
      (left, right) => this.rowNumbers[left]! - this.rowNumbers[right]!,
    );
    for (let index = 1; index < order.length; index += 1) {
      if (this.rowNumbers[order[index]!] === this.rowNumbers[order[index - 1]!]) {
        throw refuseDamaged(`row ${this.rowNumbers[order[index]!]} occurs twice`);
      }
    }
    const permute = (cells: Uint8Array | Float64Array | Int32Array, base: number): void => {
      const before = cells.slice(base, base + this.rowCount);
      order.forEach((from, to) => {
        cells[base + to] = before[from]!;
      });
    };
    permute(this.rowNumbers, 0);
    for (let slot = 0; slot < this.width; slot += 1) {
      permute(this.tags, slot * this.capacity);
      permute(this.values, slot * this.capacity);
    }
  }
}

export const BATCH_ROWS = 100_000;
/** Maximum cells in one batch, at 9 bytes each; batches of a wide sheet have fewer rows. */
const BATCH_CELLS = 8_000_000;

export interface ReadOptions {
  /** The sheet's name; the first visible sheet if omitted. Ignored for a CSV file. */
  readonly sheetName?: string | undefined;
  /** Sheet row number (1-based) of the header, if known from the preview; otherwise it is searched for. */
  readonly headerRow?: number | undefined;
  /** Rows in a batch; wide sheets get fewer (8 million cells at most). */
  readonly batchRows?: number | undefined;
  /**
   * Batches to skip because the caller has them already: they are scanned (a zip part can only be read from its start)
   * but not returned.
   */
  readonly skipBatches?: number | undefined;
  /** Size of a sheet's XML from which a separate thread unpacks it; if omitted, a size from which that is faster. */
  readonly threadFromBytes?: number | undefined;
  /** Limits against archives made to fill memory; those of the package if omitted. */
  readonly limits?: SheetLimits | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called in order as the file is read, with the share of the sheet that was read, 0 to 1. */
  readonly onRead?: ((share: number) => void) | undefined;
  /** Called once, before the first batch. */
  readonly onHead?: ((head: SheetHead) => void) | undefined;
  /** Called after each batch and at the end, with what was found so far. */
  readonly onFacts?: ((facts: SheetFacts) => void) | undefined;
}

/**
 * Rows in a batch of this width.
 * @param most rows that are still to come, if known
 */
export function rowsPerBatch(width: number, batchRows = BATCH_ROWS, most = Number.POSITIVE_INFINITY): number {
  return Math.max(1, Math.min(batchRows, Math.floor(BATCH_CELLS / Math.max(1, width)), most));
}

/** The texts of a batch: first the workbook's shared strings, then the inline texts of its cells. */
export class BatchTexts implements TextTable {
  private readonly shared: TextArena;
  private readonly inline: TextArena;
  private readonly sharedCount: number;

  constructor(shared: TextArena, inline: TextArena) {
    this.shared = shared;
    this.inline = inline;
    this.sharedCount = shared.count;
  }

  get count(): number {
    return this.sharedCount + this.inline.count;
  }

  bytes(code: number): Uint8Array {
    return code < this.sharedCount ? this.shared.bytes : this.inline.bytes;
  }

  start(code: number): number {
    return code < this.sharedCount ? this.shared.start(code) : this.inline.start(code - this.sharedCount);
  }

  length(code: number): number {
    return code < this.sharedCount ? this.shared.length(code) : this.inline.length(code - this.sharedCount);
  }

  text(code: number): string {
    return code < this.sharedCount ? this.shared.text(code) : this.inline.text(code - this.sharedCount);
  }
}

const NO_MISFITS: ReadonlyMap<number, string> = new Map();

/** A batch over a filled target; the arrays are views, nothing is copied. */
export function makeBatch(
  target: ColumnTarget,
  texts: BatchTexts,
  index: number,
  rowBefore: number,
  misfits: ReadonlyMap<number, string> = NO_MISFITS,
): RawBatch {
  const { rowCount, capacity } = target;
  const rowNumbers = target.rowNumbers.subarray(0, rowCount);
  return {
    index,
    firstRow: rowNumbers[0]!,
    rowCount,
    rowNumbers,
    columns: Array.from({ length: target.width }, (_, slot) => ({
      tags: target.tags.subarray(slot * capacity, slot * capacity + rowCount),
      values: target.values.subarray(slot * capacity, slot * capacity + rowCount),
    })),
    texts,
    blankRows: rowNumbers[rowCount - 1]! - rowBefore - rowCount,
    misfits,
  };
}
