import { CellTag } from './cell-tag.ts';
import { instantiate } from './compiled-code.ts';
import type { RawColumn } from './raw-batch.ts';

/**
 * The form of a column in a batch file. Nothing is compressed: amounts in cents, days, codes of texts and counts are
 * whole numbers of a few bytes, everything else is close to random, and both open without decompression.
 */
export interface ColumnForm {
  /** Type of the numbers; `none` if all are 0. */
  readonly numbers: 'none' | 'int8' | 'int16' | 'int32' | 'double';
  /** A cell's number is the stored one divided by this. */
  readonly scale: number;
  /**
   * The tags that occur, ascending: a single one applies to every cell, of two each cell has a bit (1 for the second).
   */
  readonly tags: readonly number[];
}

const ARRAYS = { int8: Int8Array, int16: Int16Array, int32: Int32Array, double: Float64Array } as const;
/** Bytes of a number in each form. */
export const BYTES_OF = { none: 0, int8: 1, int16: 2, int32: 4, double: 8 } as const;

/**
 * The cells of a column, in new arrays.
 * @param bytes as `BatchPacker` packed them, at the start of their buffer
 * @param rows indexes of the wanted rows; all if omitted
 */
export function unpackColumn(
  form: ColumnForm,
  bytes: Uint8Array<ArrayBuffer>,
  rowCount: number,
  rows?: readonly number[],
): RawColumn {
  const numberBytes = rowCount * BYTES_OF[form.numbers];
  if (bytes.length !== numberBytes + tagBytes(form, rowCount)) {
    throw new Error('a column of the batch file has the wrong size');
  }
  return {
    values: unpackNumbers(form, bytes, rowCount, rows),
    tags: unpackTags(form, bytes.subarray(numberBytes), rowCount, rows),
  };
}

function unpackNumbers(
  { numbers, scale }: ColumnForm,
  bytes: Uint8Array<ArrayBuffer>,
  rowCount: number,
  rows: readonly number[] | undefined,
): Float64Array {
  if (numbers === 'none') return new Float64Array(rows?.length ?? rowCount);
  const stored = new ARRAYS[numbers](bytes.buffer, bytes.byteOffset, rowCount);
  const values = rows === undefined ? new Float64Array(stored) : new Float64Array(rows.length);
  // `Float64Array.from` with a function takes ten times as long.
  if (rows !== undefined) for (let at = 0; at < rows.length; at += 1) values[at] = stored[rows[at]!]!;
  if (scale !== 1) {
    for (let row = 0; row < values.length; row += 1) {
      values[row] = values[row]! / scale;
    }
  }
  return values;
}

function unpackTags(
  { tags }: ColumnForm,
  bytes: Uint8Array,
  rowCount: number,
  rows: readonly number[] | undefined,
): Uint8Array {
  if (tags.length > 2 && rows === undefined) return bytes.slice();
  const [first = 0, second = 0] = tags;
  const unpacked = new Uint8Array(rows?.length ?? rowCount).fill(first);
  if (tags.length < 2) return unpacked;
  for (let at = 0; at < unpacked.length; at += 1) {
    const row = rows === undefined ? at : rows[at]!;
    unpacked[at] = tags.length > 2 ? bytes[row]! : (bytes[row >> 3]! >> (row & 7)) & 1 ? second : first;
  }
  return unpacked;
}

function tagBytes({ tags }: ColumnForm, rowCount: number): number {
  return tags.length > 2 ? rowCount : tags.length === 2 ? (rowCount + 7) >> 3 : 0;
}

/** The functions that sheets/scanner/batch-packer.ts compiles to. */
interface PackerModule {
  readonly lowest: WebAssembly.Global;
  readonly highest: WebAssembly.Global;
  tagsOf(tags: number, count: number): number;
  packTags(tags: number, count: number, tag: number, target: number): void;
  mapTexts(values: number, tags: number, count: number, ownCodes: number, met: number, metCount: number): number;
  makeWhole(values: number, count: number, target: number): number;
  makeScaled(values: number, count: number, scale: number, target: number): number;
  narrowToTwoBytes(numbers: number, count: number): void;
  narrowToOneByte(numbers: number, count: number): void;
}

/** Amounts in cents, and rates in hundredths of a percent. */
const SCALES = [100, 10_000];
const PAGE_BYTES = 65_536;
/** The compiled code processes this many cells at once, also past the last one. */
const STRIDE = 16;
const TEXT_TAGS = (1 << CellTag.text) | (1 << CellTag.error);
/** A packer with more memory than this is not reused. */
const KEPT_BYTES = 96 << 20;

/** A cache line. */
const align = (index: number): number => (index + 63) & ~63;

let idle: BatchPacker | undefined;

/**
 * Packs the columns of batches, one batch at a time, in a reused memory: a batch of 100,000 rows and 40 columns takes a
 * few milliseconds, without new pages that the system would have to clear.
 */
export class BatchPacker {
  readonly #memory = new WebAssembly.Memory({ initial: 1 });
  readonly #module: PackerModule = instantiate('batch-packer', this.#memory);
  #bytes = new Uint8Array(this.#memory.buffer);
  #rowCount = 0;
  #values = 0;
  #tags = 0;
  #ownCodes = 0;
  #met = 0;
  #metCount = 0;
  /** Where the next section goes. */
  #next = 0;

  private constructor() {}

  /** A packer for a batch of this size. The caller must give it back. */
  static take(size: { rowCount: number; columns: number; codes: number }): BatchPacker {
    const packer = idle ?? new BatchPacker();
    idle = undefined;
    packer.#open(size);
    return packer;
  }

  /** To be called once nothing that was packed is used any more. */
  giveBack(): void {
    if (this.#bytes.length <= KEPT_BYTES) idle = this;
  }

  #open({ rowCount, columns, codes }: { rowCount: number; columns: number; codes: number }): void {
    const padded = (rowCount + STRIDE - 1) & ~(STRIDE - 1);
    this.#rowCount = rowCount;
    this.#values = align(1);
    this.#tags = align(this.#values + padded * 8);
    this.#ownCodes = align(this.#tags + padded);
    this.#met = align(this.#ownCodes + codes * 4);
    this.#metCount = 0;
    this.#next = align(this.#met + codes * 4);
    // Row numbers, and at most the input size of each column.
    const needed = this.#next + align(padded * 4) + columns * align(padded * 9);
    const missing = needed - this.#bytes.length;
    if (missing > 0) {
      this.#memory.grow(Math.ceil(missing / PAGE_BYTES));
      this.#bytes = new Uint8Array(this.#memory.buffer);
    }
    this.#bytes.fill(0, this.#ownCodes, this.#ownCodes + codes * 4);
  }

  /**
   * Packs a column: its numbers, then its tags. Texts and errors get codes local to the batch, in order of appearance.
   */
  pack({ tags, values }: RawColumn): { form: ColumnForm; bytes: Uint8Array } {
    const rowCount = this.#rowCount;
    const padding = STRIDE * 8;
    const valuesEnd = this.#values + rowCount * 8;
    this.#bytes.fill(0, valuesEnd, Math.min(valuesEnd + padding, this.#tags));
    new Float64Array(this.#memory.buffer, this.#values, rowCount).set(values);
    this.#bytes.set(tags, this.#tags);
    const present = this.#module.tagsOf(this.#tags, rowCount);
    if ((present & TEXT_TAGS) !== 0) {
      const [from, known] = [this.#values, this.#metCount];
      this.#metCount = this.#module.mapTexts(from, this.#tags, rowCount, this.#ownCodes, this.#met, known);
    }
    const start = this.#next;
    const { numbers, scale } = this.#packNumbers(start);
    const form = { numbers, scale, tags: tagList(present) };
    const end = this.#packTags(start + rowCount * BYTES_OF[numbers], form.tags);
    this.#next = align(end);
    return { form, bytes: this.#bytes.subarray(start, end) };
  }

  /** A copy of these bytes. */
  keep(array: Int32Array): Uint8Array {
    const start = this.#next;
    const end = start + array.byteLength;
    this.#bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), start);
    this.#next = align(end);
    return this.#bytes.subarray(start, end);
  }

  /** The original codes of texts and errors, by their new ones. */
  get metCodes(): Uint32Array {
    return new Uint32Array(this.#memory.buffer, this.#met, this.#metCount);
  }

  #packNumbers(target: number): Pick<ColumnForm, 'numbers' | 'scale'> {
    const module = this.#module;
    const [values, rowCount] = [this.#values, this.#rowCount];
    const scale =
      module.makeWhole(values, rowCount, target) !== 0
        ? 1
        : SCALES.find((candidate) => module.makeScaled(values, rowCount, candidate, target) !== 0);
    if (scale === undefined) {
      this.#bytes.copyWithin(target, values, values + rowCount * 8);
      return { numbers: 'double', scale: 1 };
    }
    const [lowest, highest]: [number, number] = [module.lowest.value, module.highest.value];
    if (lowest === 0 && highest === 0) return { numbers: 'none', scale };
    if (lowest >= -0x80 && highest < 0x80) {
      module.narrowToOneByte(target, rowCount);
      return { numbers: 'int8', scale };
    }
    if (lowest >= -0x8000 && highest < 0x8000) {
      module.narrowToTwoBytes(target, rowCount);
      return { numbers: 'int16', scale };
    }
    return { numbers: 'int32', scale };
  }

  /** @returns where they end */
  #packTags(target: number, present: readonly number[]): number {
    const rowCount = this.#rowCount;
    if (present.length > 2) {
      this.#bytes.copyWithin(target, this.#tags, this.#tags + rowCount);
      return target + rowCount;
    }
    if (present.length === 2) {
      this.#module.packTags(this.#tags, rowCount, present[1]!, target);
      return target + ((rowCount + 7) >> 3);
    }
    return target;
  }
}

const tagList = (present: number): number[] =>
  Array.from({ length: 8 }, (_, tag) => tag).filter((tag) => (present >> tag) & 1);
