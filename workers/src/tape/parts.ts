import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteText, readParquet } from '@tapeline/db/lake/lake.ts';
import type { RawBatch } from '../sheets/raw-batch.ts';
import { stageBatch } from '../sheets/stage-batch.ts';
import type { CompiledMapping } from './compile/compile.ts';
import { mapBatch } from './compile/run.ts';

const PARQUET = '(FORMAT parquet, COMPRESSION zstd)';

/** Writes a batch, as read, into a staged part. */
export async function stagePart(connection: DuckDBConnection, batch: RawBatch, file: string): Promise<void> {
  await stageBatch(connection, batch, 'staged');
  await connection.run(`COPY staged TO ${quoteText(file)} ${PARQUET}`);
  await connection.run('DROP TABLE staged');
}

/**
 * Maps a staged part into its candidate parts: the rows that are assets so far, and the errored ones.
 * @returns how many rows went where.
 */
export async function transformPart(
  connection: DuckDBConnection,
  compiled: CompiledMapping,
  staged: string,
  files: { assets: string; errored: string },
): Promise<{ assets: number; errored: number }> {
  const { assets, errored, ...mapped } = await mapBatch(connection, compiled, readParquet([staged]));
  await connection.run(`COPY (${mapped.assetsSql}) TO ${quoteText(files.assets)} ${PARQUET}`);
  await connection.run(`COPY (${mapped.erroredSql}) TO ${quoteText(files.errored)} ${PARQUET}`);
  return { assets, errored };
}
