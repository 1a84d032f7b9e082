import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll } from 'vitest';

/** Parquet files of a test file's own, by a DuckDB of one thread: there from its first test to its last. */
export interface ParquetFiles {
  connection(): DuckDBConnection;
  /** A path that nothing lies at yet. */
  next(): string;
  /** What the query gives, written with these options of COPY. */
  written(select: string, options: string): Promise<string>;
}

export function useParquetFiles(): ParquetFiles {
  let folder: string;
  let instance: DuckDBInstance;
  let connection: DuckDBConnection;
  let files = 0;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parquet-files-'));
    instance = await DuckDBInstance.create(':memory:', { threads: '1' });
    connection = await instance.connect();
  });
  afterAll(async () => {
    connection.closeSync();
    instance.closeSync();
    await rm(folder, { recursive: true });
  });
  const next = (): string => {
    files += 1;
    return join(folder, `${files}.parquet`);
  };
  return {
    connection: () => connection,
    next,
    async written(select, options) {
      const file = next();
      await connection.run(`COPY (${select}) TO '${file}' (FORMAT parquet, ${options})`);
      return file;
    },
  };
}
