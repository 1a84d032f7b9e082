import { expect, test } from 'vitest';
import { findUnstorableText, isStorable } from './text.ts';

test.each([
  ['plain', true],
  ['😀', true],
  ['\u0001', true],
  ['\u0000', false],
  ['\ud83d', false],
  ['\ude00\ud83d', false],
])('%j can be stored: %s', (text, can) => {
  expect(isStorable(text)).toBe(can);
});

test('the values of a text that is JSON are checked', () => {
  expect(findUnstorableText('a\u0000')).toEqual([]);
  expect(findUnstorableText('{"rules":[{},{"name":"\\u0000"}]}')).toEqual(['rules', 1, 'name']);
  expect(findUnstorableText('{"\\ud800x":1}')).toEqual(['\ufffdx']);
  for (const fine of ['{"a":"\\\\u0000"}', 'not JSON: \\u0000', '"\\ud83d\\ude00"'])
    expect(findUnstorableText(fine)).toBeNull();
});

test("the time depends on a text's length, not on its depth", () => {
  const levels = 100_000;
  expect(findUnstorableText(`${'['.repeat(levels)}"\\u0000"${']'.repeat(levels)}`)).toEqual([]);
});
