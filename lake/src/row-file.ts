import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { type Lake, quoteName } from './lake.ts';
import type { LakeValue } from './values.ts';

/** A column of the rows, with its SQL type. */
export interface RowColumn {
  readonly name: string;
  readonly type: string;
  /** Keeps the zeros that pad a decimal. */
  readonly isMoney: boolean;
}

/** The rows to write, and their order. */
export interface RowSource {
  readonly rows: number;
  readonly columns: readonly RowColumn[];
  /** A relation of the rows from `from` (inclusive) to `to` (exclusive), with the columns, sortable by `order`. */
  readonly slice: (from: number, to: number) => string;
  readonly order: string;
}

/**
 * Rows written one after the other. Reading a hundred scattered rows takes a hundred small reads, while Parquet would
 * have to unpack the columns of all rows. The file is unlinked after opening, so it disappears with the process.
 */
export interface RowFile {
  /** Bytes on disk. In memory a row takes 8 bytes. */
  readonly bytes: number;
  /** The rows at these indexes, in their order, by column; null once the file is disposed of. */
  read(indexes: Int32Array): Promise<LakeValue[][] | null>;
  /** Closes the file after the last read. */
  dispose(): void;
}

const SLICE_ROWS = 50_000;
const SEPARATOR = 0x1f;
/** Rows read in one go before other callers get their turn. */
const READS_AT_ONCE = 64;

/** Writes the rows. @returns null if a text contains the separator; such rows are read from Parquet */
export async function writeRowFile(lake: Lake, source: RowSource): Promise<RowFile | null> {
  const path = join(lake.spillFolder, `rows-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  // An unlinked file stays readable while it is open, and a crash leaves nothing behind.
  await rm(path, { force: true });
  try {
    const ends = new Float64Array(source.rows + 1);
    let written = 0;
    for (let from = 0; from < source.rows; from += SLICE_ROWS) {
      const to = Math.min(from + SLICE_ROWS, source.rows);
      const slice = await lake.connected((connection) => writeSlice(connection, file, source, { from, to }, ends));
      if (slice === null) {
        await file.close();
        return null;
      }
      written += slice;
    }
    if (written !== source.rows) throw new Error(`${written} of ${source.rows} rows were written`);
    return rowFile(file, source.columns, ends);
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** A missing value is empty; a text begins with "=", so that an empty text can be distinguished from a missing one. */
const cellSql = ({ name, type }: RowColumn): string =>
  `coalesce(${type === 'VARCHAR' ? `'=' || ${quoteName(name)}` : `CAST(${quoteName(name)} AS VARCHAR)`}, '')`;

async function writeSlice(
  connection: DuckDBConnection,
  file: FileHandle,
  { columns, slice, order }: RowSource,
  { from, to }: { from: number; to: number },
  ends: Float64Array,
): Promise<number | null> {
  const row = `encode(concat_ws(chr(${SEPARATOR}), ${columns.map(cellSql).join(', ')}))`;
  const result = await connection.stream(`SELECT ${row} FROM ${slice(from, to)} ORDER BY ${order}`);
  let at = from;
  for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    const vector = chunk.getColumnVector(0) as unknown as { getItemBytes(row: number): Uint8Array };
    const start = ends[at]!;
    const rows: Uint8Array[] = [];
    for (let index = 0; index < chunk.rowCount; index += 1) {
      const bytes = vector.getItemBytes(index);
      let separators = 0;
      for (let byte = 0; byte < bytes.length; byte += 1) if (bytes[byte] === SEPARATOR) separators += 1;
      if (separators !== columns.length - 1) return null;
      rows.push(bytes);
      ends[at + 1] = ends[at]! + bytes.length;
      at += 1;
    }
    await file.write(Buffer.concat(rows), 0, ends[at]! - start, start);
  }
  return at - from;
}

function rowFile(file: FileHandle, columns: readonly RowColumn[], ends: Float64Array): RowFile {
  const cellReaders = columns.map(cellReader);
  const readRow = async (index: number): Promise<string[]> => {
    const [start, end] = [ends[index]!, ends[index + 1]!];
    const { buffer } = await file.read(Buffer.allocUnsafe(end - start), 0, end - start, start);
    return buffer.toString().split(String.fromCharCode(SEPARATOR));
  };
  let readers = 0;
  let isDisposed = false;
  const closeWhenIdle = (): void => {
    if (isDisposed && readers === 0) void file.close();
  };
  return {
    bytes: ends.at(-1)!,
    async read(indexes) {
      if (isDisposed) return null;
      readers += 1;
      try {
        const values: LakeValue[][] = columns.map(() => []);
        for (let at = 0; at < indexes.length; at += READS_AT_ONCE) {
          const rows = await Promise.all(Array.from(indexes.subarray(at, at + READS_AT_ONCE), readRow));
          for (const cells of rows) {
            for (const [column, read] of cellReaders.entries()) values[column]!.push(read(cells[column]!));
          }
        }
        return values;
      } finally {
        readers -= 1;
        closeWhenIdle();
      }
    },
    dispose() {
      isDisposed = true;
      closeWhenIdle();
    },
  };
}

function cellReader({ type, isMoney }: RowColumn): (cell: string) => LakeValue {
  if (type === 'VARCHAR') return (cell) => (cell === '' ? null : cell.slice(1));
  if (type === 'BOOLEAN') return (cell) => (cell === '' ? null : cell === 'true');
  if (type === 'DOUBLE' || type === 'INTEGER') return (cell) => (cell === '' ? null : numberOf(cell));
  if (type === 'DATE' || isMoney) return (cell) => (cell === '' ? null : cell);
  return (cell) => (cell === '' ? null : cell.includes('.') ? cell.replace(/\.?0+$/, '') : cell);
}

/** Parses a double as DuckDB writes it. */
function numberOf(text: string): number {
  if (text === 'inf') return Number.POSITIVE_INFINITY;
  return text === '-inf' ? Number.NEGATIVE_INFINITY : Number(text);
}
