import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DERIVED_FILE, type Lake, quoteText, readParquet } from '../lake.ts';
import {
  type ExportOrder,
  type ExportPace,
  type ExportQuery,
  type ExportTable,
  sliceRowsOf,
  takeTurn,
} from './export-table.ts';

/** Small row groups, so that the rows of one output slice can be read without the rest of the run. */
const RUN_FORM = '(FORMAT parquet, COMPRESSION snappy, ROW_GROUP_SIZE 4096)';

/**
 * Sorts a list that is longer than memory in three steps, none of which holds more than one slice of whole rows. DuckDB
 * ranks the rows by the sort columns alone. Each slice of the list is written to disk in the order of its ranks (a
 * run). Each slice of the result is then what the runs hold between two ranks. DuckDB's own sort of whole rows needs
 * memory for all columns of all rows; without it, it fails or becomes very slow.
 * @returns the same rows as a table whose queries return them in order, and a function that removes the files
 */
export async function sortOnDisk(
  lake: Lake,
  table: ExportTable,
  order: ExportOrder,
  pace: ExportPace,
): Promise<{ table: ExportTable; dispose(): Promise<void> }> {
  const folder = await mkdtemp(join(lake.spillFolder, `${DERIVED_FILE}sort-`));
  const dispose = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const runs = await writeRuns(lake, table, order, folder, pace);
    const sliceRows = sliceRowsOf(table.columns.length);
    const queries = Array.from({ length: Math.ceil(table.rows / sliceRows) }, (_, slice): ExportQuery => {
      const from = slice * sliceRows;
      const ranks = `BETWEEN ${from} AND ${from + sliceRows - 1}`;
      return { from: `FROM ${readParquet(runs)} WHERE "rank" ${ranks} ORDER BY "rank"`, values: [] };
    });
    const columns = table.columns.map((column, index) => ({ ...column, sql: `"c${index}"` }));
    return { table: { columns, rows: table.rows, queries }, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function writeRuns(
  lake: Lake,
  { columns, rows, queries }: ExportTable,
  { all, row, by, skip }: ExportOrder,
  folder: string,
  pace: ExportPace,
): Promise<string[]> {
  const [first, second] = row;
  const cells = columns.map(({ sql }, index) => `${sql} AS "c${index}"`).join(', ');
  const runs: string[] = [];
  await lake.connected(async (connection) => {
    // Also ordered by row, so that a slice finds its ranks in few blocks.
    await inTurn(pace, async () => {
      await connection.run(
        `CREATE TEMP TABLE ordered AS SELECT ${first} AS "first", ${second} AS "second" ${all.from} ORDER BY ${by} LIMIT ${rows} OFFSET ${skip}`,
        [...all.values],
      );
      await connection.run(
        'CREATE TEMP TABLE ranks AS SELECT *, CAST(rowid AS INTEGER) AS "rank" FROM ordered ORDER BY "first", "second"',
      );
      await connection.run('DROP TABLE ordered');
    });
    for (const [index, { from, values }] of queries.entries()) {
      const run = join(folder, `${index}.parquet`);
      await inTurn(pace, () =>
        connection.run(
          `COPY (SELECT ${cells}, "rank" FROM (SELECT * ${from}) AS slice JOIN ranks ON ranks."first" = slice.${first} AND ranks."second" = slice.${second}
             ORDER BY "rank") TO ${quoteText(run)} ${RUN_FORM}`,
          [...values],
        ),
      );
      runs.push(run);
    }
    await connection.run('DROP TABLE ranks');
  }, pace.signal);
  return runs;
}

async function inTurn(pace: ExportPace, work: () => Promise<unknown>): Promise<void> {
  const endTurn = await takeTurn(pace);
  try {
    pace.signal?.throwIfAborted();
    await work();
  } finally {
    endTurn();
  }
}
