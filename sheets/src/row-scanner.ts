import { instantiate } from './compiled-code.ts';

/** Why a scan stopped. */
export const Stop = {
  /** The available bytes are scanned, except for a row that does not end within them. */
  more: 0,
  /** Something between rows, or a row's opening tag, in a form that the fast path does not know. */
  markup: 1,
  /** A cell, or a row's end, in such a form. */
  cell: 2,
  /** The batch is full. */
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
export interface RowScanner {
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

/** A scanner over its own memory. */
export const makeRowScanner = (memory: WebAssembly.Memory): RowScanner => instantiate('row-scanner', memory);

/** Powers of ten for the scanner: doubles (0 to 22), and integers (0 to 8). */
export const DOUBLE_POWERS = Float64Array.from({ length: 23 }, (_, power) => Number(`1e${power}`));
export const INTEGER_POWERS = BigUint64Array.from({ length: 9 }, (_, power) => 10n ** BigInt(power));
