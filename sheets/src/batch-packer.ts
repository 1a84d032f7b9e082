import { BYTES_OF, type ColumnForm } from './batch-column.ts';
import { CellTag } from './cell-tag.ts';
import { instantiate } from './compiled-code.ts';
import type { RawColumn } from './raw-batch.ts';

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
const align = (place: number): number => (place + 63) & ~63;

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
