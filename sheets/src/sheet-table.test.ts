import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { SHEET_LIMITS } from './limits.ts';
import { SheetError } from './sheet-error.ts';
import { readSheetTable, type TableOptions } from './sheet-table.ts';
import { temporaryPath } from './testing/temporary-path.ts';
import { writeWorkbook as writeByHand, writeFile } from './testing/workbook-file.ts';
import { type WrittenCell, writeWorkbook } from './workbook-writer.ts';

const LIMITS: TableOptions = { maxRows: 3, maxColumns: 4, maxCharacters: 20, maxText: 100 };

async function bookFile(sheets: Record<string, readonly (readonly WrittenCell[])[]>): Promise<string> {
  const path = temporaryPath('.xlsx');
  const written = Object.entries(sheets).map(([name, rows]) => ({ name, widths: [], rows }));
  writeFileSync(
    path,
    await writeWorkbook({ title: 'Book', author: 'A', created: '2026-10-28T00:00:00.000Z', sheets: written }),
  );
  return path;
}

const text = (of: string): WrittenCell => ({ text: of });
const HEAD = [text('Code'), text('Date'), text('Amount')];
const row = (code: string, amount = '1'): WrittenCell[] => [
  text(code),
  { date: '2026-10-30' },
  { number: amount, format: { digits: 2 } },
];

describe('a sheet as a table', () => {
  test('has texts, exact numbers and dates, with the row numbers and columns of the file', async () => {
    const path = await bookFile({
      Title: [[], [text('Commitments')], [], HEAD, row('LP-1', '1234567.89'), [], row('=1+1', '0.0000001')],
    });
    const table = await readSheetTable(path, LIMITS);
    expect(table.columns).toEqual([
      { header: 'Code', letters: 'A' },
      { header: 'Date', letters: 'B' },
      { header: 'Amount', letters: 'C' },
    ]);
    expect(table.headerRow).toBe(4);
    expect(table.blankRows).toBe(1);
    expect(table.rows).toEqual([
      { row: 5, cells: ['LP-1', '2026-10-30', '1234567.89'] },
      { row: 7, cells: ['=1+1', '2026-10-30', '0.0000001'] },
    ]);
  });

  test('has the results of formulas, and counts those without a result', async () => {
    const inline = (at: string, of: string) => `<c r="${at}" t="inlineStr"><is><t>${of}</t></is></c>`;
    const path = await writeByHand({
      rows: `<row r="1">${inline('A1', 'Code')}${inline('B1', 'Amount')}</row><row r="2">${inline('A2', 'a')}<c r="B2"><f>1+1</f><v>2</v></c></row><row r="3">${inline('A3', 'b')}<c r="B3"><f>1/3</f></c></row><row r="4">${inline('A4', 'c')}<c r="B4" t="e"><f>1/0</f><v>#DIV/0!</v></c></row>`,
    });
    const table = await readSheetTable(path, LIMITS);
    expect(table.rows.map(({ cells }) => cells[1])).toEqual(['2', '', '#DIV/0!']);
    expect(table.facts.formulasWithoutResult).toBe(1);
  });

  test('reads CSV files with every digit of their texts', async () => {
    const table = await readSheetTable(writeFile('.csv', 'Code,Amount\nLP-1,12345678901234567.89\n'), LIMITS);
    expect(table.kind).toBe('csv');
    expect(table.rows).toEqual([{ row: 2, cells: ['LP-1', '12345678901234567.89'] }]);
  });

  test('is the sheet that is asked for, whatever the others hold', async () => {
    const path = await bookFile({ Example: [HEAD, row('x'), row('y'), row('z')], Funds: [HEAD, row('F')] });
    const names = async (sheetNames: string[], headerRow?: number) => {
      const { sheetName, rows } = await readSheetTable(path, { ...LIMITS, sheetNames, headerRow });
      return [sheetName, rows.length];
    };
    expect(await names(['funds'])).toEqual(['Funds', 1]);
    expect(await names(['other'])).toEqual(['Example', 3]);
    expect(await names(['Example'], 2)).toEqual(['Example', 2]);
  });

  test('takes as much as its limits, and no more', async () => {
    const rows = (count: number) => Array.from({ length: count }, (_, at) => row(`LP-${at}`));
    const csv = (...lines: string[]) => writeFile('.csv', lines.join('\n'));
    expect((await readSheetTable(await bookFile({ S: [HEAD, ...rows(3)] }), LIMITS)).rows).toHaveLength(3);
    const refused = async (path: string, reason: RegExp) => {
      const failed = await readSheetTable(path, LIMITS).catch((error: unknown) => error);
      expect(failed).toBeInstanceOf(SheetError);
      expect((failed as SheetError).message).toMatch(reason);
    };
    await refused(await bookFile({ S: [HEAD, ...rows(4)] }), /more than 3 rows/);
    await refused(csv('a,b,c', '1,2,3', '1,2,3', '1,2,3', '1,2,3'), /more than 3 rows/);
    expect((await readSheetTable(csv('a,b,c,d', '1,2,3,4'), LIMITS)).columns).toHaveLength(4);
    await refused(csv('a,b,c,d,e', '1,2,3,4,5'), /5 columns. At most 4/);
    expect((await readSheetTable(csv('a,b', `1,${'x'.repeat(20)}`), LIMITS)).rows).toHaveLength(1);
    await refused(csv('a,b', `1,${'x'.repeat(21)}`), /Row 2, column b: a cell has at most 20 characters/);
    const long = 'x'.repeat(20);
    await refused(csv('a,b,c', `${long},${long},${long}`, `${long},${long},${long}`), /more than 100 characters/);
  });

  test('refuses an archive that unpacks beyond the limits', async () => {
    const path = await bookFile({ S: [HEAD, row('a')] });
    const limits = { ...SHEET_LIMITS, sheetBytes: 100 };
    await expect(readSheetTable(path, { ...LIMITS, limits })).rejects.toThrow(SheetError);
  });
});
