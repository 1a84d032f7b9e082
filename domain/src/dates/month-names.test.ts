import { expect, test } from 'vitest';
import { MONTH_BY_NAME, MONTH_NAMES, monthNamed } from './month-names.ts';

test('each of at least ten languages names twelve months, and no name means two of them', () => {
  const languages = Object.entries(MONTH_NAMES);
  expect(languages.length).toBeGreaterThanOrEqual(10);
  const wrong = languages.flatMap(([language, months]) =>
    months.flatMap((names, index) =>
      names.flatMap((name) => (monthNamed(name) === index + 1 ? [] : [`${language}: ${name}`])),
    ),
  );
  expect(wrong).toEqual([]);
  expect(new Set(languages.map(([, months]) => months.length))).toEqual(new Set([12]));
});

test.each([
  ['MÄRZ', 3],
  ['Août', 8],
  ['AOUT', 8],
  ['października', 10],
  ['marts', 3],
  ['mrt', 3],
  ['dez', 12],
])('%s is month %i', (name, month) => {
  expect(monthNamed(name)).toBe(month);
});

test.each(['', 'x', 'quarter', 'janu'])('%j is no month', (name) => {
  expect(monthNamed(name)).toBeNull();
});

test('the names are plain letters, because a macro lists them with separators', () => {
  expect([...MONTH_BY_NAME.keys()].filter((name) => !/^[a-z]{3,12}$/.test(name))).toEqual([]);
});
