import { describe, expect, test } from 'vitest';
import { borrowerWords, proposeBorrower, proposeName } from './borrower.ts';

const file = (fileName: string, more: { sheetName?: string; titles?: string[] } = {}) => ({
  fileName,
  sheetName: more.sheetName ?? null,
  titles: more.titles ?? [],
});
const company = (id: string, name: string, more: { latestFile?: string; columnShare?: number } = {}) => ({
  id,
  name,
  latestFile: more.latestFile ?? null,
  columnShare: more.columnShare ?? 0,
});
const NORTHWIND = company('n', 'Northwind Consumer Loans');
const ALDER = company('a', 'Alder Auto Finance LLC');
const BOTH = [NORTHWIND, ALDER];

describe('the borrower of a file', () => {
  test.each([
    ['northwind_2026-10.xlsx', 'n'],
    ['NorthwindConsumerLoans.xlsx', 'n'],
    ['Alder tape (final).csv', 'a'],
    ['alder auto finance llc 10-2026.xlsx', 'a'],
    ['tape.xlsx', null],
    ['consumer loans.xlsx', null],
    ['balder.xlsx', null],
    ['northwind and alder.xlsx', 'n'],
  ])('%s', (name, id) => {
    expect(proposeBorrower(file(name), BOTH)?.value ?? null).toBe(id);
  });

  test('is named in a title or a sheet name as well', () => {
    expect(proposeBorrower(file('t.xlsx', { titles: ['Alder Auto Finance', 'Oct 2026'] }), BOTH)).toEqual({
      value: 'a',
      source: 'title',
      text: 'Alder Auto Finance',
    });
    expect(proposeBorrower(file('t.xlsx', { sheetName: 'Northwind' }), BOTH)).toMatchObject({ source: 'sheetName' });
  });

  test('is not guessed between companies of equal names', () => {
    const two = [company('1', 'Zephyr Capital'), company('2', 'Zephyr Finance')];
    expect(proposeBorrower(file('zephyr.xlsx'), two)).toBeNull();
    expect(proposeBorrower(file('zephyr-finance.xlsx'), two)?.value).toBe('2');
  });

  test('has the file name of its latest tape, apart from the date', () => {
    const known = [company('1', 'Holding A', { latestFile: 'PLX_book_2026-09-30.xlsx' }), company('2', 'Holding B')];
    expect(proposeBorrower(file('plx book 31.10.2026.xlsx'), known)).toMatchObject({
      value: '1',
      source: 'earlierFile',
    });
    const plain = [company('1', 'Holding A', { latestFile: 'loan tape 2026-09.xlsx' })];
    expect(proposeBorrower(file('loan tape 2026-10.xlsx'), plain)).toBeNull();
  });

  test('has the columns of its mapping, unless another has them too', () => {
    const known = (share: number) => [
      company('1', 'Holding A', { columnShare: 0.8 }),
      company('2', 'Holding B', { columnShare: share }),
    ];
    expect(proposeBorrower(file('t.xlsx'), known(0.6))).toMatchObject({ value: '1', source: 'columns' });
    expect(proposeBorrower(file('t.xlsx'), known(0.7))).toBeNull();
    expect(proposeBorrower(file('t.xlsx'), [company('1', 'Holding A', { columnShare: 0.79 })])).toBeNull();
  });
});

test.each([
  ['zephyr-finance_tape_2026-10.xlsx', 'Zephyr Finance'],
  ['LarkfieldEquipment 31.10.2026.csv', 'Larkfield Equipment'],
  ['Loan tape Zephyr Sept 2026 v2.xlsx', 'Zephyr'],
  ['tape.xlsx', ''],
  ['2026-10-31.csv', ''],
])('a new borrower from %s: %s', (name, expected) => {
  expect(proposeName(file(name))).toBe(expected);
});

test('searches by the telling words alone', () => {
  expect(
    borrowerWords(file('AlderAuto loan tape 2026-10.xlsx', { titles: ['Pool of Alder Auto Finance LLC'] })),
  ).toEqual(['alder']);
});
