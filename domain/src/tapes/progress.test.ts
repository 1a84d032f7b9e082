import { expect, test } from 'vitest';
import { type TapeProgress, timeLeftMs } from './progress.ts';

const progress = (changes: Partial<TapeProgress>): TapeProgress => ({
  stage: 'read',
  rowsRead: 0,
  rowsTransformed: 0,
  rowsErrored: 0,
  batches: 0,
  batchesTransformed: 0,
  percent: 0,
  startedAt: 1000,
  reachedAt: { read: 1000 },
  failure: null,
  notice: null,
  ...changes,
});

test('the time left is told from the share done, and not at all before there is enough of it', () => {
  expect(timeLeftMs(progress({ percent: 50, startedAt: 1000 }), 3000)).toBe(2000);
  expect(timeLeftMs(progress({ percent: 0 }), 3000)).toBeNull();
  expect(timeLeftMs(progress({ percent: 100, stage: 'done' }), 3000)).toBeNull();
  expect(timeLeftMs(progress({ percent: 60, stage: 'failed' }), 3000)).toBeNull();
  expect(timeLeftMs(null, 3000)).toBeNull();
});
