import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteText } from '@tapeline/db/lake/lake.ts';
import { pickRows, readBatchFile } from '../sheets/batch-file.ts';
import { stageBatch } from '../sheets/stage-batch.ts';
import type { CompiledMapping } from './compile/compile.ts';
import { mapBatch } from './compile/run.ts';

/**
 * How parts are written. They are what is published: settling copies their pages as they stand and puts columns beside
 * them, for which each part is one row group, as long as a sheet at most.
 */
export const PART_PARQUET = '(FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 1048576)';
const ORIGIN_TABLE = 'staged_origin';

/**
 * Maps a staged batch file into its candidate parts: the rows that are assets so far, and the errored ones. Only the
 * columns that the mapping reads are opened, and all of them for the errored rows alone.
 * @returns how many rows went where.
 */
export async function transformPart(
  connection: DuckDBConnection,
  compiled: CompiledMapping,
  staged: string,
  files: { assets: string; errored: string },
): Promise<{ assets: number; errored: number }> {
  await stageBatch(connection, await readBatchFile(staged, compiled.usedColumns), 'staged', compiled.usedColumns);
  const mapped = await mapBatch(connection, compiled, 'staged', 'mapped', ORIGIN_TABLE);
  await connection.run('DROP TABLE staged');
  const faulty = await connection.runAndReadAll('SELECT "row" FROM mapped WHERE errors IS NOT NULL');
  await stageRows(connection, staged, (faulty.getColumns()[0] ?? []) as number[], ORIGIN_TABLE);
  await connection.run(`COPY (${mapped.assetsSql}) TO ${quoteText(files.assets)} ${PART_PARQUET}`);
  await connection.run(`COPY (${mapped.erroredSql}) TO ${quoteText(files.errored)} ${PART_PARQUET}`);
  await connection.run(`DROP TABLE ${ORIGIN_TABLE}`);
  return { assets: mapped.assets, errored: mapped.errored };
}

/** Writes the rows with these sheet row numbers (ascending) of a staged batch file into a new table in the raw layout. */
export async function stageRows(
  connection: DuckDBConnection,
  staged: string,
  rowNumbers: readonly number[],
  tableName: string,
): Promise<void> {
  // Without rows the head alone tells the columns.
  const batch = await readBatchFile(staged, rowNumbers.length === 0 ? [] : undefined);
  await stageBatch(connection, pickRows(batch, Int32Array.from(rowNumbers)), tableName);
}
