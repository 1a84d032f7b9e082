import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { inspectSheetFile } from './inspect-sheet.ts';
import { SHEET_LIMITS } from './limits.ts';
import { SheetError } from './sheet-error.ts';
import { temporaryPath } from './testing/temporary-path.ts';
import { readRows, writeFile, writeWorkbook } from './testing/workbook-file.ts';
import { openWorkbook } from './workbook.ts';
import { sheetXml, workbookParts } from './workbook-parts.ts';
import { ZipWriter } from './zip-writer.ts';

const ROWS =
  '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row><row r="2"><c r="A2" t="s"><v>2</v></c><c r="B2"><v>5</v></c></row>';
const STRINGS = ['Loan', 'Value', 'LN-1'].map((text) => `<si><t>${text}</t></si>`);
const sound = () => writeWorkbook({ rows: ROWS, strings: STRINGS });

async function expectRefused(path: string, message: RegExp): Promise<void> {
  const failure = await readRows(path).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(SheetError);
  expect((failure as SheetError).message).toMatch(message);
}

/** A valid workbook with some bytes changed. */
async function tamper(change: (bytes: Buffer) => Buffer | undefined): Promise<string> {
  const bytes = readFileSync(await sound());
  return writeFile('.xlsx', change(bytes) ?? bytes);
}

describe('files that are not valid .xlsx files are rejected with what to do', () => {
  test('the file that the others are derived from is valid', async () => {
    expect((await readRows(await sound())).rows).toEqual([['LN-1', 5]]);
  });

  test('an empty file', () => expectRefused(writeFile('.xlsx', ''), /file is empty/));

  test('a legacy or encrypted workbook', async () => {
    const legacy = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(2000)]);
    await expectRefused(writeFile('.xls', legacy), /legacy Excel file \(\.xls\).*save it as \.xlsx/);
    const encrypted = Buffer.concat([legacy, Buffer.from('EncryptedPackage', 'utf16le')]);
    await expectRefused(writeFile('.xlsx', encrypted), /without a password/);
  });

  test('unknown bytes', () =>
    expectRefused(writeFile('.xlsx', Buffer.from([1, 2, 3, 0, 255, 254, 7, 8, 9])), /not an Excel workbook/));

  test('a truncated file', async () => {
    for (const share of [0.3, 0.6, 0.95]) {
      await expectRefused(await tamper((bytes) => bytes.subarray(0, Math.floor(bytes.length * share))), /cut short/);
    }
  });

  test('parts that lead out of the archive are never written, and a sheet among them is refused', async () => {
    const folder = dirname(temporaryPath('.xlsx'));
    const before = readdirSync(folder);
    const outside = ['../../evil.txt', join(tmpdir(), 'tapeline-evil.txt'), '..\\evil.txt', 'C:\\evil.txt'];
    const parts = Object.fromEntries(outside.map((name) => [name, 'evil']));
    const path = await writeWorkbook({ rows: ROWS, strings: STRINGS, parts });
    expect((await readRows(path)).rows).toEqual([['LN-1', 5]]);
    expect(readdirSync(folder).filter((name) => !before.includes(name) && join(folder, name) !== path)).toEqual([]);
    expect(existsSync(join(tmpdir(), 'tapeline-evil.txt'))).toBe(false);

    const name = 'xl/_rels/workbook.xml.rels';
    const relationships = workbookParts({ sheets: [{ name: 'Tape' }], sharedStrings: true })[name] ?? '';
    const leading = relationships.replace('worksheets/sheet1.xml', '../../../../../../etc/passwd');
    expect(leading).not.toBe(relationships);
    await expectRefused(await writeWorkbook({ rows: ROWS, strings: STRINGS, parts: { [name]: leading } }), /sheet/);
  });

  test('zip files of other kinds', async () => {
    const zipped = async (name: string) => {
      const path = temporaryPath('.xlsx');
      const writer = await ZipWriter.create(path);
      await writer.add(name, ['x']);
      await writer.finish();
      return path;
    };
    await expectRefused(await zipped('a.txt'), /zip file but not an Excel workbook/);
    await expectRefused(await zipped('content.xml'), /OpenDocument file \(\.ods\)/);
    await expectRefused(await zipped('xl/workbook.bin'), /binary workbook \(\.xlsb\)/);
  });

  test('a part that is marked as encrypted', () =>
    tamper((bytes) => {
      const entry = bytes.indexOf(Buffer.from('504b0102', 'hex'));
      bytes[entry + 8] = bytes[entry + 8]! | 1;
      return bytes;
    }).then((path) => expectRefused(path, /protected by a password/)));

  test('a wrong checksum or size', async () => {
    const change = (offset: number, value: number) =>
      tamper((bytes) => {
        const name = bytes.lastIndexOf('xl/worksheets/sheet1.xml');
        bytes.writeUInt32LE(value, name - 46 + offset);
        return bytes;
      });
    await expectRefused(await change(16, 12345), /checksum of the part xl\/worksheets\/sheet1\.xml is wrong/);
    await expectRefused(await change(24, 100), /unpacks to more than/);
    await expectRefused(await change(24, 5000), /unpacks to less than/);
    await expectRefused(await change(20, 20), /cannot be unpacked|unpacks to less|ends too early/);
    await expectRefused(await change(42, 7), /not where the zip directory says/);
    await expectRefused(await change(42, 0x7fffffff), /beyond the end of the file/);
  });
});

describe('archives made to fill memory are rejected at once', () => {
  function* zeros(megabytes: number): Generator<Buffer> {
    const block = Buffer.alloc(1 << 20, ' ');
    for (let index = 0; index < megabytes; index += 1) {
      yield block;
    }
  }

  async function bomb(part: string, megabytes: number): Promise<string> {
    const path = temporaryPath('.xlsx');
    const writer = await ZipWriter.create(path);
    await writer.add('xl/workbook.xml', ['<workbook><sheets><sheet name="Tape" r:id="rId1"/></sheets></workbook>']);
    await writer.add('xl/_rels/workbook.xml.rels', [
      '<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="x/sharedStrings" Target="sharedStrings.xml"/></Relationships>',
    ]);
    await writer.add('xl/worksheets/sheet1.xml', part === 'sheet' ? zeros(megabytes) : [sheetXml(ROWS)]);
    await writer.add('xl/sharedStrings.xml', part === 'strings' ? zeros(megabytes) : ['<sst/>']);
    await writer.finish();
    return path;
  }

  test('a declared ratio that no spreadsheet reaches', async () => {
    await expectRefused(await bomb('sheet', 60), /unpacks to more than 400 times its packed size/);
    await expectRefused(await bomb('strings', 60), /unpacks to more than 400 times its packed size/);
  });

  test('more than declared', async () => {
    const path = await bomb('sheet', 60);
    const bytes = readFileSync(path);
    bytes.writeUInt32LE(1000, bytes.lastIndexOf('xl/worksheets/sheet1.xml') - 46 + 24);
    const before = process.memoryUsage().rss;
    await expectRefused(writeFile('.xlsx', bytes), /unpacks to more than the zip directory says/);
    expect(process.memoryUsage().rss - before).toBeLessThan(64 << 20);
  });

  test('a part beyond its absolute limit', async () => {
    const path = await sound();
    await expect(openWorkbook(path, { ...SHEET_LIMITS, otherPartBytes: 100 })).rejects.toThrow(
      /beyond the limit of 0 MB/,
    );
  });
});

describe('contents that no spreadsheet program writes are rejected', () => {
  const header = '<row r="1"><c r="A1" t="str"><v>Loan</v></c><c r="B1" t="str"><v>Value</v></c></row>';

  test('a document type declaration, in any part', async () => {
    const dtd = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>';
    await expectRefused(
      await writeWorkbook({ sheet: `<?xml version="1.0"?>${dtd}${sheetXml(ROWS)}` }),
      /document type declaration/,
    );
    await expectRefused(
      await writeWorkbook({ rows: ROWS, strings: STRINGS, parts: { 'xl/sharedStrings.xml': `${dtd}<sst/>` } }),
      /document type declaration/,
    );
    await expectRefused(
      await writeWorkbook({ rows: ROWS, parts: { 'xl/workbook.xml': `${dtd}<workbook/>` } }),
      /document type declaration/,
    );
  });

  test('a shared string that does not exist', async () => {
    const path = await writeWorkbook({
      rows: `${ROWS}<row r="3"><c r="A3" t="s"><v>3</v></c></row>`,
      strings: STRINGS,
    });
    await expectRefused(path, /the cell [A-Z]+\d+ refers to a text that the workbook does not contain/);
    await expect(inspectSheetFile(path)).rejects.toThrow(
      /the cell [A-Z]+\d+ refers to a text that the workbook does not contain/,
    );
    await expectRefused(
      await writeWorkbook({ rows: `${header}<row r="2"><c r="A2" t="s"><v>-1</v></c></row>` }),
      /refers to a text that the workbook does not contain/,
    );
  });

  test('more rows or columns than a worksheet has', async () => {
    await expectRefused(
      await writeWorkbook({ rows: `${header}<row r="1048577"><c r="A1048577"><v>1</v></c></row>` }),
      /more than 1,048,576 rows/,
    );
    await expectRefused(
      await writeWorkbook({ rows: `${header}<row r="2"><c r="XFE2"><v>1</v></c></row>` }),
      /more than 16,384 columns/,
    );
    await expectRefused(
      await writeWorkbook({ rows: `${header}<row r="0"><c r="A0"><v>1</v></c></row>` }),
      /a row has no valid number/,
    );
  });

  test('an empty sheet and one without a header', async () => {
    await expectRefused(await writeWorkbook({ rows: '' }), /sheet is empty/);
    await expectRefused(await writeWorkbook({ sheet: '<worksheet><sheetData/></worksheet>' }), /sheet is empty/);
    const numbers = (row: number) => `<row r="${row}"><c r="A${row}"><v>1</v></c><c r="B${row}"><v>2</v></c></row>`;
    await expectRefused(await writeWorkbook({ rows: [1, 2, 3].map(numbers).join('') }), /no header row/);
  });

  test('a sheet or a table of texts that ends too early, with a correct checksum', async () => {
    await expectRefused(
      await writeWorkbook({ sheet: `<worksheet><sheetData>${header}<row r="2"><c r="A2">` }),
      /ends too early/,
    );
    await expectRefused(
      await writeWorkbook({
        rows: ROWS,
        strings: STRINGS,
        parts: { 'xl/sharedStrings.xml': '<sst><si><t>Loan</t></si>' },
      }),
      /table of texts ends too early/,
    );
  });

  test.each([
    ['a cell of another row', '<c r="B3"><v>5</v></c>', /a cell of row 2 has the reference "B3"/],
    ['an invalid reference', '<c r="2B"><v>5</v></c>', /has the reference "2B"/],
    ['an unknown type', '<c r="B2" t="q"><v>5</v></c>', /has the type "q"/],
    ['a boolean beyond true and false', '<c r="B2" t="b"><v>2</v></c>', /has the boolean "2"/],
    ['a style that is not a number', '<c r="B2" s="x"><v>5</v></c>', /has the style "x"/],
    ['two values', '<c r="B2"><v>5</v><v>6</v></c>', /"<v>6<\/v><\/c>/],
    ['text beside the value', '<c r="B2">5<v>6</v></c>', /"5" does not belong there/],
    ['an element in a value', '<c r="B2"><v>5<b/>6</v></c>', /"<b\/>6/],
    ['an element in an inline text', '<c r="B2" t="inlineStr"><is><b>x</b></is></c>', /"<b>x/],
    ['text between cells', 'x<c r="B2"><v>5</v></c>', /"x" does not belong there/],
    ['a cell in a cell', '<c r="B2"><c r="C2"><v>5</v></c></c>', /does not belong there/],
    ['a value that is not closed', '<c r="B2"><v>5</c>', /"<\/c>/],
    ['an attribute without quotes', '<c r=B2><v>5</v></c>', /"<c r=B2>/],
    ['a formula that is not closed', '<c r="B2"><f>1+1<v>5</v></c>', /"<v>5/],
  ])('%s', async (_, cell, message) => {
    await expectRefused(
      await writeWorkbook({ rows: `${header}<row r="2"><c r="A2"><v>1</v></c>${cell}</row>` }),
      message,
    );
  });

  test('text or elements between rows, and parts with other contents', async () => {
    const row = '<row r="2"><c r="A2"><v>1</v></c></row>';
    await expectRefused(await writeWorkbook({ rows: `${header}x${row}` }), /"x" does not belong there/);
    await expectRefused(await writeWorkbook({ rows: `${header}<b/>${row}` }), /"<b\/>/);
    await expectRefused(await writeWorkbook({ rows: `${header}<row r="2" a="1"b="2"/>` }), /does not belong there/);
    await expectRefused(
      await writeWorkbook({ sheet: `<chartsheet><sheetData>${header}</sheetData></chartsheet>` }),
      /is not a worksheet/,
    );
    await expectRefused(
      await writeWorkbook({ rows: ROWS, strings: STRINGS, parts: { 'xl/styles.xml': '<sst/>' } }),
      /styles\.xml has unexpected content/,
    );
    await expectRefused(
      await writeWorkbook({ rows: ROWS, strings: STRINGS, parts: { 'xl/styles.xml': null } }),
      /which cells are dates is missing/,
    );
    await expectRefused(
      await writeWorkbook({ rows: ROWS, strings: STRINGS, parts: { 'xl/styles.xml': '<styleSheet><cellXfs>' } }),
      /styles\.xml ends too early/,
    );
    await expectRefused(await writeWorkbook({ rows: ROWS, strings: [...STRINGS, '<si><b>x</b></si>'] }), /"<b>x/);
    for (const styles of ['', '  ', '<?xml version="1.0"?>', '<!-- <styleSheet/> -->']) {
      await expectRefused(
        await writeWorkbook({ rows: ROWS, strings: STRINGS, parts: { 'xl/styles.xml': styles } }),
        /styles\.xml is empty/,
      );
    }
    await expectRefused(
      await writeWorkbook({
        rows: ROWS,
        strings: STRINGS,
        parts: { 'xl/styles.xml': '<styleSheet></styleSheet><styleSheet/>' },
      }),
      /styles\.xml has unexpected content/,
    );
  });

  test.each([
    [
      'inline',
      (text: string) => ({ rows: `${header}<row r="2"><c r="A2" t="inlineStr"><is><t>${text}</t></is></c></row>` }),
    ],
    [
      'inline, with an entity',
      (text: string) => ({
        rows: `${header}<row r="2"><c r="A2" t="inlineStr"><is><t>&amp;${text.slice(1)}</t></is></c></row>`,
      }),
    ],
    [
      'in CDATA',
      (text: string) => ({
        rows: `${header}<row r="2"><c r="A2" t="inlineStr"><is><t><![CDATA[${text}]]></t></is></c></row>`,
      }),
    ],
    ['of a formula', (text: string) => ({ rows: `${header}<row r="2"><c r="A2" t="str"><v>${text}</v></c></row>` })],
    ['shared', (text: string) => ({ rows: ROWS, strings: [...STRINGS, `<si><t>${text}</t></si>`] })],
    ['shared, in runs', (text: string) => ({ rows: ROWS, strings: [...STRINGS, `<si><r><t>${text}</t></r></si>`] })],
  ])('a text of more than 1 MB, %s', async (_, made) => {
    const longest = 'x'.repeat(1 << 20);
    await expect(readRows(await writeWorkbook(made(longest)))).resolves.toBeDefined();
    await expectRefused(await writeWorkbook(made(`${longest}x`)), /text of more than 1 MB/);
  });

  test('a format that only conditional formatting uses does not make a date', async () => {
    const styles =
      '<styleSheet><numFmts count="1"><numFmt numFmtId="170" formatCode="0.00"/></numFmts><cellXfs><xf/><xf numFmtId="170"/></cellXfs><dxfs><dxf><numFmt numFmtId="170" formatCode="yyyy"/></dxf></dxfs></styleSheet>';
    const rows = `${header}<row r="2"><c r="A2"><v>1</v></c><c r="B2" s="1"><v>5</v></c></row>`;
    expect((await readRows(await writeWorkbook({ rows, parts: { 'xl/styles.xml': styles } }))).tags).toEqual([[1, 1]]);
  });

  test('an encoding that Excel never uses, a workbook without sheets, a missing sheet', async () => {
    await expectRefused(
      await writeWorkbook({ sheet: `<?xml version="1.0" encoding="ISO-8859-1"?>${sheetXml(ROWS)}` }),
      /encoding ISO-8859-1/,
    );
    await expectRefused(
      await writeWorkbook({ rows: ROWS, parts: { 'xl/workbook.xml': '<workbook><sheets/></workbook>' } }),
      /no worksheet/,
    );
    await expectRefused(
      await writeWorkbook({ parts: { 'xl/worksheets/sheet1.xml': null } }),
      /the sheet "Tape" is missing/,
    );
  });
});

describe('files of other kinds are rejected by name', () => {
  test.each([
    [
      'an HTML table named .xls',
      '\n<html xmlns:x="urn:schemas-microsoft-com:office:excel"><table><tr><td>Loan</td></tr></table>',
      /an HTML page/,
    ],
    ['an HTML page', '<!DOCTYPE html>\n<html><body>', /an HTML page/],
    ['a bare HTML table', '<table border="1"><tr><th>Loan</th></tr>', /an HTML page/],
    [
      'XML of Excel 2003',
      '<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet">',
      /an XML spreadsheet of Excel 2003/,
    ],
    ['other XML', '<?xml version="1.0"?><loans><loan/></loans>', /an XML file/],
    ['JSON', '[{"Loan": "LN-1", "Balance": 5}]', /a JSON file/],
    ['JSON, one object', '{\n  "loans": [1, 2]\n}', /a JSON file/],
    ['JSON by lines', '{"Loan":"LN-1"}\n{"Loan":"LN-2"}\n', /a JSON file/],
    ['RTF', '{\\rtf1\\ansi Loan, Balance}', /in RTF/],
    ['PDF', '%PDF-1.7\n1 0 obj', /a PDF document/],
    ['PDF after a byte order mark', '\ufeff%PDF-1.7\n', /a PDF document/],
    ['a web archive', 'MIME-Version: 1.0\nContent-Type: multipart/related', /a web archive/],
    ['gzip', Buffer.from('1f8b080000000000', 'hex'), /gzip-compressed/],
    ['Parquet', 'PAR1\x15\x04', /a Parquet file/],
    ['HTML in UTF-16', Buffer.from('\ufeff<html><table>', 'utf16le'), /an HTML page/],
  ])('%s', async (_, content, message) => {
    const path = writeFile('.xls', content);
    await expectRefused(path, message);
    await expect(inspectSheetFile(path)).rejects.toThrow(message);
  });

  test.each([
    '[Loan ID],[Balance]\nLN-1,5\n',
    '{Loan},Balance\nLN-1,5\n',
    '<Loan>,Balance\nLN-1,5\n',
    '%PD,Balance\n5,6\nLN-1,7\n',
  ])('a header that only begins like another kind is accepted: %s', async (content) => {
    expect((await readRows(writeFile('.csv', content))).rows.at(-1)?.[0]).toBe('LN-1');
  });
});
