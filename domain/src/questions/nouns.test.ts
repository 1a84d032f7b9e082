import { expect, it } from 'vitest';
import { listsNamed } from './nouns.ts';

const LISTS = [
  { list: 'funds', nouns: ['funds', 'vehicles'] },
  { list: 'calls', nouns: ['capital calls', 'calls', 'investors'] },
  { list: 'commitments', nouns: ['commitments', 'investors'] },
  { list: 'facilities', nouns: ['transactions', 'facilities', 'facility'] },
  { list: 'draws', nouns: ['draws'] },
];
const NAMES = ['Harbor Fund II', 'Facility Partners', 'Draws'];
const named = (question: string) => listsNamed(question, LISTS, NAMES);

it.each([
  ['facilities with commitments above 50m', ['facilities']],
  ['largest commitments', ['commitments']],
  ['fund commitments over 5m', ['commitments']],
  ['calls of Harbor Fund II', ['calls']],
  ['Harbor Fund II capital calls due this month', ['calls']],
  ['draws of the facility', ['draws']],
  ['draws of Facility Partners', ['draws']],
  ['investors with commitments over 5m', ['commitments']],
  ['investors', ['calls', 'commitments']],
  ['over 5m', []],
  ['“funds” over 5m', []],
])('finds the lists of “%s”', (question, lists) => {
  expect(named(question)).toEqual(lists);
});
