import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { quoteName, quoteText, readParquet } from '@tapeline/db/lake/lake.ts';
import type { RawBatch } from '../sheets/raw-batch.ts';
import { integers, numbers, rawColumn, rawColumns, type StagedColumn, strings, texts } from '../sheets/stage-batch.ts';
import { type BatchFacts, type CodedCells, describeBatch } from './batch-facts.ts';
import { type CellFacts, factsKey } from './compile/cell-facts.ts';
import type { CompiledMapping } from './compile/compile.ts';
import { installMacros } from './compile/macros.ts';
import { ERRORS_TYPE } from './compile/mapping-compiler.ts';
import { PART_PARQUET } from './part-format.ts';
import { PreparedProgram } from './prepared-program.ts';
import type { StagedRows } from './staged-source.ts';

/** Prepared programs that are kept: batches of one tape are nearly all alike. */
const MOST_PREPARED = 8;
/**
 * A plan is made once and run for every batch with the same facts, so it may not rest on what the tables hold when it is
 * made: DuckDB would not make it again. Joins keep the rows where they are written, and so their order.
 */
const DISABLED_OPTIMIZERS = 'statistics_propagation,join_order,build_side_probe_side';

const NO_ERRORED_ROWS = `SELECT CAST(NULL AS INTEGER) AS "row", CAST(NULL AS VARCHAR) AS origin, CAST(NULL AS ${ERRORS_TYPE}) AS errors LIMIT 0`;

/**
 * A DuckDB of one thread that maps batch after batch; what batches with the same facts need is compiled, planned and
 * prepared once. Whoever sees it fail closes it: nothing tells what was left in its tables.
 */
export class MappingEngine {
  readonly #connection: DuckDBConnection;
  readonly #instance: DuckDBInstance;
  /** The one used last stands last. */
  readonly #prepared = new Map<string, PreparedProgram>();
  readonly #numbers = new WeakMap<CompiledMapping, number>();
  #count = 0;

  readonly #folder: string;

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection, folder: string) {
    this.#folder = folder;
    this.#instance = instance;
    this.#connection = connection;
  }

  /** @param folder of its own, for what its memory does not hold and for files in work; on the volume of the parts */
  static async open(folder: string): Promise<MappingEngine> {
    const instance = await DuckDBInstance.create(':memory:', {
      threads: '1',
      preserve_insertion_order: 'true',
      autoinstall_known_extensions: 'false',
      temp_directory: join(folder, 'spill'),
    });
    const connection = await instance.connect();
    await connection.run(`SET disabled_optimizers = '${DISABLED_OPTIMIZERS}'`);
    await installMacros(connection);
    return new MappingEngine(instance, connection, folder);
  }

  close(): void {
    this.#connection.closeSync();
    this.#instance.closeSync();
  }

  /**
   * Maps a batch and writes `row` and the lake columns of the rows that fail no rule, in row order, as Parquet.
   * @param described what is known of the batch's columns; as little as one likes, but true of them
   * @returns sheet row numbers of the errored rows, ascending
   */
  async writeAssets(
    compiled: CompiledMapping,
    batch: RawBatch,
    path: string,
    described: BatchFacts = describeBatch(batch, compiled.usedColumns),
  ): Promise<number[]> {
    const { facts, coded } = described;
    const staged = {
      rows: { columns: rowColumns(batch, described), count: batch.rowCount },
      cells: new Map([...coded].map(([place, cells]) => [place, cellRows(batch, place, cells)])),
    };
    const columns = ['row', ...compiled.columns.map((column) => column.name)].map(quoteName).join(', ');
    const program = await this.#program(compiled, `assets ${factsKey(facts)}`, (name) =>
      PreparedProgram.make(this.#connection, name, staged, {
        program: (tables) => compiled.columnsProgram(facts, tables),
        written: (made) => `SELECT ${columns} FROM (${made}) WHERE NOT faulty`,
        format: PART_PARQUET,
        path: join(this.#folder, name),
      }),
    );
    const written = await program.write(staged, path);
    if (written === batch.rowCount) return [];
    const kept = await this.#connection.runAndReadAll(`SELECT "row" FROM ${readParquet([path])}`);
    return missingFrom((kept.getColumns()[0] ?? []) as number[], batch.rowNumbers);
  }

  /**
   * Writes `row`, `origin` and `errors` (every reason) of rows that are all errored, in row order, as Parquet.
   * @param origins of every row, its cells as JSON text
   * @param facts what is known of the columns of the batch that the rows are from
   */
  async writeErrored(
    compiled: CompiledMapping,
    batch: RawBatch,
    origins: readonly string[],
    path: string,
    facts: BatchFacts['facts'] = new Map(),
  ): Promise<void> {
    if (batch.rowCount === 0) {
      await this.#connection.run(`COPY (${NO_ERRORED_ROWS}) TO ${quoteText(path)} ${PART_PARQUET}`);
      return;
    }
    const rawFacts = new Map([...facts].map(([place, known]) => [place, { ...known, layout: 'raw' as const }]));
    const staged = {
      rows: { columns: rawColumns(batch, compiled.usedColumns), count: batch.rowCount },
      cells: new Map(),
      beside: { columns: [strings('origin', origins)], count: batch.rowCount },
    };
    const program = await this.#program(compiled, `errored ${factsKey(rawFacts)}`, (name) =>
      PreparedProgram.make(this.#connection, name, staged, {
        program: (tables) => compiled.errorsProgram(rawFacts, tables),
        written: (made, beside) =>
          `SELECT made."row", beside.origin, made.errors FROM (${made}) made POSITIONAL JOIN ${beside} beside WHERE made.errors IS NOT NULL`,
        format: PART_PARQUET,
        path: join(this.#folder, name),
      }),
    );
    const written = await program.write(staged, path);
    if (written !== batch.rowCount) throw new Error('Rows were found errored that fail no rule');
  }

  async #program(
    compiled: CompiledMapping,
    what: string,
    make: (name: string) => Promise<PreparedProgram>,
  ): Promise<PreparedProgram> {
    const number = this.#numbers.get(compiled) ?? this.#count++;
    this.#numbers.set(compiled, number);
    const key = `${number} ${what}`;
    const known = this.#prepared.get(key);
    const program = known ?? (await make(`p${this.#count++}`));
    this.#prepared.delete(key);
    this.#prepared.set(key, program);
    for (const [eldest, unused] of this.#prepared) {
      if (this.#prepared.size <= MOST_PREPARED) break;
      this.#prepared.delete(eldest);
      await unused.drop();
    }
    return program;
  }
}

/** The rows that are not among those kept; both are ascending. */
function missingFrom(kept: readonly number[], rows: Int32Array): number[] {
  let next = 0;
  const missing: number[] = [];
  for (const row of rows) {
    if (kept[next] === row) next += 1;
    else missing.push(row);
  }
  return missing;
}

/** The rows, each column in its layout. */
const rowColumns = (batch: RawBatch, { facts, coded }: BatchFacts): StagedColumn[] => [
  integers('row', batch.rowNumbers),
  ...[...facts].flatMap(([place, { layout }]) => columnsInLayout(batch, place, layout, coded)),
];

function columnsInLayout(
  batch: RawBatch,
  place: number,
  layout: CellFacts['layout'],
  coded: BatchFacts['coded'],
): StagedColumn[] {
  switch (layout) {
    case 'nothing':
      return [];
    case 'numbers':
      return [numbers(`n${place}`, batch, place)];
    case 'texts':
      return [texts(`s${place}`, batch, place)];
    case 'codes':
      return [integers(`c${place}`, coded.get(place)!.codes)];
    case 'raw':
      return rawColumn(batch, place);
  }
}

/** The distinct cells of a coded column, in the raw layout. */
function cellRows(batch: RawBatch, place: number, { rows }: CodedCells): StagedRows {
  const { tags, values } = batch.columns[place]!;
  const columns = [...batch.columns];
  columns[place] = {
    tags: Uint8Array.from(rows, (row) => tags[row]!),
    values: Float64Array.from(rows, (row) => values[row]!),
  };
  const cells = { ...batch, columns, rowCount: rows.length };
  return {
    columns: [integers(`code${place}`, Int32Array.from(rows.keys())), ...rawColumn(cells, place)],
    count: rows.length,
  };
}
