import { expect, test } from 'vitest';
import { COUNTRIES } from './countries.ts';
import { countryCode } from './country-codes.ts';

test.each([
  ['SE', 'SE'],
  ['swe', 'SE'],
  ['Polska', 'PL'],
  ['Germany', 'DE'],
  ['Deutschland', 'DE'],
  ['Österreich', 'AT'],
  ['Côte d’Ivoire', 'CI'],
  ['U.S.A.', 'US'],
  ['United Kingdom', 'GB'],
  ['UK', 'GB'],
  ['日本', 'JP'],
  ['Northern Elbonia', 'Northern Elbonia'],
])('%s is %s', (written, code) => {
  expect(countryCode(written)).toBe(code);
});

test('every country is found by its code and by its name', () => {
  for (const { code, name } of COUNTRIES) {
    expect(countryCode(code)).toBe(code);
    expect(countryCode(name)).toBe(code);
  }
});
