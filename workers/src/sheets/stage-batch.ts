import type { DuckDBConnection } from '@duckdb/node-api';
import { DOUBLE, DuckDBDataChunk, type DuckDBType, INTEGER, UTINYINT, VARCHAR } from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';
import { quoteName } from '@tapeline/db/lake/lake.ts';
import { CellTag, type RawBatch, type TextTable } from './raw-batch.ts';

/** DuckDB's vectors hold this many rows. */
const VECTOR_ROWS = 2048;
/** DuckDB's `string_t` is 16 bytes: the length, then the text itself where it has at most 12 bytes. */
const STRING_BYTES = 16;
const INLINE_STRING_BYTES = 12;

/** Column definitions of the raw layout for a sheet of `width` named columns. */
export function rawTableColumns(width: number): string {
  return rawColumns(Array.from({ length: width }, (_, index) => index));
}

function rawColumns(places: readonly number[]): string {
  const columns = places.map((index) => `t${index} UTINYINT, n${index} DOUBLE, s${index} VARCHAR`);
  return ['"row" INTEGER', ...columns].join(', ');
}

/**
 * Writes a batch into a new table in the raw layout: `row`, and for column i its tag `t{i}`, number `n{i}` (number, 0 or
 * 1, date serial; else NULL) and text `s{i}` (text or error; else NULL). Numbers and tags are copied as they stand, a
 * vector at a time, and so are short texts; no value becomes a JavaScript object.
 * @param places the columns to write; all where left out.
 */
export async function stageBatch(
  connection: DuckDBConnection,
  batch: RawBatch,
  tableName: string,
  places: readonly number[] = [...batch.columns.keys()],
): Promise<void> {
  const width = places.length;
  await connection.run(`CREATE TABLE ${quoteName(tableName)} (${rawColumns(places)})`);
  const types: DuckDBType[] = [INTEGER];
  for (let column = 0; column < width; column += 1) {
    types.push(UTINYINT, DOUBLE, VARCHAR);
  }
  const appender = await connection.createAppender(tableName);
  const chunk = DuckDBDataChunk.create(types);
  const room = new VectorRoom();
  for (let start = 0; start < batch.rowCount; start += VECTOR_ROWS) {
    const count = Math.min(VECTOR_ROWS, batch.rowCount - start);
    chunk.reset();
    duckdb.data_chunk_set_size(chunk.chunk, count);
    copyInto(vectorOf(chunk, 0), batch.rowNumbers.subarray(start, start + count));
    for (let column = 0; column < width; column += 1) {
      const { tags, values } = batch.columns[places[column]!]!;
      const tagsHere = tags.subarray(start, start + count);
      const valuesHere = values.subarray(start, start + count);
      copyInto(vectorOf(chunk, 1 + column * 3), tagsHere);
      const numbers = vectorOf(chunk, 2 + column * 3);
      copyInto(numbers, valuesHere);
      const texts = vectorOf(chunk, 3 + column * 3);
      room.fill(tagsHere, valuesHere, batch.texts, texts);
      room.copyValidity(numbers, room.numberValidity, count);
      room.copyValidity(texts, room.textValidity, count);
    }
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
}

function vectorOf(chunk: DuckDBDataChunk, column: number): duckdb.Vector {
  return duckdb.data_chunk_get_vector(chunk.chunk, column);
}

function copyInto(vector: duckdb.Vector, source: Uint8Array | Float64Array | Int32Array): void {
  duckdb.copy_data_to_vector(vector, 0, source.buffer as ArrayBuffer, source.byteOffset, source.byteLength);
}

/** Room for one vector's texts and masks, used again for every column. */
class VectorRoom {
  readonly numberValidity = new Uint32Array(VECTOR_ROWS / 32);
  readonly textValidity = new Uint32Array(VECTOR_ROWS / 32);
  private readonly strings = new Uint8Array(VECTOR_ROWS * STRING_BYTES);
  private readonly lengths = new Uint32Array(this.strings.buffer);
  private readonly longRows = new Int32Array(VECTOR_ROWS);

  /** Writes the texts of a run of cells into the vector and sets the masks of numbers and texts. */
  fill(tags: Uint8Array, values: Float64Array, texts: TextTable, vector: duckdb.Vector): void {
    const { numberValidity, textValidity, strings, lengths, longRows } = this;
    const count = tags.length;
    let longCount = 0;
    let hasText = false;
    numberValidity.fill(0);
    textValidity.fill(0);
    for (let row = 0; row < count; row += 1) {
      const tag = tags[row]!;
      if (tag === CellTag.blank) {
        continue;
      }
      if (tag !== CellTag.text && tag !== CellTag.error) {
        numberValidity[row >> 5] = numberValidity[row >> 5]! | (1 << (row & 31));
        continue;
      }
      if (!hasText) {
        hasText = true;
        strings.fill(0);
      }
      textValidity[row >> 5] = textValidity[row >> 5]! | (1 << (row & 31));
      const code = values[row]!;
      const length = texts.length(code);
      if (length > INLINE_STRING_BYTES) {
        longRows[longCount] = row;
        longCount += 1;
        continue;
      }
      lengths[row << 2] = length;
      const bytes = texts.bytes(code);
      const start = texts.start(code);
      const place = (row << 4) + 4;
      for (let index = 0; index < length; index += 1) {
        strings[place + index] = bytes[start + index]!;
      }
    }
    if (!hasText) {
      return;
    }
    duckdb.copy_data_to_vector(vector, 0, strings.buffer, 0, count * STRING_BYTES);
    for (let index = 0; index < longCount; index += 1) {
      const row = longRows[index]!;
      const code = values[row]!;
      const start = texts.start(code);
      const text = texts.bytes(code).subarray(start, start + texts.length(code));
      duckdb.vector_assign_string_element_len(vector, row, text);
    }
  }

  copyValidity(vector: duckdb.Vector, validity: Uint32Array<ArrayBuffer>, count: number): void {
    duckdb.vector_ensure_validity_writable(vector);
    duckdb.copy_data_to_vector_validity(vector, 0, validity.buffer, 0, Math.ceil(count / 64) * 8);
  }
}
