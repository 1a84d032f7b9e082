import type { RawColumn } from './raw-batch.ts';

/**
 * How a column lies in a batch file. Nothing is compressed: money in cents, days, codes of texts and counts are whole
 * numbers that fit a few bytes, what does not is as good as random, and neither costs time to open.
 */
export interface ColumnForm {
  /** Type of the numbers; `none` where all are 0. */
  readonly numbers: 'none' | 'int8' | 'int16' | 'int32' | 'double';
  /** A cell's number is the stored one divided by this. */
  readonly scale: number;
  /** The tags there are, ascending: one alone is every cell's, of two there is a bit a cell (1 for the second). */
  readonly tags: readonly number[];
}

/** Money in cents, and rates in hundredths of a percent. */
const SCALES = [100, 10_000];
const INTEGERS = { int8: Int8Array, int16: Int16Array, int32: Int32Array } as const;
const BYTES_OF = { none: 0, int8: 1, int16: 2, int32: 4, double: 8 } as const;

/** The bytes of a column: its numbers, then its tags. Every bit of every number comes back. */
export function packColumn({ tags, values }: RawColumn): { form: ColumnForm; bytes: Uint8Array<ArrayBuffer> } {
  const rowCount = tags.length;
  const scaled = new Int32Array(rowCount);
  const scale = areWhole(values, scaled) ? 1 : (SCALES.find((candidate) => areScaled(values, candidate, scaled)) ?? 0);
  const numbers = scale === 0 ? 'double' : narrowest(scaled);
  const present = tagsOf(tags);
  const form: ColumnForm = { numbers, scale: scale === 0 ? 1 : scale, tags: present };
  const numberBytes = rowCount * BYTES_OF[numbers];
  const bytes = new Uint8Array(numberBytes + tagBytes(form, rowCount));
  if (numbers === 'double') {
    new Float64Array(bytes.buffer, 0, rowCount).set(values);
  } else if (numbers !== 'none') {
    new INTEGERS[numbers](bytes.buffer, 0, rowCount).set(scaled);
  }
  if (present.length > 2) {
    bytes.set(tags, numberBytes);
  } else if (present.length === 2) {
    const second = present[1]!;
    for (let row = 0; row < rowCount; row += 1) {
      if (tags[row] === second) {
        const at = numberBytes + (row >> 3);
        bytes[at] = bytes[at]! | (1 << (row & 7));
      }
    }
  }
  return { form, bytes };
}

/** @param bytes what `packColumn` made; the buffer begins with them. */
export function unpackColumn(form: ColumnForm, bytes: Uint8Array<ArrayBuffer>, rowCount: number): RawColumn {
  const numberBytes = rowCount * BYTES_OF[form.numbers];
  if (bytes.length !== numberBytes + tagBytes(form, rowCount)) {
    throw new Error('a column of the batch file has the wrong size');
  }
  return {
    values: unpackNumbers(form, bytes, rowCount),
    tags: unpackTags(form, bytes.subarray(numberBytes), rowCount),
  };
}

function unpackNumbers({ numbers, scale }: ColumnForm, bytes: Uint8Array<ArrayBuffer>, rowCount: number): Float64Array {
  if (numbers === 'none') {
    return new Float64Array(rowCount);
  }
  if (numbers === 'double') {
    return new Float64Array(bytes.buffer, bytes.byteOffset, rowCount);
  }
  const values = new Float64Array(new INTEGERS[numbers](bytes.buffer, bytes.byteOffset, rowCount));
  if (scale !== 1) {
    for (let row = 0; row < rowCount; row += 1) {
      values[row] = values[row]! / scale;
    }
  }
  return values;
}

function unpackTags({ tags }: ColumnForm, bytes: Uint8Array, rowCount: number): Uint8Array {
  if (tags.length > 2) {
    return bytes;
  }
  const unpacked = new Uint8Array(rowCount).fill(tags[0] ?? 0);
  if (tags.length === 2) {
    const [first, second] = [tags[0]!, tags[1]!];
    for (let row = 0; row < rowCount; row += 1) {
      unpacked[row] = (bytes[row >> 3]! >> (row & 7)) & 1 ? second : first;
    }
  }
  return unpacked;
}

/** Whether every number is a 32-bit integer; they are in `whole` then. */
function areWhole(values: Float64Array, whole: Int32Array): boolean {
  for (let row = 0; row < whole.length; row += 1) {
    const value = values[row]!;
    // -0 equals 0 but is another number
    if ((value | 0) !== value || (value === 0 && 1 / value < 0)) {
      return false;
    }
    whole[row] = value;
  }
  return true;
}

/** Whether every number is a 32-bit integer divided by the scale, to the last bit; the integers are in `scaled` then. */
function areScaled(values: Float64Array, scale: number, scaled: Int32Array): boolean {
  for (let row = 0; row < scaled.length; row += 1) {
    const value = values[row]!;
    const whole = Math.round(value * scale) | 0;
    if (whole / scale !== value || (value === 0 && 1 / value < 0)) {
      return false;
    }
    scaled[row] = whole;
  }
  return true;
}

function narrowest(scaled: Int32Array): ColumnForm['numbers'] {
  let lowest = 0;
  let highest = 0;
  for (let row = 0; row < scaled.length; row += 1) {
    const value = scaled[row]!;
    if (value < lowest) lowest = value;
    else if (value > highest) highest = value;
  }
  if (lowest === 0 && highest === 0) return 'none';
  if (lowest >= -0x80 && highest < 0x80) return 'int8';
  return lowest >= -0x8000 && highest < 0x8000 ? 'int16' : 'int32';
}

function tagsOf(tags: Uint8Array): number[] {
  let seen = 0;
  for (let row = 0; row < tags.length; row += 1) {
    seen |= 1 << tags[row]!;
  }
  return Array.from({ length: 8 }, (_, tag) => tag).filter((tag) => (seen >> tag) & 1);
}

function tagBytes({ tags }: ColumnForm, rowCount: number): number {
  return tags.length > 2 ? rowCount : tags.length === 2 ? (rowCount + 7) >> 3 : 0;
}
