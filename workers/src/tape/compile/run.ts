import type { DuckDBConnection } from '@duckdb/node-api';
import type { CellProblem } from '@tapeline/domain/tapes/tape.schema.ts';
import { quoteName } from '@tapeline/lake/lake.ts';
import type { CompiledMapping } from './compile.ts';
import type { Program, ProgramTables } from './layers.ts';
import { bindTexts, releaseTexts } from './literals.ts';
import { installMacros } from './macros.ts';

/** SELECT statements over the rows that `mapBatch` left in a table. */
export interface MappedBatch {
  /** `row` and the lake columns of the rows without errors, in row order. */
  readonly assetsSql: string;
  /** `row`, `origin` (JSON text of the cells as read), `errors` (every reason of the row), in row order. */
  readonly erroredSql: string;
  readonly assets: number;
  readonly errored: number;
}

/** The tables of a program over one staged table. `into` is the prefix for the names of intermediate tables. */
const tablesOver = (rows: string, into: string): ProgramTables => ({
  rows,
  cells: () => {
    throw new Error('Rows in the raw layout have no coded columns');
  },
  made: (name) => quoteName(`${into} ${name}`),
});

/** Writes the program's rows to a new table. */
async function fill(connection: DuckDBConnection, { tables, select, variables }: Program, into: string): Promise<void> {
  await bindTexts(connection, variables);
  for (const table of tables) await connection.run(`CREATE OR REPLACE TEMP TABLE ${table.name} AS ${table.select}`);
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${quoteName(into)} AS ${select}`);
  for (const table of tables) await connection.run(`DROP TABLE ${table.name}`);
  await releaseTexts(connection, variables);
}

/**
 * Maps a staged table in the raw layout into `mappedTable`, a temporary table of the connection. Every staged row is in
 * exactly one of the two selections. The caller writes out both and drops the table. The staged table is in row order
 * and DuckDB keeps that order (`preserve_insertion_order`), so nothing is sorted.
 */
export async function mapBatch(
  connection: DuckDBConnection,
  compiled: CompiledMapping,
  stagedTable: string,
  mappedTable = 'mapped_batch',
): Promise<MappedBatch> {
  await installMacros(connection);
  const table = quoteName(mappedTable);
  await fill(connection, compiled.rowsProgram(tablesOver(stagedTable, mappedTable)), mappedTable);
  const counted = await connection.runAndReadAll(`SELECT count(*) - count(errors), count(errors) FROM ${table}`);
  const [assets, errored] = (counted.getRows()[0] ?? [0, 0]).map(Number);
  const columns = ['row', ...compiled.columns.map((column) => column.name)].map(quoteName).join(', ');
  return {
    assetsSql: `SELECT ${columns} FROM ${table} WHERE errors IS NULL`,
    erroredSql: `SELECT m."row", ${compiled.originJson} AS origin, m.errors FROM ${table} m JOIN ${stagedTable} s ON s."row" = m."row" WHERE m.errors IS NOT NULL ORDER BY m."row"`,
    assets: assets ?? 0,
    errored: errored ?? 0,
  };
}

export interface PreviewCell {
  /** The result as text, or null if missing. */
  readonly value: string | null;
  /** Every reason why this cell fails. */
  readonly errors: readonly string[];
  /** Why the result is implausible, or why a cell that could not be read left it empty: no error. Null if neither. */
  readonly warning: string | null;
}

export interface PreviewRow {
  readonly row: number;
  /** In the order of `columns`. */
  readonly cells: readonly PreviewCell[];
}

export interface MappedPreview {
  readonly columns: readonly {
    /** 1-based position of the rule in the mapping. */
    readonly rule: number;
    readonly originCol: string | null;
    readonly target: string;
    readonly label: string;
    readonly temporary: boolean;
  }[];
  readonly rows: readonly PreviewRow[];
}

const PREVIEW_TABLE = 'mapped_preview';
/** Maximum number of characters of a result in a preview. */
export const LONGEST_SHOWN = 1000;

/** The CAST is needed because a rule that never produces a value gives an untyped NULL, which has no length. */
const shortened = (name: string): string => {
  const shown = `CAST(${name} AS VARCHAR)`;
  return `CASE WHEN length(${shown}) > ${LONGEST_SHOWN} THEN left(${shown}, ${LONGEST_SHOWN}) || '…' ELSE ${shown} END`;
};

/**
 * Maps the first staged rows, with every rule's result and errors. Uses the same SQL as whole tapes.
 * @param atOnce how many rows are mapped at once
 */
export async function previewRows(
  connection: DuckDBConnection,
  compiled: CompiledMapping,
  stagedTable: string,
  limit = 100,
  atOnce = limit,
): Promise<MappedPreview> {
  await installMacros(connection);
  const rows: PreviewRow[] = [];
  for (let start = 0; start < limit; start += atOnce) {
    const most = Math.min(atOnce, limit - start);
    const slice = await previewSlice(connection, compiled, stagedTable, start, most);
    rows.push(...slice);
    if (slice.length < most) break;
  }
  return {
    columns: compiled.rules.map((rule) => ({
      rule: rule.rule,
      originCol: rule.originCol,
      target: rule.target.path,
      label: rule.target.label,
      temporary: rule.temporary,
    })),
    rows,
  };
}

async function previewSlice(
  connection: DuckDBConnection,
  compiled: CompiledMapping,
  stagedTable: string,
  start: number,
  most: number,
): Promise<PreviewRow[]> {
  const staged = `(SELECT * FROM ${stagedTable} ORDER BY "row" LIMIT ${most} OFFSET ${start})`;
  const shown = compiled.rules.map(({ shown: name }) => shortened(name)).join(', ');
  const warned = compiled.rules.map((rule) => rule.warned?.column ?? 'FALSE').join(', ');
  const unread = compiled.rules.map((rule) => rule.unread ?? 'NULL').join(', ');
  await fill(connection, compiled.previewProgram(tablesOver(staged, PREVIEW_TABLE)), PREVIEW_TABLE);
  const result = await connection.runAndReadAll(
    `SELECT "row", CAST(to_json(errors) AS VARCHAR), ${shown}, ${warned}, ${unread} FROM ${PREVIEW_TABLE} ORDER BY "row"`,
  );
  await connection.run(`DROP TABLE ${PREVIEW_TABLE}`);
  return result.getRows().map((values): PreviewRow => {
    const problems = (JSON.parse((values[1] as string | null) ?? 'null') ?? []) as CellProblem[];
    return {
      row: Number(values[0]),
      cells: compiled.rules.map((rule, index) => ({
        value: (values[index + 2] ?? null) as string | null,
        errors: problems.filter((problem) => problem.rule === rule.rule).map((problem) => problem.reason),
        warning:
          values[compiled.rules.length + index + 2] === true
            ? (rule.warned?.reason ?? null)
            : ((values[2 * compiled.rules.length + index + 2] ?? null) as string | null),
      })),
    };
  });
}
