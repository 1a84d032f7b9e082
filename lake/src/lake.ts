import { chmod, mkdir, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { createResultCache, type ResultCache } from './result-cache.ts';

export interface LakeSettings {
  /** DuckDB threads; defaults to the number of cores. */
  threads?: number;
  /** DuckDB's memory limit, for example '2GB'; beyond it DuckDB spills to `spillFolder`. */
  memoryLimit?: string;
  spillFolder?: string;
  /** Limit for spilled data, for example '20GB', or 'nothing'. */
  spillLimit?: string;
  /** Bytes in memory for cached row orders and fetched pages; defaults to `CACHE_BYTES`. */
  cacheBytes?: number;
  /** Bytes on disk for row files; defaults to `ROW_FILE_BYTES`. */
  rowFileBytes?: number;
}

const CACHE_BYTES = 256 * 2 ** 20;
const ROW_FILE_BYTES = 2 * 2 ** 30;

/**
 * The engine of the asset lake: one in-memory DuckDB over Parquet parts. It only holds data that can be read again, so
 * each process can have its own.
 */
export interface Lake {
  /**
   * Runs `work` on its own connection, which is closed afterwards. Aborting interrupts the query.
   * @throws the signal's reason if it aborted
   */
  connected<T>(work: (connection: DuckDBConnection) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** A connection that the caller closes, for results that are streamed. */
  connect(): Promise<DuckDBConnection>;
  /** The folder for temporary files. */
  readonly spillFolder: string;
  /** Cached results derived from parts, which never change. */
  readonly cache: ResultCache;
  /**
   * Row files (rows written out so that they can be read one by one), by the parts that they come from. Their size is
   * in bytes on disk.
   */
  readonly rowFiles: ResultCache;
  close(): void;
}

export async function openLake(settings: LakeSettings = {}): Promise<Lake> {
  const options: Record<string, string> = { preserve_insertion_order: 'true', autoinstall_known_extensions: 'false' };
  if (settings.threads !== undefined) options.threads = String(settings.threads);
  if (settings.memoryLimit !== undefined) options.memory_limit = settings.memoryLimit;
  if (settings.spillFolder !== undefined) {
    await mkdir(settings.spillFolder, { recursive: true, mode: 0o700 });
    await chmod(settings.spillFolder, 0o700);
    await removeLeftovers(settings.spillFolder);
    options.temp_directory = settings.spillFolder;
  }
  if (settings.spillLimit === 'nothing') options.temp_directory = '';
  const instance = await DuckDBInstance.create(':memory:', options);
  if (settings.spillLimit !== undefined && settings.spillLimit !== 'nothing') {
    await limitSpill(instance, settings.spillLimit);
  }
  const rowFiles = createResultCache(settings.rowFileBytes ?? ROW_FILE_BYTES);
  return {
    cache: createResultCache(settings.cacheBytes ?? CACHE_BYTES),
    rowFiles,
    spillFolder: settings.spillFolder ?? tmpdir(),
    connect: () => instance.connect(),
    async connected(work, signal) {
      signal?.throwIfAborted();
      const connection = await instance.connect();
      const interrupt = (): void => connection.interrupt();
      signal?.addEventListener('abort', interrupt, { once: true });
      try {
        return await work(connection);
      } catch (error) {
        signal?.throwIfAborted();
        throw error;
      } finally {
        signal?.removeEventListener('abort', interrupt);
        connection.closeSync();
      }
    },
    close() {
      rowFiles.clear();
      instance.closeSync();
    },
  };
}

/** A number of bytes as DuckDB's limits are written. Thousands of bytes are exact enough. */
export const bytesForDuckDb = (bytes: number): string => `${Math.floor(bytes / 1000)}KB`;

/** DuckDB ignores this setting when it is passed at opening. */
export async function limitSpill(instance: DuckDBInstance, limit: string): Promise<void> {
  const connection = await instance.connect();
  await connection.run(`SET max_temp_directory_size = '${limit}'`);
  connection.closeSync();
}

/**
 * Prefix of derived files and folders that need a name. The lake that creates them removes them, or the next one that
 * opens the folder.
 */
export const DERIVED_FILE = 'derived-';

/** Removes what a killed process left behind. Only one lake uses the folder at a time. */
async function removeLeftovers(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(DERIVED_FILE));
  await Promise.all(names.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}

/** A quoted SQL identifier. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A text constant in SQL. DuckDB's literals cannot hold U+0000, so such a text is concatenated from its pieces. */
export const quoteText = (text: string): string =>
  text
    .split('\u0000')
    .map((piece) => `'${piece.replaceAll("'", "''")}'`)
    .join(' || chr(0) || ');

/** `read_parquet` over local files, in the given order. The paths are our own and never come from a client. */
export function readParquet(paths: readonly string[], options = ''): string {
  return `read_parquet([${paths.map(quoteText).join(', ')}]${options})`;
}
