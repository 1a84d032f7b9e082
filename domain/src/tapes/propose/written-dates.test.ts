import { expect, test } from 'vitest';
import { datesIn } from './written-dates.ts';

test.each([
  ['larkfield-2026-10.xlsx', ['2026-10-31']],
  ['larkfield_20261031_final.xlsx', ['2026-10-31']],
  ['tape 202602.csv', ['2026-02-28']],
  ['Tape 31.10.2026', ['2026-10-31']],
  ['Tape 03.04.2026', ['2026-04-03']],
  ['Tape 10-31-26', ['2026-10-31']],
  ['as of 28/02/2026', ['2026-02-28']],
  ['as of 05/05/2026', ['2026-05-05']],
  ['Loan Portfolio as at 31st October 2026', ['2026-10-31']],
  ['Oct 31, 2026', ['2026-10-31']],
  ['NORTHWIND_OCT-26', ['2026-10-31']],
  ["Sept '26", ['2026-09-30']],
  ['Bestand zum 30. Juni 2026', ['2026-06-30']],
  ['Stichtag März 2026', ['2026-03-31']],
  ['STICHTAG MAERZ 2026', ['2026-03-31']],
  ['cartera ene-2026', ['2026-01-31']],
  ['portefølje desember 2025', ['2025-12-31']],
  ['encours au 31 décembre 2025', ['2025-12-31']],
  ['Cartera al 31 de diciembre de 2025', ['2025-12-31']],
  ['stan na 31 grudnia 2025', ['2025-12-31']],
  ['pr. 30. september 2026', ['2026-09-30']],
  ['Q3 2026 pool', ['2026-09-30']],
  ['2026Q4', ['2026-12-31']],
  ['T4 2026', ['2026-12-31']],
  ['11-2026', ['2026-11-30']],
  ['2028-02', ['2028-02-29']],
  ['from 2026-10-01 to 2026-10-31', ['2026-10-01', '2026-10-31']],
])('%s', (text, dates) => {
  expect(datesIn(text).map(({ date }) => date)).toEqual(dates);
});

test.each([
  'Tape 03/04/2026',
  'Fund 2026',
  'data set 2026 v2',
  '3 years ago 2026',
  'paid out 2026',
  'liste des 25 contrats',
  'Loan 12345678',
  'tape-2026-13.xlsx',
  '2026-02-30.csv',
  'maybe 2026',
  'version 1.2.3',
  'IBAN DE89370400440532013000',
])('names no date: %s', (text) => {
  expect(datesIn(text)).toEqual([]);
});

test('a long text takes no time', () => {
  expect(datesIn('2026-'.repeat(100_000))).toEqual([]);
  expect(datesIn('march '.repeat(100_000))).toEqual([]);
});
