import { expect, it } from 'vitest';
import { closestOf } from './closest.ts';

it.each([
  ['comingled fund', ['ComingleFund', 'SPV'], 'ComingleFund'],
  ['Busines', ['Private', 'Business'], 'Business'],
  ['', ['Private', 'Business'], null],
  ['other', ['Private', 'Business'], null],
  // Two are equally near.
  ['ac', ['ab', 'ad'], null],
])('of %j', (text, values, closest) => {
  expect(closestOf(text, values)).toBe(closest);
});
