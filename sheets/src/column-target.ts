import { refuseDamaged } from './limits.ts';
import { MAX_SHEET_COLUMNS } from './raw-batch.ts';

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
    for (let place = 1; place < order.length; place += 1) {
      if (this.rowNumbers[order[place]!] === this.rowNumbers[order[place - 1]!]) {
        throw refuseDamaged(`row ${this.rowNumbers[order[place]!]} occurs twice`);
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
