import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteName, quoteText } from '@tapeline/db/lake/lake.ts';
import { codeColumn, type LakeColumn, ROW_COLUMN } from '@tapeline/domain/tapes/target-schema.ts';
import type { SettledTarget } from './compile/compile.ts';

/** The integer code of a row's text or flag: what to call the column, and SQL over the assets. */
export interface CodedColumn {
  readonly name: string;
  readonly sql: string;
}

/** Up to so many texts are looked up in a list: once a distinct text where Parquet keeps a dictionary. */
const MOST_LISTED = 100;

/**
 * Codes of the text and boolean columns, dense by first appearance in row order, over all parts alike. Columns that are
 * unique by a check have none: nobody groups by them.
 * @param assets a relation; where texts are more than a list holds, they become a type of the database
 */
export async function codes(
  connection: DuckDBConnection,
  assets: string,
  { columns, unique }: { columns: readonly LakeColumn[]; unique: readonly SettledTarget[] },
): Promise<CodedColumn[]> {
  const coded: CodedColumn[] = [];
  for (const [index, { name, type }] of columns.entries()) {
    if (type !== 'VARCHAR' && type !== 'BOOLEAN') continue;
    if (unique.some((field) => field.path === name)) continue;
    const column = quoteName(name);
    await connection.run(
      `CREATE OR REPLACE TEMP TABLE first_rows AS
       SELECT ${column} AS v, min(${quoteName(ROW_COLUMN)}) AS r FROM ${assets} WHERE ${column} IS NOT NULL GROUP BY 1`,
    );
    const first = await connection.runAndReadAll(`SELECT v FROM first_rows ORDER BY r LIMIT ${MOST_LISTED + 1}`);
    const values = (first.getColumns()[0] ?? []) as (string | boolean)[];
    const sql = values.length > MOST_LISTED ? await byType(connection, index, column) : byList(values, column, type);
    coded.push({ name: codeColumn(name), sql });
  }
  await connection.run('DROP TABLE IF EXISTS first_rows');
  return coded;
}

function byList(values: readonly (string | boolean)[], column: string, type: string): string {
  const list = values.map((value) => (typeof value === 'boolean' ? String(value) : quoteText(value))).join(', ');
  // Nothing around it that would look at every row: a missing value has no place in the list and gives NULL.
  return `list_position(CAST([${list}] AS ${type}[]), ${column}) - 1`;
}

/** An ENUM in order of first appearance turns texts into codes by one hash look-up each. */
async function byType(connection: DuckDBConnection, index: number, column: string): Promise<string> {
  const type = `code_${index}`;
  await connection.run(`CREATE OR REPLACE TYPE ${type} AS ENUM (SELECT v FROM first_rows ORDER BY r)`);
  return `CAST(enum_code(CAST(${column} AS ${type})) AS INTEGER)`;
}
