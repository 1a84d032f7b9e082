import { expect, test } from 'vitest';
import { delinquencyOverTapes } from './delinquency.ts';
import { dueWords } from './tape-due-words.ts';

test('delinquency is each late band as a share of the whole pool', () => {
  const pool = {
    currency: 'USD',
    labels: ['30 Sep 2026', '31 Oct 2026', '30 Nov 2026'],
    missing: [],
    series: [
      { label: 'Current', colour: 1 as const, values: [90, 60, 0] },
      { label: 'Past due', colour: 4 as const, values: [10, 20, 0] },
      { label: 'Delinquent', colour: 3 as const, values: [0, 20, 0] },
    ],
  };
  expect(delinquencyOverTapes(pool)).toEqual({
    labels: pool.labels,
    series: [
      { label: 'Past due', colour: 4, values: [10, 20, null] },
      { label: 'Delinquent', colour: 3, values: [0, 20, null] },
    ],
  });
});

test('when a tape is expected is said in words', () => {
  const words = (state: 'Late' | 'Due' | 'Upcoming', daysLeft: number, isProcessing = false) =>
    dueWords({ state, daysLeft, isProcessing });
  expect([words('Late', -1), words('Late', -12), words('Due', 0), words('Due', 1), words('Upcoming', 40)]).toEqual([
    'Late by 1 day',
    'Late by 12 days',
    'Due today',
    'Due in 1 day',
    'Due in 40 days',
  ]);
  expect(words('Late', -3, true)).toBe('Processing');
});
