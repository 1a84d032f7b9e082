import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteName } from '@tapeline/db/lake/lake.ts';
import type { CellFault } from '@tapeline/domain/tapes/tape.schema.ts';
import type { CompiledMapping } from './compile.ts';
import type { Program, ProgramTables } from './layers.ts';
import { installMacros } from './macros.ts';

/** SELECT statements over the rows that `mapBatch` left in a table. */
export interface MappedBatch {
  /** `row` and the lake columns of the rows without a fault, in row order. */
  readonly assetsSql: string;
  /** `row`, `origin` (JSON text of the cells as read), `errors` (every reason of the row), in row order. */
  readonly erroredSql: string;
  readonly assets: number;
  readonly errored: number;
}

/** Tables of a program over one staged table; `into` begins the names of those in between. */
const tablesOver = (rows: string, into: string): ProgramTables => ({
  rows,
  cells: () => {
    throw new Error('Rows in the raw layout have no coded columns');
  },
  made: (name) => quoteName(`${into} ${name}`),
});

/** Leaves the program's rows in a new table. */
async function fill(connection: DuckDBConnection, { tables, select }: Program, into: string): Promise<void> {
  for (const table of tables) await connection.run(`CREATE OR REPLACE TEMP TABLE ${table.name} AS ${table.select}`);
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${quoteName(into)} AS ${select}`);
  for (const table of tables) await connection.run(`DROP TABLE ${table.name}`);
}

/**
 * Maps a staged table in the raw layout into `mappedTable`, a temporary table of the connection. Every staged row is
 * in exactly one of the two selections. The caller writes both away and drops the table. The staged table stands in row
 * order, and DuckDB keeps it (`preserve_insertion_order`), so nothing is sorted.
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
  /** The result in words; null where missing. */
  readonly value: string | null;
  /** Every reason this cell fails. */
  readonly errors: readonly string[];
}

export interface PreviewRow {
  readonly row: number;
  /** In the order of `columns`. */
  readonly cells: readonly PreviewCell[];
}

export interface MappedPreview {
  readonly columns: readonly {
    /** Place of the rule in the mapping, from 1. */
    readonly rule: number;
    readonly originCol: string | null;
    readonly target: string;
    readonly label: string;
    readonly temporary: boolean;
  }[];
  readonly rows: readonly PreviewRow[];
}

const PREVIEW_TABLE = 'mapped_preview';

/** The first staged rows as mapped, every rule's result with its faults; the very SQL that maps whole tapes. */
export async function previewRows(
  connection: DuckDBConnection,
  compiled: CompiledMapping,
  stagedTable: string,
  limit = 100,
): Promise<MappedPreview> {
  await installMacros(connection);
  const first = `(SELECT * FROM ${stagedTable} ORDER BY "row" LIMIT ${Math.trunc(limit)})`;
  const shown = compiled.rules.map((rule) => rule.shown).join(', ');
  await fill(connection, compiled.previewProgram(tablesOver(first, PREVIEW_TABLE)), PREVIEW_TABLE);
  const result = await connection.runAndReadAll(
    `SELECT "row", CAST(to_json(errors) AS VARCHAR), ${shown} FROM ${PREVIEW_TABLE} ORDER BY "row"`,
  );
  await connection.run(`DROP TABLE ${PREVIEW_TABLE}`);
  const rows = result.getRows().map((values): PreviewRow => {
    const faults = (JSON.parse((values[1] as string | null) ?? 'null') ?? []) as CellFault[];
    return {
      row: Number(values[0]),
      cells: compiled.rules.map((rule, index) => ({
        value: (values[index + 2] ?? null) as string | null,
        errors: faults.filter((fault) => fault.rule === rule.rule).map((fault) => fault.reason),
      })),
    };
  });
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
