import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, test } from 'vitest';
import { isDiskFull, LEAST_FREE_BYTES, requireFreeSpace } from './disk-space.ts';

/** A Linux device on which every write fails because it is full. */
const FULL = '/dev/full';

test('free space is enough at the limit; one byte below is an error that shows the numbers', async () => {
  const free = (bytes: number) => async () => ({ bavail: bytes, bsize: 1 });
  await expect(requireFreeSpace('/data', free(LEAST_FREE_BYTES))).resolves.toBeUndefined();
  await expect(requireFreeSpace('/data', free(LEAST_FREE_BYTES - 1))).rejects.toThrow(
    'only 499 MB free at /data, and at least 500 MB needed',
  );
  await expect(requireFreeSpace(tmpdir(), async () => ({ bavail: 3, bsize: 4096 }))).rejects.toThrow('only 0 MB');
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
    expect([isDiskFull(null), isDiskFull('full')]).toEqual([false, false]);
  },
);
