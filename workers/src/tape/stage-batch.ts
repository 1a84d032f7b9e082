import type { DuckDBConnection } from '@duckdb/node-api';
import { DOUBLE, DuckDBDataChunk, type DuckDBType, INTEGER, UTINYINT, VARCHAR } from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';
import { quoteName } from '@tapeline/lake/lake.ts';
import { CellTag } from '@tapeline/sheets/cell-tag.ts';
import type { RawBatch, TextTable } from '@tapeline/sheets/raw-batch.ts';

/** Number of rows in a DuckDB vector. */
export const VECTOR_ROWS = 2048;
/** DuckDB's `string_t` is 16 bytes: the length, followed by the text itself if it has at most 12 bytes. */
const STRING_BYTES = 16;
const INLINE_STRING_BYTES = 12;

/** A column, and a function that fills its vector in a chunk (at `index`) with the rows from `start` to `end`. */
export interface StagedColumn {
  readonly name: string;
  readonly type: DuckDBType;
  fill(chunk: DuckDBDataChunk, index: number, start: number, end: number, room: VectorRoom): void;
}

/** Column definitions of the raw layout for a sheet of `width` named columns. */
export function rawTableColumns(width: number): string {
  const columns = Array.from(
    { length: width },
    (_, index) => `t${index} UTINYINT, n${index} DOUBLE, s${index} VARCHAR`,
  );
  return ['"row" INTEGER', ...columns].join(', ');
}

/**
 * The raw layout of a batch: `row`, and for column i its tag `t{i}`, number `n{i}` (number, 0 or 1, date serial;
 * otherwise NULL) and text `s{i}` (text or error; otherwise NULL).
 * @param indexes indexes of the columns to write; all columns by default
 */
export const rawColumns = (batch: RawBatch, indexes: Iterable<number> = batch.columns.keys()): StagedColumn[] => [
  integers('row', batch.rowNumbers),
  ...[...indexes].flatMap((index) => rawColumn(batch, index)),
];

export function rawColumn(batch: RawBatch, index: number): StagedColumn[] {
  const { tags } = batch.columns[index]!;
  return [
    {
      name: `t${index}`,
      type: UTINYINT,
      fill: (chunk, index, start, end) => copyInto(vectorOf(chunk, index), tags.subarray(start, end)),
    },
    numbers(`n${index}`, batch, index),
    texts(`s${index}`, batch, index),
  ];
}

export const integers = (name: string, values: Int32Array): StagedColumn => ({
  name,
  type: INTEGER,
  fill: (chunk, index, start, end) => copyInto(vectorOf(chunk, index), values.subarray(start, end)),
});

/** Numbers, date serials, and 0 or 1. NULL for all other cells. */
export function numbers(name: string, batch: RawBatch, index: number): StagedColumn {
  const { tags, values } = batch.columns[index]!;
  return {
    name,
    type: DOUBLE,
    fill(chunk, index, start, end, room) {
      const vector = vectorOf(chunk, index);
      copyInto(vector, values.subarray(start, end));
      room.maskNumbers(tags.subarray(start, end), vector);
    },
  };
}

/** Texts and errors. NULL for all other cells. */
export function texts(name: string, batch: RawBatch, index: number): StagedColumn {
  const { tags, values } = batch.columns[index]!;
  return {
    name,
    type: VARCHAR,
    fill: (chunk, index, start, end, room) =>
      room.fillTexts(tags.subarray(start, end), values.subarray(start, end), batch.texts, vectorOf(chunk, index)),
  };
}

/** Texts as they are, or NULL. Only meant for few rows, because each text is passed separately. */
export const strings = (name: string, values: readonly (string | null)[]): StagedColumn => ({
  name,
  type: VARCHAR,
  fill(chunk, index, start, end, room) {
    const vector = vectorOf(chunk, index);
    const here = values.slice(start, end);
    room.mask(vector, here.length, (row) => here[row] !== null);
    for (const [row, value] of here.entries()) {
      if (value !== null) duckdb.vector_assign_string_element_len(vector, row, Buffer.from(value));
    }
  },
});

/** A column of which every row has a text, as UTF-8. @param bytesOf is called for each row in turn */
export const utf8 = (name: string, bytesOf: (row: number) => Uint8Array): StagedColumn => ({
  name,
  type: VARCHAR,
  fill(chunk, index, start, end) {
    const vector = vectorOf(chunk, index);
    for (let row = start; row < end; row += 1) {
      duckdb.vector_assign_string_element_len(vector, row - start, bytesOf(row));
    }
  },
});

const createTable = (table: string, columns: readonly StagedColumn[]): string =>
  `CREATE TABLE ${quoteName(table)} (${columns.map(({ name, type }) => `${quoteName(name)} ${type}`).join(', ')})`;

/**
 * Appends rows to a table that has these columns in this order. Numbers, tags and short texts are copied unchanged, a
 * vector at a time. No cell becomes a JavaScript object.
 */
async function appendColumns(
  connection: DuckDBConnection,
  table: string,
  columns: readonly StagedColumn[],
  rowCount: number,
): Promise<void> {
  const appender = await connection.createAppender(table);
  const chunk = DuckDBDataChunk.create(columns.map((column) => column.type));
  const room = new VectorRoom();
  for (let start = 0; start < rowCount; start += VECTOR_ROWS) {
    const end = Math.min(rowCount, start + VECTOR_ROWS);
    chunk.reset();
    duckdb.data_chunk_set_size(chunk.chunk, end - start);
    for (const [index, column] of columns.entries()) {
      column.fill(chunk, index, start, end, room);
    }
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
}

/**
 * Writes a batch into a new table in the raw layout.
 * @param indexes indexes of the columns to write; all columns by default
 */
export async function stageBatch(
  connection: DuckDBConnection,
  batch: RawBatch,
  tableName: string,
  indexes: readonly number[] = [...batch.columns.keys()],
): Promise<void> {
  const columns = rawColumns(batch, indexes);
  await connection.run(createTable(tableName, columns));
  await appendColumns(connection, tableName, columns, batch.rowCount);
}

const vectorOf = (chunk: DuckDBDataChunk, index: number): duckdb.Vector =>
  duckdb.data_chunk_get_vector(chunk.chunk, index);

function copyInto(vector: duckdb.Vector, source: Uint8Array | Float64Array | Int32Array): void {
  duckdb.copy_data_to_vector(vector, 0, source.buffer as ArrayBuffer, source.byteOffset, source.byteLength);
}

/** Reusable buffers for the texts and the validity mask of one vector. */
export class VectorRoom {
  readonly #validity = new Uint32Array(VECTOR_ROWS / 32);
  readonly #strings = new Uint8Array(VECTOR_ROWS * STRING_BYTES);
  readonly #lengths = new Uint32Array(this.#strings.buffer);
  readonly #longRows = new Int32Array(VECTOR_ROWS);

  /** Marks the rows that have a value. */
  mask(vector: duckdb.Vector, count: number, isThere: (row: number) => boolean): void {
    this.#validity.fill(0);
    for (let row = 0; row < count; row += 1) {
      if (isThere(row)) this.#validity[row >> 5] = this.#validity[row >> 5]! | (1 << (row & 31));
    }
    this.#copyValidity(vector, count);
  }

  maskNumbers(tags: Uint8Array, vector: duckdb.Vector): void {
    const validity = this.#validity;
    const count = tags.length;
    validity.fill(0);
    let there = 0;
    for (let row = 0; row < count; row += 1) {
      const tag = tags[row]!;
      if (tag === CellTag.blank || tag === CellTag.text || tag === CellTag.error) {
        continue;
      }
      there += 1;
      validity[row >> 5] = validity[row >> 5]! | (1 << (row & 31));
    }
    if (there < count) {
      this.#copyValidity(vector, count);
    }
  }

  /** Writes the texts of a range of cells into the vector, and masks the other cells. */
  fillTexts(tags: Uint8Array, values: Float64Array, table: TextTable, vector: duckdb.Vector): void {
    const validity = this.#validity;
    const strings = this.#strings;
    const lengths = this.#lengths;
    const longRows = this.#longRows;
    const count = tags.length;
    let longCount = 0;
    let there = 0;
    validity.fill(0);
    for (let row = 0; row < count; row += 1) {
      const tag = tags[row]!;
      if (tag !== CellTag.text && tag !== CellTag.error) {
        continue;
      }
      if (there === 0) {
        strings.fill(0);
      }
      there += 1;
      validity[row >> 5] = validity[row >> 5]! | (1 << (row & 31));
      const code = values[row]!;
      const length = table.length(code);
      if (length > INLINE_STRING_BYTES) {
        longRows[longCount] = row;
        longCount += 1;
        continue;
      }
      lengths[row << 2] = length;
      const bytes = table.bytes(code);
      const start = table.start(code);
      const place = (row << 4) + 4;
      for (let index = 0; index < length; index += 1) {
        strings[place + index] = bytes[start + index]!;
      }
    }
    if (there < count) {
      this.#copyValidity(vector, count);
    }
    if (there === 0) {
      return;
    }
    duckdb.copy_data_to_vector(vector, 0, strings.buffer, 0, count * STRING_BYTES);
    for (let index = 0; index < longCount; index += 1) {
      const row = longRows[index]!;
      const code = values[row]!;
      const start = table.start(code);
      const text = table.bytes(code).subarray(start, start + table.length(code));
      duckdb.vector_assign_string_element_len(vector, row, text);
    }
  }

  #copyValidity(vector: duckdb.Vector, count: number): void {
    duckdb.vector_ensure_validity_writable(vector);
    duckdb.copy_data_to_vector_validity(vector, 0, this.#validity.buffer, 0, Math.ceil(count / 64) * 8);
  }
}
