import { expect, test } from 'vitest';
import { COUNTRIES } from './countries.ts';
import { STATES, stateCode } from './states.ts';

test('states have codes of their own within a country', () => {
  for (const [country, states] of Object.entries(STATES)) {
    expect(COUNTRIES.some(({ code }) => code === country)).toBe(true);
    expect(new Set(Object.values(states)).size).toBe(Object.keys(states).length);
  }
  expect(Object.keys(STATES.US ?? {})).toHaveLength(56);
  expect(Object.keys(STATES.CA ?? {})).toHaveLength(13);
  expect(Object.keys(STATES.AU ?? {})).toHaveLength(8);
});

test.each([
  ['US', 'california', 'CA'],
  ['US', ' ny ', 'NY'],
  ['AU', 'Western Australia', 'WA'],
  ['US', 'Bavaria', 'Bavaria'],
  ['DE', 'Bayern', 'Bayern'],
])('in %s, "%s" is %s', (country, written, code) => {
  expect(stateCode(country, written)).toBe(code);
});
