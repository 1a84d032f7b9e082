import { describe, expect, it, test } from 'vitest';
import { classNamed, firstNameFirst, likeliestOf, nameKeysOf } from './match-names.ts';

const CLASSES = [
  { name: 'Class A', uniqueKey: 'A' },
  { name: 'Class B', uniqueKey: 'B' },
  { name: 'Institutional EUR', uniqueKey: '0123456789abcdef01234567' },
  { name: 'Institutional USD', uniqueKey: 'I-USD' },
  { name: 'Founders', uniqueKey: 'F' },
];

describe('a class', () => {
  it.each([
    ['A', 'A'],
    ['a', 'A'],
    ['Class A', 'A'],
    ['class  b', 'B'],
    ['Share class B', 'B'],
    ['Anteilsklasse A', 'A'],
    ['Institutional EUR', '0123456789abcdef01234567'],
    ['institutional e', '0123456789abcdef01234567'],
    ['I-USD', 'I-USD'],
    ['Found', 'F'],
  ])('is named by its key, its name or its beginning: %s', (text, key) => {
    expect(classNamed(text, CLASSES)?.uniqueKey).toBe(key);
  });

  it.each(['Institutional', 'Class', 'C', '', '0123'])('is not guessed from %j', (text) => {
    expect(classNamed(text, CLASSES)).toBeNull();
  });

  it('is found by its key before the name of another', () => {
    const swapped = [
      { name: 'B', uniqueKey: 'A' },
      { name: 'A', uniqueKey: 'B' },
    ];
    expect(classNamed('A', swapped)?.uniqueKey).toBe('A');
  });
});

test.each([
  ['Keller, Anna', 'Anna Keller'],
  ['van der Berg, Ann Marie', 'Ann Marie van der Berg'],
  ['Fjord Pension', null],
  ['Keller,', null],
  ['Müller, Frey, Keller', null],
])('a name with the last name first: %s', (text, turned) => {
  expect(firstNameFirst(text)).toBe(turned);
});

test('names that differ in case, width of letters or spaces are the same', () => {
  expect(nameKeysOf('  TERN  Pension\u00a0Fund ')).toEqual(['tern pension fund']);
  expect(nameKeysOf('Keller, Anna')).toEqual(['keller, anna', 'anna keller']);
});

test('the likeliest names come first, and names without likeness are left out', () => {
  const all = [
    'Müller, Frey & Co.',
    'Mueller Capital',
    'Tern Pension Fund',
    'Oak & Ash Family Office',
    'Frey Stiftung',
  ].map((name) => ({ names: [name] }));
  const likely = (text: string) => (likeliestOf([text], all).get(text) ?? []).map(({ names }) => names[0]);
  expect(likely('Müller Frey & Co')[0]).toBe('Müller, Frey & Co.');
  expect(likely('Oak and Ash Family Offices LLC')[0]).toBe('Oak & Ash Family Office');
  expect(likely('Zzyzx')).toEqual([]);
});

test('50 names are compared with 5,000 in a bounded time', () => {
  const all = Array.from({ length: 5_000 }, (_, index) => ({
    names: [`Fjord Pension Scheme ${index}`, `Fjord ${index} AS`],
  }));
  const texts = Array.from({ length: 50 }, (_, index) => `Fjord Pensions ${index * 97}`);
  const before = performance.now();
  const found = likeliestOf(texts, all);
  expect(performance.now() - before).toBeLessThan(10_000);
  expect(found.get('Fjord Pensions 97')?.some(({ names }) => names[0] === 'Fjord Pension Scheme 97')).toBe(true);
});
