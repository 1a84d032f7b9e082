import type { DuckDBDataChunk } from '@duckdb/node-api';
import {
  Bool,
  type DataType,
  DateDay,
  Decimal,
  Field,
  Float64,
  Int32,
  makeData,
  RecordBatch,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  Utf8,
} from 'apache-arrow';
import type { Lake } from '../lake.ts';
import { packedSelect, rowBytes, scaleOf, validityOf, valueBytesOf, valuesOf } from './chunk-columns.ts';
import { type ExportColumn, type ExportPace, type ExportTable, exportChunks } from './export-table.ts';

/** DuckDB chunks in one record batch: readers handle a few large batches better. */
const BATCH_CHUNKS = 8;

/** The table in Arrow's stream format; decimals are Decimal128 with the scale of the column, dates are days. */
export async function* exportArrow(lake: Lake, table: ExportTable, pace: ExportPace = {}): AsyncGenerator<Uint8Array> {
  const types = table.columns.map(arrowType);
  const schema = new Schema(table.columns.map(({ name }, index) => new Field(name, types[index]!, true)));
  const writer = new PieceWriter();
  writer.reset(undefined, schema);
  const write = (chunks: readonly DuckDBDataChunk[]): Uint8Array => {
    const rows = chunks.reduce((sum, { rowCount }) => sum + rowCount, 0);
    const texts = textsOf(table.columns, chunks, rows);
    const children = types.map((type, column) => {
      const nulls = nullsOf(chunks, column, rows);
      const text = texts.get(column);
      if (text) return makeData({ type: new Utf8(), length: rows, ...nulls, ...text });
      return columnOf(type, nulls, rows, memoryOf(chunks, column, rows, valueBytesOf(table.columns[column]!.type)));
    });
    const struct = makeData({ type: new Struct(schema.fields), length: rows, nullCount: 0, children });
    writer.write(new RecordBatch(schema, struct));
    return writer.take();
  };
  let chunks: DuckDBDataChunk[] = [];
  for await (const chunk of exportChunks(lake, table, packedSelect(table.columns), pace)) {
    chunks.push(chunk);
    if (chunks.length < BATCH_CHUNKS) continue;
    yield write(chunks);
    chunks = [];
  }
  if (chunks.length > 0) yield write(chunks);
  pace.signal?.throwIfAborted();
  writer.finish();
  yield writer.take();
}

/** Arrow's writer with its bytes pulled by the reader. Its own queue grows without limit if nobody reads. */
class PieceWriter extends RecordBatchStreamWriter {
  private pieces: Uint8Array[] = [];

  take(): Uint8Array {
    const taken = Buffer.concat(this.pieces);
    this.pieces = [];
    return taken;
  }

  protected override _write(chunk: ArrayBufferView): this {
    if (this._started && chunk.byteLength > 0) {
      this.pieces.push(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength));
      this._position += chunk.byteLength;
    }
    return this;
  }
}

function arrowType({ type }: ExportColumn): DataType {
  switch (type) {
    case 'VARCHAR':
      return new Utf8();
    case 'INTEGER':
      return new Int32();
    case 'DOUBLE':
      return new Float64();
    case 'BOOLEAN':
      return new Bool();
    case 'DATE':
      return new DateDay();
    default:
      return new Decimal(scaleOf(type), type.startsWith('DECIMAL(38') ? 38 : 18);
  }
}

/** For most types Arrow and DuckDB have the same layout. */
function columnOf(type: DataType, nulls: Nulls, length: number, memory: Uint8Array<ArrayBuffer>) {
  if (type instanceof Bool) return makeData({ type, length, ...nulls, data: bitsOf(memory) });
  if (type instanceof Float64) return makeData({ type, length, ...nulls, data: new Float64Array(memory.buffer) });
  if (type instanceof Decimal) {
    const words = memory.length === 16 * length ? memory.buffer : widened(memory);
    return makeData({ type, length, ...nulls, data: new Uint32Array(words) });
  }
  const data = new Int32Array(memory.buffer);
  if (type instanceof DateDay) return makeData({ type, length, ...nulls, data });
  return makeData({ type: new Int32(), length, ...nulls, data });
}

/** The values of the chunks, concatenated. */
function memoryOf(chunks: readonly DuckDBDataChunk[], column: number, rows: number, valueBytes: number) {
  const memory = new Uint8Array(rows * valueBytes);
  let at = 0;
  for (const chunk of chunks) {
    const values = valuesOf(chunk, column, valueBytes);
    memory.set(values, at);
    at += values.length;
  }
  return memory;
}

/** Arrow stores every decimal in 128 bits. */
function widened(memory: Uint8Array<ArrayBuffer>): ArrayBuffer {
  const narrow = new Int32Array(memory.buffer);
  const wide = new Int32Array(2 * narrow.length);
  for (let word = 0; word < narrow.length; word += 2) {
    const [low, high] = [narrow[word]!, narrow[word + 1]!];
    wide[2 * word] = low;
    wide[2 * word + 1] = high;
    wide[2 * word + 2] = high >> 31;
    wide[2 * word + 3] = high >> 31;
  }
  return wide.buffer;
}

interface Nulls {
  readonly nullBitmap?: Uint8Array;
  readonly nullCount: number;
}

/** Arrow's validity bitmap; DuckDB starts a new bitmap with each chunk. */
function nullsOf(chunks: readonly DuckDBDataChunk[], column: number, rows: number): Nulls {
  const validities = chunks.map((chunk) => validityOf(chunk, column));
  if (validities.every((bits) => bits === null)) return { nullCount: 0 };
  const nullBitmap = new Uint8Array(Math.ceil(rows / 8));
  let [at, nullCount] = [0, 0];
  for (const [index, { rowCount }] of chunks.entries()) {
    const bits = validities[index];
    for (let row = 0; row < rowCount; row += 1, at += 1) {
      if (bits && ((bits[row >> 3]! >> (row & 7)) & 1) === 0) nullCount += 1;
      else nullBitmap[at >> 3]! |= 1 << (at & 7);
    }
  }
  return { nullBitmap, nullCount };
}

function bitsOf(bytes: Uint8Array): Uint8Array {
  const bits = new Uint8Array(Math.ceil(bytes.length / 8));
  for (let row = 0; row < bytes.length; row += 1) if (bytes[row] === 1) bits[row >> 3]! |= 1 << (row & 7);
  return bits;
}

/** The text columns. A row's texts arrive in one piece and are distributed to their columns by length. */
function textsOf(columns: readonly ExportColumn[], chunks: readonly DuckDBDataChunk[], rows: number) {
  const texts = columns.flatMap(({ type }, column) => (type === 'VARCHAR' ? [textColumn(chunks, column, rows)] : []));
  let at = 0;
  for (const chunk of texts.length > 0 ? chunks : []) {
    const packed = rowBytes(chunk, columns.length);
    for (let row = 0; row < chunk.rowCount; row += 1, at += 1) {
      const bytes = packed(row);
      let from = 0;
      for (const { valueOffsets, data } of texts) {
        const start = valueOffsets[at]!;
        const length = valueOffsets[at + 1]! - start;
        for (let index = 0; index < length; index += 1) data[start + index] = bytes[from + index]!;
        from += length;
      }
    }
  }
  return new Map(texts.map(({ column, ...text }) => [column, text]));
}

/** A text column's offsets from the lengths of its texts, and memory for their bytes. */
function textColumn(chunks: readonly DuckDBDataChunk[], column: number, rows: number) {
  const valueOffsets = new Int32Array(rows + 1);
  let [at, bytes] = [0, 0];
  for (const chunk of chunks) {
    const { buffer, byteOffset } = valuesOf(chunk, column, 4);
    const lengths = new DataView(buffer, byteOffset, 4 * chunk.rowCount);
    const validity = validityOf(chunk, column);
    for (let row = 0; row < chunk.rowCount; row += 1) {
      // The length at a missing value is undefined.
      const isThere = validity === null || ((validity[row >> 3]! >> (row & 7)) & 1) === 1;
      if (isThere) bytes += lengths.getInt32(4 * row, true);
      at += 1;
      valueOffsets[at] = bytes;
    }
  }
  return { column, valueOffsets, data: new Uint8Array(bytes) };
}
