import { CellTag } from '@tapeline/sheets/cell-tag.ts';
import { describe, expect, test } from 'vitest';
import { readMonths } from './read-months.ts';

const texts = (...values: string[]) => values.map((value) => ({ tag: CellTag.text, value }));
const numbers = (...values: number[]) => values.map((value) => ({ tag: CellTag.number, value: String(value) }));
const datesOf = (cells: Parameters<typeof readMonths>[0], epoch: 1900 | 1904 = 1900) =>
  readMonths(cells, epoch).map((month) => month?.date ?? null);

describe('months of a column', () => {
  test.each([
    [texts('2024-02', '2024-03'), ['2024-02-29', '2024-03-31']],
    [texts('2024/02', '2024/12'), ['2024-02-29', '2024-12-31']],
    [texts('Mar-24', 'Apr-24'), ['2024-03-31', '2024-04-30']],
    [texts('März 2024', 'mars 2024'), ['2024-03-31', '2024-03-31']],
    [texts('03/2024', '12/2023'), ['2024-03-31', '2023-12-31']],
    [numbers(202403, 202404), ['2024-03-31', '2024-04-30']],
    [texts('202403', '202404'), ['2024-03-31', '2024-04-30']],
    [numbers(32024, 122023), ['2024-03-31', '2023-12-31']],
    [numbers(20240331, 20240430), ['2024-03-31', '2024-04-30']],
    [texts('2024-03-31', '2024-04-30 00:00:00'), ['2024-03-31', '2024-04-30']],
    [texts('31.03.2024', '30.04.2024'), ['2024-03-31', '2024-04-30']],
    [texts('31 Mar 2024', '30 April 2024'), ['2024-03-31', '2024-04-30']],
  ])('%j', (cells, dates) => expect(datesOf(cells)).toEqual(dates));

  test('words among them change nothing', () => {
    expect(datesOf(texts('202403', 'soon', 'Total', 'n/a'))).toEqual(['2024-03-31', null, null, null]);
  });

  test('dates of the sheet are their day, whatever their time', () => {
    expect(datesOf([{ tag: CellTag.date, value: '2024-03-31 12:00:00' }])).toEqual(['2024-03-31']);
  });

  test('a month begins on its first day, and a date on its own', () => {
    expect(readMonths(texts('2024-03', '2024-04-15'), 1900)).toEqual([
      { from: '2024-03-01', date: '2024-03-31' },
      { from: '2024-04-15', date: '2024-04-15' },
    ]);
  });

  test('numbers that a workbook counts as days are read by its first day', () => {
    // 42004 could be April 2004 as well; the other one shows that the column counts days.
    expect(datesOf(numbers(42004, 45291))).toEqual(['2014-12-31', '2023-12-31']);
    expect(datesOf(numbers(42004 - 1462, 45291 - 1462), 1904)).toEqual(['2014-12-31', '2023-12-31']);
  });

  test('ambiguous dates give each month the same day, if one way of reading them does', () => {
    expect(datesOf(texts('01/02/2024', '01/03/2024'))).toEqual(['2024-02-01', '2024-03-01']);
    expect(datesOf(texts('2/1/2024', '3/1/2024'))).toEqual(['2024-02-01', '2024-03-01']);
    expect(datesOf(texts('2/3/2024', '4/5/2024'))).toEqual([null, null]);
    expect(datesOf(texts('2/3/2024', '4/25/2024'))).toEqual(['2024-02-03', '2024-04-25']);
  });

  test('other texts are none, nor are years that no ledger has', () => {
    expect(datesOf(texts('Total', 'n/a', '2024-13', '2205-03', '1949-12', '1950-01', '2099-12'))).toEqual([
      null,
      null,
      null,
      null,
      null,
      '1950-01-31',
      '2099-12-31',
    ]);
    expect(datesOf(texts(`2024-03${' '.repeat(54)}`, '2024-04'))).toEqual([null, '2024-04-30']);
    expect(datesOf([{ tag: CellTag.error, value: '#N/A' }, ...texts('2024-04')])).toEqual([null, '2024-04-30']);
  });
});
