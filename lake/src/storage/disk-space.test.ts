import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, test } from 'vitest';
import { isDiskFull, isOwnDiskFull, LEAST_FREE_BYTES, requireFreeSpace } from './disk-space.ts';

/** A Linux device on which every write fails because it is full. */
const FULL = '/dev/full';

test('free space is enough at the limit; one byte below is an error that shows the numbers', async () => {
  const free = (bytes: number) => ({ ask: async () => ({ bavail: bytes, bsize: 1 }) });
  await expect(requireFreeSpace('/data', free(LEAST_FREE_BYTES))).resolves.toBeUndefined();
  await expect(requireFreeSpace('/data', free(LEAST_FREE_BYTES - 1))).rejects.toThrow(
    'only 499 MB free at /data, and at least 500 MB needed',
  );
  await expect(requireFreeSpace(tmpdir(), { ask: async () => ({ bavail: 3, bsize: 4096 }) })).rejects.toThrow(
    'only 0 MB',
  );
});

test('the reserve can be set, and a disk that can hold no more files is full as well', async () => {
  const disk = (ffree: number) => ({ reserve: 10, ask: async () => ({ bavail: 10, bsize: 1, files: 5_000, ffree }) });
  await expect(requireFreeSpace('/data', disk(1_000))).resolves.toBeUndefined();
  await expect(requireFreeSpace('/data', disk(999))).rejects.toThrow('can hold only 999 more files');
  await expect(requireFreeSpace('/data', { ...disk(1_000), reserve: 11 })).rejects.toThrow('only 0 MB free');
});

test('the free space of a missing folder is an error', async () => {
  await expect(requireFreeSpace('/no/such/folder')).rejects.toMatchObject({ code: 'ENOENT' });
});

test.runIf(process.platform === 'linux')(
  'a full disk is distinguished from other errors, whichever component reports it',
  async () => {
    const byNode = await writeFile(FULL, 'x').catch((error: unknown) => error);
    expect(isDiskFull(byNode)).toBe(true);
    expect(isDiskFull(new Error('the part could not be stored', { cause: byNode }))).toBe(true);
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const byDuckDB = await connection.run(`COPY (SELECT range FROM range(100000)) TO '${FULL}' (FORMAT csv)`).then(
      () => null,
      (error: unknown) => error,
    );
    connection.closeSync();
    expect(isDiskFull(byDuckDB)).toBe(true);
    expect(isDiskFull(Object.assign(new Error('storage'), { name: 'XMinioStorageFull' }))).toBe(true);
    expect(isDiskFull(Object.assign(new Error('x'), { $metadata: { httpStatusCode: 507 } }))).toBe(true);
    expect(isDiskFull(await writeFile('/no/such/folder/file', 'x').catch((error: unknown) => error))).toBe(false);
    // Other machines may have space, unless it is the object storage that is full.
    expect([byNode, byDuckDB].map(isOwnDiskFull)).toEqual([true, true]);
    const remote = Object.assign(new Error('no space left on device'), { $metadata: { httpStatusCode: 507 } });
    expect(isOwnDiskFull(remote)).toBe(false);
    expect(isOwnDiskFull(Object.assign(new Error('storage'), { name: 'XMinioStorageFull' }))).toBe(false);
    expect([isDiskFull(null), isDiskFull('full')]).toEqual([false, false]);
  },
);
