import { mkdir, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance, type DuckDBValue } from '@duckdb/node-api';
import { createKept, type Kept } from './kept.ts';

export interface LakeSettings {
  /** DuckDB threads; the cores of the machine where left out. */
  threads?: number;
  /** DuckDB's limit, for example '2GB'; beyond it DuckDB spills to `spillFolder`. */
  memoryLimit?: string;
  spillFolder?: string;
  /** Bytes of rows' orders and of fetched pages kept for later calls; `KEPT_BYTES` where left out. */
  keptBytes?: number;
  /** Bytes on disk of rows written out to be read one by one; `ROW_FILE_BYTES` where left out. */
  rowFileBytes?: number;
}

const KEPT_BYTES = 256 * 2 ** 20;
const ROW_FILE_BYTES = 2 * 2 ** 30;

/**
 * The asset lake's engine: one in-memory DuckDB over Parquet parts. It holds nothing that cannot be read again,
 * so any number of processes may have one each.
 */
export interface Lake {
  /** Runs `work` on a connection of its own; the connection is closed when it ends. */
  connected<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T>;
  /** A connection that the caller closes: for what is read on while it is handed over. */
  connect(): Promise<DuckDBConnection>;
  /** A folder for files that are gone when the work is done. */
  readonly spillFolder: string;
  /** What was found out about parts, which never change. */
  readonly kept: Kept;
  /** Files of rows written out to be read one by one, by the parts they come from; their bytes are on disk. */
  readonly rowFiles: Kept;
  close(): void;
}

export async function openLake(settings: LakeSettings = {}): Promise<Lake> {
  const options: Record<string, string> = { preserve_insertion_order: 'true', autoinstall_known_extensions: 'false' };
  if (settings.threads !== undefined) options.threads = String(settings.threads);
  if (settings.memoryLimit !== undefined) options.memory_limit = settings.memoryLimit;
  if (settings.spillFolder !== undefined) {
    await mkdir(settings.spillFolder, { recursive: true });
    await removeLeftovers(settings.spillFolder);
    options.temp_directory = settings.spillFolder;
  }
  const instance = await DuckDBInstance.create(':memory:', options);
  const rowFiles = createKept(settings.rowFileBytes ?? ROW_FILE_BYTES);
  return {
    kept: createKept(settings.keptBytes ?? KEPT_BYTES),
    rowFiles,
    spillFolder: settings.spillFolder ?? tmpdir(),
    connect: () => instance.connect(),
    async connected(work) {
      const connection = await instance.connect();
      try {
        return await work(connection);
      } finally {
        connection.closeSync();
      }
    },
    close() {
      rowFiles.clear();
      instance.closeSync();
    },
  };
}

/** Derived files and folders that have to have a name begin so; they are gone with the lake that made them, or with the next one. */
export const DERIVED_FILE = 'derived-';

/** Removes what a killed process left in the folder, which one lake has at a time. */
async function removeLeftovers(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(DERIVED_FILE));
  await Promise.all(names.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}

/** A name as SQL reads it back to the letter. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A text constant as SQL; DuckDB's literals cannot hold U+0000, so a text with one is put together from its pieces. */
export const quoteText = (text: string): string =>
  text
    .split('\u0000')
    .map((piece) => `'${piece.replaceAll("'", "''")}'`)
    .join(' || chr(0) || ');

/** `read_parquet` over local files, in the order given. Paths are ours, never a client's. */
export function readParquet(paths: readonly string[], options = ''): string {
  return `read_parquet([${paths.map(quoteText).join(', ')}]${options})`;
}

/** Positional values as DuckDB binds them. */
export type LakeValues = readonly DuckDBValue[];
