import ExcelJS from 'exceljs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { partsOf } from './fuzz/mutate.ts';
import { anyText } from './testing/any-text.ts';
import { readPlainly } from './testing/plain-workbook.ts';
import { type WrittenCell, type WrittenWorkbook, writeWorkbook } from './workbook-writer.ts';

const bookOf = (rows: readonly (readonly WrittenCell[])[], more: object = {}): WrittenWorkbook => ({
  title: 'Statement',
  author: 'Łódź & <Sons>',
  created: '2026-10-28T00:00:00.000Z',
  sheets: [{ name: 'Account', widths: [20, 12], rows, ...more }],
});

describe('a written workbook', () => {
  test('has its texts, numbers and dates, as Excel and another reader see them', async () => {
    const bytes = await writeWorkbook(
      bookOf(
        [
          [{ text: 'Αθήνα & <b> "x" _x0041_', style: 'title' }, null, { text: '=1+1' }],
          [{ number: '-1234567.89', format: { digits: 2 } }, { date: '2026-09-30' }],
          [
            { number: '12.3456', format: 'percent' },
            { number: '1.083628', format: 'multiple', style: 'total' },
            { number: '3.00', format: { digits: 2 }, formula: 'SUM(A2:A3)&"<"' },
          ],
        ],
        { frozenRows: 1 },
      ),
    );
    const [sheet] = readPlainly(bytes).sheets;
    expect(sheet?.name).toBe('Account');
    expect(sheet?.rows.get(1)?.get(1)?.value).toBe('Αθήνα & <b> "x" _x0041_');
    const workbook = new ExcelJS.Workbook();
    await workbook.xlsx.load(bytes as unknown as ArrayBuffer);
    const read = workbook.getWorksheet('Account')!;
    expect(read.getCell('C1').value).toBe('=1+1');
    expect(read.getCell('A2').value).toBe(-1234567.89);
    expect(read.getCell('A2').numFmt).toBe('#,##0.00');
    expect(read.getCell('B2').value).toEqual(new Date('2026-09-30T00:00:00Z'));
    expect(read.getCell('A3').numFmt).toBe('0.00##"%"');
    expect(read.getCell('C3').value).toEqual({ formula: 'SUM(A2:A3)&"<"', result: 3 });
    expect(read.getCell('B3').font).toMatchObject({ bold: true });
    expect(workbook.creator).toBe('Łódź & <Sons>');
    expect(workbook.created).toEqual(new Date('2026-10-28T00:00:00Z'));
  });

  test('offers allowed values and requires kinds of values in columns', async () => {
    const sheets = [
      {
        name: 'Data',
        widths: [10],
        rows: [[{ text: 'Fund' }, { text: 'Date' }]],
        columnRules: [
          {
            column: 0,
            rows: [2, 50] as const,
            allow: { sheet: "Fund's", column: 1, rows: [2, 3] as const },
            prompt: { title: 'Fund', text: 'The code of a <fund>' },
            refuses: true,
          },
          { column: 1, rows: [2, 50] as const, allow: 'date' as const, refuses: false },
        ],
      },
      { name: "Fund's", widths: [], rows: [[], [null, { text: '1' }], [null, { text: '2' }]] },
    ];
    const workbook = new ExcelJS.Workbook();
    await workbook.xlsx.load((await writeWorkbook({ ...bookOf([]), sheets })) as unknown as ArrayBuffer);
    const read = workbook.getWorksheet('Data')!;
    expect(read.getCell('A50').dataValidation).toMatchObject({
      type: 'list',
      formulae: ["'Fund''s'!$B$2:$B$3"],
      errorStyle: 'stop',
      prompt: 'The code of a <fund>',
    });
    expect(read.getCell('B2').dataValidation).toMatchObject({ type: 'date', errorStyle: 'warning' });
    expect(read.getCell('A51').dataValidation).toBeUndefined();
  });

  test('keeps every digit of a number', async () => {
    const bytes = await writeWorkbook(bookOf([[{ number: '12345678901234567.89', format: { digits: 2 } }]]));
    const sheet = partsOf(bytes).find(({ name }) => name === 'xl/worksheets/sheet1.xml');
    expect(sheet?.content.toString()).toContain('<v>12345678901234567.89</v>');
  });

  test('has the same bytes whenever it is written', async () => {
    const rows: WrittenCell[][] = [[{ text: 'a' }, { number: '1', format: { digits: 0 } }]];
    expect(await writeWorkbook(bookOf(rows))).toEqual(await writeWorkbook(bookOf(rows)));
  });

  // The reader takes this character for a sign of bytes that are not text.
  const text = anyText({ maxLength: 30 }).map((any) => any.replaceAll('\ufffd', ''));

  test('is well-formed whatever its texts', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 20 }), async (texts) => {
        const [sheet] = readPlainly(await writeWorkbook(bookOf([texts.map((each) => ({ text: each }))]))).sheets;
        for (const [index, written] of texts.entries()) {
          const kept = written.replaceAll(/\p{Cc}|[\ufffe\uffff]/gu, '');
          if (kept !== written || kept === '') continue;
          expect(sheet?.rows.get(1)?.get(index + 1)?.value).toBe(kept);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('refuses names and numbers that Excel does not accept', async () => {
    await expect(writeWorkbook(bookOf([], { name: 'a/b' }))).rejects.toThrow(RangeError);
    await expect(writeWorkbook(bookOf([], { name: 'x'.repeat(32) }))).rejects.toThrow(RangeError);
    await expect(writeWorkbook(bookOf([[{ number: '1e5', format: 'percent' }]]))).rejects.toThrow('not a decimal');
    await expect(writeWorkbook({ ...bookOf([]), sheets: [] })).rejects.toThrow(RangeError);
  });
});
