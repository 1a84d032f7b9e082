import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteName, quoteText, readParquet } from '@tapeline/db/lake/lake.ts';
import { ROW_COLUMN, SEQUENCE_COLUMN } from '@tapeline/domain/tapes/target-schema.ts';
import { codes } from '../tape/codes.ts';
import type { CompiledMapping } from '../tape/compile/compile.ts';
import { CORRECTED } from './map-corrected.ts';

const row = quoteName(ROW_COLUMN);
const PARQUET = '(FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 122880)';

/**
 * Writes the tape's assets anew, each corrected row at the place of its row in the sheet: `sequenceIndex` and codes follow
 * the rows, as if they had been read right at first.
 */
export async function writeNextAssets(
  connection: DuckDBConnection,
  compiled: CompiledMapping,
  assetsPaths: readonly string[],
  file: string,
): Promise<void> {
  const columns = ['row', ...compiled.columns.map(({ name }) => name)].map(quoteName).join(', ');
  await connection.run(
    `CREATE OR REPLACE TEMP VIEW next_assets AS SELECT ${columns} FROM ${readParquet(assetsPaths)}
     UNION ALL SELECT ${columns} FROM ${CORRECTED.assets}`,
  );
  const coded = await codes(connection, 'next_assets', { unique: compiled.uniqueTargets, columns: compiled.columns });
  const written = [
    row,
    `CAST(row_number() OVER (ORDER BY ${row}) - 1 AS INTEGER) AS ${quoteName(SEQUENCE_COLUMN)}`,
    ...compiled.columns.map(({ name }) => quoteName(name)),
    ...coded.map(({ name, sql }) => `${sql} AS ${quoteName(name)}`),
  ];
  await connection.run(
    `COPY (SELECT ${written.join(', ')} FROM next_assets ORDER BY ${row}) TO ${quoteText(file)} ${PARQUET}`,
  );
}

/** Writes the errored rows that are left: those nobody corrected as they stood, the others as corrected. */
export async function writeNextErrored(
  connection: DuckDBConnection,
  erroredPaths: readonly string[],
  file: string,
): Promise<void> {
  await connection.run(
    `COPY (
       SELECT "row", origin, errors FROM ${readParquet(erroredPaths)} WHERE "row" NOT IN (SELECT "row" FROM ${CORRECTED.staged})
       UNION ALL SELECT "row", origin, errors FROM ${CORRECTED.errored} ORDER BY "row"
     ) TO ${quoteText(file)} ${PARQUET}`,
  );
}
