import { BYTES_OF, type ColumnForm } from '../batch-column.ts';
import { CellTag } from '../cell-tag.ts';
import type { RawColumn } from '../raw-batch.ts';

/**
 * The columns of a batch in the form of a batch file, written to be obviously correct: the compiled packer must produce
 * the same bytes.
 * @returns the columns, and the original codes of texts and errors by their new ones
 */
export function packPlainly(columns: readonly RawColumn[]): {
  packed: { form: ColumnForm; bytes: Uint8Array<ArrayBuffer> }[];
  codes: number[];
} {
  const places = new Map<number, number>();
  const packed = columns.map(({ tags, values }) => {
    const own = values.map((value, row) => {
      if (tags[row] !== CellTag.text && tags[row] !== CellTag.error) return value;
      if (!places.has(value)) places.set(value, places.size);
      return places.get(value)!;
    });
    return packColumn({ tags, values: own });
  });
  return { packed, codes: [...places.keys()] };
}

const SCALES = [100, 10_000];
const INTEGERS = { int8: Int8Array, int16: Int16Array, int32: Int32Array } as const;

/** The bytes of a column: its numbers, then its tags. */
function packColumn({ tags, values }: RawColumn): { form: ColumnForm; bytes: Uint8Array<ArrayBuffer> } {
  const rowCount = tags.length;
  const scaled = new Int32Array(rowCount);
  const scale = areWhole(values, scaled) ? 1 : (SCALES.find((candidate) => areScaled(values, candidate, scaled)) ?? 0);
  const numbers = scale === 0 ? 'double' : narrowest(scaled);
  const present = tagsOf(tags);
  const form: ColumnForm = { numbers, scale: scale === 0 ? 1 : scale, tags: present };
  const numberBytes = rowCount * BYTES_OF[numbers];
  const bytes = new Uint8Array(
    numberBytes + (present.length > 2 ? rowCount : present.length === 2 ? (rowCount + 7) >> 3 : 0),
  );
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

/** Whether every number is a 32-bit integer; they are then in `whole`. */
function areWhole(values: Float64Array, whole: Int32Array): boolean {
  for (let row = 0; row < whole.length; row += 1) {
    const value = values[row]!;
    // -0 equals 0 but is a different number
    if ((value | 0) !== value || (value === 0 && 1 / value < 0)) {
      return false;
    }
    whole[row] = value;
  }
  return true;
}

/** Whether every number is exactly a 32-bit integer divided by the scale; the integers are then in `scaled`. */
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
