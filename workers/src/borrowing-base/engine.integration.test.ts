import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { TapeTerms } from '@tapeline/domain/borrowing-base/publish.ts';
import { calculateReference, type ReferenceAsset } from '@tapeline/domain/borrowing-base/reference.ts';
import {
  WORKED_CASE_ASSETS,
  WORKED_CASE_CONTRACT,
  WORKED_CASE_TAPE,
} from '@tapeline/domain/borrowing-base/worked-case.ts';
import {
  type TransactionContractInput,
  transactionContractSchema,
} from '@tapeline/domain/facilities/contract.schema.ts';
import { assetCatalog } from '@tapeline/domain/tapes/target-schema.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { joinParquet } from '../parquet/join-parts.ts';
import { assetResultAt, writeAssetResults } from './asset-results.ts';
import { calculateBorrowingBase } from './engine.ts';
import { writeTape } from './testing-tape.ts';

const catalog = assetCatalog();
let folder = '';
let files = 0;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'borrowing-base-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
function nextFile(): string {
  files += 1;
  return path.join(folder, `${files}.parquet`);
}

/** Calculates both ways and expects the same of every asset and every figure. */
async function expectAgreement(
  assets: readonly ReferenceAsset[],
  contractInput: TransactionContractInput,
  tape: TapeTerms,
  parquetFiles: readonly string[],
) {
  const contract = transactionContractSchema.parse(contractInput);
  const expected = calculateReference({ assets, tape, contract, catalog });
  const found = await calculateBorrowingBase({ parquetFiles, tape, contract, catalog });
  const results = Array.from({ length: found.assets.length }, (_, index) => assetResultAt(found.assets, index));
  expect(results).toEqual(expected.assets);
  expect(found.result).toEqual(expected.result);
  return found;
}

test('the worked case comes out of the engine digit for digit', async () => {
  const file = nextFile();
  await writeTape(WORKED_CASE_ASSETS, [file]);
  const { result } = await expectAgreement(WORKED_CASE_ASSETS, WORKED_CASE_CONTRACT, WORKED_CASE_TAPE, [file]);
  expect([result.firstBB.sum, result.totals.excess.sum, result.netBB.sum]).toEqual(['855.00', '190.00', '689.53']);
});

test('an empty tape has an empty borrowing base', async () => {
  const file = nextFile();
  await writeTape([], [file], { columns: ['sums.outstandingSum', 'sums.outstandingSum.currency'] });
  await expectAgreement([], WORKED_CASE_CONTRACT, WORKED_CASE_TAPE, [file]);
});

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 6, nil: null });
const cents = fc.oneof(
  fc.integer({ min: 0, max: 50 }).map((units) => (units * 100).toString()),
  fc
    .bigInt(-100_000n, 10_000_000_000n)
    .map((value) => `${value / 10_000n}.${String(value < 0n ? 0n : value % 10_000n).padStart(4, '0')}`),
);
const asset = fc.record({
  borrowerId: maybe(fc.constantFrom('b1', 'b2', 'b3', 'b4', 'b5', 'b6')),
  'address.state': maybe(fc.constantFrom('CA', 'NY', 'TX')),
  sector: maybe(fc.constantFrom('a', 'b')),
  isDelinquent: maybe(fc.boolean()),
  monthsOnBook: maybe(fc.oneof(fc.integer({ min: -3, max: 40 }), fc.double({ min: 0, max: 500, noNaN: true }))),
  daysPastDue: maybe(fc.integer({ min: 0, max: 90 })),
  currentLtv: maybe(fc.integer({ min: 0, max: 12_000 }).map((points) => String(points / 100))),
  'sums.outstandingSum': maybe(cents),
  'sums.outstandingSum.currency': fc.constantFrom('USD', 'USD', 'EUR', 'JPY'),
  'sums.collateralValue': maybe(cents),
  'sums.collateralValue.currency': fc.constantFrom('USD', 'GBP'),
});
const pool = fc
  .array(asset, { maxLength: 40 })
  .map((assets) => assets.map((one, index): ReferenceAsset => ({ assetId: `a${index}`, ...one })));

const condition = fc.oneof(
  fc.constant({}),
  fc.constantFrom('CA', 'NY', 'TX').map((state) => ({ 'address.state': state })),
  fc.integer({ min: 0, max: 90 }).map((days) => ({ daysPastDue: { lte: days } })),
  fc.integer({ min: 0, max: 120 }).map((ltv) => ({ $or: [{ currentLtv: { lt: ltv } }, { sector: 'a' }] })),
  fc.constant({ isDelinquent: { neq: true } }),
  fc.constant({ borrowerId: { exists: true } }),
  fc.constant({ 'sums.outstandingSum': { gt: 100 } }),
);
const exceptions = fc.array(
  fc.oneof(
    fc.integer({ min: 0, max: 39 }).map((index) => ({ assetId: `a${index}` })),
    condition.filter((one) => Object.keys(one).length > 0).map((filter) => ({ filter })),
  ),
  { maxLength: 2 },
);
const rules = fc.array(fc.record({ filter: condition, exceptions, enabled: fc.boolean() }), { maxLength: 4 });
const operand = fc.constantFrom('lte', 'lte', 'lt', 'gte', 'gt', 'eq', 'neq');
const values = fc.constantFrom(
  { title: 'LTV', accumulator: '$wAvg', field: 'currentLtv', pool: 'relevant' },
  { title: 'Age', accumulator: '$avg', field: 'monthsOnBook', filter: { 'address.state': 'CA' } },
  { title: 'Collateral', field: 'sums.collateralValue', pool: 'inEligibleOrNonPerforming' },
  { title: 'Weighed', accumulator: '$wAvg', field: 'monthsOnBook', weightedField: 'sums.collateralValue' },
);
const limits = fc.oneof(
  fc.record({ operand, unit: fc.constant('percentage'), value: fc.constantFrom(0, 5, 10, 12.5, 33.3, 50, 80) }),
  fc.record({
    operand,
    unit: fc.constant('percentage'),
    value: fc.constantFrom(10, 50),
    of: fc.constant('Total Relevant Pool'),
  }),
  fc.record({ operand, unit: fc.constant('money'), value: fc.constantFrom(-1, 0, 0.01, 777.77, 20_000, 300_000) }),
);
const concentrationRule = fc.oneof(
  fc.record({
    filter: condition,
    exceptions,
    groupBy: fc.constantFrom(null, 'borrowerId', 'state', 'isDelinquent', 'daysPastDue', 'currentLtv'),
    topN: fc.constantFrom(null, null, 1, 2, 5),
    skipN: fc.constantFrom(0, 0, 1, 2),
    accumulatorField: fc.constantFrom(null, null, 'sums.collateralValue', 'monthsOnBook', 'sums.outstandingSum'),
    equator: limits,
  }),
  fc.record({
    filter: condition,
    groupBy: fc.constantFrom(null, 'state', 'borrowerId'),
    topN: fc.constantFrom(null, 2),
    accumulator: fc.constantFrom('$avg', '$wAvg'),
    accumulatorField: fc.constantFrom('currentLtv', 'monthsOnBook', 'daysPastDue'),
    weightedField: fc.constantFrom(null, 'sums.collateralValue'),
    equator: fc.record({ operand, unit: fc.constant('number'), value: fc.constantFrom(10, 30, 55.5) }),
  }),
);
const titled = (title: string) => (list: readonly object[]) =>
  list.map((one, index) => ({ title: `${title} ${index}`, ...one }));
const contractInput = fc
  .record({
    cutOffDate: fc.constant('2026-01-01'),
    assetsETL: fc.constant('64b000000000000000000001'),
    scopes: fc
      .oneof(fc.constant([]), fc.array(fc.record({ filter: condition }), { maxLength: 3 }))
      .map(titled('Scope')),
    eligibilityRules: rules.map(titled('Eligibility')),
    performanceRules: rules.map(titled('Performance')),
    concentrationRules: fc.array(concentrationRule, { maxLength: 4 }).map(titled('Concentration')),
    values: fc.uniqueArray(values, { maxLength: 3, selector: (value) => value.title }),
    advanceRate: fc.record({
      cases: fc
        .array(fc.record({ filter: condition, rate: fc.constantFrom(0, 33.333333, 85, 100) }), { maxLength: 3 })
        .map(titled('Case')),
      defaultRate: fc.constantFrom(0, 72.5, 80),
    }),
  })
  .map((input) => input as unknown as TransactionContractInput);
const tape = fc.record({
  cutOffDate: fc.constant('2026-10-31'),
  mainCurrency: fc.constantFrom('USD', 'JPY', 'EUR'),
  exchangeRates: fc.constantFrom<Record<string, string>>({ EUR: '0.9137', JPY: '151.3', GBP: '0.77' }, { EUR: '0.9' }),
});

/** How a tape can lie in the lake. */
const layouts = ['a file', 'joined parts, as published', 'parts', 'parts out of order'] as const;

/** Writes the assets in one of the layouts. @returns the files to calculate from */
async function layOut(
  assets: readonly ReferenceAsset[],
  layout: (typeof layouts)[number],
  options?: Parameters<typeof writeTape>[2],
): Promise<string[]> {
  const parts = layout === 'a file' ? [nextFile()] : [nextFile(), nextFile(), nextFile(), nextFile(), nextFile()];
  await writeTape(assets, parts, options);
  if (layout === 'parts out of order') return [3, 0, 4, 1, 2].map((at) => parts[at]!);
  if (layout !== 'joined parts, as published') return parts;
  const joined = nextFile();
  await joinParquet(
    joined,
    parts.map((part) => [part]),
  );
  await Promise.all(parts.map((part) => rm(part)));
  return [joined];
}

/** Rules of every kind over `manyAssets`. */
const manyRules: TransactionContractInput = {
  cutOffDate: '2026-01-01',
  assetsETL: '64b000000000000000000001',
  scopes: [{ title: 'West', filter: { state: { in: ['CA', 'NY'] } } }, { title: 'Rest' }],
  eligibilityRules: [
    {
      title: 'Known',
      filter: { state: { nin: ['S1', 'S2'] } },
      exceptions: [{ assetId: 'a17' }, { assetId: 'a11000' }],
    },
    { title: 'Score', filter: { 'creditScores.origination': { gte: 600 } } },
  ],
  performanceRules: [{ title: 'On time', filter: { daysPastDue: { lte: 30 } } }],
  concentrationRules: [
    { title: 'States', groupBy: 'state', equator: { operand: 'lte', unit: 'percentage', value: 4 } },
    {
      title: 'Borrowers',
      groupBy: 'borrowerId',
      topN: 20,
      skipN: 3,
      equator: { operand: 'lte', unit: 'percentage', value: 1 },
    },
    { title: 'Any borrower', groupBy: 'borrowerId', equator: { operand: 'lte', unit: 'money', value: 9000 } },
    { title: 'Again', groupBy: 'borrowerId', topN: 5, equator: { operand: 'lte', unit: 'money', value: 30_000 } },
    {
      title: 'Score',
      accumulator: '$wAvg',
      accumulatorField: 'creditScores.origination',
      equator: { operand: 'gte', unit: 'number', value: 900 },
    },
  ],
  advanceRate: { cases: [{ title: 'West', rate: 91.25, scope: 'West' }], defaultRate: 80 },
};

describe('the engine and the plain calculation agree on every asset and figure', () => {
  test('over random pools, contracts and currencies', async () => {
    await fc.assert(
      fc.asyncProperty(
        pool,
        contractInput,
        tape,
        fc.boolean(),
        fc.constantFrom(...layouts),
        async (assets, contract, terms, codes, layout) => {
          const parquetFiles = await layOut(assets, layout, { codes, columns: ['assetId', ...Object.keys(SAMPLE)] });
          await expectAgreement(assets, contract, terms, parquetFiles);
          await Promise.all(parquetFiles.map((file) => rm(file)));
        },
      ),
      { numRuns: Number(process.env.FC_RUNS ?? 100) },
    );
  });

  test.each(layouts)(
    'over many rows in %s, where they could change places',
    async (layout) => {
      const many = Array.from({ length: 12_345 }, (_, index): ReferenceAsset => manyAssets(index));
      const parquetFiles = await layOut(many, layout);
      const found = await expectAgreement(many, manyRules, WORKED_CASE_TAPE, parquetFiles);
      expect(found.result.totals.excess.sum).not.toBe('0.00');

      const results = [nextFile(), nextFile()] as const;
      await writeAssetResults(found.assets, parquetFiles, results[0]);
      const again = await calculateBorrowingBase({
        parquetFiles: parquetFiles,
        tape: WORKED_CASE_TAPE,
        contract: transactionContractSchema.parse(manyRules),
        catalog,
      });
      await writeAssetResults(again.assets, parquetFiles, results[1]);
      expect(JSON.stringify(again.result)).toBe(JSON.stringify(found.result));
      expect((await readFile(results[0])).equals(await readFile(results[1]))).toBe(true);
      await expectStored(results[0], found.assets);
    },
    300_000,
  );

  // A process calculates for days, and its code is compiled anew as it goes: once that made rules show each other's counts.
  test('and say the same each time they are asked', async () => {
    const many = Array.from({ length: 12_345 }, (_, index): ReferenceAsset => manyAssets(index));
    const parquetFiles = await layOut(many, 'joined parts, as published');
    const contract = transactionContractSchema.parse(manyRules);
    const { result } = calculateReference({ assets: many, tape: WORKED_CASE_TAPE, contract, catalog });
    for (let time = 0; time < 80; time += 1) {
      const again = await calculateBorrowingBase({ parquetFiles, tape: WORKED_CASE_TAPE, contract, catalog });
      expect(again.result).toEqual(result);
    }
  });
});

/** What stands in the file is what the calculation says of each asset. */
async function expectStored(file: string, assets: Awaited<ReturnType<typeof calculateBorrowingBase>>['assets']) {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const reader = await connection.runAndReadAll(`SELECT COLUMNS(*)::VARCHAR FROM read_parquet('${file}')`);
  const rows = reader.getRowObjectsJS() as Record<string, string | null>[];
  connection.closeSync();
  instance.closeSync();
  expect(rows).toHaveLength(assets.length);
  for (const [index, row] of rows.entries()) {
    const expected = assetResultAt(assets, index);
    expect(row).toEqual({
      sequenceIndex: String(index),
      row: String(index + 2),
      assetId: `a${index}`,
      'borrowingBase.status': expected.status ?? 'outOfScope',
      'borrowingBase.scope': expected.scope === null ? null : (assets.prepared.scopes[expected.scope]?.title ?? null),
      'borrowingBase.failed': expected.failed.length === 0 ? '' : `,${expected.failed.join(',')},`,
      'borrowingBase.firstFailed': expected.failed[0] ?? null,
      'borrowingBase.amount': expected.amount,
      'borrowingBase.excessRemoved': expected.excessRemoved,
      'borrowingBase.remaining': expected.remaining,
      'borrowingBase.rate': expected.rate === null ? null : Number(expected.rate).toFixed(8),
      'borrowingBase.advanced': expected.advanced,
    });
  }
}

const SAMPLE = {
  borrowerId: 0,
  'address.state': 0,
  sector: 0,
  isDelinquent: 0,
  monthsOnBook: 0,
  daysPastDue: 0,
  currentLtv: 0,
  'sums.outstandingSum': 0,
  'sums.outstandingSum.currency': 0,
  'sums.collateralValue': 0,
  'sums.collateralValue.currency': 0,
};

/** A pool with few states, many borrowers, and many exact ties. */
function manyAssets(index: number): ReferenceAsset {
  const spread = (index * 7919) % 10_007;
  const missing = index % 97 === 0;
  return {
    assetId: `a${index}`,
    borrowerId: missing ? null : `b${(index * 31) % 3001}`,
    'address.state': missing ? null : (['CA', 'NY', 'TX'][index % 11] ?? `S${index % 40}`),
    'creditScores.origination': missing ? null : 560 + (spread % 300),
    daysPastDue: spread % 53 === 0 ? 60 : 0,
    'sums.outstandingSum':
      index % 5 === 0 ? '1000' : `${1000 + (spread % 4000)}.${String(index % 100).padStart(2, '0')}`,
    'sums.outstandingSum.currency': 'USD',
  };
}
