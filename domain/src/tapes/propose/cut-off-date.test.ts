import { CellTag } from '@tapeline/sheets/cell-tag.ts';
import { expect, test } from 'vitest';
import { proposeCutOffDate } from './cut-off-date.ts';

const file = { fileName: 'tape.xlsx', sheetName: null, titles: [] };
const column = (header: string, values: readonly string[]) => ({
  header,
  cells: values.map((value) => ({ tag: CellTag.date, value })),
});

test('a column with one date in all rows comes first, and another date is named', () => {
  const asOf = column('As of Date', ['2026-10-31', '2026-10-31']);
  expect(proposeCutOffDate({ ...file, fileName: 'tape-2026-11.xlsx' }, [asOf])).toEqual({
    value: '2026-10-31',
    source: 'column',
    text: 'As of Date',
    others: [{ value: '2026-11-30', source: 'fileName', text: 'tape-2026-11.xlsx' }],
  });
});

test('a column with several dates, or of another name, is none', () => {
  expect(proposeCutOffDate(file, [column('Reporting Date', ['2026-10-31', '2026-09-30'])])).toBeNull();
  expect(proposeCutOffDate(file, [column('Maturity Date', ['2026-10-31'])])).toBeNull();
});

test.each([
  ['Printed 5 Nov 2026, as at 31 Oct 2026', '2026-10-31'],
  ['Kreditbestand, Stichtag: 31.10.2026 (Druck 02.11.2026)', '2026-10-31'],
  ['From 1 Oct 2026 to 31 Oct 2026', null],
  ['Pool report October 2026', '2026-10-31'],
])('a title: %s', (title, date) => {
  expect(proposeCutOffDate({ ...file, titles: ['Alder Auto Finance', title] }, [])?.value ?? null).toBe(date);
});

test('the sheet name comes after the file name', () => {
  expect(proposeCutOffDate({ ...file, sheetName: 'Sep 2026' }, [])).toMatchObject({ source: 'sheetName' });
  const both = proposeCutOffDate({ fileName: 'tape 2026-10.csv', sheetName: 'Sep 2026', titles: [] }, []);
  expect(both).toMatchObject({ value: '2026-10-31', source: 'fileName', others: [{ value: '2026-09-30' }] });
});
