import type { DuckDBDataChunk } from '@duckdb/node-api';
import type { ExportColumn } from './export-table.ts';

/** The last column of `packedSelect`: the concatenated texts of a row. */
const PACKED = 'packed';

/**
 * Selects columns in the form that is cheapest to transfer: numbers, dates and booleans as they are in memory, the
 * length in bytes of each text, and after all columns the bytes of the row's texts in one piece. Fetching each text
 * separately would be a call into DuckDB.
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

/** Decimal places of a DECIMAL type. */
export const scaleOf = (type: string): number => Number(/,\s*(\d+)\)/.exec(type)?.[1] ?? 0);

/** Bytes of one value of the column in the result of `packedSelect`; for a text, of its length. */
export function valueBytesOf(type: ExportColumn['type']): 1 | 4 | 8 | 16 {
  if (type === 'BOOLEAN') return 1;
  if (type === 'DOUBLE') return 8;
  if (type.startsWith('DECIMAL')) return widthOf(type) > 18 ? 16 : 8;
  return 4;
}

/** Decimals in 64 bits, or in 128 if necessary: DuckDB stores narrow ones in less. */
const decimalType = (type: string): string => `DECIMAL(${widthOf(type) > 18 ? 38 : 18},${scaleOf(type)})`;
const widthOf = (type: string): number => Number(/\((\d+)/.exec(type)?.[1] ?? 18);

/** The internals of the vectors of DuckDB's client. */
interface Vector {
  readonly items?: ArrayBufferView;
  readonly dataView?: DataView;
  readonly validity: { readonly data: BigUint64Array | null };
  getItemBytes?(row: number): Uint8Array | null;
}

const vectorOf = (chunk: DuckDBDataChunk, column: number): Vector => chunk.getColumnVector(column) as unknown as Vector;

/** The memory of a chunk's column, little-endian. @throws Error if it is shorter than its rows */
export function valuesOf(chunk: DuckDBDataChunk, column: number, valueBytes: number): Uint8Array<ArrayBuffer> {
  const { items, dataView } = vectorOf(chunk, column);
  const values = items ?? dataView;
  if (!values || values.byteLength < chunk.rowCount * valueBytes) {
    throw new Error('DuckDB returned a column in an unexpected layout');
  }
  return new Uint8Array(values.buffer as ArrayBuffer, values.byteOffset, chunk.rowCount * valueBytes);
}

/** One bit for each row, set if the value is present; null if all are. */
export function validityOf(chunk: DuckDBDataChunk, column: number): Uint8Array | null {
  const { data } = vectorOf(chunk, column).validity;
  return data && new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

/** The bytes of a BLOB column by row; empty for a missing value. */
export function rowBytes(chunk: DuckDBDataChunk, column: number): (row: number) => Uint8Array {
  const vector = vectorOf(chunk, column);
  if (!vector.getItemBytes) throw new Error('DuckDB returned a column that is not a BLOB');
  return (row) => vector.getItemBytes?.(row) ?? NOTHING;
}
const NOTHING = new Uint8Array(0);
