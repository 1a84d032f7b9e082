import { describe, expect, test } from 'vitest';
import { inspectSheetFile } from './inspect-sheet.ts';
import { readRows, writeWorkbook } from './testing/workbook-file.ts';
import { columnLetters, escapeXml, sheetXml } from './workbook-parts.ts';

type Cell = string | number | null | { date: number };

/** Rows of plain cells as XML: null is no cell, a date is a number in style 1. */
function rowsXml(rows: readonly (readonly Cell[])[]): string {
  return rows
    .map((cells, row) => {
      const xml = cells.map((cell, column) => {
        const reference = `r="${columnLetters(column)}${row + 1}"`;
        if (cell === null) {
          return '';
        }
        if (typeof cell === 'object') {
          return `<c ${reference} s="1"><v>${cell.date}</v></c>`;
        }
        return typeof cell === 'number'
          ? `<c ${reference}><v>${cell}</v></c>`
          : `<c ${reference} t="inlineStr"><is><t xml:space="preserve">${escapeXml(cell)}</t></is></c>`;
      });
      return `<row r="${row + 1}">${xml.join('')}</row>`;
    })
    .join('');
}

const write = (rows: readonly (readonly Cell[])[]) =>
  writeWorkbook({ rows: rowsXml(rows), formats: ['General', 'yyyy-mm-dd'] });
const DATA: Cell[][] = [
  ['LN-1', 100, 0.05, 'Current'],
  ['LN-2', 250.5, 0.06, 'Late'],
];
const HEADER: Cell[] = ['Loan ID', 'Balance', 'Rate', 'Status'];

describe('the header is found where a person would find it', () => {
  test.each<[string, Cell[][], number]>([
    ['in the first row', [HEADER, ...DATA], 1],
    ['under a title and a blank row', [['Loan tape as of 30 June 2026'], [], HEADER, ...DATA], 3],
    [
      'under key and value lines',
      [['Borrower', 'Alder & Co'], ['Cut-off date', { date: 46203 }], [], HEADER, ...DATA],
      4,
    ],
    ['under a title in several cells and a blank row', [['Account 1', 'First quarter', 'EUR'], [], HEADER, ...DATA], 3],
    ['above a blank row', [['Loan ID', 'Balance', 'Rate'], [], ['LN-1', 100, 0.05, 'Current'], DATA[1]!], 1],
    ['under a row of group names', [['Loan', null, 'Terms'], HEADER, ...DATA], 2],
    [
      'above text-only data',
      [
        ['State', 'Grade', 'Sector'],
        ['CA', 'A', 'Energy'],
        ['NY', 'B', 'Health'],
      ],
      1,
    ],
    ['with no data below', [['Title'], HEADER], 2],
    ['in a sheet of one column', [['Loan ID'], ['LN-1'], ['LN-2']], 1],
    ['with a blank name among many', [['Loan ID', 'Balance', null, 'Status'], ...DATA], 1],
    ['over sparse data', [HEADER, ['LN-1', null, null, null], ['LN-2', 5, null, null]], 1],
  ])('%s', async (_, rows, headerRow) => {
    expect((await readRows(await write(rows))).head.headerRow).toBe(headerRow);
  });

  test('a blank first column is left out, and cells to the right of the header are not read', async () => {
    const { head, rows } = await readRows(
      await write([[null, ...HEADER], ...DATA.map((row) => [null, ...row, null, 'note'])]),
    );
    expect(head.columns.map((column) => [column.header, column.sheetColumn])).toEqual([
      ['Loan ID', 1],
      ['Balance', 2],
      ['Rate', 3],
      ['Status', 4],
    ]);
    expect(rows).toEqual(DATA);
  });

  test('a column with data but no name is named by its letter; an empty one is left out', async () => {
    const { head } = await readRows(
      await write([
        ['Loan ID', null, null, 'Status'],
        ['LN-1', 5, null, 'Current'],
        ['LN-2', 6, null, 'Late'],
      ]),
    );
    expect(head.columns.map((column) => column.header)).toEqual(['Loan ID', 'Column B', 'Status']);
  });

  describe('in two lines', () => {
    const headersOf = async (rows: Cell[][]) => {
      const path = await write(rows);
      const { head, rows: data } = await readRows(path);
      // Stating the row that was found gives the same columns.
      const stated = await readRows(path, { headerRow: head.headerRow });
      expect(stated.head).toEqual(head);
      expect(stated.rows).toEqual(data);
      return { row: head.headerRow, headers: head.columns.map(({ header }) => header), data: data.length };
    };

    test('a row of units below the names belongs to the header', async () =>
      expect(await headersOf([HEADER, [null, '(USD)', '(%)', null], ...DATA])).toEqual({
        row: 2,
        headers: ['Loan ID', 'Balance (USD)', 'Rate (%)', 'Status'],
        data: 2,
      }));

    test('a row of texts that are not units is data', async () =>
      expect(await headersOf([HEADER, [null, 'USD', 'see note', null], ...DATA])).toMatchObject({ row: 1, data: 3 }));

    test('a cell merged downwards names its column from the upper line', async () =>
      expect(
        await headersOf([['Loan ID', 'Figures', null, null], [null, 'Balance', 'Rate', 'Status'], ...DATA]),
      ).toEqual({ row: 2, headers: ['Loan ID', 'Balance', 'Rate', 'Status'], data: 2 }));

    test('names below group names are the header if the upper line leaves columns without one', async () =>
      expect(
        await headersOf([
          ['Loan ID', 'Balance', null, 'Status'],
          [null, 'Original', 'Current', null],
          ['LN-1', 100, 90, 'Current'],
          ['LN-2', 250, 240, 'Late'],
        ]),
      ).toEqual({ row: 2, headers: ['Loan ID', 'Balance Original', 'Balance Current', 'Status'], data: 2 }));

    test('duplicate names are distinguished by the group above them', async () =>
      expect(
        await headersOf([
          [null, 'Original', null, 'Current', null],
          ['Loan ID', 'Balance', 'Rate', 'Balance', 'Rate'],
          ['LN-1', 100, 0.05, 90, 0.06],
          ['LN-2', 250, 0.05, 240, 0.06],
        ]),
      ).toEqual({
        row: 2,
        headers: ['Loan ID', 'Original Balance', 'Original Rate', 'Current Balance', 'Current Rate'],
        data: 2,
      }));

    test('the name of a group is returned with its columns', async () => {
      const path = await write([
        ['Student loans', null, null, null, null, null, null],
        ['Loan', null, 'Balances', null, null, 'Rates', null],
        ['ID', 'Program', 'Original', 'Current', 'Accrued', 'Gross', 'Net'],
        ['LN-1', 'Plus', 100, 90, 1, 0.07, 0.06],
        ['LN-2', 'Plus', 250, 240, 2, 0.07, 0.06],
      ]);
      const { columns } = await inspectSheetFile(path);
      expect(columns.map(({ group = null, header }) => [group, header])).toEqual([
        ['Loan', 'ID'],
        ['Loan', 'Program'],
        ['Balances', 'Original'],
        ['Balances', 'Current'],
        ['Balances', 'Accrued'],
        ['Rates', 'Gross'],
        ['Rates', 'Net'],
      ]);
    });

    test('a row of texts above text data is data', async () =>
      expect(
        await headersOf([
          ['State', null, 'Sector'],
          ['CA', 'A', 'Energy'],
          ['NY', 'B', 'Health'],
        ]),
      ).toMatchObject({ row: 1, data: 2 }));
  });

  test('headers are trimmed, dates and numbers become texts, duplicates are listed', async () => {
    const rows: Cell[][] = [
      ['  Loan \n ID ', { date: 46203 }, { date: 46234 }, 'Balance', 'Balance', 'balance', 2026],
      ['LN-1', 1, 2, 3, 4, 5, 6],
      ['LN-2', 1, 2, 3, 4, 5, 6],
    ];
    const { head } = await readRows(await write(rows));
    expect(head.columns.map((column) => column.header)).toEqual([
      'Loan ID',
      '2026-06-30',
      '2026-07-31',
      'Balance (1)',
      'Balance (2)',
      'balance',
      '2026',
    ]);
    expect(head.duplicatedHeaders).toEqual(['Balance']);
  });

  test('a stated header row is used, and rejected if it is blank', async () => {
    const path = await write([HEADER, ['id', 'sum', 'share', 'state'], ...DATA]);
    const { head, rows } = await readRows(path, { headerRow: 2 });
    expect(head.columns.map((column) => column.header)).toEqual(['id', 'sum', 'share', 'state']);
    expect(rows).toEqual(DATA);
    await expect(readRows(path, { headerRow: 9 })).rejects.toThrow(/Row 9 of the sheet is blank/);
  });
});

describe('the preview', () => {
  test('shows the first hundred rows as displayed', async () => {
    const data = Array.from({ length: 150 }, (_, row): Cell[] => [
      `LN-${row}`,
      0.1 + 0.2,
      { date: 46203.75 },
      row % 2 ? null : 'x',
    ]);
    const shown = await inspectSheetFile(await write([['My tape'], HEADER, ...data]));
    expect(shown).toMatchObject({ kind: 'xlsx', sheetName: 'Tape', headerRow: 2, epoch: 1900, duplicatedHeaders: [] });
    expect(shown.sheets).toEqual([{ name: 'Tape', hidden: false }]);
    expect(shown.rows).toHaveLength(100);
    expect(shown.rows[1]).toEqual({
      row: 4,
      cells: [
        { tag: 2, value: 'LN-1', number: null },
        { tag: 1, value: '0.3', number: 0.1 + 0.2 },
        { tag: 4, value: '2026-06-30 18:00:00', number: 46203.75 },
        { tag: 0, value: '', number: null },
      ],
    });
    expect(shown.columns.map((column) => column.kinds)).toEqual([['text'], ['number'], ['date'], ['text']]);
  });

  describe('of a workbook without a given sheet name', () => {
    const tape = rowsXml([
      HEADER,
      ...Array.from({ length: 20 }, (_, row): Cell[] => [`LN-${row}`, row, 0.05, 'Current']),
    ]);
    const cover = rowsXml([['Portfolio'], ['As of', { date: 46203 }], ['Loans', 20]]);
    const parts = (...rows: string[]) =>
      Object.fromEntries(rows.map((each, at) => [`xl/worksheets/sheet${at + 1}.xml`, sheetXml(each)]));
    const shown = async (sheets: { name: string; state?: 'hidden' }[], ...rows: string[]) =>
      (
        await inspectSheetFile(
          await writeWorkbook({ sheets, formats: ['General', 'yyyy-mm-dd'], parts: parts(...rows) }),
        )
      ).sheetName;

    test('shows the sheet with the data', async () =>
      expect(await shown([{ name: 'Cover' }, { name: 'Loans' }], cover, tape)).toBe('Loans'));

    test('shows the first of those that are almost equally full', async () =>
      expect(await shown([{ name: 'October' }, { name: 'September' }], tape, tape)).toBe('October'));

    test('never shows a hidden sheet', async () =>
      expect(await shown([{ name: 'Cover' }, { name: 'Old', state: 'hidden' }], rowsXml([HEADER, ...DATA]), tape)).toBe(
        'Cover',
      ));
  });

  test('has the same header and columns as reading', async () => {
    const path = await write([['Tape'], [null, ...HEADER], ...DATA.map((row) => [null, ...row])]);
    const { head } = await readRows(path);
    const shown = await inspectSheetFile(path);
    expect(shown.headerRow).toBe(head.headerRow);
    expect(shown.columns.map(({ kinds, ...column }) => column)).toEqual(head.columns);
  });
});

test('a small sheet whose first rows refer to every shared text, including the last, is shown', async () => {
  const strings = ['Loan ID', 'State', ...Array.from({ length: 30 }, (_, loan) => `LN-${loan}`), 'CA'];
  const code = (row: number, column: string, index: number) => `<c r="${column}${row}" t="s"><v>${index}</v></c>`;
  const rows = Array.from({ length: 30 }, (_, loan) => [loan + 2, strings.length - 1] as const).map(
    ([index, last], loan) => `<row r="${loan + 2}">${code(loan + 2, 'A', index)}${code(loan + 2, 'B', last)}</row>`,
  );
  const path = await writeWorkbook({
    rows: `<row r="1">${code(1, 'A', 0)}${code(1, 'B', 1)}</row>${rows.join('')}`,
    strings: strings.map((text) => `<si><t>${text}</t></si>`),
  });
  const shown = await inspectSheetFile(path);
  expect(shown.rows).toHaveLength(30);
  expect(shown.rows[29]?.cells.map((cell) => cell.value)).toEqual(['LN-29', 'CA']);
});
