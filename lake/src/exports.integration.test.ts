import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ASSET_RESULT_FIELDS } from '@tapeline/domain/borrowing-base/result.ts';
import { EVERYTHING } from '@tapeline/domain/filters/filter.ts';
import { parseListQuery } from '@tapeline/domain/filters/list-query.schema.ts';
import { tableFromIPC } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assetExport } from './asset-export.ts';
import { assetListCatalog, type TapeSource } from './asset-relation.ts';
import { listAssets } from './assets.ts';
import { erroredExport } from './errored-export.ts';
import { exportList } from './exports/export-list.ts';
import type { ExportFormat, ExportTable } from './exports/export-table.ts';
import { type Lake, openLake, quoteText } from './lake.ts';

let folder: string;
let spillFolder: string;
let lake: Lake;
let tapes: TapeSource[];

const ASSETS = 5000;

/** Texts that are difficult in files, spreadsheets and XML. */
const TEXTS = [
  '=1+1',
  '-2',
  '+3',
  '@SUM(A1)',
  'a "quoted", text',
  'two\nlines',
  'two\r\nlines',
  ' spaces ',
  '',
  '<b>&amp;</b>',
  '_x000D_',
  'bell\u0007',
  'Ünï 🏦',
  'plain',
];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'exports-'));
  spillFolder = await mkdtemp(join(tmpdir(), 'spill-'));
  lake = await openLake({ threads: 2, spillFolder });
  tapes = [await tape('first', 1), await tape('second', 2)];
});
afterAll(async () => {
  lake.close();
  await rm(folder, { recursive: true, force: true });
  await rm(spillFolder, { recursive: true, force: true });
});

async function tape(name: string, seed: number): Promise<TapeSource> {
  const [path, results] = [join(folder, `${name}.parquet`), join(folder, `${name}-results.parquet`)];
  const texts = TEXTS.map(quoteText).join(', ');
  await lake.connected(async (connection) => {
    await connection.run(
      `COPY (SELECT CAST(i + 2 AS INTEGER) AS "row", CAST(i AS INTEGER) AS "sequenceIndex", '${name}-' || i AS "assetId",
         CASE WHEN i % 17 > 0 THEN ([${texts}])[i % ${TEXTS.length} + 1] END AS "sector",
         CASE WHEN i % 7 > 0 THEN CAST((i * 7919 * ${seed} % 1000003) * 12345.6789 AS DECIMAL(18,4)) END AS "sums.sum",
         'USD' AS "sums.sum.currency",
         CASE i WHEN 0 THEN DATE '1899-05-06' WHEN 1 THEN NULL ELSE DATE '2020-01-01' + CAST(i AS INTEGER) END AS "dateFinanced",
         CAST(i % 3000 * 0.01125 AS DECIMAL(18,8)) AS "interestRate", 'fix' AS "interestRate.kind",
         CASE WHEN i % 5 > 0 THEN i / 7.0::DOUBLE END AS "monthsOnBook", CASE WHEN i % 3 > 0 THEN i % 2 = 0 END AS "isDelinquent"
       FROM range(${ASSETS}) t(i)) TO ${quoteText(path)} (FORMAT parquet, ROW_GROUP_SIZE 2048)`,
    );
    const columns = ASSET_RESULT_FIELDS.map(({ path: result, type }) =>
      type === 'decimal' ? `CAST(i / 3 AS DECIMAL(38,12)) AS "${result}"` : `'eligible' AS "${result}"`,
    );
    await connection.run(
      `COPY (SELECT CAST(i AS INTEGER) AS "sequenceIndex", ${columns.join(', ')} FROM range(0, ${ASSETS}, 2) t(i)) TO ${quoteText(results)} (FORMAT parquet)`,
    );
  });
  return {
    tapeId: name.padEnd(24, '0'),
    companyId: 'company',
    cutOffDate: '2026-10-31',
    managerId: 'b'.repeat(24),
    assetPrefix: String(seed).padEnd(16, '0'),
    mappingVersion: 1,
    paths: [path],
    columns: [
      ...['assetId', 'sector', 'sums.sum', 'sums.sum.currency', 'dateFinanced', 'interestRate', 'interestRate.kind'],
      ...['monthsOnBook', 'isDelinquent'],
    ],
    customFields: [],
    borrowingBase: { id: 'base', currency: 'USD', paths: [results] },
  };
}

async function bytesOf(table: ExportTable, format: ExportFormat): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of exportList(lake, table, format, { sheetName: 'Assets' })) pieces.push(piece);
  return Buffer.concat(pieces);
}

type Row = Record<string, string | number | boolean | null>;

/** The whole list, from the pages of the REST list. */
async function listed(query: object): Promise<Row[]> {
  const parsed = parseListQuery(query, assetListCatalog(tapes));
  const page = await listAssets(lake, tapes, { ...parsed, skip: 0, limit: 2 * ASSETS });
  return page.ids.map((id, row) => ({
    id,
    ...Object.fromEntries([...page.columns].map(([name, values]) => [name, values[row] ?? null])),
  }));
}

const exported = (query: object) => {
  const { filter, sort } = parseListQuery(query, assetListCatalog(tapes));
  return assetExport(lake, tapes, { filter, sort });
};

const NUMBERS = ['sums.sum', 'interestRate', 'monthsOnBook', 'borrowingBase.remaining', 'borrowingBase.rate'];
const REST = [
  'id',
  'row',
  'assetId',
  'sector',
  'sums.sum.currency',
  'dateFinanced',
  'isDelinquent',
  'borrowingBase.status',
];

/** A decimal's text without padding, whichever writer it comes from. */
const trimmed = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);
const comparable = (rows: readonly Row[]) =>
  rows.map((row) => [
    ...REST.map((name) => row[name] ?? null),
    ...NUMBERS.map((name) => (row[name] === null || row[name] === undefined ? null : trimmed(String(row[name])))),
  ]);

/** Rows of a file as DuckDB reads it, decimals as text. */
async function readBack(bytes: Buffer, reader: (path: string) => string): Promise<Row[]> {
  const path = join(folder, 'read-back');
  await writeFile(path, bytes);
  return lake.connected(async (connection) => {
    const read = await connection.runAndReadAll(
      `SELECT * REPLACE (${[...NUMBERS, 'dateFinanced'].map((name) => `CAST("${name}" AS VARCHAR) AS "${name}"`).join(', ')}) FROM ${reader(quoteText(path))}`,
    );
    return read.getRowObjectsJS() as Row[];
  });
}

describe.each([
  ['in tape order', {}],
  ['filtered and sorted', { filter: { 'sums.sum': { gt: 1_000_000 } }, sort: { sector: -1, 'sums.sum': 1 } }],
  ['of assets with results', { filter: { 'borrowingBase.status': 'eligible' } }],
  ['of no assets', { filter: { assetId: 'nobody' } }],
])('the whole list %s', (_, query) => {
  it('matches the pages in Parquet, with exact types', async () => {
    const table = await exported(query);
    const rows = await readBack(await bytesOf(table, 'parquet'), (path) => `read_parquet(${path})`);
    expect(comparable(rows)).toEqual(comparable(await listed(query)));
    expect(await readdir(spillFolder)).toEqual([]);
  });

  it('matches the pages in CSV, with formulas made harmless', async () => {
    const bytes = await bytesOf(await exported(query), 'csv');
    const rows = await readBack(
      bytes,
      (path) =>
        `read_csv(${path}, header = true, quote = '"', escape = '"', new_line = '\\n', delim = ',', all_varchar = true, null_padding = false, allow_quoted_nulls = false)`,
    );
    const harmless = (value: Row[string]) =>
      typeof value === 'string' && /^[=+@\t\r-]/.test(value) ? `'${value}` : value;
    const list = (await listed(query)).map((row) => ({
      ...row,
      sector: harmless(row.sector ?? null),
      row: String(row.row),
      isDelinquent: row.isDelinquent === null ? null : String(row.isDelinquent),
    }));
    expect(comparable(rows)).toEqual(comparable(list));
  });

  it('matches the pages in an Arrow stream, batch after batch', async () => {
    const table = tableFromIPC(await bytesOf(await exported(query), 'arrow'));
    const list = await listed(query);
    expect(table.numRows).toBe(list.length);
    const column = (name: string) => [...table.getChild(name)!];
    expect(column('id')).toEqual(list.map(({ id }) => id));
    expect(column('sector')).toEqual(list.map(({ sector }) => sector));
    expect(column('monthsOnBook')).toEqual(list.map(({ monthsOnBook }) => monthsOnBook));
    expect(column('isDelinquent')).toEqual(list.map(({ isDelinquent }) => isDelinquent));
    const dates = column('dateFinanced').map((at) =>
      at === null ? null : new Date(Number(at)).toISOString().slice(0, 10),
    );
    expect(dates).toEqual(list.map(({ dateFinanced }) => dateFinanced));
    const sums = column('sums.sum').map((words: Uint32Array | null) =>
      words === null ? null : (BigInt(words[1]!) << 32n) | BigInt(words[0]!),
    );
    expect(sums).toEqual(
      list.map(({ 'sums.sum': sum }) =>
        sum === null || sum === undefined ? null : BigInt(String(sum).replace('.', '')),
      ),
    );
  });
});

it('skip and limit export a part of the list, and the total still counts all', async () => {
  for (const query of [{}, { sort: { assetId: -1 } }]) {
    const parsed = parseListQuery(query, assetListCatalog(tapes));
    const table = await assetExport(lake, tapes, { ...parsed, skip: 4990, limit: 20 });
    expect(table).toMatchObject({ rows: 20, total: 2 * ASSETS });
    const rows = await readBack(await bytesOf(table, 'parquet'), (path) => `read_parquet(${path})`);
    expect(rows.map(({ id }) => id)).toEqual((await listed(query)).slice(4990, 5010).map(({ id }) => id));
  }
  const beyond = await assetExport(lake, tapes, { filter: EVERYTHING, sort: [], skip: 90_000 });
  expect((await bytesOf(beyond, 'csv')).toString().trim().split('\n')).toHaveLength(1);
});

it('an export that is aborted or abandoned ends its query, and one that lost rows fails', async () => {
  for (const format of ['csv', 'xlsx', 'arrow'] as const) {
    const stop = new AbortController();
    const pieces = exportList(lake, await exported({}), format, { sheetName: 'Assets', signal: stop.signal });
    await pieces.next();
    stop.abort();
    const rest = async (): Promise<void> => {
      for await (const piece of pieces) expect(piece.length).toBeGreaterThan(0);
    };
    await expect(rest()).rejects.toThrow(/abort/i);
    const left = exportList(lake, await exported({}), format, { sheetName: 'Assets' });
    await left.next();
    await left.return();
    expect((await left.next()).done).toBe(true);
  }
  const table = { ...(await exported({})), rows: 2 * ASSETS + 1 };
  await expect(bytesOf(table, 'csv')).rejects.toThrow(`an export returned ${2 * ASSETS} of ${2 * ASSETS + 1} rows`);
});

it('errored rows are exported with every reason and every cell as read, with any header', async () => {
  const path = join(folder, 'errored.parquet');
  const origin = (cell: string) => quoteText(JSON.stringify({ 'Loan "ID"/no': cell, 'a.b': 1.5, blank: null }));
  const error = (reason: string) =>
    `{'rule': 1, 'column': 'Loan "ID"/no', 'target': 'assetId', 'value': 'x', 'reason': ${quoteText(reason)}}`;
  await lake.connected((connection) =>
    connection.run(
      `COPY (SELECT * FROM (VALUES (2, ${origin('=x')}, [${error('is wrong')}, ${error('is late')}]), (5, ${origin('y')}, [${error('is wrong')}]),
         (9, ${origin('z')}, [${error('is wrong')}])) AS t("row", origin, errors)) TO ${quoteText(path)} (FORMAT parquet)`,
    ),
  );
  const source = { tapeId: 'tape', managerId: 'b'.repeat(24), assetPrefix: '0'.repeat(16), paths: [path] };
  const lines = async (discarded: number[] | 'all') =>
    (await bytesOf(await erroredExport(lake, [{ ...source, discarded }]), 'csv')).toString().trim().split('\n');
  expect(await lines([5])).toEqual([
    'loanTape,row,errors,"origin.Loan ""ID""/no",origin.a.b,origin.blank',
    `tape,2,"Loan ""ID""/no: is wrong; Loan ""ID""/no: is late",'=x,1.5,`,
    `tape,9,"Loan ""ID""/no: is wrong",z,1.5,`,
  ]);
  expect(await lines('all')).toEqual(['loanTape,row,errors']);
  expect((await bytesOf(await erroredExport(lake, [source]), 'xlsx')).length).toBeGreaterThan(1000);
});
