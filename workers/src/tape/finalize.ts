import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { AND_IS_NOW, ON_EARLIER_TAPE, USED_BY_ROW } from '@tapeline/domain/tapes/cell-reasons.ts';
import { type LakeColumn, ROW_COLUMN, SEQUENCE_COLUMN } from '@tapeline/domain/tapes/target-schema.ts';
import type { TapeFiles } from '@tapeline/lake/asset-relation.ts';
import { type Lake, quoteName, quoteText, readParquet } from '@tapeline/lake/lake.ts';
import { joinParquet } from '@tapeline/parquet';
import { type CodedColumn, codes, type DictionaryCodes, dictionaryCodes } from './codes.ts';
import type { WholeTapeTarget } from './compile/compile.ts';
import { installMacros } from './compile/macros.ts';
import { createOccurrences, numberOccurrences, takenOccurrences, withOccurrences } from './occurrences.ts';
import { ERRORED_PARQUET, KEEP_ORDER, PART_PARQUET } from './part-format.ts';
import { stageRows } from './parts.ts';

export interface FinalizeInput {
  /** Candidate parts in batch order. Their rows are in sheet order, and each part is one row group. */
  assetsPaths: readonly string[];
  erroredPaths: readonly string[];
  /** The staged batch file of a part, by its index. Only requested if finalizing finds errors among the part's rows. */
  stagedPath: (part: number) => Promise<string>;
  /** SQL for a staged row's cells as JSON text, header to value. */
  originJson: string;
  /** Lake columns of the candidate parts. */
  columns: readonly LakeColumn[];
  unique: readonly WholeTapeTarget[];
  consistent: readonly WholeTapeTarget[];
  /** The company's latest published tape of an earlier cut-off date. */
  earlier: TapeFiles | null;
  /** Directory for parts in progress. */
  folder: string;
  assetsFile: string;
  erroredFile: string;
}

export interface Finalized {
  assets: number;
  errored: number;
}

const row = quoteName(ROW_COLUMN);
/** Number of connections that process parts in parallel. */
const HANDS = 2;

/**
 * Performs the checks that no single batch can do: Unique over the whole tape (the first row keeps the value, later
 * ones are errors) and Consistent against the company's earlier tape. Writes the published files: assets in row order
 * with their dense `sequenceIndex` and the codes of groupable columns, and every errored row with all its reasons.
 *
 * The candidate parts are copied unchanged, including their compressed pages. Only parts with rows that turn out to be
 * errored are rewritten. The values that depend on the whole tape are integers, added next to each part's own columns.
 * @param lake an engine that belongs to this job alone: tables and types are created in it
 */
export async function finalize(lake: Lake, input: FinalizeInput): Promise<Finalized> {
  const late = await lake.connected((connection) => findLateErrors(connection, input));
  const indexes = input.assetsPaths.map((_, index) => index);
  const kept = await inTurn(lake, indexes, (connection, index) =>
    withoutLate(connection, input, index, {
      errored: late.assets.get(index) ?? [],
      numbered: late.numbered.get(index) ?? [],
    }),
  );
  const byDictionary = await dictionaryCodes(kept, input);
  const coded = await lake.connected((connection) => codes(connection, readParquet(kept), input, byDictionary.names));
  const numbered = await inTurn(lake, indexes, async (connection, index) => [
    kept[index]!,
    await writeNumbers(connection, input, coded, kept, byDictionary.rows, index),
    await writeCodes(input, byDictionary, index),
  ]);
  const errored = await inTurn(lake, indexes, (connection, index) =>
    withLate(connection, input, index, { moved: late.assets.get(index) ?? [], added: late.errored.get(index) ?? [] }),
  );
  return {
    assets: await joinParquet(input.assetsFile, numbered),
    errored: await joinParquet(
      input.erroredFile,
      errored.map((file) => [file]),
    ),
  };
}

/** Processes every part index, as many at once as `HANDS` allows. The results are ordered by index. */
async function inTurn<T>(
  lake: Lake,
  indexes: readonly number[],
  work: (connection: DuckDBConnection, index: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  const left = indexes.values();
  const hand = () =>
    lake.connected(async (connection) => {
      for (const index of left) results[index] = await work(connection, index);
    });
  await Promise.all(Array.from({ length: Math.min(HANDS, indexes.length) }, hand));
  return results;
}

/** Sheet row numbers, ascending, by the index of their part. */
type RowsByPart = ReadonlyMap<number, number[]>;

/** What the checks over all rows need. */
export type LateInput = Pick<FinalizeInput, 'assetsPaths' | 'erroredPaths' | 'unique' | 'consistent' | 'earlier'>;

/**
 * Fills the table `late_errors`. Rows that failed another rule are checked too, so that the person who corrects one
 * sees all of its reasons. Such rows never own a value: a value belongs to the first row that nothing else rejects.
 * Values that are numbered get the number of their occurrence instead, in the table `occurrences`.
 * @returns the rows of asset parts, and of errored parts, that have late errors, and those of asset parts with a numbered
 * value
 */
export async function findLateErrors(
  connection: DuckDBConnection,
  input: LateInput,
): Promise<{ assets: RowsByPart; errored: RowsByPart; numbered: RowsByPart }> {
  const [candidates, errored] = [readParquet(input.assetsPaths), readParquet(input.erroredPaths)];
  await connection.run(
    `CREATE OR REPLACE TABLE late_errors ("row" INTEGER, "rule" INTEGER, "column" VARCHAR, "target" VARCHAR, "value" VARCHAR, "reason" VARCHAR)`,
  );
  await createOccurrences(connection);
  // Few tapes have duplicates. If the hashes show that no two values are equal, the texts are not read.
  const hasDuplicates = async (rows: string, field: WholeTapeTarget): Promise<boolean> => {
    await connection.run(`CREATE OR REPLACE TEMP TABLE suspects AS ${suspects(rows, field)}`);
    return hasRows(connection, 'suspects');
  };
  for (const field of input.unique.filter(({ isNumbered }) => isNumbered)) {
    const rows = valuesOf(field, candidates, errored);
    if (!(await hasDuplicates(rows, field))) continue;
    await numberOccurrences(connection, field, `(FROM ${rows} WHERE ${hashed(field)} IN (FROM suspects))`);
    await connection.run(`INSERT INTO late_errors ${takenOccurrences(field, rows, lateError)}`);
  }
  const asNumbered = (await hasRows(connection, 'occurrences'))
    ? (rows: string) => `(${withOccurrences(rows, input.unique)})`
    : (rows: string) => rows;
  for (const field of input.earlier ? input.consistent : []) {
    if (!input.earlier || !field.columns.every(({ name }) => input.earlier?.columns.includes(name))) continue;
    for (const rows of [candidates, judgedRows(errored, field)].map(asNumbered)) {
      await connection.run(`INSERT INTO late_errors ${inconsistencies(rows, field, input.earlier)}`);
    }
  }
  for (const field of input.unique.filter(({ isNumbered }) => !isNumbered)) {
    const rows = valuesOf(field, candidates, errored);
    if (await hasDuplicates(rows, field)) await connection.run(`INSERT INTO late_errors ${duplicates(rows, field)}`);
  }
  await connection.run(
    `CREATE OR REPLACE TABLE late_reasons AS SELECT "row", list({'rule': "rule", 'column': "column", 'target': "target", 'value': "value", 'reason': "reason"} ORDER BY "rule") AS errors
     FROM late_errors GROUP BY "row"`,
  );
  const rowsIn = async (table: 'late_errors' | 'occurrences', parts: string): Promise<RowsByPart> => {
    if (!(await hasRows(connection, table))) return new Map();
    const found = await connection.runAndReadAll(
      `SELECT file_index, ${row} FROM ${parts} WHERE ${row} IN (SELECT "row" FROM ${table}) ORDER BY ALL`,
    );
    const [places = [], rows = []] = found.getColumnsJS();
    return Map.groupBy(rows.map(Number), (_, at) => Number(places[at]));
  };
  return {
    assets: await rowsIn('late_errors', candidates),
    errored: await rowsIn('late_errors', errored),
    numbered: await rowsIn('occurrences', candidates),
  };
}

/**
 * Errored rows that have no error of their own from the field's rule. Rows with too many fields are not checked at all.
 */
export const judgedRows = (errored: string, { rule }: WholeTapeTarget): string =>
  `(SELECT * FROM ${errored} WHERE NOT list_contains(list_transform(errors, lambda e: e.rule), ${rule}) AND errors[1].rule > 0)`;

/** The rows that have a value for a unique field, and whether they can own it. */
const valuesOf = (field: WholeTapeTarget, candidates: string, errored: string): string => {
  const value = quoteName(field.path);
  return `(SELECT ${row}, ${parts(field)}, ${row} NOT IN (SELECT "row" FROM late_errors) AS holds FROM ${candidates} WHERE ${value} IS NOT NULL
    UNION ALL SELECT ${row}, ${parts(field)}, false FROM ${judgedRows(errored, field)} WHERE ${value} IS NOT NULL)`;
};

async function hasRows(connection: DuckDBConnection, table: string): Promise<boolean> {
  return (await connection.runAndReadAll(`SELECT 1 FROM ${table} LIMIT 1`)).currentRowCount > 0;
}

/** The columns of one error, in the format of the errored parts. */
export function lateError(field: WholeTapeTarget, value: string, reason: string): string {
  const column = field.originCol === null ? 'NULL::VARCHAR' : quoteText(field.originCol);
  return `${field.rule}, ${column}, ${quoteText(field.path)}, ${value}, ${reason}`;
}

/**
 * The columns that identify a value. Amounts in different currencies, or terms in different units, are different
 * values.
 */
const parts = (field: WholeTapeTarget): string =>
  field.columns
    .filter(({ name }) => !name.endsWith('.days'))
    .map(({ name }) => quoteName(name))
    .join(', ');
const hashed = (field: WholeTapeTarget): string => `hash(${parts(field)})`;

const suspects = (rows: string, field: WholeTapeTarget): string =>
  `SELECT h FROM (SELECT ${hashed(field)} AS h FROM ${rows}) GROUP BY h HAVING count(*) > 1`;

function duplicates(rows: string, field: WholeTapeTarget): string {
  const value = inWords('d', field);
  return `SELECT ${row}, ${lateError(
    field,
    value,
    `concat(${quoteText(`${field.label} `)}, ${value}, ${quoteText(USED_BY_ROW)}, first_row)`,
  )}
    FROM (
      SELECT ${row}, ${parts(field)}, min(CASE WHEN holds THEN ${row} END) OVER (PARTITION BY ${parts(field)}) AS first_row
      FROM ${rows} WHERE ${hashed(field)} IN (FROM suspects)
    ) d WHERE ${row} <> first_row`;
}

/**
 * A value as text, one piece per column: an amount with its currency, a term with its unit, without zeros that only pad
 * the scale.
 */
function shown(side: string, field: WholeTapeTarget): string[] {
  return field.columns
    .filter(({ name }) => !name.endsWith('.days'))
    .map(({ name, type }) => {
      const text = `CAST(${side}.${quoteName(name)} AS VARCHAR)`;
      if (type === 'DOUBLE') return `regexp_replace(${text}, '[.]0$', '')`;
      return type.startsWith('DECIMAL') ? `regexp_replace(${text}, '[.]?0+$', '')` : text;
    });
}

/** The text that identifies a value of a unique field and is shown in its error: `100.5 USD`. */
export const inWords = (side: string, field: WholeTapeTarget): string =>
  field.columns.length === 1
    ? `CAST(${side}.${quoteName(field.path)} AS VARCHAR)`
    : `concat_ws(' ', ${shown(side, field).join(', ')})`;

/** Finds assets whose value differs from the earlier tape, if that tape has a value. All columns of the field count. */
export function inconsistencies(candidates: string, field: WholeTapeTarget, earlier: TapeFiles): string {
  const differs = field.columns
    .map(
      ({ name }) => `(e.${quoteName(name)} IS NOT NULL AND a.${quoteName(name)} IS DISTINCT FROM e.${quoteName(name)})`,
    )
    .join(' OR ');
  const said = (side: string) => `coalesce(nullif(concat_ws(' ', ${shown(side, field).join(', ')}), ''), 'missing')`;
  return `SELECT a.${row}, ${lateError(
    field,
    `nullif(concat_ws(' ', ${shown('a', field).join(', ')}), '')`,
    `concat(${quoteText(`${field.label} was `)}, ${said('e')}, ${quoteText(`${ON_EARLIER_TAPE}${formatCalendarDate(earlier.cutOffDate)}${AND_IS_NOW}`)}, ${said('a')})`,
  )}
    FROM ${candidates} a JOIN ${readParquet(earlier.paths)} e ON e."assetId" = a."assetId" WHERE ${differs}`;
}

/**
 * The part without the rows that turned out to be errored, and with its numbered values. Returns the candidate itself if
 * there are neither.
 */
async function withoutLate(
  connection: DuckDBConnection,
  input: FinalizeInput,
  index: number,
  rows: { readonly errored: readonly number[]; readonly numbered: readonly number[] },
): Promise<string> {
  const candidate = input.assetsPaths[index]!;
  if (rows.errored.length + rows.numbered.length === 0) return candidate;
  const file = join(input.folder, `kept-${index}.parquet`);
  await connection.run(KEEP_ORDER);
  const isKept = `${row} NOT IN (SELECT "row" FROM late_errors)`;
  const part = readParquet([candidate]);
  const made = rows.numbered.length > 0 ? `(${withOccurrences(part, input.unique)})` : part;
  const select = `FROM ${made} WHERE ${isKept} ORDER BY ${row}`;
  await connection.run(`COPY (${select}) TO ${quoteText(file)} ${PART_PARQUET}`);
  return file;
}

/** Writes the columns that depend on the whole tape and need SQL, to be added next to the part's own columns. */
async function writeNumbers(
  connection: DuckDBConnection,
  input: FinalizeInput,
  coded: readonly CodedColumn[],
  parts: readonly string[],
  rows: readonly number[],
  index: number,
): Promise<string> {
  const file = join(input.folder, `numbers-${index}.parquet`);
  const before = rows.slice(0, index).reduce((sum, count) => sum + count, 0);
  const columns = [
    `CAST(file_row_number + ${before} AS INTEGER) AS ${quoteName(SEQUENCE_COLUMN)}`,
    ...coded.map(({ name, sql }) => `${sql} AS ${quoteName(name)}`),
  ];
  await connection.run(
    `COPY (SELECT ${columns.join(', ')} FROM ${readParquet([parts[index]!])}) TO ${quoteText(file)} ${PART_PARQUET}`,
  );
  return file;
}

async function writeCodes(input: FinalizeInput, byDictionary: DictionaryCodes, index: number): Promise<string> {
  const file = join(input.folder, `codes-${index}.parquet`);
  await byDictionary.write(index, file);
  return file;
}

/**
 * The errored rows of a batch and those that only this step found, with their cells as read.
 * @param late.moved rows of the asset part that are now errored
 * @param late.added errored rows that have additional reasons
 */
async function withLate(
  connection: DuckDBConnection,
  input: FinalizeInput,
  index: number,
  late: { moved: readonly number[]; added: readonly number[] },
): Promise<string> {
  const candidate = readParquet([input.erroredPaths[index]!]);
  const file = join(input.folder, `errored-${index}.parquet`);
  const write = (select: string) => connection.run(`COPY (${select}) TO ${quoteText(file)} ${ERRORED_PARQUET}`);
  const all =
    late.added.length === 0
      ? `SELECT "row", origin, errors FROM ${candidate}`
      : `SELECT e."row", e.origin, list_concat(e.errors, l.errors) AS errors FROM ${candidate} e LEFT JOIN late_reasons l ON l."row" = e."row"`;
  if (late.moved.length === 0) {
    await write(late.added.length === 0 ? all : `${all} ORDER BY "row"`);
    return file;
  }
  const origins = `late_origins_${index}`;
  await installMacros(connection);
  await stageRows(connection, await input.stagedPath(index), late.moved, origins);
  await write(
    `${all} UNION ALL SELECT o."row", o.origin, l.errors FROM (SELECT "row", ${input.originJson} AS origin FROM ${origins}) o
     JOIN late_reasons l ON l."row" = o."row" ORDER BY "row"`,
  );
  await connection.run(`DROP TABLE ${origins}`);
  return file;
}
