import { createHash } from 'node:crypto';
import ExcelJS from 'exceljs';
import { beforeAll, describe, expect, it } from 'vitest';
import { type TapeSheet, tapesOf } from '../tapes.ts';
import { workbookBytes } from './workbook.ts';

/** The sheet as read by another library. */
async function readBack(sheet: TapeSheet): Promise<ExcelJS.Worksheet> {
  const workbook = new ExcelJS.Workbook();
  const bytes = await workbookBytes(sheet);
  await workbook.xlsx.load(Uint8Array.from(bytes).buffer);
  expect(workbook.worksheets.map((worksheet) => worksheet.name)).toEqual([sheet.sheetName]);
  return workbook.worksheets[0]!;
}

/** The expected value of every cell: dates at midnight, blanks as null. */
function expected(sheet: TapeSheet): unknown[][] {
  return sheet.rows.map((row) =>
    row.map((cell, index) => {
      const isDate = sheet.columns[index]!.kind === 'date' && typeof cell === 'string' && cell !== '2026-02-30';
      return isDate ? `${cell}T00:00:00.000Z` : cell;
    }),
  );
}

function cellsOf(worksheet: ExcelJS.Worksheet, sheet: TapeSheet): unknown[][] {
  const first = sheet.titleRows.length + 2;
  return sheet.rows.map((_, index) =>
    sheet.columns.map((_column, column) => {
      const value = worksheet.getCell(first + index, column + 1 + sheet.blankColumns).value;
      return value instanceof Date ? value.toISOString() : value;
    }),
  );
}

const [august] = tapesOf('northwind');
const alder = tapesOf('alder')[0]!;

describe('a tape written as a workbook', () => {
  let augustBack: ExcelJS.Worksheet;
  beforeAll(async () => {
    augustBack = await readBack(august!);
  });

  it('reads back cell for cell in another library', () => {
    const worksheet = augustBack;
    expect(worksheet.rowCount).toBe(5_001);
    expect(worksheet.getRow(1).values).toEqual([undefined, ...august!.columns.map((column) => column.header)]);
    expect(cellsOf(worksheet, august!)).toEqual(expected(august!));
  });

  it('styles dates, percentages and sums, and freezes the header', () => {
    const worksheet = augustBack;
    const formatOf = (header: string) =>
      worksheet.getCell(2, august!.columns.findIndex((column) => column.header === header) + 1).numFmt;
    expect(formatOf('Origination Date')).toBe('yyyy-mm-dd');
    expect(formatOf('Interest Rate')).toBe('0.00%');
    expect(formatOf('Principal Balance')).toBe('#,##0.00');
    expect(worksheet.views[0]).toMatchObject({ state: 'frozen', ySplit: 1 });
  });

  it('keeps the title above the header and the blank column before it', async () => {
    const worksheet = await readBack(alder);
    expect(worksheet.getCell('A1').value).toBeNull();
    expect(worksheet.getCell('B1').value).toBe('Alder Auto Finance LLC');
    expect(worksheet.getCell('B3').value).toBeNull();
    expect(worksheet.getCell('A4').value).toBeNull();
    expect(worksheet.getCell('B4').value).toBe('Acct #');
    expect(worksheet.views[0]).toMatchObject({ state: 'frozen', ySplit: 4 });
    expect(cellsOf(worksheet, alder)).toEqual(expected(alder));
  });

  it('is the same bytes every time, for every tape', async () => {
    const digest = async (sheet: TapeSheet) =>
      createHash('sha256')
        .update(await workbookBytes(sheet))
        .digest('hex');
    const first = await Promise.all([august!, alder].map(digest));
    const again = await Promise.all([tapesOf('northwind')[0]!, tapesOf('alder')[0]!].map(digest));
    expect(again).toEqual(first);
    expect(new Set(first).size).toBe(2);
  });
});
