import { refuseDamaged } from './limits.ts';
import { MAX_SHEET_COLUMNS } from './raw-batch.ts';

/** Column numbers three letters can spell (ZZZ), so that looking one up needs no bounds check. */
const SPELLABLE_COLUMNS = 18_279;

interface TargetCells {
  readonly tags: Uint8Array<ArrayBuffer>;
  readonly values: Float64Array<ArrayBuffer>;
  readonly rowNumbers: Int32Array<ArrayBuffer>;
}

/**
 * Where a scanner puts cells: one tag and one number a cell, each column contiguous. Sheet columns without a slot are
 * passed over.
 */
export class ColumnTarget {
  readonly tags: Uint8Array<ArrayBuffer>;
  readonly values: Float64Array<ArrayBuffer>;
  readonly rowNumbers: Int32Array<ArrayBuffer>;
  readonly width: number;
  readonly capacity: number;
  /** Place of a column's first cell by 1-based sheet column; -1 where the column is not wanted. */
  readonly baseOfColumn: Int32Array;
  rowCount = 0;

  static readonly baseTableBytes = (SPELLABLE_COLUMNS + 1) * 4;

  /**
   * @param sheetColumns 0-based sheet columns, in the order of the slots.
   * @param cells where the cells go, where that is not for the target to choose.
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

  /** Takes back whatever was written to the row that is not committed yet. */
  clearRow(row: number): void {
    for (let slot = 0; slot < this.width; slot += 1) {
      this.tags[slot * this.capacity + row] = 0;
      this.values[slot * this.capacity + row] = 0;
    }
  }

  /**
   * Brings rows into the order of their numbers.
   * @throws Refusal where two rows have the same one.
   */
  sortRows(): void {
    const order = Array.from({ length: this.rowCount }, (_, row) => row).sort(
      (left, right) => this.rowNumbers[left]! - this.rowNumbers[right]!,
    );
    for (let place = 1; place < order.length; place += 1) {
      if (this.rowNumbers[order[place]!] === this.rowNumbers[order[place - 1]!]) {
        throw refuseDamaged(`row ${this.rowNumbers[order[place]!]} is there twice`);
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
