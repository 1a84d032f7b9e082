import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeWorkbook } from '@tapeline/sheets/workbook-writer.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inspectUploadedSheet, readSheetFile } from '../tape/read-sheet-file.ts';
import { writeLatest } from './write-latest.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latest-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function latestOf(
  path: string,
  {
    batchRows = 10_000,
    upTo = null,
    ...columns
  }: { batchRows?: number; upTo?: string | null; [name: string]: unknown } = {},
) {
  const sheet = await inspectUploadedSheet(path);
  const copy = join(folder, `copy.${sheet.kind}`);
  const asked = { idColumn: 'Loan', monthColumn: 'Month', upTo, ...columns };
  const signal = AbortSignal.timeout(60_000);
  const written = await writeLatest({ path, sheet, batchRows, signal }, asked, { path: copy });
  const rows: (string | number)[][] = [];
  for await (const { rowCount, columns: cells, texts } of readSheetFile(copy)) {
    for (let row = 0; row < rowCount; row += 1) {
      rows.push(cells.map(({ tags, values }) => (tags[row] === 2 ? texts.text(values[row]!) : values[row]!)));
    }
  }
  return { ...written, rows };
}
const csv = async (lines: readonly string[]) => {
  const path = join(folder, 'ledger.csv');
  await writeFile(path, lines.join('\n'));
  return path;
};

test('a workbook keeps its latest rows, with dates, numbers and texts', async () => {
  const path = join(folder, 'ledger.xlsx');
  const months = ['2026-01-31', '2026-02-28', '2026-03-31'];
  const rows = ['00123', '00124', '00125'].flatMap((loan, at) =>
    months.map((date, month) => [
      { text: loan },
      { date },
      { number: `${1000 * (at + 1) - month}.25`, format: { digits: 2 } },
    ]),
  );
  const header = ['Loan', 'Month', 'Balance'].map((text) => ({ text }));
  const created = '2026-04-01T00:00:00Z';
  const sheets = [{ name: 'Ledger 03', widths: [], rows: [[{ text: 'Alder' }], [], header, ...rows] }];
  await writeFile(path, await writeWorkbook({ title: 'Ledger', author: 'A', created, sheets }));
  const { counts, rows: kept, notices } = await latestOf(path, { batchRows: 2 });
  expect(kept).toEqual([
    ['00123', 46_112, 998.25],
    ['00124', 46_112, 1998.25],
    ['00125', 46_112, 2998.25],
  ]);
  expect(counts).toMatchObject({ rows: 9, loans: 3, behind: 0, latestMonth: { date: '2026-03-31' } });
  expect(notices).toEqual([]);
  const { rows: earlier } = await latestOf(path, { upTo: '2026-03-30' });
  expect(earlier.map(([, date]) => date)).toEqual([46_081, 46_081, 46_081]);
});

test('rows with more fields than the header are never chosen, and counted', async () => {
  const path = await csv([
    'Loan,Month,Balance',
    ...['L1', 'L2'].flatMap((loan) => ['2026-01', '2026-02'].map((month) => `${loan},${month},5`)),
    'L1,2026-03,1,234.00',
  ]);
  expect(await latestOf(path)).toMatchObject({
    counts: { rows: 5, loans: 2, misfits: 1, latestMonth: { text: '2026-02' } },
    rows: [
      ['L1', '2026-02', '5'],
      ['L2', '2026-02', '5'],
    ],
  });
});

test('columns that do not exist, or are the same, are refused at their field', async () => {
  const path = await csv(['Loan,Month', 'L1,2026-01', 'L1,2026-02']);
  const refusal = (columns: object) => latestOf(path, { ...columns }).catch((error) => error.flags);
  expect(await refusal({ idColumn: 'loan' })).toEqual({ idColumn: 'is not a column of the sheet' });
  expect(await refusal({ monthColumn: '__proto__' })).toEqual({ monthColumn: 'is not a column of the sheet' });
  expect(await refusal({ monthColumn: 'Loan' })).toEqual({ monthColumn: 'is the same column as idColumn' });
  await expect(latestOf(await csv(['Loan,Month', 'L1,2026-01', 'L2,2026-02']))).rejects.toThrow('one row only');
});

test('100,000 rows of 5,000 loans take little memory beside a batch', async () => {
  const loans = 5000;
  const lines = Array.from({ length: 20 }, (_, month) => {
    const date = `${2025 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`;
    // Each tenth loan ends a month earlier.
    return Array.from({ length: loans }, (_, loan) =>
      month === 19 && loan % 10 === 0 ? `L${loan},,0` : `L${loan},${date},${month * 10 + (loan % 10)}`,
    );
  }).flat();
  const path = await csv(['Loan,Month,Balance', ...lines]);
  lines.length = 0;
  const before = process.memoryUsage();
  const { counts, rows } = await latestOf(path);
  const after = process.memoryUsage();
  expect(counts).toMatchObject({ rows: 100_000, loans, withoutMonth: 500, lostLoans: 0, behind: 500 });
  expect(rows).toHaveLength(loans);
  const wrong = rows.filter(([loan, month]) => (month === '2026-08') === (Number(String(loan).slice(1)) % 10 === 0));
  expect(wrong).toEqual([]);
  const held = (use: NodeJS.MemoryUsage) => use.heapUsed + use.external;
  expect(held(after) - held(before)).toBeLessThan(150 * 2 ** 20);
});
