import { LOOKAHEAD_BYTES } from './chunk-window.ts';
import { ColumnTarget } from './column-target.ts';
import { DOUBLE_POWERS, INTEGER_POWERS, makeRowScanner, type RowScanner } from './row-scanner.ts';

const PAGE_BYTES = 65_536;
/** The highest code the scanner's integers hold. */
const MAX_CODE = 2 ** 31 - 1;
/** A cache line. */
const align = (place: number): number => (place + 63) & ~63;

export interface SheetTables {
  /** Tag of a number by cell style. */
  readonly tagOfStyle: Uint8Array;
  readonly sharedCount: number;
  readonly headerRow: number;
}

/** XML there is room for at first: a chunk of the inflater, and a row cut by its end. */
const INPUT_BYTES = (1 << 20) + (256 << 10);

/**
 * The memory that a sheet's scanner works in: its tables, the columns of one batch, and behind them the XML that is
 * being scanned, with room to grow. Each batch has one of its own, which lives as long as the batch does: its columns
 * are handed out as they stand.
 */
export class SheetMemory {
  readonly scanner: RowScanner;
  target: ColumnTarget;
  /** All of the memory, as it is now. */
  bytes: Uint8Array<ArrayBuffer>;
  /** Where the XML begins. */
  readonly inputStart: number;
  private readonly memory: WebAssembly.Memory;
  private readonly sheetColumns: readonly number[];
  private readonly capacity: number;
  private readonly tables: SheetTables;
  private readonly places: { readonly rowNumbers: number; readonly values: number; readonly tags: number };

  /** @param sheetColumns 0-based sheet columns, in the order of the batch's columns. */
  constructor(sheetColumns: readonly number[], capacity: number, tables: SheetTables) {
    this.sheetColumns = sheetColumns;
    this.capacity = capacity;
    this.tables = tables;
    const { tagOfStyle, sharedCount, headerRow } = tables;
    const cells = sheetColumns.length * capacity;
    const doublePowers = align(1);
    const integerPowers = align(doublePowers + DOUBLE_POWERS.byteLength);
    const baseOfColumn = align(integerPowers + INTEGER_POWERS.byteLength);
    const styles = align(baseOfColumn + ColumnTarget.baseTableBytes);
    const rowNumbers = align(styles + tagOfStyle.length);
    const values = align(rowNumbers + capacity * 4);
    const tags = align(values + cells * 8);
    this.inputStart = align(tags + cells);
    this.places = { rowNumbers, values, tags };
    this.memory = new WebAssembly.Memory({ initial: Math.ceil((this.inputStart + INPUT_BYTES) / PAGE_BYTES) });
    this.scanner = makeRowScanner(this.memory);
    const { buffer } = this.memory;
    this.bytes = new Uint8Array(buffer);
    this.target = this.openTarget();
    new Float64Array(buffer, doublePowers).set(DOUBLE_POWERS);
    new BigUint64Array(buffer, integerPowers).set(INTEGER_POWERS);
    new Int32Array(buffer, baseOfColumn).set(this.target.baseOfColumn);
    this.bytes.set(tagOfStyle, styles);
    const codes = Math.min(sharedCount, MAX_CODE);
    this.scanner.configure(styles, tagOfStyle.length, baseOfColumn, doublePowers, integerPowers, codes, headerRow);
    this.scanner.openBatch(values, tags, rowNumbers, capacity);
  }

  /** Makes room for so many bytes of XML. */
  reserve(inputBytes: number): void {
    const missing = this.inputStart + inputBytes - this.bytes.length;
    if (missing > 0) {
      this.memory.grow(Math.ceil(missing / PAGE_BYTES));
      this.bytes = new Uint8Array(this.memory.buffer);
      const { rowCount } = this.target;
      this.target = this.openTarget();
      this.target.rowCount = rowCount;
    }
  }

  /** The memory of the next batch, with the XML in bytes[start, end) moved to its beginning there. */
  succeed(start: number, end: number): SheetMemory {
    const next = new SheetMemory(this.sheetColumns, this.capacity, this.tables);
    next.reserve(end - start + LOOKAHEAD_BYTES);
    next.bytes.set(this.bytes.subarray(start, end), next.inputStart);
    const { lastRow, highestRow, highestColumn } = this.scanner;
    next.scanner.lastRow.value = lastRow.value;
    next.scanner.highestRow.value = highestRow.value;
    next.scanner.settledRow.value = highestRow.value;
    next.scanner.highestColumn.value = highestColumn.value;
    return next;
  }

  private openTarget(): ColumnTarget {
    const { buffer } = this.memory;
    const { rowNumbers, values, tags } = this.places;
    const cells = this.sheetColumns.length * this.capacity;
    return new ColumnTarget(this.sheetColumns, this.capacity, {
      rowNumbers: new Int32Array(buffer, rowNumbers, this.capacity),
      values: new Float64Array(buffer, values, cells),
      tags: new Uint8Array(buffer, tags, cells),
    });
  }
}
