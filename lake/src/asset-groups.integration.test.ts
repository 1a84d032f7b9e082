import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ASSET_RESULT_FIELDS } from '@tapeline/domain/borrowing-base/result.ts';
import { parseListQuery } from '@tapeline/domain/filters/list-query.schema.ts';
import type { CustomField } from '@tapeline/domain/tapes/target-schema.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AssetGrouping, groupAssets } from './asset-groups.ts';
import { assetListCatalog, type TapeSource } from './asset-relation.ts';
import { listAssets } from './assets.ts';
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

/** A published tape with the rows of the SELECT. */
async function tape(
  name: string,
  columns: string[],
  select: string,
  customFields: CustomField[],
  borrowingBase: TapeSource['borrowingBase'] = null,
): Promise<TapeSource> {
  const path = join(folder, `${name}.parquet`);
  await lake.connected((connection) => connection.run(`COPY (${select}) TO ${quoteText(path)} (FORMAT parquet)`));
  return {
    tapeId: name,
    companyId: 'company',
    cutOffDate: '2026-10-31',
    managerId: 'b'.repeat(24),
    assetPrefix: name.padEnd(16, '0'),
    mappingVersion: 1,
    paths: [path],
    columns,
    customFields,
    borrowingBase,
  };
}

const AMOUNTS = ['row', 'sequenceIndex', 'assetId', 'sums.sum', 'interestRate', 'creditScores.current'];
const rows = (extra: string, values: string) =>
  `SELECT column0::INTEGER AS "row", column0::INTEGER - 2 AS "sequenceIndex", column1 AS "assetId",
     column2::DECIMAL(18,4) AS "sums.sum", column3::DECIMAL(18,8) AS "interestRate",
     column4::DOUBLE AS "creditScores.current", ${extra} FROM (VALUES ${values}) AS given (column0, column1, column2, column3, column4)`;

function parsed(sources: TapeSource[], query: object): AssetGrouping {
  const { filter, groupBy } = parseListQuery(query, assetListCatalog(sources));
  const { by, accumulator, field, weightedField: weight } = groupBy!;
  return { filter, by, accumulator, field, weight, keepIds: false };
}

const group = (sources: TapeSource[], query: object) => groupAssets(lake, sources, parsed(sources, query));

test('Sums are exact, averages match long division, and missing values are left out', async () => {
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
  // The tape has no currency for its amounts.
  const nameless = (value: string, count: number) => ({ currency: null, value, count });
  expect(await group([source], { groupBy: { accumulator: '$sum', field: 'sums.sum', by } })).toEqual({
    total: 2,
    groups: [
      { key: 'a', value: '100000000000000', count: 2, byCurrency: [nameless('100000000000000', 2)] },
      { key: 'b', value: '3', count: 2, byCurrency: [nameless('3', 1)] },
    ],
  });
  const one = async (groupBy: object) => (await group([source], { groupBy })).groups[0]?.value;
  expect(await one({ accumulator: '$sum', field: 'creditScores.current' })).toBe('0.6');
  expect(await one({ accumulator: '$avg', field: 'sums.sum' })).toBe('33333333333334.333333333333');
  // (99999999999999.9999 x 1.00000001 + 0.0001 x 2) / 100000000000000: rows that lack either side are left out.
  expect(await one({ accumulator: '$wAvg', field: 'interestRate', weightedField: 'sums.sum' })).toBe('1.00000001');
  expect(await one({ accumulator: '$sum' })).toBe('4');
  expect((await group([source], { filter: { row: 99 }, groupBy: { accumulator: '$sum', by } })).groups).toEqual([]);
});

test('Amounts in several currencies have one figure for each, and none for the whole group', async () => {
  const source = await tape(
    'cc',
    [...AMOUNTS, 'sums.sum.currency'],
    rows(
      `column5 AS "sums.sum.currency"`,
      `(2, 'a', '10.5', '4', 1, 'USD'), (3, 'a', '20', '8', 2, 'EUR'), (4, 'b', '3', '6', 4, 'EUR'), (5, 'b', NULL, '6', 8, 'USD')`,
    ).replace('column4)', 'column4, column5)'),
    [],
  );
  const dollars = (value: string, count = 1) => ({ currency: 'USD', value, count });
  const euros = (value: string, count = 1) => ({ currency: 'EUR', value, count });
  const sum = { accumulator: '$sum', field: 'sums.sum' };
  expect(await group([source], { groupBy: sum })).toEqual({
    total: 1,
    groups: [{ key: null, value: null, count: 4, byCurrency: [euros('23', 2), dollars('10.5')] }],
  });
  // The group with a single currency comes first because it has a value.
  expect((await group([source], { groupBy: { ...sum, by: 'assetId' } })).groups).toEqual([
    { key: 'b', value: '3', count: 2, byCurrency: [euros('3')] },
    { key: 'a', value: null, count: 2, byCurrency: [euros('20'), dollars('10.5')] },
  ]);
  const weighed = { accumulator: '$wAvg', field: 'interestRate', weightedField: 'sums.sum' };
  expect((await group([source], { groupBy: weighed })).groups).toEqual([
    { key: null, value: null, count: 4, byCurrency: [euros('7.739130434783', 2), dollars('4')] },
  ]);
  const average = { accumulator: '$avg', field: 'sums.sum' };
  expect((await group([source], { groupBy: average })).groups[0]?.byCurrency).toEqual([
    euros('11.5', 2),
    dollars('10.5'),
  ]);
  expect((await group([source], { groupBy: { ...sum, by: 'sums.sum.currency' } })).groups).toEqual([
    { key: 'EUR', value: '23', count: 2, byCurrency: [euros('23', 2)] },
    { key: 'USD', value: '10.5', count: 2, byCurrency: [dollars('10.5')] },
  ]);
  const keepIds = await groupAssets(lake, [source], {
    ...parsed([source], { groupBy: sum }),
    keepIds: true,
  });
  expect(keepIds.groups[0]?.ids).toEqual([2, 3, 4, 5].map((row) => `cc${'0'.repeat(14)}0000000${row}`));
  const inEuros = { filter: { 'sums.sum.currency': 'EUR' } };
  expect((await group([source], { ...inEuros, groupBy: weighed })).groups[0]?.value).toBe('7.739130434783');
  // A missing amount has no currency.
  expect((await group([source], { filter: { assetId: 'b' }, groupBy: sum })).groups[0]?.value).toBe('3');
});

test('Results of borrowing bases in two currencies are not added together', async () => {
  const withBase = async (name: string, currency: string) => {
    const path = join(folder, `${name}-results.parquet`);
    const results = ASSET_RESULT_FIELDS.map(({ path: field, type }) =>
      field === 'borrowingBase.amount'
        ? `7.5::DECIMAL(38,12) AS "${field}"`
        : `NULL::${type === 'decimal' ? 'DECIMAL(38,12)' : 'VARCHAR'} AS "${field}"`,
    );
    await lake.connected((connection) =>
      connection.run(
        `COPY (SELECT 0 AS "sequenceIndex", ${results.join(', ')}) TO ${quoteText(path)} (FORMAT parquet)`,
      ),
    );
    const base = { id: name, currency, paths: [path] };
    return tape(name, AMOUNTS, rows(`'x' AS "customFields.note"`, `(2, 'a', 1, 1, 1)`), [], base);
  };
  const sources = [await withBase('dd', 'USD'), await withBase('ee', 'EUR'), await withBase('ff', 'USD')];
  const groupBy = { accumulator: '$sum', field: 'borrowingBase.amount' };
  expect((await group(sources, { groupBy })).groups).toEqual([
    {
      key: null,
      value: null,
      count: 3,
      byCurrency: [
        { currency: 'EUR', value: '7.5', count: 1 },
        { currency: 'USD', value: '15', count: 2 },
      ],
    },
  ]);
});

test('A custom field that has different kinds on two tapes is text, and can be filtered and grouped as text', async () => {
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
