import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  countReasons,
  type ErroredSource,
  groupErroredAssets,
  listErroredAssets,
  sumAsWritten,
  unknownStatuses,
} from './errored-assets.ts';
import { type Lake, openLake, quoteText } from './lake.ts';

let folder: string;
let lake: Lake;
let first: ErroredSource;
let second: ErroredSource;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'errored-'));
  lake = await openLake({ threads: 1 });
  first = await source('a', { 2: ['Balance'], 5: ['Rate', 'Balance'], 9: ['Rate'], 12: [null] });
  second = await source('b', { 3: ["Borrower's name"] });
});
afterAll(async () => {
  lake.close();
  await rm(folder, { recursive: true, force: true });
});

/** Errored rows by sheet row, each with a reason at these columns; null is a computed target. */
async function source(name: string, rows: Record<number, (string | null)[]>): Promise<ErroredSource> {
  const path = join(folder, `${name}.parquet`);
  const values = Object.entries(rows).map(([row, columns]) => {
    const errors = columns.map(
      (column) =>
        `{'rule': 1, 'column': ${column === null ? 'NULL::VARCHAR' : quoteText(column)}, 'target': 'term', 'value': NULL::VARCHAR, 'reason': 'is wrong'}`,
    );
    return `(${row}, ${quoteText(JSON.stringify({ Balance: Number(row) }))}, [${errors.join(', ')}])`;
  });
  await lake.connected((connection) =>
    connection.run(
      `COPY (SELECT * FROM (VALUES ${values.join(', ')}) AS t("row", origin, errors)) TO ${quoteText(path)} (FORMAT parquet)`,
    ),
  );
  return { tapeId: name.repeat(24), managerId: 'b'.repeat(24), assetPrefix: name.repeat(16), paths: [path] };
}

const rowsOf = async (sources: ErroredSource[], column: string | null = null) => {
  const { rows, total } = await listErroredAssets(lake, sources, { skip: 0, limit: 50, column });
  expect(total).toBe(rows.length);
  return rows.map(({ loanTapeId, rowNumber }) => `${loanTapeId[0]}${rowNumber}`);
};

test('rows are listed in tape and row order, without the discarded ones', async () => {
  expect(await rowsOf([first, second])).toEqual(['a2', 'a5', 'a9', 'a12', 'b3']);
  expect(await rowsOf([{ ...first, discarded: [5, 12] }, second])).toEqual(['a2', 'a9', 'b3']);
  expect(await rowsOf([{ ...first, discarded: 'all' }, second])).toEqual(['b3']);
  expect(await rowsOf([])).toEqual([]);
});

test('rows are filtered by the column that has a reason, and match its count', async () => {
  expect(await rowsOf([first], 'Balance')).toEqual(['a2', 'a5']);
  expect(await rowsOf([first], 'term')).toEqual(['a12']);
  expect(await rowsOf([second], "Borrower's name")).toEqual(['b3']);
  expect(await rowsOf([first], 'Nothing')).toEqual([]);
  expect(await countReasons(lake, { ...first, discarded: [2] })).toEqual([
    { column: 'Rate', rows: 2 },
    { column: 'Balance', rows: 1 },
    { column: 'term', rows: 1 },
  ]);
});

test('groups of tapes count their rows, and include their ids on request', async () => {
  expect(await groupErroredAssets(lake, [second, { ...first, discarded: [2] }], false)).toEqual([
    { tapeId: first.tapeId, count: 3 },
    { tapeId: second.tapeId, count: 1 },
  ]);
  expect(await groupErroredAssets(lake, [second], true)).toEqual([
    { tapeId: second.tapeId, count: 1, ids: [`${'b'.repeat(16)}00000003`] },
  ]);
  expect(await groupErroredAssets(lake, [{ ...first, discarded: 'all' }], true)).toEqual([]);
});

test('texts that are not a status are counted, the most frequent first, and no other reasons of the status column are', async () => {
  const path = join(folder, 'statuses.parquet');
  const problem = (value: string | null, reason: string, target = 'assetStatus') =>
    `{'rule': 3, 'column': 'Status', 'target': ${quoteText(target)}, 'value': ${value === null ? 'NULL::VARCHAR' : quoteText(value)}, 'reason': ${quoteText(reason)}}`;
  const rows = [
    problem('Hardship', '"Hardship" is not an asset status'),
    problem('Sold ', '"Sold " is not an asset status'),
    problem('Sold', '"Sold" matches none of the cases'),
    problem('SOLD', '"SOLD" matches none of the cases'),
    problem('#N/A', '"#N/A" is a spreadsheet error'),
    problem(null, 'Status is missing'),
    problem('current', '"current" contains "cur"'),
    problem('Blue', '"Blue" matches none of the cases', 'product'),
  ].map((error, at) => `(${at + 2}, '{}', [${error}])`);
  await lake.connected((connection) =>
    connection.run(
      `COPY (SELECT * FROM (VALUES ${rows.join(', ')}) AS t("row", origin, errors)) TO ${quoteText(path)} (FORMAT parquet)`,
    ),
  );
  const held: ErroredSource = { ...first, paths: [path] };
  const found = [
    { word: 'Sold', column: 'Status', rows: 3 },
    { word: 'Hardship', column: 'Status', rows: 1 },
  ];
  expect(await unknownStatuses(lake, held, 10)).toEqual(found);
  expect(await unknownStatuses(lake, held, 1)).toEqual(found.slice(0, 1));
  expect(await unknownStatuses(lake, { ...held, discarded: [3, 4, 5] }, 10)).toEqual(found.slice(1));
  expect(await unknownStatuses(lake, { ...held, discarded: 'all' }, 10)).toEqual([]);
});

test('the numbers of a column are added up as they are written, without discarded rows', async () => {
  expect(await sumAsWritten(lake, [first], 'Balance')).toEqual({ sum: '28.0000', rows: 4 });
  expect(await sumAsWritten(lake, [{ ...first, discarded: [5, 12] }], 'Balance')).toEqual({ sum: '11.0000', rows: 2 });
  expect(await sumAsWritten(lake, [first], 'Rate')).toBeNull();
  expect(await sumAsWritten(lake, [first], `a/b~"c'`)).toBeNull();
  expect(await sumAsWritten(lake, [], 'Balance')).toBeNull();
});

test('numbers whose sum no database could hold are not added up', async () => {
  const path = join(folder, 'huge.parquet');
  const largest = '9'.repeat(24);
  const rows = ['9'.repeat(34), '9'.repeat(34), `1${largest}`, largest, '5.5'].map(
    (balance, at) => `(${at + 2}, ${quoteText(JSON.stringify({ Balance: balance }))}, [])`,
  );
  await lake.connected((connection) =>
    connection.run(
      `COPY (SELECT * FROM (VALUES ${rows.join(', ')}) AS t("row", origin, errors)) TO ${quoteText(path)} (FORMAT parquet)`,
    ),
  );
  expect(await sumAsWritten(lake, [{ ...first, paths: [path] }], 'Balance')).toEqual({
    sum: '1000000000000000000000004.5000',
    rows: 2,
  });
});
