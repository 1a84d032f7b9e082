import { expect, it } from 'vitest';
import { caseVariants } from './letter-case.ts';

it('knows every letter that has another case, like JavaScript', () => {
  const isCased = /^\p{Changes_When_Casemapped}$/u;
  const forgotten: string[] = [];
  for (let code = 0; code <= 0x10ffff; code++) {
    const character = String.fromCodePoint(code);
    if (!isCased.test(character)) continue;
    // Letters whose other case is more than one character (ß, SS) have no variants, and neither does the dotless i.
    const other = character.toUpperCase() === character ? character.toLowerCase() : character.toUpperCase();
    if ([...other].length > 1 || character === 'ı') continue;
    const variants = caseVariants([[code, code]]).map(([variant]) => String.fromCodePoint(variant));
    if (!variants.includes(other)) forgotten.push(character);
  }
  expect(forgotten).toEqual([]);
});

it('returns the capital and the Kelvin sign for k', () => {
  const variants = caseVariants([[0x6b, 0x6b]]).map(([variant]) => variant);
  expect(new Set(variants)).toEqual(new Set([0x6b, 0x4b, 0x212a]));
});
