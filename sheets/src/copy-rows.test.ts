import { writeFileSync } from 'node:fs';
import ExcelJS from 'exceljs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pickRows } from './batch-file.ts';
import { type CopiedSheet, copyRows } from './copy-rows.ts';
import { inspectSheetFile } from './inspect-sheet.ts';
import { readSheetBatches } from './read-sheet.ts';
import { anyText } from './testing/any-text.ts';
import { temporaryPath } from './testing/temporary-path.ts';
import { readRows, writeFile, writeWorkbook } from './testing/workbook-file.ts';

async function* rowsOf(path: string, rowNumbers: Int32Array | null) {
  for await (const batch of readSheetBatches(path)) yield rowNumbers ? pickRows(batch, rowNumbers) : batch;
}

/** Copies the rows with these numbers, or all. @returns the path of the copy */
async function copied(path: string, rowNumbers: Int32Array | null = null, change: Partial<CopiedSheet> = {}) {
  const sheet = { ...(await inspectSheetFile(path)), ...change };
  const pieces: Uint8Array[] = [];
  for await (const piece of copyRows(sheet, rowsOf(path, rowNumbers))) pieces.push(piece);
  const copy = temporaryPath(`.${sheet.kind}`);
  writeFileSync(copy, Buffer.concat(pieces));
  return copy;
}

const cell = (reference: string, attributes: string, content: string) =>
  `<c r="${reference}"${attributes}>${content}</c>`;
const text = (reference: string, value: string) =>
  cell(reference, ' t="inlineStr"', `<is><t xml:space="preserve">${value}</t></is>`);

describe('a copy of rows', () => {
  const ROWS = [
    `<row r="1">${text('A1', 'Ledger of Alder &amp; Sons')}</row>`,
    `<row r="3">${['Loan', 'Month', 'Balance', 'Flag', 'Note'].map((name, at) => text(`${'ABCDE'[at]}3`, name)).join('')}</row>`,
    `<row r="4">${text('A4', '00123')}${cell('B4', ' s="1"', '<v>45382</v>')}${cell('C4', ' s="2"', '<v>0.1</v>')}${cell('D4', ' t="b"', '<v>1</v>')}${text('E4', '=1+1 &lt;b&gt; _x005F_x0041_ _x000D_ ')}</row>`,
    `<row r="6">${cell('A6', '', '<v>124</v>')}${cell('B6', ' s="1"', '<v>45382.25</v>')}${cell('C6', ' t="e"', '<v>#DIV/0!</v>')}${text('E6', 'last')}</row>`,
    `<row r="7">${cell('A7', '', '<v>1e-7</v>')}${cell('B7', ' s="1"', '<v>45413</v>')}${cell('C7', ' s="2"', '<v>1234567890123456</v>')}</row>`,
  ].join('');
  const formats = ['General', 'yyyy-mm-dd', '[$EUR] #,##0.00'];

  test.each([false, true])('of a workbook has its cells with their types, days from 1904: %s', async (date1904) => {
    const path = await writeWorkbook({ rows: ROWS, formats, date1904, sheets: [{ name: 'Q&A' }] });
    const copy = await copied(path, Int32Array.of(4, 7));
    const [before, after] = [await readRows(path), await readRows(copy)];
    expect(after.rows).toEqual([before.rows[0], before.rows[2]]);
    expect(after.tags).toEqual([before.tags[0], before.tags[2]]);
    expect(after.rows[0]?.[4]).toBe('=1+1 <b> _x0041_ \r ');
    const [sheet, original] = [await inspectSheetFile(copy), await inspectSheetFile(path)];
    expect(sheet).toMatchObject({ sheetName: 'Q&A', titles: ['Ledger of Alder & Sons'], headerRow: 3 });
    expect(sheet.epoch).toBe(date1904 ? 1904 : 1900);
    expect(sheet.columns.map(({ header, currencyMarks }) => [header, currencyMarks])).toEqual(
      original.columns.map(({ header, currencyMarks }) => [header, currencyMarks]),
    );
    expect(sheet.columns[2]?.currencyMarks).toEqual(['EUR']);
  });

  test('of a workbook is one that spreadsheet programs read', async () => {
    const path = await writeWorkbook({ rows: ROWS, formats });
    const workbook = new ExcelJS.Workbook();
    await workbook.xlsx.readFile(await copied(path));
    const read = workbook.worksheets[0]!;
    expect(read.getCell('A4').value).toBe('00123');
    expect(read.getCell('B4').value).toEqual(new Date('2024-03-31T00:00:00Z'));
    expect(read.getCell('B5').value).toEqual(new Date('2024-03-31T06:00:00Z'));
    expect(read.getCell('C5').value).toEqual({ error: '#DIV/0!' });
    expect(read.getCell('D4').value).toBe(true);
    expect(read.rowCount).toBe(6);
  });

  test('of a CSV file has its texts, whatever separates them', async () => {
    const csv = 'Loan;Note;Balance\n00123;"a;b ""c""\nd";1.234,56\nL2; spaced ;\n"x,y";|;-\n';
    const path = writeFile('.csv', csv);
    const copy = await copied(path, Int32Array.of(2, 4));
    const [before, after] = [await readRows(path), await readRows(copy)];
    expect(before.rows).toHaveLength(3);
    expect(after.rows).toEqual([before.rows[0], before.rows[2]]);
    expect(after.head.columns.map(({ header }) => header)).toEqual(['Loan', 'Note', 'Balance']);
    expect(after.rows[0]).toEqual(['00123', 'a;b "c"\nd', '1.234,56']);
  });

  test('is read as the sheet was, whatever texts and numbers it holds', async () => {
    const value = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 12 }), anyText({ maxLength: 6 }));
    const number = fc.double({ noNaN: true, noDefaultInfinity: true });
    const rows = fc.array(fc.tuple(value, number, value), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(rows, async (cells) => {
        const escaped = (raw: string) =>
          [...raw.toWellFormed()].map((one) => (/[\p{L}\p{N}]/u.test(one) ? one : `&#${one.codePointAt(0)};`)).join('');
        const legal = (raw: string) => escaped(raw.replaceAll(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, '?'));
        const lines = cells.map(
          ([first, amount, last], at) =>
            `<row r="${at + 2}">${text(`A${at + 2}`, legal(first))}${cell(`B${at + 2}`, '', `<v>${amount}</v>`)}${text(`C${at + 2}`, legal(last))}</row>`,
        );
        const head = `<row r="1">${text('A1', 'Loan')}${text('B1', 'Amount')}${text('C1', 'Note')}</row>`;
        const path = await writeWorkbook({ rows: head + lines.join('') });
        const [before, after] = [await readRows(path), await readRows(await copied(path))];
        expect(after.rows).toEqual(before.rows);
        expect(after.tags).toEqual(before.tags);
      }),
      { numRuns: 60 },
    );
  });

  test('with the same rows has the same bytes', async () => {
    const path = await writeWorkbook({ rows: ROWS, formats });
    const sheet = await inspectSheetFile(path);
    const bytes = async () => {
      const pieces: Uint8Array[] = [];
      for await (const piece of copyRows(sheet, rowsOf(path, null))) pieces.push(piece);
      return Buffer.concat(pieces);
    };
    expect((await bytes()).equals(await bytes())).toBe(true);
  });
});
