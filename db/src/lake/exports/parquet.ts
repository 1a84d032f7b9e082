import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Lake, quoteName, quoteText } from '../lake.ts';
import type { ExportTable } from './export-table.ts';

const PIECE_BYTES = 256 * 1024;

/**
 * A Parquet file with the columns' exact types. It is written to a file beside DuckDB's spill first, since its directory
 * stands at the end, and gone when the stream ends.
 */
export async function* exportParquet(lake: Lake, table: ExportTable, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  const path = join(lake.spillFolder, `export-${randomUUID()}.parquet`);
  const select = table.columns.map(({ sql, name }) => `${sql} AS ${quoteName(name)}`).join(', ');
  const { from, values } = table.whole;
  try {
    await lake.connected(async (connection) => {
      signal?.throwIfAborted();
      const interrupt = (): void => connection.interrupt();
      signal?.addEventListener('abort', interrupt, { once: true });
      try {
        await connection.run(
          `COPY (SELECT ${select} ${from}) TO ${quoteText(path)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 122880)`,
          [...values],
        );
      } finally {
        signal?.removeEventListener('abort', interrupt);
      }
    });
    signal?.throwIfAborted();
    const file = await open(path);
    // What is open can still be read: no crash from here on leaves it behind.
    await rm(path, { force: true });
    for await (const piece of file.createReadStream({ highWaterMark: PIECE_BYTES })) yield piece as Buffer;
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    await rm(path, { force: true });
  }
}
