import { expect, test } from 'vitest';
import { daysLeftOf, dueDateOf, nextCutOffDate, tapeDueState } from './tape-due.ts';

test.each([
  ['the month end after the latest tape', '2026-10-31', '2026-01-01', '2026-11-30'],
  ['the same month end after a tape within the month', '2026-10-15', '2026-01-01', '2026-10-31'],
  ['the first month end of the contract if there is no tape', null, '2026-01-10', '2026-01-31'],
  ['the day on which a contract begins at a month end', null, '2026-01-31', '2026-01-31'],
  ['nothing before a contract begins', '2025-06-30', '2026-01-10', '2026-01-31'],
])('the next cut-off date is %s', (_, latestTape, contractsFrom, expected) => {
  expect(nextCutOffDate({ latestTape, contractsFrom })).toBe(expected);
});

test('a tape is due for 15 days, and late from the 16th', () => {
  expect(dueDateOf('2026-11-30')).toBe('2026-12-15');
  expect(
    ['2026-11-30', '2026-12-01', '2026-12-15', '2026-12-16'].map((day) => tapeDueState('2026-11-30', day)),
  ).toEqual(['Upcoming', 'Due', 'Due', 'Late']);
  expect([daysLeftOf('2026-11-30', '2026-12-15'), daysLeftOf('2026-11-30', '2026-12-18')]).toEqual([0, -3]);
});
