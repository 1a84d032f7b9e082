import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseListQuery } from '@tapeline/domain/filters/list-query.schema.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { groupAssets } from './asset-groups.ts';
import { assetListCatalog, type TapeSource } from './asset-relation.ts';
import { assetTotals } from './asset-totals.ts';
import { type Lake, openLake, quoteText } from './lake.ts';

let folder: string;
let lake: Lake;
let source: TapeSource;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lake-'));
  lake = await openLake({ threads: 1 });
  const path = join(folder, 'tape.parquet');
  const rows = [
    `(2, 'a', '200.0000', 'USD', '99999999999999.9999', 'USD', '10.00000001')`,
    `(3, 'a', '100', 'USD', '0.0001', 'USD', '20')`,
    // Without a rate, without a balance, and without either.
    `(4, 'b', '50', 'USD', '7', 'USD', NULL)`,
    `(5, 'b', '50', 'USD', NULL, NULL, '90')`,
    `(6, 'b', NULL, NULL, NULL, NULL, NULL)`,
    // A balance of zero weighs nothing; another currency is never added.
    `(7, 'c', '10', 'EUR', '0', 'EUR', '5')`,
    `(8, 'd', '30', 'EUR', '4', 'GBP', '8')`,
  ];
  await lake.connected((connection) =>
    connection.run(`COPY (SELECT column0::INTEGER AS "row", column0::INTEGER - 2 AS "sequenceIndex", column1 AS "assetId",
      column2::DECIMAL(18,4) AS "sums.sum", column3 AS "sums.sum.currency",
      column4::DECIMAL(18,4) AS "sums.outstandingSum", column5 AS "sums.outstandingSum.currency",
      column6::DECIMAL(18,8) AS "interestRate" FROM (VALUES ${rows.join(', ')}) AS given (column0, column1, column2, column3, column4, column5, column6)) TO ${quoteText(path)} (FORMAT parquet)`),
  );
  source = {
    tapeId: 'tape',
    companyId: 'company',
    cutOffDate: '2026-10-31',
    managerId: 'b'.repeat(24),
    assetPrefix: 'a'.repeat(16),
    mappingVersion: 1,
    paths: [path],
    columns: [
      'row',
      'sequenceIndex',
      'assetId',
      'sums.sum',
      'sums.sum.currency',
      'sums.outstandingSum',
      'sums.outstandingSum.currency',
      'interestRate',
    ],
    customFields: [],
    borrowingBase: null,
  };
});
afterAll(async () => {
  lake.close();
  await rm(folder, { recursive: true, force: true });
});

const filterOf = (filter: object) => parseListQuery({ filter }, assetListCatalog([source])).filter;
const totals = (filter: object) => assetTotals(lake, [source], filterOf(filter));

test('Sums are exact and by currency, and each says of how many assets it is', async () => {
  expect(await totals({})).toEqual({
    count: 7,
    sums: {
      'sums.sum': [
        { currency: 'EUR', value: '40', count: 2 },
        { currency: 'USD', value: '400', count: 4 },
      ],
      'sums.outstandingSum': [
        { currency: 'EUR', value: '0', count: 1 },
        { currency: 'GBP', value: '4', count: 1 },
        { currency: 'USD', value: '100000000000007', count: 3 },
      ],
    },
    // No balance weighs the rate in EUR.
    rates: [
      { currency: 'GBP', value: '8', count: 1 },
      { currency: 'USD', value: '10.00000001', count: 2 },
    ],
  });
});

test('They are those of the assets that pass the filter', async () => {
  expect(await totals({ assetId: 'b' })).toEqual({
    count: 3,
    sums: {
      'sums.sum': [{ currency: 'USD', value: '100', count: 2 }],
      'sums.outstandingSum': [{ currency: 'USD', value: '7', count: 1 }],
    },
    rates: [],
  });
  expect(await totals({ assetId: 'nothing' })).toEqual({
    count: 0,
    sums: { 'sums.sum': [], 'sums.outstandingSum': [] },
    rates: [],
  });
});

test('They equal the groups that the list of assets returns', async () => {
  const filter = { assetId: { in: ['a', 'b', 'd'] } };
  const figures = async (accumulator: string, field: string, weight?: string) => {
    const groupBy = { accumulator, field, ...(weight ? { weightedField: weight } : {}) };
    const query = parseListQuery({ filter, groupBy }, assetListCatalog([source]));
    const { by, accumulator: how, field: measured, weightedField } = query.groupBy!;
    const { groups } = await groupAssets(lake, [source], {
      filter: query.filter,
      by,
      accumulator: how,
      field: measured,
      weight: weightedField,
      keepIds: false,
    });
    return (groups[0]?.byCurrency ?? []).toSorted((a, b) => (a.currency! < b.currency! ? -1 : 1));
  };
  const found = await totals(filter);
  expect(found.sums['sums.sum']).toEqual(await figures('$sum', 'sums.sum'));
  expect(found.sums['sums.outstandingSum']).toEqual(await figures('$sum', 'sums.outstandingSum'));
  expect(found.rates).toEqual(await figures('$wAvg', 'interestRate', 'sums.outstandingSum'));
});

test('A tape without the columns has no figures, not zero', async () => {
  const bare = { ...source, tapeId: 'bare', columns: ['row', 'sequenceIndex', 'assetId'] };
  expect(await assetTotals(lake, [bare], filterOf({}))).toEqual({
    count: 7,
    sums: { 'sums.sum': [], 'sums.outstandingSum': [] },
    rates: [],
  });
});
