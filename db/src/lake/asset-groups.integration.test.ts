import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseListQuery } from '@tapeline/domain/filters/list-query.schema.ts';
import type { CustomField } from '@tapeline/domain/tapes/target-schema.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AssetGrouping, groupAssets } from './asset-groups.ts';
import { assetListCatalog, listAssets, type TapeSource } from './assets.ts';
import { type Lake, openLake, quoteText } from './lake.ts';

let folder: string;
let lake: Lake;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lake-'));
  lake = await openLake({ threads: 1 });
});
afterAll(async () => {
  lake.close();
  await rm(folder, { recursive: true, force: true });
});

/** A published tape of the rows that the SELECT gives. */
async function tape(name: string, columns: string[], select: string, customFields: CustomField[]): Promise<TapeSource> {
  const path = join(folder, `${name}.parquet`);
  await lake.connected((connection) => connection.run(`COPY (${select}) TO ${quoteText(path)} (FORMAT parquet)`));
  return {
    tapeId: name,
    companyId: 'company',
    cutOffDate: '2026-10-31',
    assetPrefix: name.padEnd(16, '0'),
    mappingVersion: 1,
    paths: [path],
    columns,
    customFields,
    borrowingBase: null,
  };
}

const AMOUNTS = ['row', 'sequenceIndex', 'assetId', 'sums.sum', 'interestRate', 'creditScores.current'];
const rows = (extra: string, values: string) =>
  `SELECT column0::INTEGER AS "row", column0::INTEGER - 2 AS "sequenceIndex", column1 AS "assetId",
     column2::DECIMAL(18,4) AS "sums.sum", column3::DECIMAL(18,8) AS "interestRate",
     column4::DOUBLE AS "creditScores.current", ${extra} FROM (VALUES ${values}) AS given (column0, column1, column2, column3, column4)`;

function group(sources: TapeSource[], query: object) {
  const { filter, groupBy } = parseListQuery(query, assetListCatalog(sources));
  const { by, accumulator, field, weightedField: weight } = groupBy!;
  const grouping: AssetGrouping = { filter, by, accumulator, field, weight, keepIds: false };
  return groupAssets(lake, sources, grouping);
}

test('Sums have every digit, averages those of a division by hand, and what is missing counts for nothing', async () => {
  const source = await tape(
    'aa',
    AMOUNTS,
    rows(
      `'x' AS "customFields.note"`,
      `(2, 'a', '99999999999999.9999', '1.00000001', 0.1), (3, 'a', '0.0001', '2', 0.2), (4, 'b', '3', NULL, NULL), (5, 'b', NULL, '9', 0.3)`,
    ),
    [],
  );
  const by = 'assetId';
  expect(await group([source], { groupBy: { accumulator: '$sum', field: 'sums.sum', by } })).toEqual({
    total: 2,
    groups: [
      { key: 'a', value: '100000000000000', count: 2 },
      { key: 'b', value: '3', count: 2 },
    ],
  });
  const one = async (groupBy: object) => (await group([source], { groupBy })).groups[0]?.value;
  expect(await one({ accumulator: '$sum', field: 'creditScores.current' })).toBe('0.6');
  expect(await one({ accumulator: '$avg', field: 'sums.sum' })).toBe('33333333333334.333333333333');
  // (99999999999999.9999 x 1.00000001 + 0.0001 x 2) / 100000000000000: rows that lack either side take no part.
  expect(await one({ accumulator: '$wAvg', field: 'interestRate', weightedField: 'sums.sum' })).toBe('1.00000001');
  expect(await one({ accumulator: '$sum' })).toBe('4');
  expect((await group([source], { filter: { row: 99 }, groupBy: { accumulator: '$sum', by } })).groups).toEqual([]);
});

test('Amounts of several currencies are not added together, nor weighed by', async () => {
  const source = await tape(
    'cc',
    [...AMOUNTS, 'sums.sum.currency'],
    rows(
      `column5 AS "sums.sum.currency"`,
      `(2, 'a', '10.5', '4', 1, 'USD'), (3, 'a', '20', '8', 2, 'EUR'), (4, 'b', '3', '6', 4, 'EUR'), (5, 'b', NULL, '6', 8, 'USD')`,
    ).replace('column4)', 'column4, column5)'),
    [],
  );
  const refused = /sums\.sum are in EUR and USD.*group by sums\.sum\.currency, or filter for one currency/;
  const sum = { accumulator: '$sum', field: 'sums.sum' };
  await expect(group([source], { groupBy: sum })).rejects.toThrow(refused);
  await expect(group([source], { groupBy: { ...sum, by: 'assetId' } })).rejects.toThrow(refused);
  const weighed = { accumulator: '$wAvg', field: 'interestRate', weightedField: 'sums.sum' };
  await expect(group([source], { groupBy: weighed })).rejects.toThrow(refused);
  expect((await group([source], { groupBy: { ...sum, by: 'sums.sum.currency' } })).groups).toEqual([
    { key: 'EUR', value: '23', count: 2 },
    { key: 'USD', value: '10.5', count: 2 },
  ]);
  const euros = { filter: { 'sums.sum.currency': 'EUR' } };
  expect((await group([source], { ...euros, groupBy: weighed })).groups[0]?.value).toBe('7.739130434783');
  // An amount that is missing is of no currency.
  expect((await group([source], { filter: { assetId: 'b' }, groupBy: sum })).groups[0]?.value).toBe('3');
});

test('A custom field of two kinds is text over both tapes, and can be filtered and grouped as such', async () => {
  const score = (kind: CustomField['kind']): CustomField[] => [{ path: 'customFields.score', kind }];
  const columns = [...AMOUNTS, 'customFields.score'];
  const numbers = await tape(
    'bb',
    columns,
    rows(`7.5::DOUBLE AS "customFields.score"`, `(2, 'n', 1, 1, 1)`),
    score('number'),
  );
  const texts = await tape('cc', columns, rows(`'low' AS "customFields.score"`, `(2, 't', 1, 1, 1)`), score('text'));
  const sources = [numbers, texts];
  const groups = await group(sources, { groupBy: { accumulator: '$sum', by: 'score' } });
  expect(groups.groups.map(({ key }) => key).sort()).toEqual(['7.5', 'low']);
  const { filter, sort, skip, limit } = parseListQuery({ filter: { score: 'low' } }, assetListCatalog(sources));
  const page = await listAssets(lake, sources, { filter, sort, skip, limit });
  expect([page.total, page.columns.get('assetId')]).toEqual([1, ['t']]);
  expect(() => parseListQuery({ filter: { score: { gt: 5 } } }, assetListCatalog([numbers]))).not.toThrow();
});
