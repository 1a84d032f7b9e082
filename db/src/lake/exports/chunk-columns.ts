import type { DuckDBDataChunk } from '@duckdb/node-api';
import type { ExportColumn } from './export-table.ts';

/** The last column of `packedSelect`: a row's texts one after the other. */
const PACKED = 'packed';

/**
 * Columns as they are cheapest to hand over: numbers, dates and booleans as they lie in memory, of each text its length in
 * bytes, and behind all columns the bytes of a row's texts in one piece. A text of its own is a call into DuckDB.
 */
export function packedSelect(columns: readonly ExportColumn[]): string {
  const cells = columns.map(({ sql, type }) => {
    if (type === 'VARCHAR') return `CAST(strlen(${sql}) AS INTEGER)`;
    return type.startsWith('DECIMAL') ? `CAST(${sql} AS ${decimalType(type)})` : sql;
  });
  const texts = columns.filter(({ type }) => type === 'VARCHAR').map(({ sql }) => sql);
  if (texts.length > 0) cells.push(`encode(concat(${texts.join(', ')})) AS ${PACKED}`);
  return cells.join(', ');
}

/** Digits behind the point of a DECIMAL type. */
export const scaleOf = (type: string): number => Number(/,\s*(\d+)\)/.exec(type)?.[1] ?? 0);

/** Bytes of one value of the column as `packedSelect` hands it over; a text's are those of its length. */
export function valueBytesOf(type: ExportColumn['type']): 1 | 4 | 8 | 16 {
  if (type === 'BOOLEAN') return 1;
  if (type === 'DOUBLE') return 8;
  if (type.startsWith('DECIMAL')) return widthOf(type) > 18 ? 16 : 8;
  return 4;
}

/** Decimals in 64 bits, or in 128 where they need them: DuckDB keeps narrower ones in less. */
const decimalType = (type: string): string => `DECIMAL(${widthOf(type) > 18 ? 38 : 18},${scaleOf(type)})`;
const widthOf = (type: string): number => Number(/\((\d+)/.exec(type)?.[1] ?? 18);

/** What lies behind the vectors of DuckDB's client. */
interface Vector {
  readonly items?: ArrayBufferView;
  readonly dataView?: DataView;
  readonly validity: { readonly data: BigUint64Array | null };
  getItemBytes?(row: number): Uint8Array | null;
}

const vectorOf = (chunk: DuckDBDataChunk, column: number): Vector => chunk.getColumnVector(column) as unknown as Vector;

/** The memory of a chunk's column, little-endian. @throws Error where it is shorter than its rows */
export function valuesOf(chunk: DuckDBDataChunk, column: number, valueBytes: number): Uint8Array<ArrayBuffer> {
  const { items, dataView } = vectorOf(chunk, column);
  const values = items ?? dataView;
  if (!values || values.byteLength < chunk.rowCount * valueBytes) {
    throw new Error('a column came out of DuckDB in another layout');
  }
  return new Uint8Array(values.buffer as ArrayBuffer, values.byteOffset, chunk.rowCount * valueBytes);
}

/** One bit a row, set where the value is there; null where all are. */
export function validityOf(chunk: DuckDBDataChunk, column: number): Uint8Array | null {
  const { data } = vectorOf(chunk, column).validity;
  return data && new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

/** The bytes of a BLOB column, a row at a time; none for a missing one. */
export function rowBytes(chunk: DuckDBDataChunk, column: number): (row: number) => Uint8Array {
  const vector = vectorOf(chunk, column);
  if (!vector.getItemBytes) throw new Error('a column came out of DuckDB as another type than BLOB');
  return (row) => vector.getItemBytes?.(row) ?? NOTHING;
}
const NOTHING = new Uint8Array(0);
