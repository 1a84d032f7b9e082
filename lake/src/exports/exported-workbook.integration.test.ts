import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CellTag } from '@tapeline/sheets/cell-tag.ts';
import { serialToIso } from '@tapeline/sheets/date-serial.ts';
import { readRows } from '@tapeline/sheets/testing/workbook-file.ts';
import ExcelJS from 'exceljs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Lake, openLake, quoteText } from '../lake.ts';
import { exportList } from './export-list.ts';
import type { ExportColumn, ExportTable } from './export-table.ts';
import { SHEET_ROWS } from './xlsx.ts';

let folder: string;
let lake: Lake;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'exported-'));
  lake = await openLake({ threads: 2, spillFolder: folder });
});
afterAll(async () => {
  lake.close();
  await rm(folder, { recursive: true, force: true });
});

const column = (name: string, kind: ExportColumn['kind'], type: ExportColumn['type']): ExportColumn => ({
  name,
  label: `The ${name}`,
  kind,
  sql: name,
  type,
});

async function workbook(columns: ExportColumn[], relation: string, rows: number): Promise<string> {
  const query = { from: `FROM ${relation}`, values: [] };
  const table: ExportTable = { columns, rows, queries: [query] };
  const path = join(folder, `${columns.length}-${rows}.xlsx`);
  const pieces = exportList(lake, table, 'xlsx', { sheetName: 'Assets & more' });
  await pipeline(Readable.from(pieces), createWriteStream(path));
  return path;
}

const TEXTS = [
  ...['=1+1', '-2', '+3', '@SUM(A1)', 'a "quoted", text', 'two\nlines', 'two\r\nlines', ' spaces ', '<b>&amp;</b> &c'],
  ...['_x000D_', '_x005F_', 'bell\u0007', 'not\uFFFE here', 'Ünï 🏦', '12', 'TRUE', '2026-10-31'],
];
const AMOUNTS = ['0.0001', '-144589166.1000', '99999999999999.9999', '90071992547409.92', '0.0000', '12345.6789'];

test('two readers find texts, exact amounts, dates and percentages as such', async () => {
  const values = TEXTS.map(
    (text, row) =>
      `(${quoteText(text)}, CAST('${AMOUNTS[row % AMOUNTS.length]}' AS DECIMAL(18,4)), DATE '2024-02-28' + ${row},
        CAST(${row} * 1.125 AS DECIMAL(18,8)), ${row} / 7.0::DOUBLE, ${row % 2 === 0}, ${row + 2})`,
  );
  const columns = [
    column('t', 'text', 'VARCHAR'),
    column('a', 'amount', 'DECIMAL(18,4)'),
    column('d', 'date', 'DATE'),
    column('p', 'percentage', 'DECIMAL(18,8)'),
    column('n', 'number', 'DOUBLE'),
    column('b', 'boolean', 'BOOLEAN'),
    column('i', 'number', 'INTEGER'),
  ];
  const path = await workbook(columns, `(VALUES ${values.join(', ')}) AS v(t, a, d, p, n, b, i)`, TEXTS.length);

  const read = await readRows(path);
  expect(read.head.sheetName).toBe('Assets & more');
  expect(read.head.columns.map(({ header }) => header)).toEqual(columns.map(({ label }) => label));
  const dayOf = (row: number) => new Date(Date.UTC(2024, 1, 28 + row)).toISOString().slice(0, 10);
  read.rows.forEach((cells, row) => {
    const [text, amount, date, percent, number, boolean, integer] = cells;
    expect(text).toBe(TEXTS[row]);
    const given = AMOUNTS[row % AMOUNTS.length]!;
    // One digit more than a double can hold, so it is a text with every digit.
    expect(amount).toEqual(given === '99999999999999.9999' ? given : Number(given));
    expect(serialToIso(date as number, 1900)).toBe(dayOf(row));
    expect(percent).toBeCloseTo((row * 1.125) / 100, 12);
    expect(number).toBe(row / 7);
    expect([boolean, integer]).toEqual([row % 2 === 0, row + 2]);
  });
  const { text, number, date, boolean } = CellTag;
  expect(read.tags[0]).toEqual([text, number, date, number, number, boolean, number]);

  const independent = new ExcelJS.Workbook();
  await independent.xlsx.readFile(path);
  const sheet = independent.getWorksheet('Assets & more')!;
  expect(sheet.rowCount).toBe(TEXTS.length + 1);
  expect(sheet.views[0]).toMatchObject({ state: 'frozen', ySplit: 1 });
  expect(sheet.getCell('A1').font.bold).toBe(true);
  expect(sheet.getCell('A2').value).toBe('=1+1');
  expect(sheet.getCell('C2').value).toEqual(new Date('2024-02-28T00:00:00Z'));
  expect([sheet.getCell('B3').numFmt, sheet.getCell('D3').numFmt]).toEqual(['#,##0.00##', '0.00##%']);
  expect(sheet.getCell('D3').value).toBe(0.01125);
  expect(sheet.getCell('F3').value).toBe(false);
});

test("missing values are blank cells, and dates outside Excel's range are texts", async () => {
  const columns = [column('d', 'date', 'DATE'), column('t', 'text', 'VARCHAR'), column('n', 'number', 'DOUBLE')];
  const relation = `(VALUES (DATE '1899-05-06', NULL, 1.0::DOUBLE), (NULL, 'x', 'nan'::DOUBLE), (DATE '1900-03-01', '', NULL)) AS v(d, t, n)`;
  const path = await workbook(columns, relation, 3);
  const { rows, tags } = await readRows(path);
  expect(rows).toEqual([
    ['1899-05-06', null, 1],
    [null, 'x', 'nan'],
    [61, null, null],
  ]);
  expect(tags[2]![0]).toBe(CellTag.date);
});

test('rows beyond one sheet continue on the next, and more than four sheets are refused', async () => {
  const rows = SHEET_ROWS + 5000;
  const columns = [column('i', 'number', 'INTEGER')];
  const path = await workbook(columns, `(SELECT CAST(i AS INTEGER) AS i FROM range(${rows}) t(i))`, rows);
  const second = await readRows(path, { sheetName: 'Assets & more 2' });
  const found = second.rows.map(([value]) => value as number);
  expect(found.at(-1)).toBe(rows - 1);
  expect(found).toEqual(Array.from({ length: found.length }, (_, at) => rows - found.length + at));
  expect(found.length).toBeGreaterThanOrEqual(5000);
  expect(found.length).toBeLessThan(5000 + 2048);
  await expect(workbook(columns, 'nothing', 4 * SHEET_ROWS + 1)).rejects.toThrow(/at most 4,194,300 rows/);
});
