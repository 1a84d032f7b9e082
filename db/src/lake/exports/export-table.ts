import type { DuckDBDataChunk } from '@duckdb/node-api';
import type { TargetKind } from '@tapeline/domain/tapes/target-schema.ts';
import type { Lake } from '../lake.ts';

/** The media types that a list can be had in as a whole, by their names in addresses. */
export const EXPORT_TYPES = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  parquet: 'application/vnd.apache.parquet',
  arrow: 'application/vnd.apache.arrow.stream',
} as const;
export type ExportFormat = keyof typeof EXPORT_TYPES;

export interface ExportColumn {
  /** Its name in files that programs read. */
  readonly name: string;
  /** Its head in a workbook. */
  readonly label: string;
  readonly kind: Extract<TargetKind, 'text' | 'number' | 'boolean' | 'date' | 'amount' | 'percentage'> | 'result';
  /** SQL over the queries' rows. */
  readonly sql: string;
  /** The type that the SQL has. */
  readonly type: 'VARCHAR' | 'INTEGER' | 'DOUBLE' | 'BOOLEAN' | 'DATE' | `DECIMAL(${number},${number})`;
}

/** The rows of `SELECT ... ${from}`. */
export interface ExportQuery {
  readonly from: string;
  readonly values: readonly (string | boolean)[];
}

/** A list to be written whole: its columns, and queries that give its rows in order, one after the other. Plain data. */
export interface ExportTable {
  readonly columns: readonly ExportColumn[];
  /** Rows of all queries together; a stream that comes to an end with another number was broken off. */
  readonly rows: number;
  /** No query gives more rows than DuckDB may hold in order. */
  readonly queries: readonly ExportQuery[];
  /** The same rows as one query, for what DuckDB writes itself. */
  readonly whole: ExportQuery;
}

/**
 * The table's rows as DuckDB makes them, some 2,000 at a time. The next ones are made when they are asked for; who stops
 * asking, or aborts, ends the query.
 * @param setUp SQL that runs first on the connection
 * @throws Error where rows are missing at the end, since DuckDB ends a stream that failed like any other
 */
export async function* exportChunks(
  lake: Lake,
  table: ExportTable,
  select: string,
  { setUp = [], signal }: { setUp?: readonly string[]; signal?: AbortSignal | undefined } = {},
): AsyncGenerator<DuckDBDataChunk, void, void> {
  const connection = await lake.connect();
  const interrupt = (): void => connection.interrupt();
  signal?.addEventListener('abort', interrupt, { once: true });
  try {
    for (const sql of setUp) await connection.run(sql);
    let rows = 0;
    for (const { from, values } of table.queries) {
      signal?.throwIfAborted();
      const result = await connection.stream(`SELECT ${select} ${from}`, [...values]);
      for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
        signal?.throwIfAborted();
        rows += chunk.rowCount;
        yield chunk;
      }
    }
    signal?.throwIfAborted();
    if (rows !== table.rows) throw new Error(`an export gave ${rows} of ${table.rows} rows`);
  } catch (error) {
    // Who aborted gets the reason given, not that a query was interrupted.
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', interrupt);
    connection.interrupt();
    connection.closeSync();
  }
}
