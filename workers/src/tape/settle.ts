import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteName, quoteText, readParquet } from '@tapeline/db/lake/lake.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { codeColumn, type LakeColumn, ROW_COLUMN, SEQUENCE_COLUMN } from '@tapeline/domain/tapes/target-schema.ts';
import type { SettledTarget } from './compile/compile.ts';
import { installMacros } from './compile/macros.ts';
import { stageRows } from './parts.ts';

export interface SettleInput {
  /** Candidate parts in batch order; their rows are in sheet order. */
  assetsPaths: readonly string[];
  erroredPaths: readonly string[];
  /** Staged batch files, in batch order. */
  stagedPaths: readonly string[];
  /** SQL over a staged row that gives its cells as JSON text, header to value. */
  originJson: string;
  /** Lake columns of the candidate parts. */
  columns: readonly LakeColumn[];
  unique: readonly SettledTarget[];
  consistent: readonly SettledTarget[];
  earlier: EarlierTape | null;
  assetsFile: string;
  erroredFile: string;
}

/** The company's latest published tape of an earlier cut-off date. */
export interface EarlierTape {
  cutOffDate: string;
  paths: readonly string[];
  columns: ReadonlySet<string>;
}

export interface Settled {
  assets: number;
  errored: number;
}

const row = quoteName(ROW_COLUMN);
const PARQUET = '(FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 122880)';

/**
 * Settles what no single batch can know: Unique over the whole tape (the first row keeps the value, later ones are
 * errors) and Consistent against the company's earlier tape. Writes the published parts: assets in row order with their
 * dense `sequenceIndex` and the codes of groupable columns, and every errored row with all its reasons.
 */
export async function settle(connection: DuckDBConnection, input: SettleInput): Promise<Settled> {
  await installMacros(connection);
  const candidates = readParquet(input.assetsPaths);
  await connection.run(
    `CREATE TEMP TABLE late_errors ("row" INTEGER, "rule" INTEGER, "column" VARCHAR, "target" VARCHAR, "value" VARCHAR, "reason" VARCHAR)`,
  );
  for (const field of input.unique) await connection.run(`INSERT INTO late_errors ${duplicates(candidates, field)}`);
  if (input.earlier) {
    for (const field of input.consistent) {
      if (!field.columns.every(({ name }) => input.earlier?.columns.has(name))) continue;
      await connection.run(`INSERT INTO late_errors ${inconsistencies(candidates, field, input.earlier)}`);
    }
  }
  const late = await count(connection, 'SELECT count(*) FROM late_errors');
  await connection.run(
    `COPY (${await publishedAssets(connection, await codes(connection, candidates, input), candidates, input, late > 0)}) TO ${quoteText(input.assetsFile)} ${PARQUET}`,
  );
  await connection.run(
    `COPY (${await publishedErrored(connection, input, late > 0)}) TO ${quoteText(input.erroredFile)} ${PARQUET}`,
  );
  const settled = {
    assets: await count(connection, `SELECT count(*) FROM ${readParquet([input.assetsFile])}`),
    errored: await count(connection, `SELECT count(*) FROM ${readParquet([input.erroredFile])}`),
  };
  await connection.run('DROP TABLE late_errors');
  await connection.run('DROP TABLE IF EXISTS late_origins');
  return settled;
}

/** One error in the shape of the errored parts. */
export function lateError(field: SettledTarget, value: string, reason: string): string {
  const column = field.originCol === null ? 'NULL::VARCHAR' : quoteText(field.originCol);
  return `${field.rule}, ${column}, ${quoteText(field.path)}, ${value}, ${reason}`;
}

function duplicates(candidates: string, field: SettledTarget): string {
  const value = quoteName(field.path);
  return `SELECT a.${row}, ${lateError(
    field,
    `CAST(a.${value} AS VARCHAR)`,
    `concat(${quoteText(`${field.label} `)}, CAST(a.${value} AS VARCHAR), ' is already used by row ', d.first_row)`,
  )}
    FROM ${candidates} a
    JOIN (SELECT ${value}, min(${row}) AS first_row FROM ${candidates} WHERE ${value} IS NOT NULL GROUP BY 1 HAVING count(*) > 1) d
      ON d.${value} = a.${value} AND a.${row} > d.first_row`;
}

/** A value in words, a part a column: an amount with its currency, a term with its unit, no zeros that only pad a scale. */
function shown(side: string, field: SettledTarget): string[] {
  return field.columns
    .filter(({ name }) => !name.endsWith('.days'))
    .map(({ name, type }) => {
      const text = `CAST(${side}.${quoteName(name)} AS VARCHAR)`;
      if (type === 'DOUBLE') return `regexp_replace(${text}, '[.]0$', '')`;
      return type.startsWith('DECIMAL') ? `regexp_replace(${text}, '[.]?0+$', '')` : text;
    });
}

/** An asset's value must be what the earlier tape said, where it said anything; all columns of the field count. */
export function inconsistencies(candidates: string, field: SettledTarget, earlier: EarlierTape): string {
  const differs = field.columns
    .map(
      ({ name }) => `(e.${quoteName(name)} IS NOT NULL AND a.${quoteName(name)} IS DISTINCT FROM e.${quoteName(name)})`,
    )
    .join(' OR ');
  const said = (side: string) => `coalesce(nullif(concat_ws(' ', ${shown(side, field).join(', ')}), ''), 'missing')`;
  return `SELECT a.${row}, ${lateError(
    field,
    `nullif(concat_ws(' ', ${shown('a', field).join(', ')}), '')`,
    `concat(${quoteText(`${field.label} was `)}, ${said('e')}, ${quoteText(` on the tape of ${formatCalendarDate(earlier.cutOffDate)} and is now `)}, ${said('a')})`,
  )}
    FROM ${candidates} a JOIN ${readParquet(earlier.paths)} e ON e."assetId" = a."assetId" WHERE ${differs}`;
}

/**
 * Integer codes of the text and boolean columns, by first appearance in row order. Columns that are unique by a check
 * have none: nobody groups by them.
 */
export async function codes(
  connection: DuckDBConnection,
  candidates: string,
  input: Pick<SettleInput, 'unique' | 'columns'>,
): Promise<{ name: string; sql: string }[]> {
  const unique = new Set(input.unique.map((field) => field.path));
  const groupable = input.columns.filter(
    ({ name, type }) => (type === 'VARCHAR' || type === 'BOOLEAN') && !unique.has(name),
  );
  const coded: { name: string; sql: string }[] = [];
  for (const [index, { name }] of groupable.entries()) {
    const text = `CAST(${quoteName(name)} AS VARCHAR)`;
    // An ENUM in order of first appearance turns texts into codes by one hash look-up each, and keeps the rows' order.
    await connection.run(
      `CREATE OR REPLACE TYPE code_${index} AS ENUM (SELECT v FROM (SELECT ${text} AS v, min(${row}) AS r FROM ${candidates} WHERE ${quoteName(name)} IS NOT NULL GROUP BY 1) ORDER BY r)`,
    );
    coded.push({ name: codeColumn(name), sql: `CAST(enum_code(CAST(${text} AS code_${index})) AS INTEGER)` });
  }
  return coded;
}

/**
 * The assets with their numbers. Candidates stand in row order and DuckDB keeps it: where none is taken out, a row's
 * number follows from its part and its place there, and every thread can write; else they are counted in order.
 */
async function publishedAssets(
  connection: DuckDBConnection,
  coded: readonly { name: string; sql: string }[],
  candidates: string,
  input: SettleInput,
  someLate: boolean,
): Promise<string> {
  const number = someLate
    ? `row_number() OVER (ORDER BY ${row}) - 1`
    : await placeInParts(connection, input.assetsPaths);
  const columns = [
    row,
    `CAST(${number} AS INTEGER) AS ${quoteName(SEQUENCE_COLUMN)}`,
    ...input.columns.map(({ name }) => quoteName(name)),
    ...coded.map(({ name, sql }) => `${sql} AS ${quoteName(name)}`),
  ];
  const kept = someLate ? `WHERE ${row} NOT IN (SELECT "row" FROM late_errors) ORDER BY ${row}` : '';
  return `SELECT ${columns.join(', ')} FROM ${candidates} ${kept}`;
}

/** SQL of a row's place among all rows of the parts. */
async function placeInParts(connection: DuckDBConnection, paths: readonly string[]): Promise<string> {
  const counted = await connection.runAndReadAll(
    `SELECT file_name, num_rows FROM parquet_file_metadata([${paths.map(quoteText).join(', ')}])`,
  );
  const rowsOf = new Map(counted.getRows().map(([name, rows]) => [String(name), Number(rows)]));
  let before = 0;
  const starts = paths.map((path) => {
    const start = before;
    before += rowsOf.get(path) ?? 0;
    return start;
  });
  return `file_row_number + CAST([${starts.join(', ')}] AS BIGINT[])[CAST(file_index AS INTEGER) + 1]`;
}

/** The errored rows of the batches, and those that only settling found, with their cells as read. */
async function publishedErrored(connection: DuckDBConnection, input: SettleInput, someLate: boolean): Promise<string> {
  const early = `SELECT "row", origin, errors FROM ${readParquet(input.erroredPaths)}`;
  if (!someLate) return early;
  const errors = `list({'rule': "rule", 'column': "column", 'target': "target", 'value': "value", 'reason': "reason"} ORDER BY "rule")`;
  const found = await connection.runAndReadAll('SELECT DISTINCT "row" FROM late_errors ORDER BY "row"');
  const rows = (found.getColumns()[0] ?? []) as number[];
  await connection.run(`CREATE TEMP TABLE late_origins ("row" INTEGER, origin VARCHAR)`);
  for (const path of input.stagedPaths) {
    await stageRows(connection, path, rows, 'staged_late');
    await connection.run(`INSERT INTO late_origins SELECT "row", ${input.originJson} FROM staged_late`);
    await connection.run('DROP TABLE staged_late');
  }
  return `${early} UNION ALL
    SELECT o."row", o.origin, l.errors FROM late_origins o
    JOIN (SELECT "row", ${errors} AS errors FROM late_errors GROUP BY "row") l ON l."row" = o."row" ORDER BY "row"`;
}

async function count(connection: DuckDBConnection, sql: string): Promise<number> {
  const result = await connection.runAndReadAll(sql);
  return Number(result.getColumns()[0]?.[0] ?? 0);
}
