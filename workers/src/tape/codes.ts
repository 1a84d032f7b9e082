import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteName, quoteText } from '@tapeline/db/lake/lake.ts';
import { codeColumn, type LakeColumn, ROW_COLUMN } from '@tapeline/domain/tapes/target-schema.ts';
import { type CodesToWrite, readDictionaryColumns, writeDictionaryCodes } from '../parquet/dictionary-codes.ts';
import type { SettledTarget } from './compile/compile.ts';

/** The integer code of a row's text or flag: what to call the column, and SQL over the assets. */
export interface CodedColumn {
  readonly name: string;
  readonly sql: string;
}

interface CodedTape {
  readonly columns: readonly LakeColumn[];
  readonly unique: readonly SettledTarget[];
}

/** Columns that are unique by a check have no codes: nobody groups by them. */
const groupable = ({ columns, unique }: CodedTape): LakeColumn[] =>
  columns.filter(
    ({ name, type }) => (type === 'VARCHAR' || type === 'BOOLEAN') && !unique.some((field) => field.path === name),
  );

/** The codes that parts' own dictionaries give, with no look at a row. */
export interface DictionaryCodes {
  /** Assets of each part. */
  readonly rows: readonly number[];
  /** Columns that have theirs by it. */
  readonly names: ReadonlySet<string>;
  /** Writes the codes of one part as a file to stand beside it. */
  write(place: number, file: string): Promise<void>;
}

/** Codes of the text columns that every part keeps by a dictionary, dense by first appearance over all parts alike. */
export async function dictionaryCodes(paths: readonly string[], tape: CodedTape): Promise<DictionaryCodes> {
  const texts = groupable(tape).flatMap(({ name, type }) => (type === 'VARCHAR' ? [name] : []));
  const parts = await Promise.all(paths.map((path) => readDictionaryColumns(path, texts)));
  const names = texts.filter((name) => parts.every((part) => part.columns.has(name)));
  const codesOf = new Map(names.map((name) => [name, new Map<string, number>()]));
  // Each dictionary stands in the order in which its texts appear, and so do the parts.
  const coded = parts.map(({ columns }) =>
    names.map((name): CodesToWrite => {
      const [source, known] = [columns.get(name)!, codesOf.get(name)!];
      for (const text of source.texts) if (!known.has(text)) known.set(text, known.size);
      return { name: codeColumn(name), source, codes: Int32Array.from(source.texts, (text) => known.get(text)!) };
    }),
  );
  return {
    rows: parts.map(({ rows }) => rows),
    names: new Set(names),
    write: (place, file) => writeDictionaryCodes(file, coded[place]!, parts[place]!.rows),
  };
}

/** Up to so many texts are looked up in a list: once a distinct text where Parquet keeps a dictionary. */
const MOST_LISTED = 100;

/**
 * Codes of the text and boolean columns, dense by first appearance in row order, over all parts alike.
 * @param assets a relation; where texts are more than a list holds, they become a type of the database
 * @param without columns that have theirs already
 */
export async function codes(
  connection: DuckDBConnection,
  assets: string,
  tape: CodedTape,
  without: ReadonlySet<string> = new Set(),
): Promise<CodedColumn[]> {
  const coded: CodedColumn[] = [];
  for (const [index, { name, type }] of groupable(tape).entries()) {
    if (without.has(name)) continue;
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
