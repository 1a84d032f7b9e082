import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { type Lake, quoteName, quoteText, readParquet } from '@tapeline/db/lake/lake.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { type LakeColumn, ROW_COLUMN, SEQUENCE_COLUMN } from '@tapeline/domain/tapes/target-schema.ts';
import { joinParquet } from '../parquet/join-parts.ts';
import { type CodedColumn, codes, type DictionaryCodes, dictionaryCodes } from './codes.ts';
import type { SettledTarget } from './compile/compile.ts';
import { installMacros } from './compile/macros.ts';
import { PART_PARQUET } from './part-format.ts';
import { stageRows } from './parts.ts';

export interface SettleInput {
  /** Candidate parts in batch order; their rows are in sheet order, and each is one row group. */
  assetsPaths: readonly string[];
  erroredPaths: readonly string[];
  /** The staged batch file of a part, by its place: asked for only where settling finds errors among its rows. */
  stagedPath: (part: number) => Promise<string>;
  /** SQL over a staged row that gives its cells as JSON text, header to value. */
  originJson: string;
  /** Lake columns of the candidate parts. */
  columns: readonly LakeColumn[];
  unique: readonly SettledTarget[];
  consistent: readonly SettledTarget[];
  earlier: EarlierTape | null;
  /** For parts in work. */
  folder: string;
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
/** Connections that work at parts side by side. */
const HANDS = 2;

/**
 * Settles what no single batch can know: Unique over the whole tape (the first row keeps the value, later ones are
 * errors) and Consistent against the company's earlier tape. Writes the published files: assets in row order with their
 * dense `sequenceIndex` and the codes of groupable columns, and every errored row with all its reasons.
 *
 * The candidate parts go into them as they stand, compressed pages and all; only a part with rows that turn out to be
 * errored is written again. What the whole tape decides are integers, put beside each part's own columns.
 * @param lake an engine of the job's own: it holds tables and types while this runs.
 */
export async function settle(lake: Lake, input: SettleInput): Promise<Settled> {
  const late = await lake.connected((connection) => findLateErrors(connection, input));
  const places = input.assetsPaths.map((_, place) => place);
  const kept = await inTurn(lake, places, (connection, place) =>
    withoutLate(connection, input, place, late.get(place) ?? []),
  );
  const byDictionary = await dictionaryCodes(kept, input);
  const coded = await lake.connected((connection) => codes(connection, readParquet(kept), input, byDictionary.names));
  const numbered = await inTurn(lake, places, async (connection, place) => [
    kept[place]!,
    await writeNumbers(connection, input, coded, kept, byDictionary.rows, place),
    await writeCodes(input, byDictionary, place),
  ]);
  const errored = await inTurn(lake, places, (connection, place) =>
    withLate(connection, input, place, late.get(place) ?? []),
  );
  return {
    assets: await joinParquet(input.assetsFile, numbered),
    errored: await joinParquet(
      input.erroredFile,
      errored.map((file) => [file]),
    ),
  };
}

/** Works at every place, as many at once as there are hands; results by place. */
async function inTurn<T>(
  lake: Lake,
  places: readonly number[],
  work: (connection: DuckDBConnection, place: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  const left = places.values();
  const hand = () =>
    lake.connected(async (connection) => {
      for (const place of left) results[place] = await work(connection, place);
    });
  await Promise.all(Array.from({ length: Math.min(HANDS, places.length) }, hand));
  return results;
}

/** Fills the table `late_errors`. @returns the sheet rows that have any, ascending, by the place of their part. */
async function findLateErrors(connection: DuckDBConnection, input: SettleInput): Promise<Map<number, number[]>> {
  const candidates = readParquet(input.assetsPaths);
  await connection.run(
    `CREATE OR REPLACE TABLE late_errors ("row" INTEGER, "rule" INTEGER, "column" VARCHAR, "target" VARCHAR, "value" VARCHAR, "reason" VARCHAR)`,
  );
  for (const field of input.unique) {
    // Few tapes have any: that no two values are alike is told by their hashes, without a look at the texts.
    await connection.run(`CREATE OR REPLACE TEMP TABLE suspects AS ${suspects(candidates, field)}`);
    if (await hasRows(connection, 'suspects')) {
      await connection.run(`INSERT INTO late_errors ${duplicates(candidates, field)}`);
    }
  }
  if (input.earlier) {
    for (const field of input.consistent) {
      if (!field.columns.every(({ name }) => input.earlier?.columns.has(name))) continue;
      await connection.run(`INSERT INTO late_errors ${inconsistencies(candidates, field, input.earlier)}`);
    }
  }
  if (!(await hasRows(connection, 'late_errors'))) return new Map();
  const found = await connection.runAndReadAll(
    `SELECT file_index, ${row} FROM ${candidates} WHERE ${row} IN (SELECT "row" FROM late_errors) ORDER BY ALL`,
  );
  const [places = [], rows = []] = found.getColumnsJS();
  return Map.groupBy(rows.map(Number), (_, at) => Number(places[at]));
}

async function hasRows(connection: DuckDBConnection, table: string): Promise<boolean> {
  return (await connection.runAndReadAll(`SELECT 1 FROM ${table} LIMIT 1`)).currentRowCount > 0;
}

/** One error in the shape of the errored parts. */
export function lateError(field: SettledTarget, value: string, reason: string): string {
  const column = field.originCol === null ? 'NULL::VARCHAR' : quoteText(field.originCol);
  return `${field.rule}, ${column}, ${quoteText(field.path)}, ${value}, ${reason}`;
}

/** What makes a value: an amount of another currency, or a term of another unit, is another value. */
const parts = (field: SettledTarget): string =>
  field.columns
    .filter(({ name }) => !name.endsWith('.days'))
    .map(({ name }) => quoteName(name))
    .join(', ');
const hashed = (field: SettledTarget): string => `hash(${parts(field)})`;

const suspects = (candidates: string, field: SettledTarget): string =>
  `SELECT h FROM (SELECT ${hashed(field)} AS h FROM ${candidates} WHERE ${quoteName(field.path)} IS NOT NULL) GROUP BY h HAVING count(*) > 1`;

function duplicates(candidates: string, field: SettledTarget): string {
  const value = inWords('d', field);
  return `SELECT ${row}, ${lateError(
    field,
    value,
    `concat(${quoteText(`${field.label} `)}, ${value}, ' is already used by row ', first_row)`,
  )}
    FROM (
      SELECT ${row}, ${parts(field)}, min(${row}) OVER (PARTITION BY ${parts(field)}) AS first_row
      FROM ${candidates} WHERE ${quoteName(field.path)} IS NOT NULL AND ${hashed(field)} IN (FROM suspects)
    ) d WHERE ${row} > first_row`;
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

/** What tells one value of a unique field from another, and what is said of it: `100.5 USD`. */
export const inWords = (side: string, field: SettledTarget): string =>
  field.columns.length === 1
    ? `CAST(${side}.${quoteName(field.path)} AS VARCHAR)`
    : `concat_ws(' ', ${shown(side, field).join(', ')})`;

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

/** The part without the rows that turned out to be errored: the candidate itself where there are none. */
async function withoutLate(
  connection: DuckDBConnection,
  input: SettleInput,
  place: number,
  rows: readonly number[],
): Promise<string> {
  const candidate = input.assetsPaths[place]!;
  if (rows.length === 0) return candidate;
  const file = join(input.folder, `kept-${place}.parquet`);
  await connection.run(
    `COPY (FROM ${readParquet([candidate])} WHERE ${row} NOT IN (SELECT "row" FROM late_errors)) TO ${quoteText(file)} ${PART_PARQUET}`,
  );
  return file;
}

/** What the whole tape decides of a part's assets and only SQL tells, as columns to stand beside its own. */
async function writeNumbers(
  connection: DuckDBConnection,
  input: SettleInput,
  coded: readonly CodedColumn[],
  parts: readonly string[],
  rows: readonly number[],
  place: number,
): Promise<string> {
  const file = join(input.folder, `numbers-${place}.parquet`);
  const before = rows.slice(0, place).reduce((sum, count) => sum + count, 0);
  const columns = [
    `CAST(file_row_number + ${before} AS INTEGER) AS ${quoteName(SEQUENCE_COLUMN)}`,
    ...coded.map(({ name, sql }) => `${sql} AS ${quoteName(name)}`),
  ];
  await connection.run(
    `COPY (SELECT ${columns.join(', ')} FROM ${readParquet([parts[place]!])}) TO ${quoteText(file)} ${PART_PARQUET}`,
  );
  return file;
}

async function writeCodes(input: SettleInput, byDictionary: DictionaryCodes, place: number): Promise<string> {
  const file = join(input.folder, `codes-${place}.parquet`);
  await byDictionary.write(place, file);
  return file;
}

/** The errored rows of a batch, and those that only settling found, with their cells as read. */
async function withLate(
  connection: DuckDBConnection,
  input: SettleInput,
  place: number,
  rows: readonly number[],
): Promise<string> {
  const candidate = input.erroredPaths[place]!;
  if (rows.length === 0) return candidate;
  const file = join(input.folder, `errored-${place}.parquet`);
  const origins = `late_origins_${place}`;
  await installMacros(connection);
  await stageRows(connection, await input.stagedPath(place), rows, origins);
  const errors = `list({'rule': "rule", 'column': "column", 'target': "target", 'value': "value", 'reason': "reason"} ORDER BY "rule")`;
  await connection.run(
    `COPY (SELECT "row", origin, errors FROM ${readParquet([candidate])} UNION ALL
       SELECT o."row", o.origin, l.errors FROM (SELECT "row", ${input.originJson} AS origin FROM ${origins}) o
       JOIN (SELECT "row", ${errors} AS errors FROM late_errors GROUP BY "row") l ON l."row" = o."row"
       ORDER BY "row") TO ${quoteText(file)} ${PART_PARQUET}`,
  );
  await connection.run(`DROP TABLE ${origins}`);
  return file;
}
