import type { DuckDBDataChunk } from '@duckdb/node-api';
import type { TargetKind } from '@tapeline/domain/tapes/target-schema.ts';
import type { Lake } from '../lake.ts';

/** The media types of exports, by their names in URLs. */
export const EXPORT_TYPES = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  parquet: 'application/vnd.apache.parquet',
  arrow: 'application/vnd.apache.arrow.stream',
} as const;
export type ExportFormat = keyof typeof EXPORT_TYPES;

export interface ExportColumn {
  /** The column's name in files that programs read. */
  readonly name: string;
  /** The column's header in a workbook. */
  readonly label: string;
  readonly kind: Extract<TargetKind, 'text' | 'number' | 'boolean' | 'date' | 'amount' | 'percentage'> | 'result';
  /** How wide the column is in a workbook, in characters, where its values are longer than usual. */
  readonly characters?: number;
  /** SQL over the rows of the queries. */
  readonly sql: string;
  readonly type: 'VARCHAR' | 'INTEGER' | 'DOUBLE' | 'BOOLEAN' | 'DATE' | `DECIMAL(${number},${number})`;
}

/** A column of text. @param characters as in `ExportColumn` */
export const textColumn = (name: string, label: string, sql: string, characters?: number): ExportColumn => ({
  name,
  label,
  kind: 'text',
  type: 'VARCHAR',
  sql,
  ...(characters === undefined ? {} : { characters }),
});

/** A column of amounts, with the type that holds them. */
export const amountColumn = (
  name: string,
  label: string,
  sql: string,
  type: ExportColumn['type'] = 'DECIMAL(18,4)',
): ExportColumn => ({ name, label, kind: 'amount', type, sql });

/** Selects the rows: `SELECT ... ${from}`. */
export interface ExportQuery {
  readonly from: string;
  readonly values: readonly (string | boolean)[];
}

/** A list to be exported: its columns, and the queries that return its rows. Plain data. */
export interface ExportTable {
  readonly columns: readonly ExportColumn[];
  /** Rows of all queries together; a stream that ends with another number was cut off. */
  readonly rows: number;
  /**
   * No query returns more rows than `sliceRowsOf` allows, so that DuckDB can hold any of them. They are in order unless
   * `order` is set.
   */
  readonly queries: readonly ExportQuery[];
  /** Set for a list too long to be sorted in memory: the `queries` then return its rows in any order. */
  readonly order?: ExportOrder;
}

/** Which rows a sorted list has, and in which order. The rows of all queries have these columns too. */
export interface ExportOrder {
  /** Every row that passes, with the sort columns. */
  readonly all: ExportQuery;
  /** The two columns, both integers, that identify a row. */
  readonly row: readonly [string, string];
  /** The ORDER BY clause; it leaves no ties. */
  readonly by: string;
  /** Rows to skip; the table's `rows` follow. */
  readonly skip: number;
}

/** Maximum cells, and rows, that DuckDB reads, sorts and returns at once. */
const SLICE_CELLS = 4_000_000;
const MAX_SLICE_ROWS = 100_000;

/** Rows of a slice of a list with this many columns. */
export const sliceRowsOf = (columns: number): number =>
  Math.min(MAX_SLICE_ROWS, Math.ceil(SLICE_CELLS / Math.max(1, columns)));

/** Paces exports: they take turns, and none uses DuckDB's memory while its client is slow. */
export interface ExportPace {
  readonly signal?: AbortSignal | undefined;
  /** Waits until the export may run its next query. @returns a function to call once its rows have been handed over */
  turn?(): Promise<() => void>;
}

const FREE_TURN = (): void => undefined;
export const takeTurn = ({ turn }: ExportPace): Promise<() => void> => turn?.() ?? Promise.resolve(FREE_TURN);

/**
 * The table's rows in DuckDB's chunks of about 2,000. Ending the iteration or aborting ends the query.
 * @throws Error if rows are missing at the end, since DuckDB ends a failed stream like any other
 */
export async function* exportChunks(
  lake: Lake,
  table: ExportTable,
  select: string,
  pace: ExportPace = {},
): AsyncGenerator<DuckDBDataChunk, void, void> {
  const { signal } = pace;
  const connection = await lake.connect();
  const interrupt = (): void => connection.interrupt();
  signal?.addEventListener('abort', interrupt, { once: true });
  try {
    let rows = 0;
    for (const { from, values } of table.queries) {
      signal?.throwIfAborted();
      const endTurn = await takeTurn(pace);
      try {
        signal?.throwIfAborted();
        const result = await connection.stream(`SELECT ${select} ${from}`, [...values]);
        for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
          signal?.throwIfAborted();
          rows += chunk.rowCount;
          yield chunk;
        }
      } finally {
        endTurn();
      }
    }
    signal?.throwIfAborted();
    if (rows !== table.rows) throw new Error(`an export returned ${rows} of ${table.rows} rows`);
  } catch (error) {
    // On abort the caller gets the signal's reason, not the error of the interrupted query.
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', interrupt);
    connection.interrupt();
    connection.closeSync();
  }
}
