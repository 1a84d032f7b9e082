import type { DuckDBConnection } from '@duckdb/node-api';
import { codeColumn, type LakeColumn, ROW_COLUMN } from '@tapeline/domain/tapes/target-schema.ts';
import { quoteName, quoteText } from '@tapeline/lake/lake.ts';
import { type CodesToWrite, readDictionaryColumns, writeDictionaryCodes } from '@tapeline/parquet';
import type { WholeTapeTarget } from './compile/compile.ts';

/** The integer code of a row's text or boolean: the column name, and SQL over the assets. */
export interface CodedColumn {
  readonly name: string;
  readonly sql: string;
}

interface CodedTape {
  readonly columns: readonly LakeColumn[];
  readonly unique: readonly WholeTapeTarget[];
}

/** Columns with a Unique check and notes get no codes, because grouping by them is pointless. */
const groupable = ({ columns, unique }: CodedTape): LakeColumn[] =>
  columns.filter(
    ({ name, type, isNote }) =>
      (type === 'VARCHAR' || type === 'BOOLEAN') && !isNote && !unique.some((field) => field.path === name),
  );

/** Codes derived from the dictionaries of the parts, without reading any rows. */
export interface DictionaryCodes {
  /** Number of assets in each part. */
  readonly rows: readonly number[];
  /** Columns whose codes come from the dictionaries. */
  readonly names: ReadonlySet<string>;
  /** Writes the codes of one part to a file that accompanies the part. */
  write(index: number, file: string): Promise<void>;
}

/**
 * Codes of the text columns that have a dictionary in every part. They are dense, in order of first appearance across
 * all parts.
 */
export async function dictionaryCodes(paths: readonly string[], tape: CodedTape): Promise<DictionaryCodes> {
  const texts = groupable(tape).flatMap(({ name, type }) => (type === 'VARCHAR' ? [name] : []));
  const parts = await Promise.all(paths.map((path) => readDictionaryColumns(path, texts)));
  const names = texts.filter((name) => parts.every((part) => part.columns.has(name)));
  const codesOf = new Map(names.map((name) => [name, new Map<string, number>()]));
  // Both the dictionaries and the parts are ordered by first appearance.
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
    write: (index, file) => writeDictionaryCodes(file, coded[index]!, parts[index]!.rows),
  };
}

/**
 * Up to this many texts are looked up in a list. Where Parquet has a dictionary, that is one lookup per distinct text.
 */
const MAX_LISTED = 100;

/**
 * Codes of the text and boolean columns. They are dense, in order of first appearance by row across all parts.
 * @param assets a relation; if a column has too many texts for a list, they become an ENUM type in the database
 * @param without columns that already have codes
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
    const first = await connection.runAndReadAll(`SELECT v FROM first_rows ORDER BY r LIMIT ${MAX_LISTED + 1}`);
    const values = (first.getColumns()[0] ?? []) as (string | boolean)[];
    const sql = values.length > MAX_LISTED ? await byType(connection, index, column) : byList(values, column, type);
    coded.push({ name: codeColumn(name), sql });
  }
  await connection.run('DROP TABLE IF EXISTS first_rows');
  return coded;
}

function byList(values: readonly (string | boolean)[], column: string, type: string): string {
  const list = values.map((value) => (typeof value === 'boolean' ? String(value) : quoteText(value))).join(', ');
  // Do not wrap this in an expression that visits every row. A missing value is not in the list and gives NULL.
  return `list_position(CAST([${list}] AS ${type}[]), ${column}) - 1`;
}

/** Creates an ENUM in order of first appearance, which maps each text to its code with one hash lookup. */
async function byType(connection: DuckDBConnection, index: number, column: string): Promise<string> {
  const type = `code_${index}`;
  await connection.run(`CREATE OR REPLACE TYPE ${type} AS ENUM (SELECT v FROM first_rows ORDER BY r)`);
  return `CAST(enum_code(CAST(${column} AS ${type})) AS INTEGER)`;
}
