import { expect, test } from 'vitest';
import { skipOf } from './skip.ts';

test.each([
  ['', 0],
  ['skip=', 0],
  ['skip=50', 50],
  ['skip=-50', 0],
  ['skip=1.5', 0],
  ['skip=1e400', 0],
  ['skip=abc', 0],
  ['skip=999999999999999', 999_999_999_999_999],
  ['skip=9999999999999999', 0],
])('?%s passes over %s rows', (search, skip) => {
  expect(skipOf(new URLSearchParams(search))).toBe(skip);
});
