import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ExcelJS from 'exceljs';
import fc from 'fast-check';
import { readXlsx, writeXlsx } from 'hucre';
import { describe, expect, test } from 'vitest';
import { CellTag } from './cell-tag.ts';
import { serialToIso } from './date-serial.ts';
import { anyText } from './testing/any-text.ts';
import { temporaryPath } from './testing/temporary-path.ts';
import { type ReadSheet, readRows, writeWorkbook } from './testing/workbook-file.ts';
import { columnLetters, escapeXml } from './workbook-parts.ts';

type Plain = string | number | boolean | null;

/** Elapsed time is a duration here and a moment in 1900 to exceljs; its column is asserted separately. */
const ELAPSED = 'Hours';

/** A cell of the independent reader as the plain value and tag of this reader. */
function plainOf(cell: ExcelJS.Cell): [number, Plain] {
  const value = cell.value as unknown;
  const result =
    value !== null && typeof value === 'object' && 'formula' in value ? (value as { result?: unknown }).result : value;
  if (cell.isMerged && cell.master !== cell) {
    return [CellTag.blank, null];
  }
  if (result === null || result === undefined || result === '') {
    return [CellTag.blank, null];
  }
  if (result instanceof Date) {
    return [CellTag.date, result.toISOString().slice(0, 10)];
  }
  if (typeof result === 'object' && 'error' in result) {
    return [CellTag.error, String(result.error)];
  }
  if (typeof result === 'object' && 'richText' in result) {
    return [CellTag.text, (result.richText as { text: string }[]).map((run) => run.text).join('')];
  }
  if (typeof result === 'object' && 'sharedFormula' in result) {
    return [CellTag.number, (result as unknown as { result: number }).result];
  }
  return [
    typeof result === 'number' ? CellTag.number : typeof result === 'boolean' ? CellTag.boolean : CellTag.text,
    result as Plain,
  ];
}

async function expectLikeExcelJs(path: string): Promise<ReadSheet> {
  const read = await readRows(path);
  const compared = read.head.columns.filter((column) => column.header !== ELAPSED);
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.load(readFileSync(path) as never);
  const sheet = workbook.getWorksheet(read.head.sheetName)!;
  read.rowNumbers.forEach((rowNumber, row) => {
    const mine = compared.map(({ index }) => {
      const value = read.rows[row]![index]!;
      const tag = read.tags[row]![index]!;
      return [tag, tag === CellTag.date ? serialToIso(Math.floor(value as number), read.head.epoch) : value];
    });
    const theirs = compared.map(({ sheetColumn }) => plainOf(sheet.getCell(rowNumber, sheetColumn + 1)));
    expect(mine).toEqual(theirs);
  });
  return read;
}

describe('files of several writers are read the same by an independent reader', () => {
  const libreOffice = fileURLToPath(new URL('fixtures/libreoffice-loans.xlsx', import.meta.url));

  test('LibreOffice: title, dates, percents, booleans, formulas, errors, rich text, elapsed time', async () => {
    const read = await expectLikeExcelJs(libreOffice);
    expect(read.head.headerRow).toBe(4);
    expect(read.blankRows).toBe(1);
    expect(read.rowNumbers).toEqual([5, 6, 8]);
    expect(read.rows[0]!.slice(0, 7)).toEqual(['LN-1', 1234.567, 46203, 0.0725, 1, 2469.134, 'plain and bold <tags>']);
    expect(read.rows[1]!.slice(5)).toEqual(['#DIV/0!', 'two\nlines — ünïcødé', null]);
    expect(read.rows[2]!.slice(5)).toEqual(['AB', '#N/A', null]);
    expect(read.tags[0]).toEqual([2, 1, 4, 1, 1, 1, 2, 1]);
    expect((await readRows(libreOffice, { sheetName: 'Lookups' })).rows).toEqual([[1, 'Current']]);
  });

  const fixture = (name: string) => fileURLToPath(new URL(`fixtures/${name}.xlsx`, import.meta.url));

  test('openpyxl: inline texts, formulas never calculated, rich text, an error', async () => {
    const read = await expectLikeExcelJs(fixture('openpyxl-loans'));
    expect(read.head.headerRow).toBe(3);
    expect(read.rows).toHaveLength(40);
    expect(read.rows[0]).toEqual(['LN-0000', -2000, 45349, 0, true, null, null, 46203.5]);
    expect(read.rows[1]![6]).toBe('plain bold & plain');
    expect([read.tags[2]![1], read.rows[2]![1]]).toEqual([CellTag.error, '#N/A']);
    expect((await readRows(fixture('openpyxl-loans'), { sheetName: 'Lists' })).rows).toEqual([[1, 'Current']]);
  });

  test('XlsxWriter: shared texts, formulas of every kind, styled blanks', async () => {
    const read = await expectLikeExcelJs(fixture('xlsxwriter-loans'));
    expect(read.rows).toHaveLength(40);
    expect(read.rows.slice(0, 4).map((row) => row[5])).toEqual(['#DIV/0!', 'a text', true, 6]);
    expect(read.rows.slice(0, 7).map((row) => row[6])).toEqual([
      null,
      'naïve & <tags>',
      'two\nlines',
      'plain bold & plain',
      '_x0041_ stays',
      '"quoted"',
      '東京 🏦',
    ]);
  });

  test('XlsxWriter with inline texts and the 1904 system: the same rows, 1,462 days earlier', async () => {
    const [shared, inline] = [
      await readRows(fixture('xlsxwriter-loans')),
      await readRows(fixture('xlsxwriter-inline-1904')),
    ];
    expect(inline.head.epoch).toBe(1904);
    const without = (rows: typeof shared.rows) =>
      rows.map((row) => row.filter((_, column) => column !== 2 && column !== 7));
    expect(without(inline.rows)).toEqual(without(shared.rows));
    expect(inline.rows.map((row) => (row[2] as number) + 1462)).toEqual(shared.rows.map((row) => row[2]));
    expect(inline.tags).toEqual(shared.tags);
  });

  const DATES = [new Date('2026-06-30T00:00:00Z'), new Date('1999-12-31T00:00:00Z'), new Date('2024-02-29T00:00:00Z')];

  function fillSheet(sheet: ExcelJS.Worksheet, rows: number): void {
    sheet.addRow(['Loan', 'Balance', 'Date', 'Active', 'Formula', 'Note', 'Error']).commit();
    for (let index = 0; index < rows; index += 1) {
      const row = sheet.addRow([
        `LN-${index}`,
        index * 1.1 - 3,
        DATES[index % 3],
        index % 2 === 0,
        { formula: 'B2*2', result: index % 3 === 0 ? index * 2 + 1 : `text ${index}` } as ExcelJS.CellFormulaValue,
        index % 4 === 0
          ? { richText: [{ text: 'rich ' }, { font: { bold: true }, text: `& <${index}>` }] }
          : `note ${index % 5}`,
        index % 5 === 0 ? { error: '#N/A' as const } : null,
      ]);
      row.getCell(3).numFmt = 'dd/mm/yyyy';
      row.commit();
    }
  }

  test('exceljs, whole workbook', async () => {
    const workbook = new ExcelJS.Workbook();
    fillSheet(workbook.addWorksheet('Tape'), 300);
    const path = temporaryPath('.xlsx');
    await workbook.xlsx.writeFile(path);
    expect((await expectLikeExcelJs(path)).rows).toHaveLength(300);
  });

  test.each([true, false])('exceljs, streamed, shared strings: %s', async (useSharedStrings) => {
    const path = temporaryPath('.xlsx');
    const workbook = new ExcelJS.stream.xlsx.WorkbookWriter({ filename: path, useSharedStrings, useStyles: true });
    const sheet = workbook.addWorksheet('Tape');
    fillSheet(sheet as unknown as ExcelJS.Worksheet, 300);
    sheet.commit();
    await workbook.commit();
    expect((await expectLikeExcelJs(path)).rows).toHaveLength(300);
  });

  test('exceljs in the 1904 system', async () => {
    const workbook = new ExcelJS.Workbook();
    workbook.properties.date1904 = true;
    fillSheet(workbook.addWorksheet('Tape'), 10);
    const path = temporaryPath('.xlsx');
    await workbook.xlsx.writeFile(path);
    const read = await readRows(path);
    expect(read.head.epoch).toBe(1904);
    expect(read.rows.slice(0, 3).map((row) => serialToIso(row[2] as number, 1904))).toEqual([
      '2026-06-30',
      '1999-12-31',
      '2024-02-29',
    ]);
  });

  test('files of hucre are read the same by hucre and this reader', async () => {
    const rows: Plain[][] = [
      ['Loan', 'Balance', 'Active'],
      ...Array.from({ length: 50 }, (_, index) => [`LN ${index} <&>`, index / 7, index % 2 === 0]),
    ];
    const bytes = await writeXlsx({ sheets: [{ name: 'Tape', rows }] });
    const path = temporaryPath('.xlsx');
    const { writeFile } = await import('node:fs/promises');
    await writeFile(path, bytes);
    const theirs = (await readXlsx(bytes)).sheets[0]!.rows;
    expect((await readRows(path)).rows).toEqual(theirs.slice(1));
  });
});

describe('property: what is written is read back', () => {
  const text = anyText({ minLength: 1, maxLength: 20 }).filter(
    (value) => /\S/.test(value) && !/[\ud800-\udfff\ufffe\uffff]|[^\P{C}\n\t]/u.test(value) && !value.includes('_x'),
  );
  const cell = fc.oneof(
    fc.constant(null),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (Object.is(value, -0) ? 0 : value)),
    fc.integer({ min: -1e6, max: 1e6 }),
    fc.boolean(),
    text,
  );

  test('over numbers, texts, booleans and blanks, shared and inline, at any deflate level', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc
          .integer({ min: 1, max: 6 })
          .chain((width) =>
            fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 30 }),
          ),
        fc.boolean(),
        fc.integer({ min: 0, max: 9 }),
        fc.integer({ min: 1, max: 12 }),
        async (data, isShared, level, batchRows) => {
          const strings: string[] = [];
          const width = data[0]!.length;
          const cellXml = (value: Plain, reference: string): string => {
            if (value === null) {
              return '';
            }
            if (typeof value === 'string') {
              const item = `<t xml:space="preserve">${escapeXml(value)}</t>`;
              if (!isShared) {
                return `<c r="${reference}" t="inlineStr"><is>${item}</is></c>`;
              }
              strings.push(`<si>${item}</si>`);
              return `<c r="${reference}" t="s"><v>${strings.length - 1}</v></c>`;
            }
            return typeof value === 'boolean'
              ? `<c r="${reference}" t="b"><v>${value ? 1 : 0}</v></c>`
              : `<c r="${reference}"><v>${value}</v></c>`;
          };
          const header = Array.from({ length: width }, (_, column) => `Header ${column}`);
          const rows = [header, ...data].map(
            (cells, row) =>
              `<row r="${row + 1}">${cells.map((value, column) => cellXml(value, `${columnLetters(column)}${row + 1}`)).join('')}</row>`,
          );
          const path = await writeWorkbook({ rows: rows.join(''), strings, level });
          const read = await readRows(path, { batchRows, headerRow: 1 });
          expect(read.rows).toEqual(data.filter((row) => row.some((value) => value !== null)));
          const lastData = data.findLastIndex((row) => row.some((value) => value !== null));
          expect(read.blankRows + read.rows.length).toBe(lastData + 1);
        },
      ),
      { numRuns: 60 },
    );
  });
});
