import { rename } from 'node:fs/promises';
import { type DuckDBConnection, type DuckDBPreparedStatement, DuckDBTableFunction } from '@duckdb/node-api';
import { quoteText } from '@tapeline/lake/lake.ts';
import type { Program, ProgramTables } from './compile/layers.ts';
import { bindTexts, releaseTexts, type TextVariable } from './compile/literals.ts';
import { type StagedColumn, VECTOR_ROWS, VectorRoom } from './stage-batch.ts';

export interface Staged {
  readonly rows: StagedRows;
  /** The distinct cells of coded columns, by column index. */
  readonly cells: ReadonlyMap<number, StagedRows>;
  /** Columns that are written next to the program's columns, row by row. */
  readonly beside?: StagedRows;
}

interface Recipe {
  readonly program: (tables: ProgramTables) => Program;
  /**
   * SQL for the rows to write.
   * @param made the program's rows
   * @param beside the relation with the columns that are added to them
   */
  readonly written: (made: string, beside: string) => string;
  /** Options of the COPY statement. */
  readonly format: string;
  /**
   * A fixed path that only this program uses. DuckDB would replan the statement every time if the path were a
   * parameter.
   */
  readonly path: string;
}

/** A program that writes a Parquet file. Its statements are planned once and run for any staged rows. */
export class PreparedProgram {
  readonly #connection: DuckDBConnection;
  readonly #sources: ReadonlyMap<string, StagedSource>;
  readonly #tables: string[] = [];
  readonly #inserts: DuckDBPreparedStatement[] = [];
  readonly #path: string;
  #variables: readonly TextVariable[] = [];
  #copy: DuckDBPreparedStatement | null = null;

  private constructor(connection: DuckDBConnection, name: string, staged: Staged, path: string) {
    this.#connection = connection;
    this.#path = path;
    this.#sources = new Map(
      [...sourcesOf(staged)].map(([label, rows]) => [label, new StagedSource(connection, `${name}_${label}`, rows)]),
    );
  }

  /** @param name unique prefix for the objects that the program creates in the connection */
  static async make(
    connection: DuckDBConnection,
    name: string,
    staged: Staged,
    { program, written, format, path }: Recipe,
  ): Promise<PreparedProgram> {
    const made = new PreparedProgram(connection, name, staged, path);
    const relation = (label: string): string => made.#sources.get(label)?.relation ?? '';
    const { tables, select, variables } = program({
      rows: relation('rows'),
      cells: (index) => relation(`cells_${index}`),
      made: (label) => `${name}_${label.replaceAll(' ', '_')}_made`,
    });
    made.#variables = variables;
    await bindTexts(connection, variables);
    for (const table of tables) {
      await connection.run(`CREATE TABLE ${table.name} AS ${table.select} LIMIT 0`);
      made.#tables.push(table.name);
      made.#inserts.push(await connection.prepare(`INSERT INTO ${table.name} ${table.select}`));
    }
    const rows = written(select, relation('beside'));
    made.#copy = await connection.prepare(`COPY (${rows}) TO ${quoteText(path)} ${format}`);
    return made;
  }

  /** Number of sources that stay in the connection. */
  get sourceCount(): number {
    return this.#sources.size;
  }

  /**
   * @param path must be on the same volume as the program's own path
   * @returns the number of rows written
   */
  async write(staged: Staged, path: string): Promise<number> {
    for (const [label, rows] of sourcesOf(staged)) this.#sources.get(label)?.hold(rows);
    for (const insert of this.#inserts) await insert.run();
    const written = await this.#copy!.runAndReadAll();
    for (const source of this.#sources.values()) source.release();
    for (const table of this.#tables) await this.#connection.run(`TRUNCATE ${table}`);
    await rename(this.#path, path);
    return Number(written.getColumns()[0]?.[0]);
  }

  /** Releases the prepared statements and tables. DuckDB only keeps the names of the sources. */
  async drop(): Promise<void> {
    for (const statement of [...this.#inserts, this.#copy]) statement?.destroySync();
    for (const table of this.#tables) await this.#connection.run(`DROP TABLE ${table}`);
    await releaseTexts(this.#connection, this.#variables);
  }
}

function* sourcesOf({ rows, cells, beside }: Staged): Iterable<[string, StagedRows]> {
  yield ['rows', rows];
  for (const [index, cellRows] of cells) yield [`cells_${index}`, cellRows];
  if (beside) yield ['beside', beside];
}

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
