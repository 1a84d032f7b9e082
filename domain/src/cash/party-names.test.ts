import { describe, expect, test } from 'vitest';
import { indexNames, isOneTypoApart, NAME_AGREES } from './party-names.ts';

const index = indexNames(
  new Map([
    ['norrland', 'Norrland Pension Fund AB'],
    ['zurich', 'Zürich Lebensversicherung AG'],
    ['sibir', 'Сибирский Пенсионный Фонд'],
    ['meridian-2', 'Meridian Fund of Funds II'],
    ['meridian-3', 'Meridian Fund of Funds III'],
    ['cascadia', 'Cascadia Teachers’ Retirement System of the Western Provinces'],
    ['bayani', 'Bayani Cooperative Insurance'],
    ...Array.from({ length: 20 }, (_, at): [string, string] => [`other-${at}`, `Pension Fund Number ${at + 40}`]),
  ]),
);
const agreeing = (name: string): string[] =>
  index
    .named(name)
    .filter(({ likeness }) => likeness >= NAME_AGREES)
    .map(({ party }) => party);

describe('a name is found', () => {
  test.each([
    ['NORRLAND PENSION FUND', 'norrland', 'without its legal form'],
    ['PENSION FUND NORRLAND', 'norrland', 'in another order'],
    ['NORLRAND PENSION FUND', 'norrland', 'with letters exchanged'],
    ['ZUERICH LEBENSVERSICHERUNG', 'zurich', 'in the letters of a bank'],
    ['SIBIRSKIJ PENSIONNYY FOND', 'sibir', 'in Latin letters'],
    ['CASCADIA TEACHERS RETIREMENT SYSTEM', 'cascadia', 'cut at 35 characters'],
    ['BAYANI COOP INS INC', 'bayani', 'with words shortened'],
  ])('"%s" is %s, %s', (name, party) => {
    expect(agreeing(name)[0]).toBe(party);
  });

  test('within a text of the payer', () => {
    expect(index.within('/ROC/ capital call of Norrland Pension Fund, thank you')[0]?.party).toBe('norrland');
    expect(index.within('pension payment')).toEqual([]);
  });
});

describe('another name is not found', () => {
  test.each(['Norrbotten Pension Trust', 'H Whitlock and Sons', 'Meridian Travel', ''])('"%s" is nobody', (name) => {
    expect(agreeing(name)).toEqual([]);
  });

  test('the number of a fund tells it from its sisters', () => {
    expect(agreeing('MERIDIAN FUND OF FUNDS II')).toEqual(['meridian-2']);
    expect(agreeing('MERIDIAN FUND OF FUNDS III')).toEqual(['meridian-3']);
    expect(index.named('MERIDIAN FUND OF FUNDS III')[0]?.likeness).toBeGreaterThan(0.95);
  });
});

test('a typo is one wrong, missing, added or exchanged letter', () => {
  for (const word of ['pention', 'penson', 'penssion', 'pesnion'])
    expect(isOneTypoApart(word, 'pension'), word).toBe(true);
  for (const word of ['pension', 'pentiom', 'penn', 'pensionat'])
    expect(isOneTypoApart(word, 'pension'), word).toBe(false);
});

describe('however many names begin in the same way', () => {
  const SMITHS = 5000;
  const many = indexNames(
    new Map([
      ...Array.from({ length: SMITHS }, (_, at): [string, string] => [`a-${at}`, `Smith Family Trust ${at + 100}`]),
      ...Array.from({ length: 1000 }, (_, at): [string, string] => [`b-${at}`, `Smithson Pension Plan ${at + 100}`]),
      ['z-exact', 'Smith Trust Family'],
      ['z-rare', 'Smith Family Quillfeather Trust'],
    ]),
  );

  test.each([
    ['SMITH FAMILY TRUST', 'z-exact'],
    ['TRUST FAMILY SMITH', 'z-exact'],
    ['SMITH FAMILY TRUST 5099', `a-${SMITHS - 1}`],
    ['SMITH QUILLFEATHER TRUST', 'z-rare'],
    ['SMITHSON PENSION PLAN 1099', 'b-999'],
  ])('"%s" is %s, the last of them', (name, party) => {
    expect(many.named(name)[0]?.party).toBe(party);
  });

  test('one within a text is found as well', () => {
    expect(many.within('capital call on behalf of Smith Trust Family, thank you')[0]?.party).toBe('z-exact');
    expect(many.within('payment of Smithson Pension Plan 1099 in full')[0]?.party).toBe('b-999');
  });
});
