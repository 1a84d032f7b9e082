import { expect, test } from 'vitest';
import { RecentCalculations } from './recent-calculations.ts';

test('the least recently used of five calculations is forgotten', () => {
  const recent = new RecentCalculations<string>();
  for (const key of ['a', 'b', 'c', 'd']) recent.keep(key, key.toUpperCase());
  expect(recent.get('a')).toBe('A');
  recent.keep('e', 'E');
  expect(['a', 'b', 'c', 'd', 'e'].map((key) => recent.get(key))).toEqual(['A', null, 'C', 'D', 'E']);
});
