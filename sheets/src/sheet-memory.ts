import { ColumnTarget } from './batches.ts';
import { LOOKAHEAD_BYTES } from './chunk-window.ts';
import { instantiate } from './compiled-code.ts';
import { MAX_SHEET_COLUMNS } from './raw-batch.ts';

/** Why a scan stopped. */
export const Stop = {
  /** The available bytes are scanned, except for a row that does not end within them. */
  more: 0,
  /** Something between rows, or a row's opening tag, in a form that the fast path does not know. */
  markup: 1,
  /** A cell, or a row's end, in such a form. */
  cell: 2,
  full: 3,
  /** A row with only texts, which is dropped if they are all blank. */
  undecidedRow: 4,
  badRow: 5,
  badColumn: 6,
  badSharedString: 7,
  /** A row whose number belongs to an earlier batch. */
  lateRow: 8,
  /** A cell with an inline text was read; the row continues after it. */
  textCell: 9,
} as const;

/** The compiled scanner's state: numbers that both sides read and write. */
interface RowScanner {
  readonly memory: WebAssembly.Memory;
  configure(
    tagOfStyle: number,
    styleCount: number,
    baseOfColumn: number,
    noBases: number,
    textColumns: number,
    doublePowers: number,
    integerPowers: number,
    sharedCount: number,
    hasBlankShared: number,
    headerRow: number,
  ): void;
  openBatch(values: number, tags: number, rowNumbers: number, capacity: number): void;
  openRow(start: number, rowNumber: number): void;
  closeRow(): void;
  keepRow(): number;
  countOuter(column: number): void;
  noteText(column: number): void;
  scan(start: number, limit: number, isWithinRow: number): number;
  readonly position: WebAssembly.Global;
  readonly rowStart: WebAssembly.Global;
  readonly rowLimit: WebAssembly.Global;
  readonly rowCount: WebAssembly.Global;
  readonly rowNumber: WebAssembly.Global;
  readonly lastRow: WebAssembly.Global;
  readonly column: WebAssembly.Global;
  readonly hasSolid: WebAssembly.Global;
  readonly hasText: WebAssembly.Global;
  readonly highestColumn: WebAssembly.Global;
  readonly highestRow: WebAssembly.Global;
  readonly settledRow: WebAssembly.Global;
  readonly isUnordered: WebAssembly.Global;
  readonly textCount: WebAssembly.Global;
  readonly openFormulas: WebAssembly.Global;
  readonly allOuterCells: WebAssembly.Global;
  readonly firstOfAllOuter: WebAssembly.Global;
  readonly lastOfAllOuter: WebAssembly.Global;
  readonly allOpenFormulas: WebAssembly.Global;
  readonly textStart: WebAssembly.Global;
  readonly textEnd: WebAssembly.Global;
}

/** Powers of ten for the scanner: doubles (0 to 22), and integers (0 to 8). */
const DOUBLE_POWERS = Float64Array.from({ length: 23 }, (_, power) => Number(`1e${power}`));
const INTEGER_POWERS = BigUint64Array.from({ length: 9 }, (_, power) => 10n ** BigInt(power));

const PAGE_BYTES = 65_536;
/** The highest code that fits the scanner's integers. */
const MAX_CODE = 2 ** 31 - 1;
/** A cache line. */
const align = (index: number): number => (index + 63) & ~63;

export interface SheetTables {
  /** Tag of a number by cell style. */
  readonly tagOfStyle: Uint8Array;
  readonly sharedCount: number;
  readonly hasBlankShared: boolean;
  readonly headerRow: number;
}

/** Initial space for XML: a chunk of the inflater, and a row cut by its end. */
const INPUT_BYTES = (1 << 20) + (256 << 10);

/** What one batch's scanner passes to the next one's. */
const KEPT = [
  'lastRow',
  'highestRow',
  'highestColumn',
  'allOuterCells',
  'firstOfAllOuter',
  'lastOfAllOuter',
  'allOpenFormulas',
] as const;

/**
 * The memory of a sheet's scanner: its tables, the columns of one batch, and after them the XML that is being scanned,
 * with space to grow. Each batch has its own memory, which lives as long as the batch does: its columns are returned in
 * place.
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
  private readonly places: {
    readonly rowNumbers: number;
    readonly values: number;
    readonly tags: number;
    readonly textColumns: number;
  };

  /** @param sheetColumns 0-based sheet columns, in the order of the batch's columns */
  constructor(sheetColumns: readonly number[], capacity: number, tables: SheetTables) {
    this.sheetColumns = sheetColumns;
    this.capacity = capacity;
    this.tables = tables;
    const { tagOfStyle, sharedCount, hasBlankShared, headerRow } = tables;
    const cells = sheetColumns.length * capacity;
    const doublePowers = align(1);
    const integerPowers = align(doublePowers + DOUBLE_POWERS.byteLength);
    const baseOfColumn = align(integerPowers + INTEGER_POWERS.byteLength);
    const noBases = align(baseOfColumn + ColumnTarget.baseTableBytes);
    const textColumns = align(noBases + ColumnTarget.baseTableBytes);
    const styles = align(textColumns + MAX_SHEET_COLUMNS * 4);
    const rowNumbers = align(styles + tagOfStyle.length);
    const values = align(rowNumbers + capacity * 4);
    const tags = align(values + cells * 8);
    this.inputStart = align(tags + cells);
    this.places = { rowNumbers, values, tags, textColumns };
    this.memory = new WebAssembly.Memory({ initial: Math.ceil((this.inputStart + INPUT_BYTES) / PAGE_BYTES) });
    this.scanner = instantiate<RowScanner>('row-scanner', this.memory);
    const { buffer } = this.memory;
    this.bytes = new Uint8Array(buffer);
    this.target = this.openTarget();
    new Float64Array(buffer, doublePowers).set(DOUBLE_POWERS);
    new BigUint64Array(buffer, integerPowers).set(INTEGER_POWERS);
    new Int32Array(buffer, baseOfColumn).set(this.target.baseOfColumn);
    this.bytes.fill(0xff, noBases, noBases + ColumnTarget.baseTableBytes);
    this.bytes.set(tagOfStyle, styles);
    this.scanner.configure(
      styles,
      tagOfStyle.length,
      baseOfColumn,
      noBases,
      textColumns,
      doublePowers,
      integerPowers,
      Math.min(sharedCount, MAX_CODE),
      hasBlankShared ? 1 : 0,
      headerRow,
    );
    this.scanner.openBatch(values, tags, rowNumbers, capacity);
  }

  /** Reserves space for this many bytes of XML. */
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

  /** The columns (1-based) with a text in the row being read; undefined if it has more such cells than a row can. */
  textColumns(): Int32Array | undefined {
    const count = this.scanner.textCount.value;
    return count > MAX_SHEET_COLUMNS ? undefined : new Int32Array(this.memory.buffer, this.places.textColumns, count);
  }

  /** The memory of the next batch, with the XML in bytes[start, end) moved to its beginning. */
  succeed(start: number, end: number): SheetMemory {
    const next = new SheetMemory(this.sheetColumns, this.capacity, this.tables);
    next.reserve(end - start + LOOKAHEAD_BYTES);
    next.bytes.set(this.bytes.subarray(start, end), next.inputStart);
    for (const name of KEPT) {
      next.scanner[name].value = this.scanner[name].value;
    }
    next.scanner.settledRow.value = this.scanner.highestRow.value;
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
