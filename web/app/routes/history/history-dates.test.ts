import { expect, test } from 'vitest';
import { isReversed } from './history-dates.ts';

test('a first day after the last one is reversed; one day, and an open end, are not', () => {
  expect(isReversed({ from: '2026-03-02', to: '2026-03-01' })).toBe(true);
  expect(isReversed({ from: '2026-03-01', to: '2026-03-01' })).toBe(false);
  for (const open of [
    { from: '', to: '2026-03-01' },
    { from: '2026-03-01', to: '' },
    { from: '', to: '' },
  ]) {
    expect(isReversed(open)).toBe(false);
  }
});
