import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { MISFIT_PROBLEM } from '@tapeline/domain/tapes/tape.schema.ts';
import { limitSpill, quoteName, quoteText, readParquet } from '@tapeline/lake/lake.ts';
import type { RawBatch } from '@tapeline/sheets/raw-batch.ts';
import { type BatchFacts, type CodedCells, describeBatch } from './batch-facts.ts';
import { type CellFacts, factsKey } from './compile/cell-facts.ts';
import type { CompiledMapping } from './compile/compile.ts';
import { installMacros } from './compile/macros.ts';
import { ERRORS_TYPE } from './compile/mapping-compiler.ts';
import { originColumn } from './origin-texts.ts';
import { ERRORED_PARQUET, KEEP_ORDER, PART_PARQUET } from './part-format.ts';
import { PreparedProgram, type StagedRows } from './prepared-program.ts';
import { integers, numbers, rawColumn, rawColumns, type StagedColumn, strings, texts } from './stage-batch.ts';

/** Maximum number of prepared programs that are kept. The batches of one tape are nearly all alike. */
const MAX_PREPARED = 8;
/**
 * Once this number of sources is no longer used, an engine is replaced. DuckDB keeps every source until the instance is
 * closed, and each makes all statements of the process a little slower.
 */
const MAX_UNUSED_SOURCES = 100;
/**
 * A plan is made once and reused for every batch with the same facts. DuckDB does not replan it, so it must not depend
 * on the table contents at planning time. Joins stay where they are written, which also preserves the row order.
 */
const DISABLED_OPTIMIZERS = 'statistics_propagation,join_order,build_side_probe_side';

/**
 * A limit that no batch reaches, below which DuckDB does not move a filter. Otherwise it would put the expressions of all
 * layers into the filter, and compute each of them once for every rule that reads it, and once more for the output.
 */
const ALL_ROWS = `LIMIT ${2 ** 40}`;

/** The errors of a row whose extra fields are in `misfit`. */
const MISFIT_ERRORS = `CAST([{'rule': ${MISFIT_PROBLEM.rule}, 'column': NULL, 'target': ${quoteText(MISFIT_PROBLEM.target)}, 'value': beside.misfit, 'reason': ${quoteText(MISFIT_PROBLEM.reason)}}] AS ${ERRORS_TYPE})`;

const NO_ORIGIN = 'CAST(NULL AS VARCHAR) AS origin';
const NO_ERRORED_ROWS = ['CAST(NULL AS INTEGER) AS "row"', `CAST(NULL AS ${ERRORS_TYPE}) AS errors`];

/** What is written of mapped rows, if not all that a tape stores. */
export interface Written {
  /** The lake columns of assets; all if omitted. */
  readonly columns?: ReadonlySet<string>;
  /** Whether the cells of errored rows are written as read. */
  readonly hasOrigin?: boolean;
}

/**
 * A single-threaded DuckDB that maps one batch after another. The programs for batches with the same facts are
 * compiled, planned and prepared once. A caller that sees it fail must close it, because the contents of its tables are
 * unknown.
 */
export class MappingEngine {
  readonly #connection: DuckDBConnection;
  readonly #instance: DuckDBInstance;
  /** Ordered by last use, most recent last. */
  readonly #prepared = new Map<string, PreparedProgram>();
  readonly #numbers = new WeakMap<CompiledMapping, number>();
  #count = 0;
  #unusedSources = 0;

  readonly #folder: string;

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection, folder: string) {
    this.#folder = folder;
    this.#instance = instance;
    this.#connection = connection;
  }

  /**
   * @param folder a directory for this engine alone, for spilled memory and files in progress, on the same volume as
   * the parts
   */
  static async open(folder: string, memoryLimit: string, spillLimit: string): Promise<MappingEngine> {
    const instance = await DuckDBInstance.create(':memory:', {
      threads: '1',
      preserve_insertion_order: 'true',
      autoinstall_known_extensions: 'false',
      temp_directory: join(folder, 'spill'),
      memory_limit: memoryLimit,
    });
    await limitSpill(instance, spillLimit);
    const connection = await instance.connect();
    await connection.run(`SET disabled_optimizers = '${DISABLED_OPTIMIZERS}'`);
    await connection.run(KEEP_ORDER);
    await installMacros(connection);
    return new MappingEngine(instance, connection, folder);
  }

  /** For callers that interrupt the engine. Do not run other statements on it. */
  get connection(): DuckDBConnection {
    return this.#connection;
  }

  /** Whether a new engine is quicker than this one by now. */
  get isWorn(): boolean {
    return this.#unusedSources >= MAX_UNUSED_SOURCES;
  }

  close(): void {
    this.#connection.closeSync();
    this.#instance.closeSync();
  }

  /**
   * Maps a batch and writes `row` and the lake columns of the rows that fail no rule, in row order, as Parquet.
   * @param described what is known about the batch's columns; it can be incomplete, but must be true
   * @returns sheet row numbers of the errored rows, ascending
   */
  async writeAssets(
    compiled: CompiledMapping,
    batch: RawBatch,
    path: string,
    described: BatchFacts = describeBatch(batch, compiled.usedColumns),
    { columns: chosen }: Written = {},
  ): Promise<number[]> {
    const { facts, coded } = described;
    const staged = {
      rows: { columns: rowColumns(batch, described), count: batch.rowCount },
      cells: new Map([...coded].map(([index, cells]) => [index, cellRows(batch, index, cells)])),
    };
    const names = compiled.columns.map((column) => column.name).filter((name) => chosen?.has(name) ?? true);
    const columns = ['row', ...names].map(quoteName).join(', ');
    const what = chosen ? `assets of ${columns}` : 'assets';
    const program = await this.#program(compiled, `${what} ${factsKey(facts)}`, (name) =>
      PreparedProgram.make(this.#connection, name, staged, {
        program: (tables) => compiled.columnsProgram(facts, tables),
        written: (made) => `SELECT ${columns} FROM (${made} ${ALL_ROWS}) WHERE NOT invalid`,
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
   * Writes `row`, `origin`, `errors` (every reason) and the judged columns of rows that are all errored, in row order,
   * as Parquet. If a row has more fields than the header, that is its only reason and nothing else in it is checked,
   * because its cells may belong to other columns.
   * @param facts what is known about the columns of the batch that the rows come from
   */
  async writeErrored(
    compiled: CompiledMapping,
    batch: RawBatch,
    path: string,
    facts: BatchFacts['facts'] = new Map(),
    { hasOrigin = true }: Written = {},
  ): Promise<void> {
    const judged = compiled.judgedColumns.map(({ name, type }) => ({ name: quoteName(name), type }));
    if (batch.rowCount === 0) {
      const none = [
        ...NO_ERRORED_ROWS.toSpliced(1, 0, ...(hasOrigin ? [NO_ORIGIN] : [])),
        ...judged.map(({ name, type }) => `CAST(NULL AS ${type}) AS ${name}`),
      ].join(', ');
      await this.#connection.run(`COPY (SELECT ${none} LIMIT 0) TO ${quoteText(path)} ${PART_PARQUET}`);
      return;
    }
    const rawFacts = new Map([...facts].map(([index, known]) => [index, { ...known, layout: 'raw' as const }]));
    const staged = {
      rows: { columns: rawColumns(batch, compiled.usedColumns), count: batch.rowCount },
      cells: new Map(),
      beside: {
        columns: [
          ...(hasOrigin ? [originColumn(batch, compiled.sheet)] : []),
          strings(
            'misfit',
            Array.from(batch.rowNumbers, (row) => batch.misfits.get(row) ?? null),
          ),
        ],
        count: batch.rowCount,
      },
    };
    const judgedSql = judged
      .map(({ name }) => `, CASE WHEN beside.misfit IS NULL THEN made.${name} END AS ${name}`)
      .join('');
    const origin = hasOrigin ? 'beside.origin, ' : '';
    const what = hasOrigin ? 'errored' : 'reasons';
    const program = await this.#program(compiled, `${what} ${factsKey(rawFacts)}`, (name) =>
      PreparedProgram.make(this.#connection, name, staged, {
        program: (tables) => compiled.errorsProgram(rawFacts, tables),
        written: (made, beside) =>
          `SELECT made."row", ${origin}CASE WHEN beside.misfit IS NULL THEN made.errors ELSE ${MISFIT_ERRORS} END AS errors${judgedSql}
           FROM (${made}) made POSITIONAL JOIN ${beside} beside WHERE made.errors IS NOT NULL OR beside.misfit IS NOT NULL`,
        format: ERRORED_PARQUET,
        path: join(this.#folder, name),
      }),
    );
    const written = await program.write(staged, path);
    if (written !== batch.rowCount) throw new Error('Rows were found errored that fail no rule');
  }

  /** Total bytes of the texts in a file that `writeAssets` wrote. */
  async textBytes(compiled: CompiledMapping, path: string, { columns }: Written = {}): Promise<number> {
    const texts = compiled.columns
      .filter(({ name, type }) => type === 'VARCHAR' && (columns?.has(name) ?? true))
      .map(({ name }) => quoteName(name));
    const sum = texts.map((name) => `coalesce(strlen(${name}), 0)`).join(' + ') || '0';
    const read = await this.#connection.runAndReadAll(`SELECT coalesce(sum(${sum}), 0) FROM ${readParquet([path])}`);
    return Number(read.getColumns()[0]?.[0]);
  }

  /** Concatenates files with the same columns into one, in this order. */
  async join(paths: readonly string[], target: string): Promise<void> {
    await this.#connection.run(`COPY (FROM ${readParquet(paths)}) TO ${quoteText(target)} ${PART_PARQUET}`);
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
      if (this.#prepared.size <= MAX_PREPARED) break;
      this.#prepared.delete(eldest);
      this.#unusedSources += unused.sourceCount;
      await unused.drop();
    }
    return program;
  }
}

/** The rows that are not in `kept`. Both lists are ascending. */
function missingFrom(kept: readonly number[], rows: Int32Array): number[] {
  let next = 0;
  const missing: number[] = [];
  for (const row of rows) {
    if (kept[next] === row) next += 1;
    else missing.push(row);
  }
  return missing;
}

/** The batch's rows, with each column in its layout. */
const rowColumns = (batch: RawBatch, { facts, coded }: BatchFacts): StagedColumn[] => [
  integers('row', batch.rowNumbers),
  ...[...facts].flatMap(([index, { layout }]) => columnsInLayout(batch, index, layout, coded)),
];

function columnsInLayout(
  batch: RawBatch,
  index: number,
  layout: CellFacts['layout'],
  coded: BatchFacts['coded'],
): StagedColumn[] {
  switch (layout) {
    case 'nothing':
      return [];
    case 'numbers':
      return [numbers(`n${index}`, batch, index)];
    case 'texts':
      return [texts(`s${index}`, batch, index)];
    case 'codes':
      return [integers(`c${index}`, coded.get(index)!.codes)];
    case 'raw':
      return rawColumn(batch, index);
  }
}

/** The distinct cells of a coded column, in the raw layout. */
function cellRows(batch: RawBatch, index: number, { rows }: CodedCells): StagedRows {
  const { tags, values } = batch.columns[index]!;
  const columns = [...batch.columns];
  columns[index] = {
    tags: Uint8Array.from(rows, (row) => tags[row]!),
    values: Float64Array.from(rows, (row) => values[row]!),
  };
  const cells = { ...batch, columns, rowCount: rows.length };
  return {
    columns: [integers(`code${index}`, Int32Array.from(rows.keys())), ...rawColumn(cells, index)],
    count: rows.length,
  };
}
