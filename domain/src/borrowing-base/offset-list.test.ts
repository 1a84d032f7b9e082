import { expect, test } from 'vitest';
import { documentOfOffset, type FileOffset, fileOffsets, MAX_LIST_GROUPS, readOffsetList } from './offset-list.ts';

const offset = {
  ...{ title: 'Northwind payables', kind: 'file', groupBy: 'borrowerId', file: 'payables', enabled: true },
  ...{ groupColumn: 'Vendor', amountColumn: 'Balance' },
} as FileOffset;
const read = (rows: readonly (readonly string[])[], more: { kind?: 'csv' | 'xlsx'; headers?: string[] } = {}) =>
  readOffsetList(
    {
      kind: 'csv',
      headers: [' Vendor ', 'Terms', 'Balance'],
      rows: rows.map(([group = '', amount = ''], index) => ({ row: index + 2, cells: [group, 'x', amount] })),
      ...more,
    },
    offset,
    { name: 'payables.csv', currency: 'USD' },
  );

test('rows of a group are added up; without a group, or at zero or below, a row owes nothing', () => {
  const rows = [['d2', '20.0001'], [' d2', '$1,030'], ['d1', '-10'], ['d3', '0'], ['', '5'], [], ['D2', '1']];
  expect([...read(rows)]).toEqual([
    ['d2', '1050.0001'],
    ['D2', '1'],
  ]);
  expect([...read([['d2', '1.250,50']])]).toEqual([['d2', '1250.5']]);
});

test.each([
  ['n/a', "has 'n/a', which cannot be read as an amount in USD"],
  ['', 'has no amount'],
  ['EUR 5', "has 'EUR 5', which cannot be read as an amount in USD"],
  // It can be read in two ways.
  ['1.250', "has '1.250', which cannot be read as an amount in USD"],
])('the cell %j is refused with its row and column', (cell, problem) => {
  expect(() =>
    read([
      ['d1', '5'],
      ['d2', cell],
    ]),
  ).toThrow(`Northwind payables: row 3 of payables.csv, column 'Balance' ${problem}`);
});

test('an amount, and the amounts of a group together, have at most 14 digits and 4 decimals', () => {
  const most = '99999999999999';
  expect([...read([['d1', most]])]).toEqual([['d1', most]]);
  expect([...read([['d1', '0.0001']])]).toEqual([['d1', '0.0001']]);
  for (const rows of [
    [['d1', '100000000000000']],
    [['d1', '0.00001']],
    [
      ['d1', most],
      ['d1', '1'],
    ],
  ]) {
    expect(() => read(rows)).toThrow('more than 14 digits, or more than 4 decimals');
  }
});

test('a missing column is refused, and more groups than are read', () => {
  expect(() => read([], { headers: ['Vendor', 'Amount'] })).toThrow(
    "Northwind payables: payables.csv has no column 'Balance'",
  );
  const groups = (count: number) => Array.from({ length: count }, (_, index) => [`d${index}`, '1']);
  expect(read(groups(MAX_LIST_GROUPS)).size).toBe(20_000);
  expect(() => read(groups(MAX_LIST_GROUPS + 1))).toThrow(
    'payables.csv has amounts of 20,001 groups, of at most 20,000',
  );
});

test('the document is the one with the text in its name, in any case', () => {
  const named = (...names: string[]) => names.map((name) => ({ name }));
  const fitting = named('rent roll.csv', 'Northwind PAYABLES 2026-10.xlsx', 'payables.pdf');
  expect(documentOfOffset(offset, fitting)).toBe(fitting[1]);
  expect(() => documentOfOffset(offset, named('payables.pdf'))).toThrow(
    "Northwind payables: no document of the tape has 'payables' in its name. Add it to the tape, or close the offset",
  );
  expect(() => documentOfOffset(offset, named('payables.csv', 'old payables.csv'))).toThrow(
    "several documents of the tape have 'payables' in their names, such as payables.csv and old payables.csv",
  );
});

test('only offsets that apply on the day are read', () => {
  const offsets = [{ ...offset, expirationDate: '2026-10-31' }, offset, { ...offset, enabled: false }];
  expect(fileOffsets({ offsets }, '2026-10-31').map(({ rule }) => rule)).toEqual([1]);
  expect(fileOffsets({ offsets }, '2026-10-30').map(({ rule }) => rule)).toEqual([0, 1]);
  expect(fileOffsets({}, '2026-10-30')).toEqual([]);
});
