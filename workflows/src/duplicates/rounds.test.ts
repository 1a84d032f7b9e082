import { expect, test } from 'vitest';
import { isSearchedAgain, pauseBefore } from './rounds.ts';

test('the first search waits for tapes that are published together, and further ones longer', () => {
  expect(pauseBefore({ searched: 0, failed: 0 })).toBe('10 seconds');
  expect(pauseBefore({ searched: 1, failed: 0 })).toBe('10 minutes');
  expect(pauseBefore({ searched: 1, failed: 1 })).toBe('10 minutes');
});

test('a book that changed during a search is searched again, also if the search failed, but not without end', () => {
  expect(isSearchedAgain(false, { searched: 1, failed: 0 })).toBe(false);
  expect(isSearchedAgain(false, { searched: 1, failed: 1 })).toBe(false);
  expect(isSearchedAgain(true, { searched: 9, failed: 0 })).toBe(true);
  expect(isSearchedAgain(true, { searched: 2, failed: 2 })).toBe(true);
  expect(isSearchedAgain(true, { searched: 3, failed: 3 })).toBe(false);
});
