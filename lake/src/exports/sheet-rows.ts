import { type DuckDBDataChunk, DuckDBDateValue } from '@duckdb/node-api';
import { columnLetters } from '@tapeline/sheets/workbook-parts.ts';
import { rowBytes, scaleOf, validityOf, valueBytesOf, valuesOf } from './chunk-columns.ts';
import type { ExportColumn } from './export-table.ts';
import { writeDecimal, writeDouble, writeWhole } from './number-text.ts';
import type { SharedColumn, SharedTexts } from './shared-texts.ts';
import { cutText, GROWTH, hasOuterSpace, writeText } from './sheet-text.ts';

/** Cell formats by their index in styles.xml. */
export const STYLE = { plain: 0, head: 1, date: 2, amount: 3, percent: 4 } as const;

const PIECE_BYTES = 2 ** 19;
/** Maximum bytes of a cell besides its text: its reference, its tags, a number. */
const CELL_BYTES = 128;

/** Excel's day 0 is 31 December 1899. It counts 29 February 1900, which did not exist, and ends with the year 9999. */
const DAY_ZERO = -25_569;
const FIRST_DAY = -25_508;
const LAST_DAY = 2_932_896;
/** A double represents every decimal of up to this many digits. */
const DOUBLE_DIGITS = 15;

const bytesOf = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text));
const BARE = bytesOf('"><v>');
const BOOLEAN = bytesOf('" t="b"><v>');
const SHARED = bytesOf('" t="s"><v>');
const VALUE_END = bytesOf('</v></c>');
const INLINE = bytesOf('" t="inlineStr"><is><t>');
const INLINE_SPACED = bytesOf('" t="inlineStr"><is><t xml:space="preserve">');
const INLINE_END = bytesOf('</t></is></c>');
const ROW_START = bytesOf('<row r="');
const ROW_MIDDLE = bytesOf('">');
const ROW_END = bytesOf('</row>');

type Form = 'text' | 'boolean' | 'date' | 'integer' | 'double' | 'decimal' | 'amount';

/** A column while it is written: the constant bytes of its cells, and the values of the current chunk. */
interface SheetColumn {
  readonly form: Form;
  readonly valueBytes: 1 | 4 | 8 | 16;
  /** `<c r="AB`. */
  readonly start: Uint8Array;
  /** The bytes between the reference and the number. */
  readonly middle: Uint8Array;
  readonly scale: number;
  readonly shared: SharedColumn;
  validity: Uint8Array | null;
  bytes: Uint8Array;
  words: Int32Array;
  doubles: Float64Array;
}

const NONE = { validity: null, bytes: new Uint8Array(0), words: new Int32Array(0), doubles: new Float64Array(0) };

function formOf({ kind, type }: ExportColumn): Form {
  if (type === 'VARCHAR') return 'text';
  if (type === 'BOOLEAN') return 'boolean';
  if (type === 'DATE') return 'date';
  if (type === 'INTEGER') return 'integer';
  if (type === 'DOUBLE') return 'double';
  return kind === 'amount' ? 'amount' : 'decimal';
}

function styleOf({ kind, type }: ExportColumn): number {
  if (type === 'DATE') return STYLE.date;
  if (kind === 'amount' || kind === 'result') return STYLE.amount;
  return kind === 'percentage' ? STYLE.percent : STYLE.plain;
}

/** Writes rows of a sheet as XML, in pieces of half a megabyte. */
export interface SheetRows {
  /**
   * The rows of the chunk; the first has the number `row`. A piece is valid until the one after the next is requested,
   * when its memory is reused.
   */
  pieces(chunk: DuckDBDataChunk, row: number): Generator<Uint8Array>;
}

/** @param columns in the order of the chunks that `packedSelect` produces */
export function createSheetRows(columns: readonly ExportColumn[], texts: SharedTexts): SheetRows {
  const written = columns.map((column, index): SheetColumn => {
    const style = styleOf(column);
    const form = formOf(column);
    return {
      form,
      valueBytes: valueBytesOf(column.type),
      start: bytesOf(`<c r="${columnLetters(index)}`),
      middle: form === 'boolean' ? BOOLEAN : style === STYLE.plain ? BARE : bytesOf(`" s="${style}"><v>`),
      // Percentages are stored in points.
      scale: scaleOf(column.type) + (column.kind === 'percentage' ? 2 : 0),
      shared: texts.column(),
      ...NONE,
    };
  });
  const hasTexts = written.some(({ form }) => form === 'text');
  const number = new Uint8Array(16);
  let [piece, other] = [new Uint8Array(PIECE_BYTES), new Uint8Array(PIECE_BYTES)];

  function open(chunk: DuckDBDataChunk): (row: number) => Uint8Array {
    for (const [index, column] of written.entries()) {
      const { buffer, byteOffset, length } = aligned(valuesOf(chunk, index, column.valueBytes));
      column.validity = validityOf(chunk, index);
      if (column.form === 'boolean') column.bytes = new Uint8Array(buffer, byteOffset, length);
      else if (column.form === 'double') column.doubles = new Float64Array(buffer, byteOffset, length / 8);
      else column.words = new Int32Array(buffer, byteOffset, length / 4);
    }
    return hasTexts ? rowBytes(chunk, written.length) : () => NONE.bytes;
  }

  return {
    *pieces(chunk, firstRow) {
      const textsOf = open(chunk);
      const rows = chunk.rowCount;
      let at = 0;
      for (let row = 0; row < rows; row += 1) {
        const rowTexts = textsOf(row);
        const most = CELL_BYTES * (written.length + 1) + GROWTH * rowTexts.length;
        if (at + most > piece.length) {
          if (at > 0) {
            yield piece.subarray(0, at);
            [piece, other] = [other, piece];
            at = 0;
          }
          if (most > piece.length) piece = new Uint8Array(most);
        }
        const digits = writeWhole(number, 0, firstRow + row);
        at = put(piece, at, ROW_START, ROW_START.length);
        at = put(piece, at, number, digits);
        at = put(piece, at, ROW_MIDDLE, ROW_MIDDLE.length);
        let textAt = 0;
        for (let index = 0; index < written.length; index += 1) {
          const column = written[index]!;
          const { validity } = column;
          if (validity !== null && ((validity[row >> 3]! >> (row & 7)) & 1) === 0) continue;
          at = put(piece, at, column.start, column.start.length);
          at = put(piece, at, number, digits);
          if (column.form === 'text') {
            const textEnd = textAt + column.words[row]!;
            at = textCell(piece, at, column.shared, rowTexts, textAt, textEnd);
            textAt = textEnd;
          } else at = cell(piece, at, column, row);
        }
        at = put(piece, at, ROW_END, ROW_END.length);
      }
      yield piece.subarray(0, at);
      [piece, other] = [other, piece];
    },
  };
}

/** The rest of a cell after its reference. */
function cell(target: Uint8Array, start: number, column: SheetColumn, row: number): number {
  const at = put(target, start, column.middle, column.middle.length);
  switch (column.form) {
    case 'boolean':
      target[at] = 48 + column.bytes[row]!;
      return put(target, at + 1, VALUE_END, VALUE_END.length);
    case 'integer':
      return put(target, writeWhole(target, at, column.words[row]!), VALUE_END, VALUE_END.length);
    case 'date': {
      const day = column.words[row]!;
      if (day < FIRST_DAY || day > LAST_DAY) return plainTextCell(target, start, new DuckDBDateValue(day).toString());
      return put(target, writeWhole(target, at, day - DAY_ZERO), VALUE_END, VALUE_END.length);
    }
    case 'double': {
      const value = column.doubles[row]!;
      const end = writeDouble(target, at, value);
      if (end === null) return plainTextCell(target, start, Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf');
      return put(target, end, VALUE_END, VALUE_END.length);
    }
    default: {
      const limbs = column.valueBytes === 16 ? 4 : 2;
      const end = writeDecimal(target, at, column.words, row * limbs, limbs, column.scale);
      if (column.form === 'amount' && end - at > DOUBLE_DIGITS) {
        const digits = Buffer.from(target.buffer, target.byteOffset + at, end - at).toString('latin1');
        // Excel's numbers are doubles: a decimal that would read back with other digits is written as text.
        if (String(Number(digits)) !== digits) return plainTextCell(target, start, digits);
      }
      return put(target, end, VALUE_END, VALUE_END.length);
    }
  }
}

/** A value that Excel has no number for, as text; none of these need escaping. */
function plainTextCell(target: Uint8Array, start: number, text: string): number {
  const at = put(target, start, INLINE, INLINE.length);
  for (let index = 0; index < text.length; index += 1) target[at + index] = text.charCodeAt(index);
  return put(target, at + text.length, INLINE_END, INLINE_END.length);
}

function textCell(
  target: Uint8Array,
  start: number,
  shared: SharedColumn,
  texts: Uint8Array,
  from: number,
  to: number,
): number {
  const index = shared.indexOf(texts, from, to);
  if (index >= 0) {
    const at = put(target, start, SHARED, SHARED.length);
    return put(target, writeWhole(target, at, index), VALUE_END, VALUE_END.length);
  }
  const text = cutText(texts.subarray(from, to));
  const opening = hasOuterSpace(text, 0, text.length) ? INLINE_SPACED : INLINE;
  const at = put(target, start, opening, opening.length);
  return put(target, writeText(target, at, text, 0, text.length), INLINE_END, INLINE_END.length);
}

function put(target: Uint8Array, at: number, source: Uint8Array, length: number): number {
  for (let index = 0; index < length; index += 1) target[at + index] = source[index]!;
  return at + length;
}

/** The same bytes at an address aligned to eight. */
const aligned = (bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> =>
  bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
