import { expect, test } from 'vitest';
import { COUNTRIES } from './countries.ts';
import { STATES, stateCode, statesOf } from './country-states.ts';

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

test('every country offers its states: by code where addresses use one, by name elsewhere', () => {
  expect(statesOf('US')[0]).toEqual({ value: 'AL', label: 'Alabama' });
  expect(statesOf('CA').map(({ value }) => value)).toContain('ON');
  expect(statesOf('DE').map(({ value }) => value)).toContain('Bayern');
  expect(statesOf('PL')).toHaveLength(16);
  expect(statesOf('GB').map(({ label }) => label)).toContain('Surrey');
  expect(statesOf('XX')).toEqual([]);
  const longest = COUNTRIES.flatMap(({ code }) => statesOf(code)).map(({ value }) => value.length);
  expect(longest.length).toBeGreaterThan(3000);
  // What is chosen must be accepted.
  expect(Math.max(...longest)).toBeLessThanOrEqual(250);
});
