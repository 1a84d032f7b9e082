import { writeFile } from 'node:fs/promises';
import { inspectSheetFile } from '@tapeline/sheets/inspect-sheet.ts';
import { temporaryPath } from '@tapeline/sheets/testing/temporary-path.ts';
import { writeWorkbook } from '@tapeline/sheets/testing/workbook-file.ts';
import { describe, expect, test } from 'vitest';
import { writeTapeFile } from '../testing/tape-file.ts';
import { surveySheet } from './survey-sheet.ts';

const ENDLESS_MS = 600_000;

async function survey(
  rows: readonly (readonly (string | number | null)[])[],
  budgetMs = ENDLESS_MS,
  signal?: AbortSignal,
) {
  const path = temporaryPath('.xlsx');
  await writeTapeFile(path, 'Tape', rows);
  return surveySheet(path, await inspectSheetFile(path), budgetMs, signal);
}

const many = (count: number, row: (at: number) => readonly (string | number | null)[]) =>
  Array.from({ length: count }, (_, at) => row(at));

describe('a survey of a sheet', () => {
  test('tells a status that first stands far below the rows of the preview', async () => {
    const rows = many(5_000, (at) => [`L${at}`, at >= 4_000 && at % 80 === 0 ? 'Charged off (sold)' : 'Current']);
    const { columns, ...rest } = await survey([['Loan', 'Status'], ...rows]);
    expect(rest).toMatchObject({ rows: 5_000, isWhole: true });
    expect(columns[1]?.words).toEqual([
      { value: 'Current', count: 4_987 },
      { value: 'Charged off (sold)', count: 13 },
    ]);
  });

  test('tells of a column of many texts only those that mean missing, whichever comes first', async () => {
    const rows = many(400, (at) => [at === 3 || at === 390 ? 'N/A' : `name ${at}`, at === 350 ? 'tbd' : 1.5]);
    const { columns } = await survey([['Borrower', 'Balance'], ...rows]);
    expect(columns.map(({ words }) => words)).toEqual([[{ value: 'N/A', count: 2 }], [{ value: 'tbd', count: 1 }]]);
  });

  test.each([
    ['none', 'L2', false],
    ['a space behind', 'L2 ', true],
    ['a space in front', ' L2', true],
    ['a no-break space behind', 'L2\u00a0', true],
    ['a space within', 'L 2', false],
    ['a letter that ends in the same byte', 'L\u00e0', false],
  ])('notices outer spaces: %s', async (_, id, isPadded) => {
    const { columns } = await survey([
      ['Loan', 'Balance'],
      ['L1', 1],
      [id, 2],
    ]);
    expect(columns.map((column) => column.isPadded)).toEqual([isPadded, false]);
  });

  test('ends when its time is over, and says how far it read', async () => {
    const { rows, isWhole, columns } = await survey([['Loan', 'Status'], ...many(30_000, (at) => [at, 'ok'])], 0);
    expect({ rows, isWhole }).toEqual({ rows: 20_000, isWhole: false });
    expect(columns[1]?.words).toEqual([{ value: 'ok', count: 20_000 }]);
  });

  test('is cut off in a batch that takes too long, and tells nothing of it', async () => {
    const rows = [['Loan', 'Status'], ...many(50, (at) => [at, 'ok'])];
    expect(await survey(rows, ENDLESS_MS, AbortSignal.abort())).toEqual({
      rows: 0,
      isWhole: false,
      notices: [],
      columns: [
        { words: [], isPadded: false, counted: { filled: 0, different: 0 } },
        { words: [], isPadded: false, counted: { filled: 0, different: 0 } },
      ],
      sample: [],
    });
  });

  test('leaves a problem further down to be told when the tape is processed', async () => {
    const cells = (at: number) => (at === 300 ? '<c t="s"><v>9</v></c>' : `<c><v>${at}</v></c>`);
    const header = '<row><c t="s"><v>0</v></c></row>';
    const path = await writeWorkbook({
      strings: ['<si><t>Loan</t></si>'],
      rows: header + many(400, (at) => [`<row>${cells(at)}</row>`]).join(''),
    });
    const sheet = await inspectSheetFile(path);
    await expect(surveySheet(path, sheet, ENDLESS_MS)).resolves.toMatchObject({ isWhole: false });
  });

  test('passes over words where all together are too many for a message', async () => {
    const headers = many(60, (at) => [`Column ${at}`]).flat() as string[];
    const rows = many(90, (row) => headers.map((_, column) => `w${column}-${row}`));
    const { columns } = await survey([headers, ...rows]);
    const told = columns.map(({ words }) => words.length);
    expect(told.slice(0, 44)).toEqual(Array.from({ length: 44 }, () => 90));
    expect(told.slice(44)).toEqual(Array.from({ length: 16 }, () => 0));
  });

  test('reads a .csv file as well', async () => {
    const path = temporaryPath('.csv');
    await writeFile(
      path,
      ['Loan,Status', ...many(300, (at) => [`L${at},${at === 250 ? 'Late' : 'Current'}`])].join('\n'),
    );
    const { columns } = await surveySheet(path, await inspectSheetFile(path), ENDLESS_MS);
    expect(columns[1]?.words).toEqual([
      { value: 'Current', count: 299 },
      { value: 'Late', count: 1 },
    ]);
  });

  test('counts the different values of all rows, whether they are texts or numbers', async () => {
    const rows = many(10_000, (at) => [`L${at}`, at % 3_674, at < 5 ? null : at, `note ${at}`]);
    const { columns } = await survey([['Loan', 'Deal', 'Number', 'Note'], ...rows]);
    expect(columns.map(({ counted }) => counted)).toEqual([
      { filled: 10_000, different: 10_000 },
      { filled: 10_000, different: 3_674 },
      { filled: 9_995, different: 9_995 },
      { filled: 10_000, different: 10_000 },
    ]);
  });

  test('goes on counting over later batches while values hardly repeat', async () => {
    const rows = many(45_000, (at) => [`L${at % 44_900}`, at % 100]);
    const { columns } = await survey([['Loan', 'Group'], ...rows]);
    expect(columns.map(({ counted }) => counted)).toEqual([
      { filled: 45_000, different: 44_900 },
      { filled: 20_000, different: 100 },
    ]);
  });

  test('counts no column of long texts, and none for which there is no room', async () => {
    const headers = many(70, (at) => [`Column ${at}`]).flat() as string[];
    const rows = many(20_000, (row) => headers.map((_, column) => (column === 0 ? `${row}`.padEnd(200) : row)));
    const { columns } = await survey([headers, ...rows]);
    expect(columns[0]?.counted).toBeUndefined();
    expect(columns[1]?.counted).toEqual({ filled: 20_000, different: 20_000 });
    expect(columns.filter(({ counted }) => counted)).toHaveLength(50);
  });

  test('takes rows from all over the sheet, none of those that a preview shows, and cuts long texts', async () => {
    const rows = many(30_000, (at) => [at, at === 20_100 ? 'x'.repeat(500) : 'x'.repeat(90)]);
    const { sample } = await survey([['Loan', 'Text'], ...rows]);
    const numbers = sample.map(([cell]) => Number(cell?.text));
    expect(sample.length).toBeGreaterThan(150);
    expect(sample.length).toBeLessThanOrEqual(300);
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(100);
    expect(Math.max(...numbers)).toBeGreaterThan(20_000);
    expect(Math.max(...sample.map(([, cell]) => cell?.text.length ?? 0))).toBe(80);
  });

  test('keeps the sample of a wide sheet to what a message takes', async () => {
    const headers = many(500, (at) => [`Column ${at}`]).flat() as string[];
    const { sample, columns } = await survey([headers, ...many(400, (row) => headers.map(() => row))]);
    expect(sample.length * headers.length).toBeLessThanOrEqual(20_000);
    expect(sample.length).toBeGreaterThan(0);
    expect(columns.filter(({ counted }) => counted)).toHaveLength(150);
  });
});
