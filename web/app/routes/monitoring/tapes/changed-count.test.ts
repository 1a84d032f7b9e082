import { expect, it } from 'vitest';
import { changedCount } from './changed-count.ts';

it.each([
  [{ before: 0, after: 842 }, '+842'],
  [{ before: 1391, after: 0 }, '−1,391'],
  [{ before: 5, after: 5 }, '5'],
  [{ before: 3, after: 5 }, '+2'],
])('%o is %s', (change, text) => {
  expect(changedCount(change)).toBe(text);
});
