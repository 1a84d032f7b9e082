import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inspectSheetFile } from './inspect-sheet.ts';
import { readRows, writeFile } from './testing/workbook-file.ts';

const read = async (content: string | Uint8Array) => (await readRows(writeFile('.csv', content))).rows;

describe('CSV files', () => {
  test.each([
    ['commas', 'Loan,Balance,Note\nLN-1,5,a\n'],
    ['semicolons', 'Loan;Balance;Note\nLN-1;5;a\n'],
    ['tabs', 'Loan\tBalance\tNote\nLN-1\t5\ta\n'],
    ['bars', 'Loan|Balance|Note\r\nLN-1|5|a\r\n'],
    ['a last line without an end', 'Loan,Balance,Note\nLN-1,5,a'],
    ['old Macintosh line ends', 'Loan,Balance,Note\rLN-1,5,a\r'],
    ['a UTF-8 mark', '\ufeffLoan,Balance,Note\nLN-1,5,a\n'],
  ])('%s', async (_, content) => {
    expect(await read(content)).toEqual([['LN-1', '5', 'a']]);
  });

  test('quotes may hold delimiters, quotes and line ends; a record counts as one row', async () => {
    const path = writeFile('.csv', 'Loan,Note,State\n"LN ""1""","a, b\nc",CA\nLN-2,"",NY\n');
    const { rows, rowNumbers } = await readRows(path);
    expect(rows).toEqual([
      ['LN "1"', 'a, b\nc', 'CA'],
      ['LN-2', null, 'NY'],
    ]);
    expect(rowNumbers).toEqual([2, 3]);
  });

  test('decimal commas do not make a comma the delimiter', async () => {
    expect(await read('Loan;Balance;Rate\nLN-1;1,5;2,25\nLN-2;3,5;4,25\n')).toEqual([
      ['LN-1', '1,5', '2,25'],
      ['LN-2', '3,5', '4,25'],
    ]);
  });

  test('title lines and blank lines above the header, blank lines below counted apart, ragged rows', async () => {
    const path = writeFile('.csv', 'My tape\n\nLoan,Balance,State\nLN-1,5\n\n,,\nLN-2,6,CA,extra\n\n');
    const { head, rows, rowNumbers, blankRows } = await readRows(path);
    expect(head.headerRow).toBe(3);
    expect(rows).toEqual([
      ['LN-1', '5', null],
      ['LN-2', '6', 'CA'],
    ]);
    expect(rowNumbers).toEqual([4, 7]);
    expect(blankRows).toBe(2);
  });

  test('UTF-16 and Windows-1252 are told apart from UTF-8', async () => {
    const content = 'Loan,Größe,Note\nLN-1,5,é\n';
    const expected = [['LN-1', '5', 'é']];
    expect(await read(content)).toEqual(expected);
    expect(await read(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(content, 'utf16le')]))).toEqual(expected);
    expect(await read(Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(content, 'utf16le').swap16()]))).toEqual(
      expected,
    );
    expect(await read(Buffer.from(content, 'latin1'))).toEqual(expected);
  });

  test('the preview shows the same', async () => {
    const shown = await inspectSheetFile(writeFile('.csv', 'Loan,Balance\nLN-1,5\nLN-2,\n'));
    expect(shown).toMatchObject({
      kind: 'csv',
      headerRow: 1,
      sheetName: 'CSV',
      sheets: [{ name: 'CSV', hidden: false }],
    });
    expect(shown.columns.map((column) => column.header)).toEqual(['Loan', 'Balance']);
    expect(shown.rows.map((row) => row.cells.map((cell) => cell.value))).toEqual([
      ['LN-1', '5'],
      ['LN-2', ''],
    ]);
  });

  test('a file of numbers alone has no header and is refused', async () => {
    await expect(read('1,2,3\n4,5,6\n')).rejects.toThrow(/no header row/);
  });

  test('a large file comes in batches, cut anywhere by the chunks it is read in', async () => {
    const lines = Array.from({ length: 60_000 }, (_, row) => `LN-${row},"text, ""${row}""",${row / 4}`);
    const path = writeFile('.csv', `Loan,Text,Balance\n${lines.join('\r\n')}`);
    const { batches, rows } = await readRows(path, { batchRows: 25_000 });
    expect(batches.map((batch) => batch.rowCount)).toEqual([25_000, 25_000, 10_000]);
    expect(rows[59_999]).toEqual(['LN-59999', 'text, "59999"', '14999.75']);
    expect(rows.every((row, index) => row[0] === `LN-${index}`)).toBe(true);
  });

  test('a delimiter within quotes is not taken for the file’s own', async () => {
    const { rows } = await readRows(writeFile('.csv', '"Loan","Note"\n"a",";;\na"'), { headerRow: 1 });
    expect(rows).toEqual([['a', ';;\na']]);
  });

  test('property: fields written with quotes are read as they were', async () => {
    const field = fc.string({
      unit: fc.constantFrom('a', 'b', '"', ',', ';', '\n', ' ', 'é', '1'),
      minLength: 1,
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(field, field), { minLength: 1, maxLength: 20 }), async (data) => {
        const lines = [['Loan', 'Note'], ...data].map((row) =>
          row.map((text) => `"${text.replaceAll('"', '""')}"`).join(','),
        );
        const path = writeFile('.csv', lines.join('\n'));
        const { rows } = await readRows(path, { headerRow: 1 });
        expect(rows).toEqual(data.filter((row) => row.some((text) => text.trim() !== '')));
      }),
      { numRuns: 60 },
    );
  });
});
