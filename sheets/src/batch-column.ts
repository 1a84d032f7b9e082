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
