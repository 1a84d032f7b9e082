import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ParquetJoin } from '@tapeline/parquet';
import { DERIVED_FILE, type Lake, quoteName, quoteText } from '../lake.ts';
import { type ExportPace, type ExportTable, takeTurn } from './export-table.ts';

const FORM = '(FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 122880)';

/**
 * A Parquet file with the columns' exact types. DuckDB writes the rows of each query to a file beside its spill files;
 * their pages are copied to the stream, and one footer ends it. So neither memory nor disk depends on the length of the
 * list.
 */
export async function* exportParquet(
  lake: Lake,
  table: ExportTable,
  pace: ExportPace = {},
): AsyncGenerator<Uint8Array> {
  const { signal } = pace;
  const path = join(lake.spillFolder, `${DERIVED_FILE}export-${randomUUID()}.parquet`);
  const select = table.columns.map(({ sql, name }) => `${sql} AS ${quoteName(name)}`).join(', ');
  const noRows = table.columns.map(({ type, name }) => `CAST(NULL AS ${type}) AS ${quoteName(name)}`).join(', ');
  const parts =
    table.queries.length > 0
      ? table.queries.map(({ from, values }) => ({ sql: `SELECT ${select} ${from}`, values }))
      : [{ sql: `SELECT ${noRows} LIMIT 0`, values: [] }];
  const joined = new ParquetJoin();
  try {
    for (const { sql, values } of parts) {
      const endTurn = await takeTurn(pace);
      try {
        const copy = `COPY (${sql}) TO ${quoteText(path)} ${FORM}`;
        await lake.connected((connection) => connection.run(copy, [...values]), signal);
      } finally {
        endTurn();
      }
      for await (const piece of joined.add([path])) {
        signal?.throwIfAborted();
        yield piece;
      }
    }
    if (joined.rows !== table.rows) throw new Error(`an export gave ${joined.rows} of ${table.rows} rows`);
    yield* joined.end();
  } finally {
    await rm(path, { force: true });
  }
}
