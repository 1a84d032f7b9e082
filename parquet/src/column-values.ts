import { IncompleteFile } from '@tapeline/sheets/faults.ts';
import {
  ColumnFiles,
  type ColumnPages,
  type DataPage,
  PageReader,
  type PhysicalType,
  UnfamiliarParquet,
} from './column-pages.ts';
import { HybridRuns, MAX_WIDTH } from './hybrid-runs.ts';

/**
 * The form of a column's values: a decimal is two 32-bit halves, low first; a text is its index in a list, from 1, or
 * 0.
 */
export type ValueKind = 'double' | 'integer' | 'decimal' | 'boolean' | 'listed';

export type ColumnArray = Float64Array | Int32Array | Uint8Array;

/** Rows that are read at a time. */
export const BLOCK_ROWS = 4096;

/** Up to this many literals are compared one by one. */
const FEW_LITERALS = 8;

const TYPE_OF: Record<ValueKind, PhysicalType> = {
  double: 'double',
  integer: 'int32',
  decimal: 'int64',
  boolean: 'boolean',
  listed: 'text',
};
const BYTES_OF = { double: 8, integer: 4, decimal: 8, boolean: 0, listed: 0 } as const;

/** Reads a column block by block, row group by row group. */
export class ColumnValues {
  /** Values of the last block. A missing text has index 0; other missing values are undefined. */
  readonly values: ColumnArray;
  readonly present = new Uint8Array(BLOCK_ROWS).fill(1);
  private readonly kind: ValueKind;
  private readonly bytes: Uint8Array;
  private readonly indexes = new Int32Array(BLOCK_ROWS);
  private readonly literals: readonly Buffer[];
  /** The same by their bytes, one character for each byte; null if there are few. */
  private readonly indexOfText: ReadonlyMap<string, number> | null;
  private readonly lengths: ReadonlySet<number>;
  private column: ColumnPages | null = null;
  private dictionary: ColumnArray | null = null;
  private nextPage = 0;
  private page: OpenPage | null = null;
  /** Whether a row of the last block lacks the value. */
  private lacks = false;

  /** @param literals the texts whose indexes are returned */
  constructor(kind: ValueKind, literals: readonly string[] = []) {
    this.kind = kind;
    if (kind === 'double') this.values = new Float64Array(BLOCK_ROWS);
    else if (kind === 'boolean') this.values = new Uint8Array(BLOCK_ROWS);
    else this.values = new Int32Array(kind === 'decimal' ? BLOCK_ROWS * 2 : BLOCK_ROWS);
    this.bytes = new Uint8Array(this.values.buffer);
    this.literals = literals.map((text) => Buffer.from(text));
    this.lengths = new Set(this.literals.map(({ length }) => length));
    const indexes = this.literals.map((literal, at): [string, number] => [literal.toString('latin1'), at + 1]);
    // For texts that are listed twice the first index counts.
    this.indexOfText = indexes.length > FEW_LITERALS ? new Map(indexes.reverse()) : null;
  }

  /** Moves to the next row group. @throws UnfamiliarParquet if its column has another type */
  begin(column: ColumnPages): void {
    if (column.type !== TYPE_OF[this.kind]) throw new UnfamiliarParquet('a column is of another physical type');
    this.column = column;
    this.dictionary = column.dictionary === null ? null : this.readDictionary(column.dictionary);
    this.nextPage = 0;
    this.page = null;
  }

  /** Reads the next `rows`, at most BLOCK_ROWS. @returns whether any of them lacks the value */
  read(rows: number): boolean {
    // The whole array: the last block can have been longer than this one.
    if (this.lacks) this.present.fill(1);
    this.lacks = false;
    for (let done = 0; done < rows; ) {
      if (this.page === null || this.page.left === 0) {
        const page = this.column?.pages[this.nextPage];
        if (page === undefined) throw new Error('a Parquet column has fewer values than rows');
        this.page = openPage(page, this.column!.isOptional);
        this.nextPage += 1;
        continue;
      }
      const taken = Math.min(this.page.left, rows - done);
      this.readFrom(this.page, done, taken);
      this.page.left -= taken;
      done += taken;
    }
    return this.lacks;
  }

  private readFrom(page: OpenPage, from: number, count: number): void {
    const { present } = this;
    let there = count;
    // In most pages no row lacks the value, and one run says so.
    if (page.levels !== null && !page.levels.skipRunOf(1, count)) {
      page.levels.read(present, from, count);
      there = 0;
      for (let row = from; row < from + count; row += 1) there += present[row]!;
      if (there < count) this.lacks = true;
    }
    if (page.runs !== null) this.look(page.runs, from, there);
    else this.copy(page, from, there);
    if (there < count) this.spread(from, count, there);
  }

  /** Values by their index in the dictionary. */
  private look(runs: HybridRuns, from: number, count: number): void {
    const { dictionary, indexes, values, kind } = this;
    if (dictionary === null) throw new Error('a Parquet page lacks its dictionary');
    runs.read(indexes, 0, count);
    if (kind === 'decimal') {
      lookUpHalves(dictionary as Int32Array, indexes, values as Int32Array, from, count);
    } else if (kind === 'double') lookUp(dictionary as Float64Array, indexes, values as Float64Array, from, count);
    else lookUpIntegers(dictionary as Int32Array, indexes, values as Int32Array, from, count);
  }

  private copy(page: OpenPage, from: number, count: number): void {
    const { bytes, at } = page;
    if (this.kind === 'boolean') {
      for (let row = 0; row < count; row += 1) {
        const bit = page.bit + row;
        this.values[from + row] = (bytes[at + (bit >> 3)]! >> (bit & 7)) & 1;
      }
      page.bit += count;
      return;
    }
    if (this.kind === 'listed') {
      for (let row = 0; row < count; row += 1) {
        const length = textLength(bytes, page.at);
        this.values[from + row] = this.indexOf(bytes, page.at + 4, length);
        page.at += 4 + length;
      }
      return;
    }
    const width = BYTES_OF[this.kind];
    if (at + count * width > bytes.length) throw new IncompleteFile('a Parquet page is cut off');
    this.bytes.set(bytes.subarray(at, at + count * width), from * width);
    page.at += count * width;
  }

  /** Values are stored without gaps: moves them to the rows that have one, from the last on. */
  private spread(from: number, count: number, there: number): void {
    const { values, present, kind } = this;
    if (kind === 'double') spreadNumbers(values as Float64Array, present, from, count, there);
    else if (kind === 'decimal') spreadHalves(values as Int32Array, present, from, count, there);
    else if (kind === 'boolean') spreadBytes(values as Uint8Array, present, from, count, there);
    else spreadIntegers(values as Int32Array, present, from, count, there);
  }

  private readDictionary({ values, bytes }: { values: number; bytes: Buffer }): ColumnArray {
    if (this.kind === 'boolean') throw new UnfamiliarParquet('booleans are encoded by a dictionary');
    if (this.kind === 'listed') {
      const indexes = new Int32Array(values);
      for (let [entry, at] = [0, 0]; entry < values; entry += 1) {
        const length = textLength(bytes, at);
        indexes[entry] = this.indexOf(bytes, at + 4, length);
        at += 4 + length;
      }
      return indexes;
    }
    const width = BYTES_OF[this.kind];
    if (bytes.length < values * width) throw new IncompleteFile('a Parquet dictionary is cut off');
    // A slice of a Buffer would share its memory, at any offset.
    const copy = Uint8Array.prototype.slice.call(bytes, 0, values * width);
    return this.kind === 'double' ? new Float64Array(copy.buffer) : new Int32Array(copy.buffer);
  }

  private indexOf(bytes: Buffer, from: number, length: number): number {
    if (!this.lengths.has(length)) return 0;
    if (this.indexOfText !== null) return this.indexOfText.get(bytes.toString('latin1', from, from + length)) ?? 0;
    for (let at = 0; at < this.literals.length; at += 1) {
      const literal = this.literals[at]!;
      if (literal.length === length && literal.compare(bytes, from, from + length) === 0) return at + 1;
    }
    return 0;
  }
}

/** A page that is being read. */
interface OpenPage {
  readonly bytes: Buffer;
  /** Null if no row lacks the value. */
  readonly levels: HybridRuns | null;
  /** Indexes in the dictionary; null if the values are plain. */
  readonly runs: HybridRuns | null;
  /** Position of the next plain value; the bits of booleans are counted from it. */
  at: number;
  bit: number;
  left: number;
}

export function openPage({ bytes, values, isByDictionary }: DataPage, isOptional: boolean): OpenPage {
  let at = 0;
  let levels: HybridRuns | null = null;
  if (isOptional) {
    const end = 4 + textLength(bytes, 0);
    levels = new HybridRuns(bytes, 4, end, 1);
    at = end;
  }
  let runs: HybridRuns | null = null;
  if (isByDictionary) {
    const width = bytes[at] ?? 0;
    if (width > MAX_WIDTH) throw new UnfamiliarParquet('a dictionary is too large');
    runs = new HybridRuns(bytes, at + 1, bytes.length, width);
  }
  return { bytes, levels, runs, at, bit: 0, left: values };
}

/** The length before a text or before levels. @throws Error if it does not fit the page */
export function textLength(bytes: Uint8Array, at: number): number {
  const length = (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
  if (!(at + 4 + length <= bytes.length)) throw new IncompleteFile('a Parquet page is cut off');
  return length;
}

// One function for each type of array, so that the compiler can specialize it.
function lookUp(
  dictionary: Float64Array,
  indexes: Int32Array,
  target: Float64Array,
  from: number,
  count: number,
): void {
  for (let at = 0; at < count; at += 1) target[from + at] = dictionary[indexes[at]!]!;
}

function lookUpIntegers(
  dictionary: Int32Array,
  indexes: Int32Array,
  target: Int32Array,
  from: number,
  count: number,
): void {
  for (let at = 0; at < count; at += 1) target[from + at] = dictionary[indexes[at]!]!;
}

function lookUpHalves(
  dictionary: Int32Array,
  indexes: Int32Array,
  target: Int32Array,
  from: number,
  count: number,
): void {
  for (let at = 0; at < count; at += 1) {
    const half = indexes[at]! * 2;
    target[(from + at) * 2] = dictionary[half]!;
    target[(from + at) * 2 + 1] = dictionary[half + 1]!;
  }
}

function spreadNumbers(values: Float64Array, present: Uint8Array, from: number, count: number, there: number): void {
  let next = from + there;
  for (let row = from + count - 1; row >= from; row -= 1) {
    if (present[row] === 0) continue;
    next -= 1;
    values[row] = values[next]!;
  }
}

function spreadHalves(values: Int32Array, present: Uint8Array, from: number, count: number, there: number): void {
  let next = from + there;
  for (let row = from + count - 1; row >= from; row -= 1) {
    if (present[row] === 0) continue;
    next -= 1;
    values[row * 2] = values[next * 2]!;
    values[row * 2 + 1] = values[next * 2 + 1]!;
  }
}

/** Missing values become 0. */
function spreadIntegers(values: Int32Array, present: Uint8Array, from: number, count: number, there: number): void {
  let next = from + there;
  for (let row = from + count - 1; row >= from; row -= 1) {
    if (present[row] === 0) values[row] = 0;
    else {
      next -= 1;
      values[row] = values[next]!;
    }
  }
}

function spreadBytes(values: Uint8Array, present: Uint8Array, from: number, count: number, there: number): void {
  let next = from + there;
  for (let row = from + count - 1; row >= from; row -= 1) {
    if (present[row] === 0) continue;
    next -= 1;
    values[row] = values[next]!;
  }
}

/** A column to read, and the form of its values. */
export interface ColumnToRead {
  readonly name: string;
  readonly kind: ValueKind;
  /** For `listed`: the texts whose indexes are returned. */
  readonly literals?: readonly string[];
  /** Whether rows may lack a value. Reading fails if one does although this is false; a listed text then has index 0. */
  readonly isOptional: boolean;
}

/** A block of rows, a typed array for each column. */
export interface ColumnBlock {
  /** Undefined where the row lacks a value, except that a missing text has index 0. */
  readonly values: readonly ColumnArray[];
  /** 1 where the row has a value, otherwise 0. */
  readonly present: readonly Uint8Array[];
}

/** Receives the next rows, at most BLOCK_ROWS. The arrays are reused for the next block. */
export type TakeBlock = (rows: number, block: ColumnBlock) => void;

const ALL_PRESENT = new Uint8Array(BLOCK_ROWS).fill(1);

/**
 * Reads columns of files, one row group after the other, block by block. A column may be named several times, in
 * different forms.
 * @param claim the index of the next row group to read, over all files; reading ends after the last one. Several threads
 *   that share it read each row group once
 * @throws UnfamiliarParquet if a column is missing, or in a form that this package does not read
 * @throws Error if a file is damaged, or a row lacks a value that it must have
 */
export async function readColumns(
  paths: readonly string[],
  columns: readonly ColumnToRead[],
  take: TakeBlock,
  claim: () => number,
): Promise<void> {
  const names = [...new Set(columns.map(({ name }) => name))];
  const files = await ColumnFiles.open(paths, names);
  const pages = new PageReader();
  try {
    const readers = columns.map(({ name, kind, literals, isOptional }) => ({
      values: new ColumnValues(kind, literals),
      chunk: names.indexOf(name),
      isRequired: !isOptional && kind !== 'listed',
    }));
    const block: ColumnBlock = {
      values: readers.map(({ values }) => values.values),
      present: readers.map(({ values }, at) => (columns[at]!.isOptional ? values.present : ALL_PRESENT)),
    };
    for (let group = files.rowGroups[claim()]; group !== undefined; group = files.rowGroups[claim()]) {
      const chunks = await pages.read(group);
      for (const { values, chunk } of readers) values.begin(chunks[chunk]!);
      for (let done = 0; done < group.rows; done += BLOCK_ROWS) {
        const rows = Math.min(BLOCK_ROWS, group.rows - done);
        for (const { values, isRequired } of readers) {
          if (values.read(rows) && isRequired) throw new Error('a Parquet column lacks values that it must have');
        }
        take(rows, block);
      }
    }
  } finally {
    pages.close();
    await files.close();
  }
}
