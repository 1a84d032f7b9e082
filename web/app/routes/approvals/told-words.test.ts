import { expect, test } from 'vitest';
import { toldOfSet } from './told-words.ts';

const EVERYBODY = 'All investors with an account are told by email. There are too many to run the checks.';

test.each([
  ['statements', true, 0, 'No one is told by email.'],
  ['statements', true, 1, '1 person is told by email once the files are made.'],
  ['statements', true, 2, '2 people are told by email once the files are made.'],
  ['statements', true, null, 'The investors with an account are told by email.'],
  ['statements', false, null, EVERYBODY],
  ['navs', true, null, 'No one is told by email.'],
  ['navs', false, null, 'No one is told by email.'],
  ['writeOff', false, null, 'No one is told by email.'],
] as const)('who is told of %s: checked %s, people %s', (kind, isChecked, people, text) => {
  expect(toldOfSet({ kind, isChecked, people })).toBe(text);
});
