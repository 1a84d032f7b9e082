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
import { type ExportColumn, type ExportTable, exportChunks } from './export-table.ts';

/** DuckDB's chunks that make one record batch: readers handle few large ones better. */
const BATCH_CHUNKS = 8;

/** The table in Arrow's stream format; decimals as Decimal128 of the column's own scale, dates as days. */
export async function* exportArrow(lake: Lake, table: ExportTable, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  const types = table.columns.map(arrowType);
  const schema = new Schema(table.columns.map(({ name }, index) => new Field(name, types[index]!, true)));
  // Texts as their UTF-8 bytes, and every decimal in 128 bits, as Arrow holds them.
  const select = table.columns.map(({ sql, type }) => {
    if (type === 'VARCHAR') return `encode(${sql})`;
    return type.startsWith('DECIMAL') ? `CAST(${sql} AS DECIMAL(38,${scaleOf(type)}))` : sql;
  });
  const writer = new PieceWriter();
  writer.reset(undefined, schema);
  const write = (chunks: readonly DuckDBDataChunk[]): Uint8Array => {
    const rows = chunks.reduce((sum, { rowCount }) => sum + rowCount, 0);
    const children = types.map((type, column) => columnOf(type, chunks, column, rows));
    const struct = makeData({ type: new Struct(schema.fields), length: rows, nullCount: 0, children });
    writer.write(new RecordBatch(schema, struct));
    return writer.take();
  };
  let chunks: DuckDBDataChunk[] = [];
  for await (const chunk of exportChunks(lake, table, select.join(', '), { signal })) {
    chunks.push(chunk);
    if (chunks.length < BATCH_CHUNKS) continue;
    yield write(chunks);
    chunks = [];
  }
  if (chunks.length > 0) yield write(chunks);
  signal?.throwIfAborted();
  writer.finish();
  yield writer.take();
}

/** Arrow's writer with its bytes handed over when asked for: its own queue is filled without end where nobody reads. */
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

const scaleOf = (type: string): number => Number(/,\s*(\d+)\)/.exec(type)?.[1] ?? 0);

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

/** What lies behind the vectors of DuckDB's client, in the very layout that Arrow has for most types. */
interface Vector {
  readonly items?: ArrayBufferView;
  readonly dataView?: DataView;
  readonly validity: { readonly data: BigUint64Array | null };
  getItemBytes?(row: number): Uint8Array | null;
}

function columnOf(type: DataType, chunks: readonly DuckDBDataChunk[], column: number, rows: number) {
  const parts = chunks.map((chunk) => ({
    vector: chunk.getColumnVector(column) as unknown as Vector,
    rows: chunk.rowCount,
  }));
  const nulls = validityOf(parts, rows);
  if (type instanceof Utf8) return makeData({ type, length: rows, ...nulls, ...textsOf(parts, rows) });
  if (type instanceof Bool) return makeData({ type, length: rows, ...nulls, data: bitsOf(parts, rows) });
  if (type instanceof Float64)
    return makeData({ type, length: rows, ...nulls, data: new Float64Array(memoryOf(parts, 8)) });
  if (type instanceof Decimal)
    return makeData({ type, length: rows, ...nulls, data: new Uint32Array(memoryOf(parts, 16)) });
  const data = new Int32Array(memoryOf(parts, 4));
  return type instanceof DateDay
    ? makeData({ type, length: rows, ...nulls, data })
    : makeData({ type: new Int32(), length: rows, ...nulls, data });
}

interface Part {
  readonly vector: Vector;
  readonly rows: number;
}

/** The values of the parts one after the other. */
function memoryOf(parts: readonly Part[], valueBytes: number): ArrayBuffer {
  const memory = new Uint8Array(parts.reduce((sum, { rows }) => sum + rows, 0) * valueBytes);
  let at = 0;
  for (const { vector, rows } of parts) {
    const values = vector.items ?? vector.dataView;
    if (!values || values.byteLength < rows * valueBytes)
      throw new Error('a column came out of DuckDB in another layout');
    memory.set(new Uint8Array(values.buffer, values.byteOffset, rows * valueBytes), at);
    at += rows * valueBytes;
  }
  return memory.buffer;
}

/** Arrow's validity bitmap; DuckDB's bits of a chunk begin anew with each. */
function validityOf(parts: readonly Part[], rows: number): { nullBitmap?: Uint8Array; nullCount: number } {
  if (parts.every(({ vector }) => vector.validity.data === null)) return { nullCount: 0 };
  const nullBitmap = new Uint8Array(Math.ceil(rows / 8));
  let [at, nullCount] = [0, 0];
  for (const { vector, rows: length } of parts) {
    const { data } = vector.validity;
    const bits = data && new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    for (let row = 0; row < length; row += 1, at += 1) {
      if (bits && ((bits[row >> 3]! >> (row & 7)) & 1) === 0) nullCount += 1;
      else nullBitmap[at >> 3]! |= 1 << (at & 7);
    }
  }
  return { nullBitmap, nullCount };
}

function bitsOf(parts: readonly Part[], rows: number): Uint8Array {
  const bits = new Uint8Array(Math.ceil(rows / 8));
  const bytes = new Uint8Array(memoryOf(parts, 1));
  for (let row = 0; row < rows; row += 1) if (bytes[row] === 1) bits[row >> 3]! |= 1 << (row & 7);
  return bits;
}

function textsOf(parts: readonly Part[], rows: number): { valueOffsets: Int32Array; data: Uint8Array } {
  const valueOffsets = new Int32Array(rows + 1);
  const pieces: Uint8Array[] = [];
  let [at, bytes] = [0, 0];
  for (const { vector, rows: length } of parts) {
    if (!vector.getItemBytes) throw new Error('a column came out of DuckDB as another type than BLOB');
    for (let row = 0; row < length; row += 1) {
      const text = vector.getItemBytes(row);
      if (text) {
        pieces.push(text);
        bytes += text.length;
      }
      at += 1;
      valueOffsets[at] = bytes;
    }
  }
  return { valueOffsets, data: Buffer.concat(pieces, bytes) };
}
