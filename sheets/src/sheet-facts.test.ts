import { describe, expect, test } from 'vitest';
import { inspectSheetFile } from './inspect-sheet.ts';
import { NO_FACTS } from './sheet-facts.ts';
import { type HandMade, readRows, writeWorkbook } from './testing/workbook-file.ts';

const text = (reference: string, content: string): string =>
  `<c r="${reference}" t="inlineStr"><is><t>${content}</t></is></c>`;
const HEADER = `<row r="1">${text('B1', 'Loan')}${text('C1', 'Balance')}</row>`;

/** What the reader and the preview report for the same sheet. */
async function factsOf(made: HandMade) {
  const path = await writeWorkbook(made);
  const { facts, rows } = await readRows(path);
  expect((await inspectSheetFile(path)).facts).toEqual(facts);
  return { facts, rows };
}

describe('cells in columns without a header', () => {
  const strings = ['<si><t>a note</t></si>', '<si><t> </t></si>', '<si/>'];

  test.each([
    ['a number', '<c r="E2"><v>5</v></c>', 1],
    ['a shared string', '<c r="E2" t="s"><v>0</v></c>', 1],
    ['an inline text', text('E2', 'a note'), 1],
    ['a text that the careful reader reads', text('E2', 'näive'), 1],
    ['a boolean', '<c r="E2" t="b"><v>1</v></c>', 1],
    ['a blank shared string', '<c r="E2" t="s"><v>1</v></c>', 0],
    ['an empty shared string', '<c r="E2" t="s"><v>2</v></c>', 0],
    ['a blank inline text', text('E2', ' '), 0],
    ['a styled cell with nothing in it', '<c r="E2" s="0"/>', 0],
  ])('%s', async (_, cell, count) => {
    const rows = `${HEADER}<row r="2">${text('B2', 'LN-1')}<c r="C2"><v>5</v></c>${cell}</row>`;
    const { facts, rows: read } = await factsOf({ rows, strings });
    expect(facts).toEqual({ ...NO_FACTS, unnamedCells: count, unnamedColumns: count === 0 ? null : 'E' });
    expect(read).toEqual([['LN-1', 5]]);
  });

  test('are counted in all rows below the header, also for whole columns, and not above it', async () => {
    const row = (number: number) =>
      `<row r="${number}"><c r="A${number}"><v>${number}</v></c>${text(`B${number}`, `LN-${number}`)}<c r="C${number}"><v>5</v></c>${text(`D${number}`, 'CA')}${text(`E${number}`, 'current')}${number % 2 ? text(`AB${number}`, 'x') : ''}</row>`;
    const title = `<row r="1">${text('A1', 'A title')}</row>`;
    const header = `<row r="2">${text('B2', 'Loan')}${text('C2', 'Balance')}${text('D2', 'State')}${text('E2', 'Status')}</row>`;
    const rows = title + header + Array.from({ length: 3000 }, (_, at) => row(at + 3)).join('');
    const { facts } = await readRows(await writeWorkbook({ rows }), { batchRows: 700 });
    expect(facts).toEqual({ ...NO_FACTS, unnamedCells: 4500, unnamedColumns: 'A to AB' });
  });
});

describe('formulas without a result', () => {
  test.each([
    ['a formula alone', '<c r="C2"><f>1+1</f></c>', 1],
    ['with an empty value', '<c r="C2"><f>1+1</f><v></v></c>', 1],
    ['with a value element that is empty', '<c r="C2"><f>1+1</f><v/></c>', 1],
    ['a shared formula', '<c r="C2"><f t="shared" si="0"/></c>', 1],
    ['of a boolean', '<c r="C2" t="b"><f>TRUE()</f></c>', 1],
    ['a formula whose result is an empty text', '<c r="C2" t="str"><f>""</f><v></v></c>', 0],
    ['a formula with its result', '<c r="C2"><f>1+1</f><v>2</v></c>', 0],
  ])('%s', async (_, cell, count) => {
    const { facts } = await factsOf({ rows: `${HEADER}<row r="2">${text('B2', 'LN-1')}${cell}</row>` });
    expect(facts).toEqual({ ...NO_FACTS, formulasWithoutResult: count });
  });

  test('are counted once each, however the sheet is split into chunks', async () => {
    const rows = Array.from(
      { length: 60_000 },
      (_, at) =>
        `<row r="${at + 2}">${text(`B${at + 2}`, `LN-${at}`)}<c r="C${at + 2}"><f>B${at + 2}*2</f><v></v></c></row>`,
    ).join('');
    const { facts, rows: read } = await readRows(await writeWorkbook({ rows: HEADER + rows }), { batchRows: 7000 });
    expect([facts.formulasWithoutResult, read.length]).toEqual([60_000, 60_000]);
  });
});

test('with rows of blank texts before the header the preview finds the same header as the reader', async () => {
  const strings = ['<si><t> </t></si>', '<si><t>Loan</t></si>', '<si><t>Balance</t></si>'];
  const blank = Array.from(
    { length: 250 },
    (_, at) => `<row r="${at + 1}"><c r="B${at + 1}" t="s"><v>0</v></c></row>`,
  ).join('');
  const header = '<row r="251"><c r="B251" t="s"><v>1</v></c><c r="C251" t="s"><v>2</v></c></row>';
  const data = Array.from(
    { length: 30 },
    (_, at) => `<row r="${at + 252}">${text(`B${at + 252}`, `LN-${at}`)}<c r="C${at + 252}"><v>${at}</v></c></row>`,
  ).join('');
  const path = await writeWorkbook({ rows: blank + header + data, strings });
  const { head } = await readRows(path);
  const shown = await inspectSheetFile(path);
  expect([head.headerRow, shown.headerRow, shown.rows.length]).toEqual([251, 251, 30]);
});

test('a column has the currencies that the formats of its numbers show, and no other column', async () => {
  const formats = ['General', '#,##0.00 [$€-407]', '[$SEK] #,##0', 'yyyy-mm-dd', '"NGN" 0', '[$-409]0.00', '£#,##0'];
  const cell = (at: string, style: number) => `<c r="${at}" s="${style}"><v>45000</v></c>`;
  const header = ['A', 'B', 'C', 'D', 'E', 'F'].map((letters) => text(`${letters}1`, `Column ${letters}`)).join('');
  const first = [1, 0, 3, 4, 5, 6].map((style, index) => cell(`${'ABCDEF'[index]}2`, style)).join('');
  const second = [2, 0, 3, 4, 5, 6].map((style, index) => cell(`${'ABCDEF'[index]}3`, style)).join('');
  const rows = `<row r="1">${header}</row><row r="2">${first}</row><row r="3">${second}</row>`;
  const { columns } = await inspectSheetFile(await writeWorkbook({ rows, formats }));
  expect(columns.map(({ currencyMarks }) => currencyMarks)).toEqual([
    ['€', 'SEK'],
    undefined,
    undefined,
    ['NGN'],
    undefined,
    ['£'],
  ]);
  expect(columns.map(({ kinds }) => kinds[0])).toEqual(['number', 'number', 'date', 'number', 'number', 'number']);
});
