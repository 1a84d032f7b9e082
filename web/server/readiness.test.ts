import { findReadiness } from '@tapeline/db/readiness.ts';
import { LEAST_FREE_BYTES, requireFreeSpace } from '@tapeline/lake/storage/disk-space.ts';
import { expect, test } from 'vitest';

const withFree = (bytes: number) => ({
  name: 'disk space',
  ask: () => requireFreeSpace('/data', { ask: async () => ({ bavail: bytes, bsize: 1 }) }),
});

test('too little free space is missing, with a sentence; what only fails has its name', async () => {
  expect(await findReadiness([withFree(LEAST_FREE_BYTES)])).toEqual({ missing: [], degraded: [] });
  const broken = { name: 'postgresql', ask: () => Promise.reject(new Error('connection refused')) };
  expect(await findReadiness([broken, withFree(LEAST_FREE_BYTES - 1)])).toEqual({
    missing: [
      'postgresql',
      'disk space: only 499 MB free at /data, and at least 500 MB needed: free up space or enlarge the disk',
    ],
    degraded: [],
  });
});

test('what the process can do without is degraded, and not missing', async () => {
  const unreachable = () => Promise.reject(new Error('connection refused'));
  const hanging = () => new Promise(() => {});
  const checks = [
    { name: 'storage', ask: unreachable, isOptional: true },
    { name: 'rates', ask: hanging, isOptional: true },
    { name: 'temporal', ask: hanging },
  ];
  expect(await findReadiness(checks, 50)).toEqual({ missing: ['temporal'], degraded: ['storage', 'rates'] });
});
