import { expect, test } from 'vitest';
import { type EnteredTest, testInWords } from './test-in-words.ts';

const entered: EnteredTest = {
  formula: '[60+ days past due] / [Relevant pool] * 100',
  unit: 'percent',
  bound: 'atMost',
  steps: [
    { from: '2026-01-31', limit: '5' },
    { from: '2027-04-30', limit: '4.75 %' },
  ],
  frequency: 'monthly',
  firstTest: '2026-01-31',
  periods: '3',
  cureDays: '10',
  consequence: 'drawStop',
};

test.each<[string, Partial<EnteredTest>, string | null]>([
  [
    'an average with a later limit',
    {},
    'Monthly from 31 Jan 2026: the average of 3 months of 60+ days past due / Relevant pool × 100 must be at most 5%, then 4.75% from 30 Apr 2027. If it is breached: draw stop, 10 business days to cure.',
  ],
  [
    'an amount of one period that cannot be cured',
    {
      ...{ formula: '[Cash]', unit: 'money', currency: 'USD', bound: 'atLeast', steps: [{ limit: '2m' }] },
      ...{ periods: '1', cureDays: '0', consequence: 'none' },
    },
    'Monthly from 31 Jan 2026: Cash must be at least 2m USD. If it is breached: none.',
  ],
  ['a test without a limit', { steps: [{ from: '2026-01-31', limit: ' ' }] }, null],
  ['a test without a figure', { formula: '' }, null],
  [
    'values that are no choices or dates',
    { frequency: 'constructor', firstTest: 'soon', periods: 'many', cureDays: '-1', consequence: 'toString' },
    'On each test date from soon: 60+ days past due / Relevant pool × 100 must be at most 5%, then 4.75% from 30 Apr 2027.',
  ],
])('%s in words', (_, change, words) => {
  expect(testInWords({ ...entered, ...change })).toBe(words);
});
