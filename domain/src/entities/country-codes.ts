import threeLetters from 'countries-list/minimal/countries.2to3.min.json' with { type: 'json' };
import { COUNTRIES } from './countries.ts';

/** The languages in which files name countries. */
const LANGUAGES =
  'en de fr es it pt nl pl sv da nb fi cs sk hu ro bg el hr sl et lv lt is mt ga uk ru tr ar he hi ja ko zh'.split(' ');

/** Names that are usual and official in no language. */
const ALIASES: Readonly<Record<string, string>> = {
  america: 'US',
  usa: 'US',
  us: 'US',
  'united states of america': 'US',
  uk: 'GB',
  'great britain': 'GB',
  britain: 'GB',
  england: 'GB',
  scotland: 'GB',
  wales: 'GB',
  'northern ireland': 'GB',
  holland: 'NL',
  'the netherlands': 'NL',
  'czech republic': 'CZ',
  uae: 'AE',
};

const plain = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    // An abbreviation: U.S.A.
    .replaceAll('.', '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

let codes: ReadonlyMap<string, string> | undefined;

function readCodes(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const language of LANGUAGES) {
    const names = new Intl.DisplayNames([language], { type: 'region' });
    for (const { code } of COUNTRIES) {
      const name = plain(names.of(code) ?? '');
      if (name !== '' && !found.has(name)) found.set(name, code);
    }
  }
  for (const { code, name } of COUNTRIES) found.set(plain(name), code);
  for (const [two, three] of Object.entries(threeLetters)) found.set(three.toLowerCase(), two);
  for (const [name, code] of Object.entries(ALIASES)) found.set(name, code);
  // A country's own code comes before anything else that is written the same.
  for (const { code } of COUNTRIES) found.set(code.toLowerCase(), code);
  return found;
}

/**
 * The two-letter code of a country that is written as its code of two or three letters, or as its name in one of the
 * usual languages: "SWE", "Polska" and "Germany" are SE, PL and DE.
 * @returns the text as it is if it names no country
 */
export function countryCode(written: string): string {
  codes ??= readCodes();
  return codes.get(plain(written)) ?? written;
}
