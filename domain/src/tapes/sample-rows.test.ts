import { describe, expect, test } from 'vitest';
import { withoutTotals } from './sample-rows.ts';
import type { SampleCell } from './suggest/column-summary.ts';

const WIDTH = 8;
const asset = (row: number): string[] => Array.from({ length: WIDTH }, (_, column) => `${row}.${column}`);
const sparse = (...values: string[]): string[] => [...values, ...Array<string>(WIDTH - values.length).fill('')];
const columnsOf = (rows: readonly (readonly string[])[]) =>
  Array.from({ length: WIDTH }, (_, column) => ({
    header: `c${column}`,
    cells: rows.map((row): SampleCell => ({ tag: row[column] === '' ? 0 : 2, value: row[column]! })),
  }));
const ASSETS = [asset(1), asset(2), asset(3), asset(4), asset(5)];
const left = (last: readonly string[]): number => withoutTotals(columnsOf([...ASSETS, last])).columns[0]!.cells.length;

describe('rows that are no assets are left out of the sample', () => {
  test.each([
    ['a total', sparse('Total', '10', '20')],
    ['a grand total', sparse('Grand total:', '10')],
    ['a subtotal of a group', sparse('Acme Inc Total', '', '12', '13')],
    ['a total in German', sparse('Summe', '10')],
    ['an average', sparse('Average', '10')],
    ['a note', sparse('* Balances are net of fees')],
  ])('%s', (_, row) => expect(left(row)).toBe(ASSETS.length));

  test.each([
    ['an asset whose name has the word in it', ['Total Fitness Ltd', ...asset(6).slice(1)]],
    ['an asset with little to say', sparse('LN-7', '10', '20')],
    ['an asset of a borrower called Totalia', sparse('Totalia', '10', '20')],
  ])('%s stays', (_, row) => expect(left(row)).toBe(ASSETS.length + 1));

  const narrowOf = (...rows: [string, string, string][]) =>
    [0, 1, 2].map((column) => ({
      cells: rows.map((row): SampleCell => ({ tag: row[column] === '' ? 0 : 2, value: row[column]! })),
    }));
  const NAMES: [string, string, string][] = [
    ['TOTAL ELECTRIC OF RIVERTON LLC', '149.800,00', 'x'],
    ['Acme, Inc.', '2.500,00', 'x'],
  ];

  test('a totals row that is as full as the others is known by its sums, and a name by having none', () => {
    const total: [string, string, string] = ['Summe', '152.300,00', 'x'];
    expect(withoutTotals(narrowOf(...NAMES, total)).columns[0]!.cells).toHaveLength(2);
    expect(withoutTotals(narrowOf(...NAMES, total)).labels).toEqual(['Summe']);
    const name: [string, string, string] = ['Total Fitness Ltd', '152.300,50', 'x'];
    expect(withoutTotals(narrowOf(...NAMES, name)).columns[0]!.cells).toHaveLength(3);
    expect(withoutTotals(narrowOf(...NAMES, name)).labels).toEqual([]);
  });

  test('subtotals add the rows since the last one, and a grand total adds all of them', () => {
    const rows: [string, string, string][] = [
      ['a', '10', 'x'],
      ['b', '20', 'x'],
      ['Subtotal', '30', 'x'],
      ['c', '5', 'x'],
      ['d', '7', 'x'],
      ['Subtotal', '12', 'x'],
      ['e', '1', 'x'],
      ['f', '2', 'x'],
      ['Total', '45', 'x'],
    ];
    expect(withoutTotals(narrowOf(...rows)).columns[0]!.cells.map(({ value }) => value)).toEqual([...'abcdef']);
  });

  test('a narrow tape has no notes among its rows', () => {
    const narrow = [
      ['a', '1'],
      ['b', ''],
      ['c', '3'],
    ];
    const columns = [0, 1].map((column) => ({
      cells: narrow.map((row): SampleCell => ({ tag: row[column] === '' ? 0 : 2, value: row[column]! })),
    }));
    expect(withoutTotals(columns).columns[0]!.cells).toHaveLength(3);
  });
});
