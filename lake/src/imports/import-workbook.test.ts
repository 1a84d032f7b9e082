import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IMPORT_COLUMNS } from '@tapeline/domain/importer/columns.ts';
import { IMPORT_KINDS, type ImportKind, MAX_ROWS } from '@tapeline/domain/importer/kinds.ts';
import { MAX_CELL, readRows } from '@tapeline/domain/importer/read-rows.ts';
import { formOfSheet, originalRows } from '@tapeline/domain/importer/sheet-rows.ts';
import { suggestColumns } from '@tapeline/domain/importer/suggest-columns.ts';
import ExcelJS from 'exceljs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importRowsWorkbook, importTemplate, importTemplateCsv } from './import-workbook.ts';
import { readImportSheet } from './read-import-file.ts';

const CREATED = new Date('2026-11-05T09:00:00Z');
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'imports-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
function fileOf(content: Buffer | string, ending: string): string {
  files += 1;
  const path = join(folder, `${files}${ending}`);
  writeFileSync(path, content);
  return path;
}

/** Opens a workbook as a spreadsheet program does. */
async function opened(bytes: Buffer): Promise<ExcelJS.Workbook> {
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.load(bytes as unknown as ArrayBuffer);
  return workbook;
}

/** The rows of a file, as an upload reads them. */
async function rowsOf(path: string, kind: ImportKind) {
  const table = await readImportSheet(path, kind);
  const headers = table.columns.map((column, index) => ({
    ...column,
    cells: table.rows.map(({ cells }) => cells[index] ?? ''),
  }));
  const { mapping } = suggestColumns(kind, headers);
  return originalRows(kind, table, { mapping, form: formOfSheet(kind, table, mapping) });
}

describe.each(IMPORT_KINDS)('the template for %s', (kind) => {
  test('reads back without a problem when its example is filled in, saved by another program', async () => {
    const workbook = await opened(await importTemplate(kind, {}, CREATED));
    const [data] = workbook.worksheets;
    const example = workbook.getWorksheet('Example')?.getRow(2);
    if (!data || !example) throw new Error('The template has no sheet to fill in');
    expect(data.rowCount).toBe(1);
    for (const [at] of IMPORT_COLUMNS[kind].entries()) {
      const { value, numFmt } = example.getCell(at + 1);
      Object.assign(data.getRow(2).getCell(at + 1), { value, numFmt });
    }
    const rows = await rowsOf(fileOf(Buffer.from(await workbook.xlsx.writeBuffer()), '.xlsx'), kind);
    expect(rows.map(({ row }) => row)).toEqual([2]);
    expect(readRows(kind, rows)).toMatchObject([{ problems: [] }]);
  });

  test('reads back without a problem as CSV', async () => {
    const rows = await rowsOf(fileOf(importTemplateCsv(kind), '.csv'), kind);
    expect(readRows(kind, rows)).toMatchObject([{ problems: [] }]);
  });

  test('says that it is empty before it is filled in', async () => {
    const path = fileOf(await importTemplate(kind, {}, CREATED), '.xlsx');
    expect((await readImportSheet(path, kind)).rows).toEqual([]);
  });
});

test('a template offers allowed values, and the codes of the tenant as text', async () => {
  const codes = { fundCode: [{ code: 3, title: '=HYPERLINK("http://x.example")' }] };
  const workbook = await opened(await importTemplate('LPCommitments', codes, CREATED));
  const [data] = workbook.worksheets;
  const columns = IMPORT_COLUMNS.LPCommitments.map(({ key }) => key);
  const rule = (key: string, row: number) => data?.getRow(row).getCell(columns.indexOf(key) + 1).dataValidation;
  expect(rule('investorType', 2)).toMatchObject({ type: 'list', errorStyle: 'stop' });
  expect(rule('fundCode', MAX_ROWS.LPCommitments + 1)).toMatchObject({
    type: 'list',
    formulae: ["'Allowed values'!$C$2:$C$2"],
  });
  expect(rule('date', 2)).toMatchObject({ type: 'date' });
  const title = workbook.getWorksheet('Allowed values')?.getCell('D2');
  expect(title?.type).toBe(ExcelJS.ValueType.String);
  expect(title?.value).toBe('=HYPERLINK("http://x.example")');
});

test('corrected rows keep their places, their digits and texts that look like formulas', async () => {
  const cells = {
    investorType: 'LP',
    investorCode: '12',
    fundCode: '2',
    currency: 'USD',
    date: '2026-10-01',
    callName: '=cmd|x',
    defaultValue: '12345678901234567.89',
  };
  const rows = [
    { file: 0, row: 4, cells },
    { file: 0, row: 9, cells: { ...cells, defaultValue: '-250000.5', date: '31/11/2026' } },
  ];
  const path = fileOf(await importRowsWorkbook('LPCommitments', rows, { created: CREATED }), '.xlsx');
  const read = await rowsOf(path, 'LPCommitments');
  expect(read).toMatchObject([{ row: 4 }, { row: 9, cells: rows[1]?.cells }]);
  // A number of more than 15 digits is text, so that no spreadsheet program rounds it.
  expect(read[0]?.cells).toEqual(cells);
});

test('a list of problems names the reasons of each row', async () => {
  const rows = [{ file: 0, row: 3, cells: { firstName: 'Ann' } }];
  const reasons = new Map([[3, 'Email is required']]);
  const workbook = await opened(await importRowsWorkbook('users', rows, { created: CREATED, reasons }));
  expect(workbook.worksheets[0]?.getRow(3).getCell(5).value).toBe('Email is required');
});

test('a file beyond the limits is refused', async () => {
  const head = 'First name,Last name,Email,LP code\n';
  const line = 'Ann,Berg,ann@fjord.example,12\n';
  const most = MAX_ROWS.users;
  expect((await readImportSheet(fileOf(head + line.repeat(most), '.csv'), 'users')).rows).toHaveLength(most);
  await expect(readImportSheet(fileOf(head + line.repeat(most + 1), '.csv'), 'users')).rejects.toMatchObject({
    code: 'badRequest',
    flags: { file: expect.stringContaining(`more than ${most} rows`) },
  });
  const long = (length: number) => fileOf(`${head}${'x'.repeat(length)},Berg,a@b.example,1\n`, '.csv');
  expect((await readImportSheet(long(MAX_CELL), 'users')).rows).toHaveLength(1);
  await expect(readImportSheet(long(MAX_CELL + 1), 'users')).rejects.toMatchObject({ code: 'badRequest' });
  await expect(readImportSheet(fileOf('%PDF-1.7', '.csv'), 'users')).rejects.toMatchObject({ code: 'badRequest' });
});
