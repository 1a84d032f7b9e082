import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { ROW_COLUMN, SEQUENCE_COLUMN } from '@tapeline/domain/tapes/target-schema.ts';
import { quoteName, quoteText, readParquet } from '@tapeline/lake/lake.ts';
import { joinParquet } from '@tapeline/parquet';
import { codes } from '../tape/codes.ts';
import type { CompiledMapping } from '../tape/compile/compile.ts';
import { PART_PARQUET } from '../tape/part-format.ts';
import { CORRECTED } from './map-corrected.ts';

const row = quoteName(ROW_COLUMN);
/** Rows to sort and write at a time. Limits memory use for tapes of any length. */
const RANGE_ROWS = 100_000;

/**
 * Writes the tape's assets again, with each corrected row at its position in the sheet. `sequenceIndex` and codes
 * follow the row order, as if the rows had been correct from the start.
 * @param folder temporary folder for unfinished parts
 */
export async function writeNextAssets(
  connection: DuckDBConnection,
  compiled: CompiledMapping,
  assetsPaths: readonly string[],
  folder: string,
  file: string,
): Promise<void> {
  const columns = ['row', ...compiled.columns.map(({ name }) => name)].map(quoteName).join(', ');
  await connection.run(
    `CREATE OR REPLACE TEMP VIEW next_assets AS SELECT ${columns} FROM ${readParquet(assetsPaths)}
     UNION ALL SELECT ${columns} FROM ${CORRECTED.assets}`,
  );
  const coded = await codes(connection, 'next_assets', { unique: compiled.uniqueTargets, columns: compiled.columns });
  const parts: string[] = [];
  for (const { first, last } of await ranges(connection)) {
    const start = parts.length * RANGE_ROWS;
    const written = [
      ...compiled.columns.map(({ name }) => quoteName(name)),
      `CAST(row_number() OVER (ORDER BY ${row}) - 1 + ${start} AS INTEGER) AS ${quoteName(SEQUENCE_COLUMN)}`,
      ...coded.map(({ name, sql }) => `${sql} AS ${quoteName(name)}`),
    ];
    const part = join(folder, `next-${parts.length}.parquet`);
    await connection.run(
      `COPY (SELECT ${row}, ${written.join(', ')} FROM next_assets WHERE ${row} BETWEEN ${first} AND ${last} ORDER BY ${row})
       TO ${quoteText(part)} ${PART_PARQUET}`,
    );
    parts.push(part);
  }
  await joinParquet(
    file,
    parts.map((part) => [part]),
  );
}

/** Ranges of sheet rows with the same number of assets each; a single empty range if there are no assets. */
async function ranges(connection: DuckDBConnection): Promise<{ first: number; last: number }[]> {
  const found = await connection.runAndReadAll(
    `SELECT min(${row}), max(${row}) FROM (SELECT ${row}, (row_number() OVER (ORDER BY ${row}) - 1) // ${RANGE_ROWS} AS part FROM next_assets)
     GROUP BY part ORDER BY 1`,
  );
  const read = found.getRows().map(([first, last]) => ({ first: Number(first), last: Number(last) }));
  return read.length > 0 ? read : [{ first: 0, last: 0 }];
}

/** Writes the rows that are still errored. Rows without corrections are unchanged; the others are as corrected. */
export async function writeNextErrored(
  connection: DuckDBConnection,
  erroredPaths: readonly string[],
  file: string,
): Promise<void> {
  await connection.run(
    `COPY (
       SELECT "row", origin, errors FROM ${readParquet(erroredPaths)} WHERE "row" NOT IN (SELECT "row" FROM ${CORRECTED.staged})
       UNION ALL SELECT "row", origin, errors FROM ${CORRECTED.errored} ORDER BY "row"
     ) TO ${quoteText(file)} ${PART_PARQUET}`,
  );
}
