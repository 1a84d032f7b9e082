import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ASSET_RESULT_FIELDS } from '@tapeline/domain/borrowing-base/result.ts';
import { EVERYTHING } from '@tapeline/domain/filters/filter.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assetListCatalog, type TapeSource } from './asset-relation.ts';
import { listAssets } from './assets.ts';
import { type Lake, openLake, quoteText } from './lake.ts';
import { writeRowFile } from './row-file.ts';

const ASSETS = 130_000;
let folder: string;
let spillFolder: string;
let lake: Lake;
let source: TapeSource;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rows-'));
  spillFolder = join(folder, 'spill');
  lake = await openLake({ threads: 2, spillFolder });
  const [path, results] = [join(folder, 'assets.parquet'), join(folder, 'results.parquet')];
  await lake.connected(async (connection) => {
    await connection.run(
      `COPY (SELECT CAST(i + 2 AS INTEGER) AS "row", CAST(i AS INTEGER) AS "sequenceIndex", 'asset ' || i AS "assetId",
         CASE i % 4 WHEN 0 THEN '' WHEN 1 THEN NULL WHEN 2 THEN '=x' ELSE 'two' || chr(10) || 'lines' END AS "sector",
         CASE WHEN i % 7 > 0 THEN CAST((i * 7919 % 1000003) * 12.3456 AS DECIMAL(18,4)) END AS "sums.sum",
         'USD' AS "sums.sum.currency", CASE WHEN i % 9 > 0 THEN DATE '2020-01-01' + CAST(i % 3000 AS INTEGER) END AS "dateFinanced",
         CAST(i % 3000 * 0.0125 AS DECIMAL(18,8)) AS "interestRate", 'fix' AS "interestRate.kind",
         CASE WHEN i % 5 > 0 THEN i / 7.0::DOUBLE END AS "monthsOnBook", CASE WHEN i % 3 > 0 THEN i % 2 = 0 END AS "isDelinquent"
       FROM range(${ASSETS}) t(i)) TO ${quoteText(path)} (FORMAT parquet)`,
    );
    const columns = ASSET_RESULT_FIELDS.map(({ path: result, type }) =>
      type === 'decimal' ? `CAST(i / 8 AS DECIMAL(38,12)) AS "${result}"` : `'eligible' AS "${result}"`,
    );
    await connection.run(
      `COPY (SELECT CAST(i AS INTEGER) AS "sequenceIndex", ${columns.join(', ')} FROM range(0, ${ASSETS}, 2) t(i)) TO ${quoteText(results)} (FORMAT parquet)`,
    );
  });
  source = {
    tapeId: 'tape',
    companyId: 'company',
    cutOffDate: '2026-10-31',
    managerId: 'b'.repeat(24),
    assetPrefix: 'a'.repeat(16),
    mappingVersion: 1,
    paths: [path],
    columns: [
      ...['assetId', 'sector', 'sums.sum', 'sums.sum.currency', 'dateFinanced', 'interestRate', 'interestRate.kind'],
      ...['monthsOnBook', 'isDelinquent'],
    ],
    customFields: [],
    borrowingBase: { id: 'base', currency: 'USD', paths: [results] },
  };
});
afterAll(async () => {
  lake.close();
  await rm(folder, { recursive: true, force: true });
});

const byRate = (direction: 1 | -1, skip: number) => {
  const field = assetListCatalog([source]).fields.find(({ path }) => path === 'interestRate')!;
  return { filter: EVERYTHING, sort: [{ field, direction }], skip, limit: 500 };
};

test('a row file has the same rows as Parquet, in every value', async () => {
  // Nothing is cached here, and no row file is written: each page comes from Parquet.
  const plain = await openLake({ threads: 2, cacheBytes: 0, rowFileBytes: 0, spillFolder });
  const first = await listAssets(lake, [source], byRate(1, 0));
  expect(first).toEqual(await listAssets(plain, [source], byRate(1, 0)));
  await expect.poll(() => lake.rowFiles.bytes, { timeout: 60_000 }).toBeGreaterThan(ASSETS * 50);
  for (const query of [byRate(-1, 0), byRate(1, 4000), byRate(-1, 70_300)]) {
    expect(await listAssets(lake, [source], query)).toEqual(await listAssets(plain, [source], query));
  }
  expect(plain.rowFiles.bytes).toBe(0);
  expect(await readdir(spillFolder)).toEqual([]);
  plain.close();
});

test('a text that contains the separator is not written, and a disposed file is not read any more', async () => {
  const rows = (text: string) => ({
    rows: 3,
    columns: [{ name: 't', type: 'VARCHAR', isMoney: false }],
    slice: () => `(SELECT i, CASE i WHEN 1 THEN ${quoteText(text)} ELSE 'x' END AS t FROM range(3) r(i))`,
    order: 'i',
  });
  expect(await writeRowFile(lake, rows('a\u001fb'))).toBeNull();
  const file = await writeRowFile(lake, rows('a\u001eb'));
  expect(await file?.read(Int32Array.of(2, 1, 1))).toEqual([['x', 'a\u001eb', 'a\u001eb']]);
  const reading = file?.read(Int32Array.of(0));
  file?.dispose();
  expect(await reading).toEqual([['x']]);
  expect(await file?.read(Int32Array.of(0))).toBeNull();
  await expect(writeRowFile(lake, { ...rows('y'), rows: 4 })).rejects.toThrow('3 of 4 rows were written');
});
