import { expect, it } from 'vitest';
import { correctedRows, emptyDraft, withChanges, withReadAmounts } from './draft.ts';
import { formOfSheet, originalRows } from './sheet-rows.ts';
import { totalRowsOf } from './total-rows.ts';

const FORM = { dayFirst: null, decimal: '.' } as const;
const SHEET = {
  kind: 'csv' as const,
  columns: [{ letters: 'A' }, { letters: 'C' }, { letters: 'D' }],
  rows: [
    { row: 4, cells: ['Ann', ' Berg ', ''] },
    { row: 6, cells: ['', '', 'a note'] },
    { row: 7, cells: ['Bo', '', 'x'] },
  ],
};
const ROWS = originalRows('users', SHEET, { mapping: { firstName: 'A', lastName: 'C' }, form: FORM });
const DRAFT = emptyDraft('users', 'Pending');

it('reads the mapped columns with the row numbers of the file, and leaves notes out', () => {
  expect(ROWS).toEqual([
    { file: 0, row: 4, cells: { firstName: 'Ann', lastName: 'Berg' } },
    { file: 0, row: 7, cells: { firstName: 'Bo' } },
  ]);
});

it('applies corrections and removes rows', () => {
  const changes = withChanges(DRAFT, ROWS, [{ row: 7, column: 'lastName', text: 'Lind' }]);
  expect(correctedRows(ROWS, { changes, removedRows: [4] })).toEqual([
    { file: 0, row: 7, cells: { firstName: 'Bo', lastName: 'Lind' } },
  ]);
});

it('forgets a correction that restores the original, and keeps the last one of a cell', () => {
  const first = withChanges(DRAFT, ROWS, [
    { row: 4, column: 'firstName', text: 'Anna' },
    { row: 7, column: 'lastName', text: 'Lind' },
  ]);
  const second = withChanges({ ...DRAFT, changes: first }, ROWS, [
    { row: 4, column: 'firstName', text: 'Ann' },
    { row: 7, column: 'lastName', text: 'Lund' },
    { row: 99, column: 'lastName', text: 'not a row' },
  ]);
  expect(second).toEqual([{ row: 7, column: 'lastName', text: 'Lund' }]);
});

const NAVS = {
  kind: 'csv' as const,
  columns: ['A', 'B', 'C', 'D'].map((letters) => ({ letters })),
  rows: [
    { row: 2, cells: ['LP-0012', '31/10/2026', '1,000', ''] },
    { row: 3, cells: ['13', '01/11/2026', '$2,500.50', ''] },
    { row: 4, cells: ['', '', '', 'a note'] },
    { row: 5, cells: ['Total', '', '3,500.50', ''] },
  ],
};
const MAPPING = { investorCode: 'A', date: 'B', defaultValue: 'C' };
const READING = { mapping: MAPPING, form: formOfSheet('navs', NAVS, MAPPING) };

it('reads dates and numbers as the file writes them, and fills in what all rows have', () => {
  const values = { investorType: 'LP', currency: 'usd', date: '2020-01-01' };
  const rows = originalRows('navs', { ...NAVS, rows: NAVS.rows.slice(0, 3) }, { ...READING, values });
  const shared = { investorType: 'LP', currency: 'usd' };
  // A column of the file is not replaced, and a note does not become a row.
  expect(rows).toEqual([
    { file: 0, row: 2, cells: { ...shared, investorCode: 'LP-0012', date: '2026-10-31', defaultValue: '1000' } },
    { file: 0, row: 3, cells: { ...shared, investorCode: '13', date: '2026-11-01', defaultValue: '2500.50' } },
  ]);
});

it('does not read an amount with the sign of another currency', () => {
  const [, second] = originalRows('navs', NAVS, { ...READING, values: { currency: 'EUR' } });
  expect(second?.cells.defaultValue).toBe('$2,500.50');
});

it('reads an amount once its currency is corrected', () => {
  const [, second] = originalRows('navs', NAVS, { ...READING, values: { currency: 'US$' } });
  const inDollars = { file: 0, row: 3, cells: { ...second?.cells, currency: 'usd' } };
  expect(withReadAmounts('navs', [inDollars], READING.form)[0]?.cells.defaultValue).toBe('2500.50');
  // What was read is not read again: 1.250 is not 1250.
  const read = { file: 0, row: 3, cells: { currency: 'EUR', defaultValue: '1.250' } };
  expect(withReadAmounts('navs', [read], { dayFirst: null, decimal: ',' })).toEqual([read]);
});

it.each<[string, string[], boolean]>([
  ['a total', ['Total', '', '3,500.50', ''], true],
  ['a grand total in another column', ['', '', '7', 'Grand total:'], true],
  ['a sum', ['Sum', '', '7', ''], true],
  ['a record whose text begins with the word', ['12', '31/10/2026', '7', 'Total Energies'], false],
  ['a word without an amount', ['Total', '', '', ''], false],
  ['an amount without the word', ['', '', '7', ''], false],
  ['another word', ['Totally', '', '7', ''], false],
  ['a total in German', ['Gesamtsumme', '', '7', ''], true],
  ['a total in French', ['Total général', '', '7', ''], true],
  ['a company with the word in its name', ['TOTAL ELECTRIC OF THE NORTH LLC', '', '7', ''], false],
])('%s is told from the records', (_, cells, isTotal) => {
  const found = totalRowsOf('navs', { ...NAVS, rows: [{ row: 9, cells }] }, READING);
  expect(found.map(({ row }) => row)).toEqual(isTotal ? [9] : []);
});

it('a row that names a company is a total if it adds up the rows above', () => {
  const rows = [
    { row: 2, cells: ['12', '31/10/2026', '3', ''] },
    { row: 3, cells: ['13', '31/10/2026', '4.5', ''] },
    { row: 4, cells: ['Total of Northern Lights Inc.', '', '7.5', ''] },
    { row: 5, cells: ['Total of Northern Lights Inc.', '', '7.51', ''] },
  ];
  expect(totalRowsOf('navs', { ...NAVS, rows }, READING).map(({ row }) => row)).toEqual([4]);
});

it('the amounts of a total are read like the others', () => {
  expect(totalRowsOf('navs', NAVS, READING)).toEqual([
    { row: 5, label: 'Total', sums: { defaultValue: '3500.50' }, cells: {}, count: null },
  ]);
});
