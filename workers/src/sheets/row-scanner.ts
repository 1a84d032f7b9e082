import { instantiate } from './compiled-code.ts';

/** Why a scan stopped. */
export const Stop = {
  /** The bytes at hand are scanned, but for a row that does not end in them. */
  more: 0,
  /** Something between rows, or a row's opening tag, in a form the fast path does not know. */
  markup: 1,
  /** A cell, or a row's end, in such a form. */
  cell: 2,
  /** The batch is full. */
  full: 3,
  /** A row that is read but perhaps not to be kept: at or above the header, or of texts only. */
  undecidedRow: 4,
  badRow: 5,
  badColumn: 6,
  badSharedString: 7,
  /** A row whose number belongs to a batch that is gone. */
  lateRow: 8,
  /** A cell that carries its own text was read; the row goes on behind it. */
  textCell: 9,
} as const;

/** The compiled scanner's state: numbers that both sides read and write. */
export interface RowScanner {
  readonly memory: WebAssembly.Memory;
  configure(
    tagOfStyle: number,
    styleCount: number,
    baseOfColumn: number,
    doublePowers: number,
    integerPowers: number,
    sharedCount: number,
    headerRow: number,
  ): void;
  openBatch(values: number, tags: number, rowNumbers: number, capacity: number): void;
  openRow(start: number, rowNumber: number): void;
  closeRow(): void;
  keepRow(): number;
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
  readonly refused: WebAssembly.Global;
  readonly textStart: WebAssembly.Global;
  readonly textEnd: WebAssembly.Global;
}

/** A scanner over a memory of its own. */
export const makeRowScanner = (memory: WebAssembly.Memory): RowScanner => instantiate('row-scanner', memory);

/** Powers of ten as the scanner looks them up: doubles (0 to 22), and integers (0 to 8). */
export const DOUBLE_POWERS = Float64Array.from({ length: 23 }, (_, power) => Number(`1e${power}`));
export const INTEGER_POWERS = BigUint64Array.from({ length: 9 }, (_, power) => 10n ** BigInt(power));
