import { expect, test } from 'vitest';
import { emptyDraft } from './draft.ts';
import { readDraft } from './read-draft.ts';
import { agrees, fileTotalsOf } from './total-rows.ts';

const HEADERS = ['Investor', 'Class', 'Ccy', 'Amount'];
const MAPPING = { investorCode: 'A', fundClassCode: 'B', currency: 'C', defaultValue: 'D' };

/** The totals of a file with these rows. */
function totalsOf(rows: readonly (readonly string[])[], changes: { row: number; column: string; text: string }[] = []) {
  const sheet = {
    kind: 'xlsx' as const,
    columns: HEADERS.map((header, at) => ({ header, letters: 'ABCD'[at] ?? '' })),
    rows: rows.map((cells, at) => ({ row: at + 2, cells })),
  };
  const draft = readDraft(sheet, { ...emptyDraft('navs', 'Draft'), mapping: MAPPING, changes });
  return fileTotalsOf('navs', { rows: draft.rows, totalRows: draft.totalRows, mapping: MAPPING });
}
const differences = (rows: readonly (readonly string[])[]) =>
  totalsOf(rows).map(({ label, difference }) => [label, difference]);

const A = ['Tern', 'A', 'EUR', '100'];
const B = ['Oak', 'B', 'EUR', '50'];
const C = ['Oak', 'B', 'USD', '7'];

test.each<[string, string[][], [string, string][]]>([
  ['one total of all', [A, B, ['Total', '', '', '150']], [['Total', '0']]],
  ['a total that is too high', [A, B, ['Total', '', '', '151.5']], [['Total', '1.5']]],
  ['a total that is too low', [A, B, ['Summe', '', '', '149']], [['Summe', '-1']]],
  [
    'subtotals, and a total of all',
    [A, ['Subtotal', '', '', '100'], B, ['Sous-total', '', '', '50'], ['Total général', '', '', '150']],
    [
      ['Subtotal', '0'],
      ['Sous-total', '0'],
      ['Total général', '0'],
    ],
  ],
  [
    'totals by currency at the end',
    [A, B, C, ['Total EUR', '', '', '150'], ['Total USD', '', '', '7']],
    [
      ['Total EUR', '0'],
      ['Total USD', '0'],
    ],
  ],
  [
    'totals by currency in the column of currencies',
    [A, C, ['Gesamt', '', 'EUR', '100'], ['Gesamt', '', 'USD', '8']],
    [
      ['Gesamt', '0'],
      ['Gesamt', '1'],
    ],
  ],
  [
    'totals by class at the end',
    [A, B, ['Total Class A', '', '', '100'], ['Total Klasse B', '', '', '50']],
    [
      ['Total Class A', '0'],
      ['Total Klasse B', '0'],
    ],
  ],
  ['a total above the rows', [['Total', '', '', '151'], A, B], [['Total', '1']]],
  ['a count', [A, B, ['Count: 2', '', '', '']], [['Count: 2', '0']]],
  ['a count in a cell of its own', [A, B, ['Anzahl', '3', '', '']], [['Anzahl', '1']]],
  ['a count above the rows', [['Count: 2', '', '', ''], A, B], [['Count: 2', '0']]],
  [
    'a count for each class, and one of all',
    [
      A,
      ['Subtotal', '', '', '100'],
      ['Count: 1', '', '', ''],
      B,
      C,
      ['Count: 2', '', '', ''],
      ['Count: 3', '', '', ''],
    ],
    [
      ['Subtotal', '0'],
      ['Count: 1', '0'],
      ['Count: 2', '0'],
      ['Count: 3', '0'],
    ],
  ],
  ['a count in French', [A, ["Nombre d'investisseurs : 1", '', '', '']], [["Nombre d'investisseurs : 1", '0']]],
])('%s', (_, rows, expected) => {
  expect(differences(rows)).toEqual(expected);
});

test('a total over several currencies lists them, even where its figures agree', () => {
  const [total] = totalsOf([A, C, ['Grand total', '', '', '107']]);
  expect(total).toMatchObject({ difference: '0', currencies: ['EUR', 'USD'] });
});

test('an amount that cannot be read does not agree', () => {
  const [total] = totalsOf([A, ['Oak', 'B', 'EUR', 'fifty'], ['Total', '', '', '100']]);
  expect(total).toMatchObject({ difference: '0', unreadableCount: 1 });
  expect(total && agrees(total)).toBe(false);
});

test('a total that agreed no longer agrees once a cell is corrected', () => {
  const rows = [A, B, ['Total', '', '', '150']];
  expect(totalsOf(rows).map(agrees)).toEqual([true]);
  expect(totalsOf(rows, [{ row: 2, column: 'defaultValue', text: '99' }])).toMatchObject([{ difference: '1' }]);
});

test('a file of totals and long texts is compared in a bounded time', () => {
  const long = `Count${' '.repeat(900)}x`;
  const rows = Array.from({ length: 1_500 }, (_, index) => [
    ['Tern', `C${index}`, 'EUR', '1'],
    [index % 2 === 0 ? `Total C${index}` : `Total ${long}`.slice(0, 990), '', '', '1'],
  ]).flat();
  const before = performance.now();
  expect(totalsOf([...rows, [long, '', '', '']])).toHaveLength(1_500);
  expect(performance.now() - before).toBeLessThan(10_000);
});

test.each([[['Count Basie Trust', 'A', 'EUR', '5']], [['Counting House', '', '', '']], [['Number 4', '', '', '']]])(
  '%j is no count',
  (cells) => {
    expect(totalsOf([A, cells]).map(({ label }) => label)).toEqual([]);
  },
);
