import { type DuckDBConnection, DuckDBTableFunction } from '@duckdb/node-api';
import { type StagedColumn, VECTOR_ROWS, VectorRoom } from '../sheets/stage-batch.ts';

/** Rows that a query reads where they lie in memory. */
export interface StagedRows {
  readonly columns: readonly StagedColumn[];
  readonly count: number;
}

/**
 * A relation of a connection whose rows are handed over as a query asks for them, a vector at a time: nothing is stored
 * before it is read, and columns that a query leaves out cost nothing.
 */
export class StagedSource {
  /** What stands after FROM. */
  readonly relation: string;
  readonly #room = new VectorRoom();
  #rows: StagedRows;

  /** @param name of a function that the connection does not have yet; it stays as long as the connection does */
  constructor(connection: DuckDBConnection, name: string, rows: StagedRows) {
    this.relation = `${name}()`;
    this.#rows = rows;
    // Not the columns themselves: they hold the cells of the batch that came first.
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

  /** Other rows of the same columns. */
  hold(rows: StagedRows): void {
    this.#rows = rows;
  }

  /** Lets go of the rows, so that their memory is free. */
  release(): void {
    this.#rows = { columns: [], count: 0 };
  }
}

interface Scan {
  next: number;
  /** Places of the columns that the query reads, in its order. */
  readonly wanted: readonly number[];
}
