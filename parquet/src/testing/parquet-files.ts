import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll } from 'vitest';

/** Parquet files for one test file, written by a DuckDB with one thread; they exist from its first test to its last. */
export interface ParquetFiles {
  connection(): DuckDBConnection;
  /** An unused path. */
  next(): string;
  /** Writes the result of the query, with these options of COPY. */
  written(select: string, options: string): Promise<string>;
}

/** The files as one table, in SQL. */
export const readParquet = (files: readonly string[]): string =>
  `read_parquet([${files.map((file) => `'${file}'`).join(', ')}])`;

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
