import { expect, test } from 'vitest';
import { backupProblems } from './backup-problems.ts';

const NOW = Date.parse('2026-11-27T12:00:00Z');
const ago = (hours: number) => ({ succeededAt: new Date(NOW - hours * 3_600_000), failure: null });
const never = { succeededAt: null, failure: null };

test('a backup is late after 36 hours and a rehearsal of a restore after 9 days, not before', () => {
  expect(backupProblems({ backup: ago(36), restoreTest: ago(9 * 24) }, NOW)).toEqual([]);
  expect(backupProblems({ backup: ago(36.1), restoreTest: ago(9 * 24 + 1) }, NOW)).toEqual([
    expect.stringContaining('The last backup is 36 hours old.'),
    expect.stringContaining('The last rehearsal of a restore is 9 days old.'),
  ]);
});

test('a failure since the last success is a problem, and nothing is asked of who never made a backup', () => {
  const failure = { at: new Date(NOW), reason: 'the bucket is full' };
  expect(backupProblems({ backup: { ...ago(1), failure }, restoreTest: never }, NOW)).toEqual([
    'The last backup failed on 2026-11-27T12:00:00.000Z: the bucket is full',
  ]);
  expect(backupProblems({ backup: never, restoreTest: never }, NOW)).toEqual([]);
});
