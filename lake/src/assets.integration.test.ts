import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ASSET_RESULT_FIELDS } from '@tapeline/domain/borrowing-base/result.ts';
import { parseFilter } from '@tapeline/domain/filters/parse.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findPlaces, sortPlaces } from './asset-order.ts';
import { assetListCatalog, type TapeSource } from './asset-relation.ts';
import { type AssetPage, listAssets } from './assets.ts';
import { type Lake, openLake, quoteText, readParquet } from './lake.ts';

let folder: string;
let lake: Lake;
let sources: TapeSource[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lake-'));
  lake = await openLake({ threads: 2 });
  sources = [await tape('first', 3000), await tape('second', 2500)];
});
afterAll(async () => {
  lake.close();
  await rm(folder, { recursive: true, force: true });
});

/** A published tape in two parts with row groups of 1,000; every third asset has a borrowing-base result. */
async function tape(name: string, assets: number): Promise<TapeSource> {
  const file = (part: string): string => join(folder, `${name}-${part}.parquet`);
  const half = assets / 2;
  const results = ASSET_RESULT_FIELDS.map(({ path, type }) =>
    type === 'decimal' ? `CAST(i AS DECIMAL(38,12)) AS "${path}"` : `'eligible' AS "${path}"`,
  );
  await lake.connected(async (connection) => {
    for (const [part, from] of [
      ['a', 0],
      ['b', half],
    ] as const) {
      await connection.run(
        `COPY (SELECT CAST(i * 2 + 2 AS INTEGER) AS "row", CAST(i AS INTEGER) AS "sequenceIndex",
           '${name}-' || i AS "assetId", CASE WHEN i % 5 > 0 THEN CAST(i * 37 % 101 AS DECIMAL(18,4)) END AS "sums.sum",
           'USD' AS "sums.sum.currency", ['CA', 'NY', 'TX'][i % 3 + 1] AS "address.state"
         FROM range(${from}, ${from + half}) t(i)) TO ${quoteText(file(part))} (FORMAT parquet, ROW_GROUP_SIZE 1000)`,
      );
    }
    await connection.run(
      `COPY (SELECT CAST(i AS INTEGER) AS "sequenceIndex", ${results.join(', ')}
       FROM range(0, ${assets}, 3) t(i)) TO ${quoteText(file('results'))} (FORMAT parquet)`,
    );
  });
  return {
    tapeId: name,
    companyId: 'company',
    cutOffDate: '2026-10-31',
    managerId: 'b'.repeat(24),
    assetPrefix: name.padEnd(16, '0'),
    mappingVersion: 1,
    paths: [file('a'), file('b')],
    columns: ['assetId', 'sums.sum', 'sums.sum.currency', 'address.state'],
    customFields: [],
    borrowingBase: { id: 'base', currency: 'USD', paths: [file('results')] },
  };
}

async function list(filter: unknown, sort: Record<string, 1 | -1>, skip: number, limit: number): Promise<AssetPage> {
  const catalog = assetListCatalog(sources);
  const field = (path: string) => catalog.fields.find((each) => each.path === path)!;
  return listAssets(lake, sources, {
    filter: parseFilter(filter, catalog),
    sort: Object.entries(sort).map(([path, direction]) => ({ field: field(path), direction })),
    skip,
    limit,
  });
}

const rowsOf = ({ ids, columns }: AssetPage) =>
  ids.map((id, row) => ({ id, ...Object.fromEntries([...columns].map(([name, values]) => [name, values[row]])) }));

test.each([
  ['in row order', {}, {}],
  ['descending by a sum with ties and missing values', {}, { 'sums.sum': -1 as const }],
  ['of one state by sum', { 'address.state': 'NY' }, { 'sums.sum': 1 as const, assetId: -1 as const }],
  ['of those with a result', { 'borrowingBase.status': 'eligible' }, { 'borrowingBase.advanced': -1 as const }],
])('pages add up to the whole list, %s', async (_, filter, sort) => {
  const whole = await list(filter, sort, 0, 10_000);
  expect(whole.rows).toBe(whole.total);
  const pages: unknown[] = [];
  for (let skip = 0; skip < whole.total; skip += 700) {
    const page = await list(filter, sort, skip, 700);
    expect(page).toMatchObject({ total: whole.total, rows: Math.min(700, whole.total - skip) });
    pages.push(...rowsOf(page));
  }
  expect(pages).toEqual(rowsOf(whole));
});

test('each row of several tapes has its own cut-off date, and amounts are compared within one currency', async () => {
  const [first, second] = sources as [TapeSource, TapeSource];
  const dated = (source: TapeSource, cutOffDate: string): TapeSource => ({
    ...source,
    cutOffDate,
    paths: [join(folder, `dated-${source.tapeId}.parquet`)],
    columns: [...source.columns, 'dates.lastPaymentDate', 'sums.outstandingSum', 'sums.outstandingSum.currency'],
  });
  const both = [dated(first, '2026-10-31'), dated(second, '2026-11-30')];
  await lake.connected(async (connection) => {
    for (const { paths, tapeId } of both) {
      await connection.run(
        `COPY (SELECT CAST(i + 2 AS INTEGER) AS "row", CAST(i AS INTEGER) AS "sequenceIndex", '${tapeId}-' || i AS "assetId",
           CAST(i AS DECIMAL(18,4)) AS "sums.sum", 'USD' AS "sums.sum.currency", 'CA' AS "address.state",
           DATE '2026-08-01' + CAST(i AS INTEGER) AS "dates.lastPaymentDate", CAST(2 AS DECIMAL(18,4)) AS "sums.outstandingSum",
           ['USD', 'EUR'][i % 2 + 1] AS "sums.outstandingSum.currency"
         FROM range(40) t(i)) TO ${quoteText(paths[0]!)} (FORMAT parquet)`,
      );
    }
  });
  const catalog = assetListCatalog(both);
  const find = async (filter: unknown) => {
    const page = await listAssets(lake, both, { filter: parseFilter(filter, catalog), sort: [], skip: 0, limit: 100 });
    return page.columns.get('assetId');
  };
  const numbered = (tape: string, count: number) => Array.from({ length: count }, (_, index) => `${tape}-${index}`);
  expect(await find({ lastPaymentDate: { lt: { $cutOff: '-90d' } } })).toEqual([
    ...numbered('first', 1),
    ...numbered('second', 31),
  ]);
  expect(await find({ cutOffDate: { lte: { $cutOff: '-1d' } } })).toEqual([]);
  expect(await find({ outstandingSum: { gt: { $field: 'sums.sum' } } })).toEqual(['first-0', 'second-0']);
});

test('a page beyond the end is empty and still has the total', async () => {
  const page = await list({}, {}, 6000, 100);
  expect(page).toMatchObject({ ids: [], rows: 0, total: 5500 });
  expect(page.columns.get('assetId')).toEqual([]);
});

test('a list too long to rank has the same pages when DuckDB sorts it', async () => {
  const catalog = assetListCatalog(sources);
  const field = (path: string) => catalog.fields.find((each) => each.path === path)!;
  const relation = `(SELECT *, "sequenceIndex" AS "index" FROM ${readParquet(sources[0]!.paths)})`;
  const placed = { key: 'the first', rows: 3000, relation };
  for (const where of [null, { sql: `"address.state" = $1`, values: ['TX'] }]) {
    const query = {
      where,
      sort: [
        { field: field('sums.sum'), direction: -1 as const },
        { field: field('address.state'), direction: 1 as const },
      ],
      skip: 300,
      limit: 250,
    };
    const ranked = await findPlaces(lake, placed, query);
    expect(ranked).toEqual(await sortPlaces(lake, placed, query));
    expect(ranked.total).toBe(where ? 1000 : 3000);
  }
});

test('the cache stays within its limit, and another generation of parts is another list', async () => {
  const small = await openLake({ threads: 1, cacheBytes: 30_000 });
  const catalog = assetListCatalog(sources);
  const query = (path: string) => ({
    filter: parseFilter({}, catalog),
    sort: [{ field: catalog.fields.find((each) => each.path === path)!, direction: 1 as const }],
    skip: 0,
    limit: 5,
  });
  for (const path of ['assetId', 'sums.sum', 'address.state', 'assetId']) {
    expect(await listAssets(small, sources, query(path))).toEqual(await listAssets(lake, sources, query(path)));
    expect(small.cache.bytes).toBeLessThanOrEqual(30_000);
  }
  const other = { ...sources[0]!, paths: [sources[0]!.paths[0]!] };
  expect((await listAssets(small, [other], query('assetId'))).total).toBe(1500);
  small.close();
});

test('conditions that are true of a whole tape need no scan of its rows, and the others still apply', async () => {
  const fresh = await openLake({ threads: 1 });
  const count = async (filter: unknown) => {
    const catalog = assetListCatalog(sources);
    const page = await listAssets(fresh, sources, {
      filter: parseFilter(filter, catalog),
      sort: [],
      skip: 0,
      limit: 1,
    });
    return page.total;
  };
  expect(await count({ loanTape: { in: ['first', 'second'] }, company: 'company', cutOffDate: '2026-10-31' })).toBe(
    5500,
  );
  const held = fresh.cache.bytes;
  expect(await count({ company: 'company' })).toBe(5500);
  // The very same page: the cache did not grow.
  expect(fresh.cache.bytes).toBe(held);
  expect(await count({ loanTape: 'second' })).toBe(2500);
  expect(await count({ loanTape: 'second', 'address.state': 'TX', cutOffDate: { lte: '2026-10-31' } })).toBe(833);
  expect(await count({ $or: [{ loanTape: 'first' }, { 'address.state': 'TX' }] })).toBe(3833);
  expect(await count({ cutOffDate: { lt: '2026-10-31' } })).toBe(0);
  expect(await count({ company: { exists: false } })).toBe(0);
  fresh.close();
});
