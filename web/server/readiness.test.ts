import { findMissing } from '@tapeline/db/readiness.ts';
import { LEAST_FREE_BYTES, requireFreeSpace } from '@tapeline/lake/storage/disk-space.ts';
import { expect, test } from 'vitest';

const withFree = (bytes: number) => ({
  name: 'disk space',
  ask: () => requireFreeSpace('/data', { ask: async () => ({ bavail: bytes, bsize: 1 }) }),
});

test('too little free space is missing, with a sentence; what only fails has its name', async () => {
  expect(await findMissing([withFree(LEAST_FREE_BYTES)])).toEqual([]);
  const broken = { name: 'postgresql', ask: () => Promise.reject(new Error('connection refused')) };
  expect(await findMissing([broken, withFree(LEAST_FREE_BYTES - 1)])).toEqual([
    'postgresql',
    'disk space: only 499 MB free at /data, and at least 500 MB needed: free up space or enlarge the disk',
  ]);
});
