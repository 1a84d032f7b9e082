import { describe, expect, test } from 'vitest';
import { CellTag } from './cell-tag.ts';
import { inspectSheetFile } from './inspect-sheet.ts';
import { readRows, writeWorkbook } from './testing/workbook-file.ts';
import { columnLetters } from './workbook-parts.ts';

const HEADER =
  '<row r="1"><c r="A1" t="inlineStr"><is><t>Loan</t></is></c><c r="B1" t="inlineStr"><is><t>Value</t></is></c></row>';
const { number, text, boolean, date, error, blank } = CellTag;

/** Reads one cell, in B2, with a text in A2. */
async function readValue(cell: string, made: Parameters<typeof writeWorkbook>[0] = {}) {
  const path = await writeWorkbook({
    rows: `${HEADER}<row r="2"><c r="A2" t="inlineStr"><is><t>LN-1</t></is></c>${cell}</row>`,
    ...made,
  });
  const { rows, tags } = await readRows(path);
  return [tags[0]![1], rows[0]![1]];
}

describe('cells by their type', () => {
  test.each([
    ['a number without type', '<c r="B2"><v>12.5</v></c>', [number, 12.5]],
    ['a number with type n', '<c r="B2" t="n"><v>-3</v></c>', [number, -3]],
    ['an Excel number of 17 digits', '<c r="B2"><v>0.10000000000000001</v></c>', [number, 0.1]],
    ['a number with a negative exponent', '<c r="B2"><v>5.0000000000000003E-2</v></c>', [number, 0.05]],
    ['a number with a positive exponent', '<c r="B2"><v>1.5E+20</v></c>', [number, 1.5e20]],
    [
      'a number of 25 digits',
      '<c r="B2"><v>1234567890123456789012345</v></c>',
      [number, Number('1234567890123456789012345')],
    ],
    ['a number set in white space', '<c r="B2"><v> 7 </v></c>', [number, 7]],
    ['true', '<c r="B2" t="b"><v>1</v></c>', [boolean, true]],
    ['false', '<c r="B2" t="b"><v>0</v></c>', [boolean, false]],
    ['true in words', '<c r="B2" t="b"><v>true</v></c>', [boolean, true]],
    ['an error', '<c r="B2" t="e"><v>#N/A</v></c>', [error, '#N/A']],
    ['another error', '<c r="B2" t="e"><v>#DIV/0!</v></c>', [error, '#DIV/0!']],
    ['a formula with a number', '<c r="B2"><f>1+1</f><v>2</v></c>', [number, 2]],
    [
      'a formula with attributes',
      '<c r="B2"><f t="shared" ref="B2:B9" si="0">A2&gt;1</f><v>2.25</v></c>',
      [number, 2.25],
    ],
    ['a shared formula without text', '<c r="B2"><f t="shared" si="0"/><v>3</v></c>', [number, 3]],
    ['a formula with a text', '<c r="B2" t="str"><f>"a"&amp;"b"</f><v>a &amp; b</v></c>', [text, 'a & b']],
    ['a formula with a boolean', '<c r="B2" t="b"><f>TRUE()</f><v>1</v></c>', [boolean, true]],
    ['a formula with an error', '<c r="B2" t="e"><f>NA()</f><v>#N/A</v></c>', [error, '#N/A']],
    ['a formula never calculated', '<c r="B2"><f>SUM(A1:A2)</f></c>', [blank, null]],
    ['a formula with an empty result', '<c r="B2" t="str"><f>""</f><v></v></c>', [blank, null]],
    ['an inline string', '<c r="B2" t="inlineStr"><is><t>hello</t></is></c>', [text, 'hello']],
    [
      'an inline string in runs',
      '<c r="B2" t="inlineStr"><is><r><rPr><b/></rPr><t>he</t></r><r><t>llo</t></r></is></c>',
      [text, 'hello'],
    ],
    ['an empty inline string', '<c r="B2" t="inlineStr"><is><t/></is></c>', [blank, null]],
    [
      'spaces that are kept',
      '<c r="B2" t="inlineStr"><is><t xml:space="preserve"> a  b </t></is></c>',
      [text, ' a  b '],
    ],
    [
      'entities',
      '<c r="B2" t="inlineStr"><is><t>&lt;a&gt; &amp; &quot;b&quot; &#169;&#xA9;&apos;</t></is></c>',
      [text, '<a> & "b" ©©\''],
    ],
    [
      'escapes',
      '<c r="B2" t="inlineStr"><is><t>one_x000D_\ntwo _x005F_x0041_</t></is></c>',
      [text, 'one\r\ntwo _x0041_'],
    ],
    ['CDATA', '<c r="B2" t="inlineStr"><is><t>a<![CDATA[</row> & <b>]]>c</t></is></c>', [text, 'a</row> & <b>c']],
    ['a comment within a value', '<c r="B2"><v>1<!-- </row> -->5</v></c>', [number, 15]],
    [
      'phonetic guides left out',
      '<c r="B2" t="inlineStr"><is><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></is></c>',
      [text, '東京'],
    ],
    ['attributes in another order', '<c t="b" s="0" r="B2"><v>1</v></c>', [boolean, true]],
    ['single quotes', "<c r='B2' t='b'><v>1</v></c>", [boolean, true]],
    ['attributes that do not matter', '<c r="B2" s="0" cm="1" vm="2" ph="1"><v>4</v></c>', [number, 4]],
    ['white space within tags', '<c  r="B2"\n ><v >4</v ></c >', [number, 4]],
    ['a cell without value', '<c r="B2" s="0"></c>', [blank, null]],
    ['an ISO date', '<c r="B2" t="d"><v>2026-06-30</v></c>', [date, 46203]],
    ['an ISO date and time', '<c r="B2" t="d"><v>2026-06-30T12:00:00Z</v></c>', [date, 46203.5]],
    ['an ISO time of day', '<c r="B2" t="d"><v>18:00:00</v></c>', [date, 0.75]],
    ['an ISO time of day with its mark', '<c r="B2" t="d"><v>T06:00Z</v></c>', [date, 0.25]],
    ['what is no time of day', '<c r="B2" t="d"><v>24:00:00</v></c>', [text, '24:00:00']],
    ['a number with an empty style', '<c r="B2" s=""><v>4</v></c>', [number, 4]],
    ['text where a number should be', '<c r="B2"><v>abc</v></c>', [text, 'abc']],
  ])('%s', async (_, cell, expected) => {
    expect(await readValue(cell)).toEqual(expected);
  });

  test('text escapes work in shared strings, too, and rich text is joined', async () => {
    const strings = [
      '<si><t>Loan</t></si>',
      '<si><t>Value</t></si>',
      '<si><r><t>ri</t></r><r><rPr><b/></rPr><t xml:space="preserve">ch &amp; </t></r><r><t>_x0041_</t></r></si>',
      '<si/>',
      '<si><t></t></si>',
      '<si><t xml:space="preserve">  </t></si>',
      '<si><t>naïve</t><rPh sb="0" eb="1"><t>x</t></rPh></si>',
    ];
    const cells = (row: number, value: number) =>
      `<row r="${row}"><c r="A${row}"><v>${row}</v></c><c r="B${row}" t="s"><v>${value}</v></c></row>`;
    const path = await writeWorkbook({
      strings,
      rows: `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>${[2, 3, 4, 5, 6].map((value) => cells(value, value)).join('')}`,
    });
    const { rows, tags } = await readRows(path);
    expect(rows.map((row) => row[1])).toEqual(['rich & A', null, null, '  ', 'naïve']);
    expect(tags.map((row) => row[1])).toEqual([text, blank, blank, text, text]);
  });
});

describe('dates by cell style', () => {
  const formats = [
    'General',
    'yyyy-mm-dd',
    '[h]:mm',
    '0.00',
    'mmm-yy',
    '[$-409]d-mmm-yyyy;@',
    '0.00"days"',
    '[Red]0',
    'h:mm',
    '#,##0\\d',
  ];

  test.each([
    [0, number],
    [1, date],
    [2, number],
    [3, number],
    [4, date],
    [5, date],
    [6, number],
    [7, number],
    [8, date],
    [9, number],
  ])('style %i makes a number %i', async (style, tag) => {
    expect(await readValue(`<c r="B2" s="${style}"><v>43281</v></c>`, { formats })).toEqual([tag, 43281]);
  });

  test.each([
    [14, date],
    [22, date],
    [46, number],
    [9, number],
    [30, date],
    [57, date],
  ])('built-in format %i', async (format, tag) => {
    const styles = `<styleSheet><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="${format}"/></cellXfs></styleSheet>`;
    expect(await readValue('<c r="B2" s="1"><v>100</v></c>', { parts: { 'xl/styles.xml': styles } })).toEqual([
      tag,
      100,
    ]);
  });

  test('the 1904 system is detected, and ISO dates become its serials', async () => {
    const path = await writeWorkbook({
      date1904: true,
      rows: `${HEADER}<row r="2"><c r="A2"><v>1</v></c><c r="B2" t="d"><v>1904-01-02</v></c></row>`,
    });
    const { head, rows } = await readRows(path);
    expect(head.epoch).toBe(1904);
    expect(rows[0]![1]).toBe(1);
  });
});

describe('rows and references', () => {
  test('prefixed elements are read like any other', async () => {
    const sheet = `<?xml version="1.0"?><x:worksheet xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><x:sheetData>
      <x:row r="1"><x:c r="A1" t="inlineStr"><x:is><x:t>Loan</x:t></x:is></x:c><x:c r="B1" t="inlineStr"><x:is><x:t>Value</x:t></x:is></x:c></x:row>
      <x:row r="2"><x:c r="A2"><x:v>1</x:v></x:c><x:c r="B2"><x:f>1</x:f><x:v>2.5</x:v></x:c></x:row></x:sheetData></x:worksheet>`;
    expect((await readRows(await writeWorkbook({ sheet }))).rows).toEqual([[1, 2.5]]);
  });

  test('rows and cells without references follow one another', async () => {
    const path = await writeWorkbook({
      rows: `<row><c t="inlineStr"><is><t>Loan</t></is></c><c t="inlineStr"><is><t>Value</t></is></c></row><row><c><v>1</v></c><c><v>2</v></c></row><row><c r="B3"><v>4</v></c></row><row r="7"><c><v>5</v></c></row><row><c><v>6</v></c></row>`,
    });
    const { rows, rowNumbers } = await readRows(path);
    expect(rowNumbers).toEqual([2, 3, 7, 8]);
    expect(rows).toEqual([
      [1, 2],
      [null, 4],
      [5, null],
      [6, null],
    ]);
  });

  test('rows and cells out of order are sorted', async () => {
    const path = await writeWorkbook({
      rows: `<row r="4"><c r="B4"><v>8</v></c><c r="A4"><v>4</v></c></row>${HEADER}<row r="3"><c r="A3"><v>3</v></c></row><row r="2"><c r="A2"><v>2</v></c></row>`,
    });
    const { rows, rowNumbers } = await readRows(path);
    expect(rowNumbers).toEqual([2, 3, 4]);
    expect(rows).toEqual([
      [2, null],
      [3, null],
      [4, 8],
    ]);
  });

  test('rows out of order across batches, and duplicate rows, are rejected', async () => {
    const row = (number: number) => `<row r="${number}"><c r="A${number}"><v>${number}</v></c></row>`;
    const crossing = await writeWorkbook({ rows: `${HEADER}${[5, 6, 7, 2].map(row).join('')}` });
    await expect(readRows(crossing, { batchRows: 3 })).rejects.toThrow(/out of order: row 2 comes after row 7/);
    const twice = await writeWorkbook({ rows: `${HEADER}${[5, 5].map(row).join('')}` });
    await expect(readRows(twice)).rejects.toThrow(/row 5 occurs twice/);
  });

  test('gaps and blank rows are counted, however they are written', async () => {
    const path = await writeWorkbook({
      rows: `${HEADER}<row r="2"/><row r="3"><c r="A3"><v>1</v></c></row><row r="4"><c r="A4" s="0"/></row><row r="6"><c r="A6" t="inlineStr"><is><t> </t></is></c></row><row r="1048576"><c r="B1048576"><v>9</v></c></row>`,
    });
    const { rowNumbers, rows, blankRows } = await readRows(path);
    expect(rowNumbers).toEqual([3, 1048576]);
    expect(rows).toEqual([
      [1, null],
      [null, 9],
    ]);
    expect(blankRows).toBe(1048576 - 1 - 2);
  });

  test('merged cells keep their value in the first of them', async () => {
    const sheet = `<worksheet><sheetData>${HEADER}<row r="2"><c r="A2"><v>1</v></c><c r="B2"/></row></sheetData><mergeCells count="1"><mergeCell ref="A2:B2"/></mergeCells></worksheet>`;
    expect((await readRows(await writeWorkbook({ sheet }))).rows).toEqual([[1, null]]);
  });

  test('all 16,384 columns of a sheet are read', async () => {
    const row = (number: number, cell: (column: number) => string) =>
      `<row r="${number}">${Array.from({ length: 16_384 }, (_, column) => `<c r="${columnLetters(column)}${number}"${cell(column)}</c>`).join('')}</row>`;
    const path = await writeWorkbook({
      rows:
        row(1, (column) => ` t="inlineStr"><is><t>Header ${column}</t></is>`) +
        row(2, (column) => `><v>${column}.5</v>`) +
        row(3, (column) => `><v>-${column}</v>`),
    });
    const { head, rows } = await readRows(path);
    expect(head.columns).toHaveLength(16_384);
    expect(rows[0]![16_383]).toBe(16_383.5);
    expect(rows[1]![5_000]).toBe(-5_000);
  });

  test('have space only for the rows that a small sheet can have', async () => {
    const row = (number: number) =>
      `<row r="${number}"><c r="A${number}" t="str"><v>row</v></c><c r="B${number}"><v>1</v></c></row>`;
    const rows = HEADER + Array.from({ length: 500 }, (_, at) => row(at + 2)).join('');
    const { batches, rowNumbers } = await readRows(await writeWorkbook({ rows }));
    expect(batches).toHaveLength(1);
    expect(rowNumbers).toHaveLength(500);
    // Of a whole batch, the columns alone take 1.8 MB.
    const columns = batches[0]!.columns.map(({ values, tags }) => values.buffer === tags.buffer);
    expect(columns).toEqual([true, true]);
    expect(batches[0]!.columns[0]!.values.buffer.byteLength).toBeLessThan(1.7 * 2 ** 20);
  });

  test('the same batches are returned after skipping, and a signal stops reading', async () => {
    const path = await writeWorkbook({
      rows:
        HEADER +
        Array.from(
          { length: 25 },
          (_, index) => `<row r="${index + 2}"><c r="A${index + 2}"><v>${index}</v></c></row>`,
        ).join(''),
    });
    const all = await readRows(path, { batchRows: 10 });
    expect(all.batches.map((batch) => [batch.index, batch.firstRow, batch.rowCount])).toEqual([
      [0, 2, 10],
      [1, 12, 10],
      [2, 22, 5],
    ]);
    const rest = await readRows(path, { batchRows: 10, skipBatches: 1 });
    expect(rest.rows).toEqual(all.rows.slice(10));
    expect((await readRows(path, { batchRows: 10, skipBatches: 3 })).rows).toEqual([]);
    await expect(readRows(path, { signal: AbortSignal.abort() })).rejects.toThrow(/abort/i);
  });

  test('UTF-16 parts are read', async () => {
    const xml = `<?xml version="1.0" encoding="UTF-16"?><worksheet><sheetData>${HEADER}<row r="2"><c r="A2"><v>1</v></c><c r="B2" t="str"><v>ü→</v></c></row></sheetData></worksheet>`;
    const sheet = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(xml, 'utf16le')]);
    expect((await readRows(await writeWorkbook({ sheet }))).rows).toEqual([[1, 'ü→']]);
  });

  test('a sheet is found by name, hidden or not; the first visible one is the default', async () => {
    const sheets = [{ name: 'Lists', state: 'hidden' as const }, { name: 'A & B' }];
    const second = `<worksheet><sheetData>${HEADER}<row r="2"><c r="A2"><v>2</v></c></row></sheetData></worksheet>`;
    const path = await writeWorkbook({
      sheets,
      rows: `${HEADER}<row r="2"><c r="A2"><v>1</v></c></row>`,
      parts: { 'xl/worksheets/sheet2.xml': second },
    });
    expect((await readRows(path)).head.sheetName).toBe('A & B');
    expect((await readRows(path, { sheetName: 'lists' })).rows).toEqual([[1, null]]);
    await expect(readRows(path, { sheetName: 'Loans' })).rejects.toThrow(
      'The workbook has no sheet "Loans". Its sheets are: "Lists" (hidden), "A & B".',
    );
  });

  test('a sheet whose name has another date is found among the visible ones, if asked for', async () => {
    const names = [{ name: 'Nov-24 Tape', state: 'hidden' as const }, { name: 'Notes' }, { name: 'Dec-24 Tape' }];
    const parts = Object.fromEntries(
      ['2', '3'].map((number) => [
        `xl/worksheets/sheet${number}.xml`,
        `<worksheet><sheetData>${HEADER}</sheetData></worksheet>`,
      ]),
    );
    const path = await writeWorkbook({ sheets: names, rows: HEADER, parts });
    const sheetName = 'Oct-24 Tape';
    expect((await inspectSheetFile(path, { sheetName, ignoreDates: true })).sheetName).toBe('Dec-24 Tape');
    await expect(inspectSheetFile(path, { sheetName })).rejects.toThrow('The workbook has no sheet "Oct-24 Tape"');
    await expect(inspectSheetFile(path, { sheetName: 'Loans', ignoreDates: true })).rejects.toThrow(
      'Its sheets are: "Nov-24 Tape" (hidden), "Notes", "Dec-24 Tape".',
    );
  });
});
