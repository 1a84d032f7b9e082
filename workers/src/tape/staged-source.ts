import { type DuckDBConnection, DuckDBTableFunction } from '@duckdb/node-api';
import { type StagedColumn, VECTOR_ROWS, VectorRoom } from './stage-batch.ts';

/** Rows that a query reads directly from memory. */
export interface StagedRows {
  readonly columns: readonly StagedColumn[];
  readonly count: number;
}

/**
 * A relation of a connection that provides its rows on demand, a vector at a time. Nothing is stored before it is read,
 * and columns that a query does not use cost nothing.
 */
export class StagedSource {
  /** The expression to use after FROM. */
  readonly relation: string;
  readonly #room = new VectorRoom();
  #rows: StagedRows;

  /**
   * @param name must not be the name of an existing function in the connection; it stays registered until the
   * connection closes
   */
  constructor(connection: DuckDBConnection, name: string, rows: StagedRows) {
    this.relation = `${name}()`;
    this.#rows = rows;
    // Do not capture the columns themselves, because they reference the cells of the first batch.
    const columns = rows.columns.map(({ name: columnName, type }) => ({ name: columnName, type }));
    connection.registerTableFunction(
      DuckDBTableFunction.create({
        name,
        supportsProjectionPushdown: true,
        bindFunction: (info) => {
          for (const column of columns) info.addResultColumn(column.name, column.type);
        },
        initFunction: (info) => {
          info.setMaxThreads(1);
          info.setInitData({ next: 0, wanted: info.getColumnIndexes() } satisfies Scan);
        },
        mainFunction: (info, chunk) => {
          const scan = info.getInitData() as Scan;
          const end = Math.min(this.#rows.count, scan.next + VECTOR_ROWS);
          chunk.rowCount = end - scan.next;
          if (end === scan.next) return;
          for (const [index, column] of scan.wanted.entries()) {
            this.#rows.columns[column]?.fill(chunk, index, scan.next, end, this.#room);
          }
          scan.next = end;
        },
      }),
    );
  }

  /** Replaces the rows with other rows of the same columns. */
  hold(rows: StagedRows): void {
    this.#rows = rows;
  }

  /** Drops the reference to the rows so that their memory can be freed. */
  release(): void {
    this.#rows = { columns: [], count: 0 };
  }
}

interface Scan {
  next: number;
  /** Indexes of the columns that the query reads, in the query's order. */
  readonly wanted: readonly number[];
}
