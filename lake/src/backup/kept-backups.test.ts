import { expect, test } from 'vitest';
import { backupNameOf, backupsToRemove, latestBackup } from './kept-backups.ts';

const DAY_MS = 24 * 3_600_000;
/** Backups of every night until Thursday, 26 November 2026. */
const nights = (count: number) =>
  Array.from({ length: count }, (_, ago) =>
    backupNameOf(new Date(Date.parse('2026-11-26T03:00:12.345Z') - ago * DAY_MS)),
  );
const keptOf = (names: string[], kept: Parameters<typeof backupsToRemove>[1]) => {
  const removed = new Set(backupsToRemove(names, kept));
  return names.filter((name) => !removed.has(name)).map((name) => name.slice(0, 10));
};

test('the latest backup of each of the last days, weeks and months is kept', () => {
  expect(keptOf(nights(400), { daily: 7, weekly: 4, monthly: 3 })).toEqual([
    '2026-11-26',
    '2026-11-25',
    '2026-11-24',
    '2026-11-23',
    '2026-11-22',
    '2026-11-21',
    '2026-11-20',
    // The Sundays that end the weeks before.
    '2026-11-15',
    '2026-11-08',
    // The ends of the months before.
    '2026-10-31',
    '2026-09-30',
  ]);
});

test('days without a backup do not count, so that backups stay although none was made for long', () => {
  expect(keptOf(['2026-01-05', '2026-01-04', '2025-11-30', '2024-02-29'], { daily: 3, weekly: 0, monthly: 0 })).toEqual(
    ['2026-01-05', '2026-01-04', '2025-11-30'],
  );
});

test('of two backups of a day the later one is kept, and the latest of all stays in any case', () => {
  const names = ['2026-11-26T03-00-00Z', '2026-11-26T15-00-00Z', '2026-11-25T23-59-59Z'];
  expect(backupsToRemove(names, { daily: 2, weekly: 0, monthly: 0 })).toEqual(['2026-11-26T03-00-00Z']);
  expect(backupsToRemove(names, { daily: 0, weekly: 0, monthly: 0 })).toEqual([
    '2026-11-25T23-59-59Z',
    '2026-11-26T03-00-00Z',
  ]);
});

test('what is not named as a backup is never removed', () => {
  expect(
    backupsToRemove(['before-upgrade', '2026-11', '2026-11-26.partial-0a', 'lost+found'], {
      daily: 1,
      weekly: 0,
      monthly: 0,
    }),
  ).toEqual([]);
});

test('the backup that was just made stays, whatever the clock said when it or others were named', () => {
  const kept = { daily: 1, weekly: 0, monthly: 0 };
  const [wrong, now, past] = ['2099-01-01T03-00-00Z', '2026-11-26T03-00-00Z', '1970-01-01T00-00-07Z'];
  expect(backupsToRemove([wrong, now], kept, now)).toEqual([]);
  expect(backupsToRemove([past, now], kept, past)).toEqual([]);
  expect(backupsToRemove([wrong, now], kept)).toEqual([now]);
});

test('the latest backup is the latest of those that are named by their time', () => {
  const names = [
    '2026-11-25',
    '2026-11-26T03-00-00Z',
    '2026-11-27T03-00-00Z.partial-0a1b2c3d',
    'before-upgrade',
    'daily',
  ];
  expect(latestBackup(names)).toBe('2026-11-26T03-00-00Z');
  expect(latestBackup(['2026-11-26', '2026-11-26T03-00-00Z'])).toBe('2026-11-26T03-00-00Z');
  expect(latestBackup(['before-upgrade'])).toBeUndefined();
});
