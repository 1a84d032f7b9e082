import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { listBorrowingBases, saveBorrowingBase } from '@tapeline/db/operations/borrowing-bases/borrowing-bases.ts';
import { type Session, SYSTEM } from '@tapeline/db/store.ts';
import { makeTenant } from '@tapeline/db/testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '@tapeline/db/testing/test-store.ts';
import { fileOffsets, type OffsetList, readOffsetList } from '@tapeline/domain/borrowing-base/offset-list.ts';
import type { PreparedContract } from '@tapeline/domain/borrowing-base/prepare.ts';
import type { TapeTerms } from '@tapeline/domain/borrowing-base/publish.ts';
import type { AssetResult, BorrowingBaseResult } from '@tapeline/domain/borrowing-base/result.ts';
import { calculateReference, type ReferenceAsset } from '@tapeline/domain/borrowing-base/testing/reference.ts';
import {
  RECEIVABLES,
  RECEIVABLES_CONTRACT,
  WORKED_CASE_ASSETS,
  WORKED_CASE_CONTRACT,
  WORKED_CASE_TAPE,
} from '@tapeline/domain/borrowing-base/testing/worked-case.ts';
import { waterfallOf } from '@tapeline/domain/borrowing-base/waterfall.ts';
import {
  LIMIT_OVERLAPS,
  OPERANDS,
  ruleApplies,
  THRESHOLD_UNITS,
  type TransactionContract,
  type TransactionContractInput,
  transactionContractSchema,
} from '@tapeline/domain/facilities/contract.schema.ts';
import { BORROWING_BASE_STATUSES } from '@tapeline/domain/facilities/pools.ts';
import { ACCUMULATORS } from '@tapeline/domain/filters/list-query.schema.ts';
import type { Amount } from '@tapeline/domain/money/amount.schema.ts';
import { add, type DecimalText, subtract, sum } from '@tapeline/domain/money/decimal.ts';
import { assetCatalog } from '@tapeline/domain/tapes/target-schema.ts';
import { joinParquet } from '@tapeline/parquet';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeAssetResults } from './asset-results.ts';
import { calculateBorrowingBase } from './engine.ts';
import { assetResultAt } from './testing/asset-result.ts';
import { writeTape } from './testing/tape.ts';

const catalog = assetCatalog();
let folder = '';
let files = 0;
/** Opening a database takes longer than a small calculation, so most tests share one. */
let instance: DuckDBInstance;
let connection: DuckDBConnection;
let database: TestDatabase;
/** A borrowing base whose result every other one replaces. */
let stored: { tapeId: string; generationId: string; contractId: string };
const asSystem = <T>(work: (session: Session) => Promise<T>, options = {}) => database.store.as(SYSTEM, work, options);
beforeAll(async () => {
  database = await createTestDatabase();
  const { companies } = await asSystem(makeTenant);
  const filter = { loanTape: companies[0]!.tapeId };
  stored = (await asSystem((session) => listBorrowingBases(session, { filter }))).documents[0]!;
  folder = await mkdtemp(path.join(tmpdir(), 'borrowing-base-'));
  instance = await DuckDBInstance.create(':memory:', { preserve_insertion_order: 'false' });
  connection = await instance.connect();
});
afterAll(async () => {
  connection.closeSync();
  instance.closeSync();
  await database.close();
  await rm(folder, { recursive: true, force: true });
});
function nextFile(): string {
  files += 1;
  return path.join(folder, `${files}.parquet`);
}

const referenceOf = (
  assets: readonly ReferenceAsset[],
  contractInput: TransactionContractInput,
  tape: TapeTerms,
  offsetLists: readonly OffsetList[] = [],
) =>
  calculateReference({ assets, tape, contract: transactionContractSchema.parse(contractInput), catalog, offsetLists });

/** Calculates with the engine and the reference, and expects the same results for every asset and every figure. */
async function expectAgreement(
  assets: readonly ReferenceAsset[],
  contractInput: TransactionContractInput,
  tape: TapeTerms,
  parquetFiles: readonly string[],
  offsetLists: readonly OffsetList[] = [],
  expected = referenceOf(assets, contractInput, tape, offsetLists),
) {
  const contract = transactionContractSchema.parse(contractInput);
  const found = await calculateBorrowingBase({ parquetFiles, tape, contract, catalog, offsetLists }, connection);
  const results = Array.from({ length: found.assets.length }, (_, index) => assetResultAt(found.assets, index));
  expectSame(results, expected.assets);
  expect(found.result).toEqual(expected.result);
  expectToAddUp(found.result);
  return { ...found, results };
}

/** A result is only of use once it is stored with what the database works out of it: 'division by zero' ended many. */
async function expectToBeStored(result: BorrowingBaseResult): Promise<void> {
  const { tapeId, generationId, contractId } = stored;
  const [currency, netBB, firstBB] = [result.currency, result.netBB.sum, result.firstBB.sum];
  const base = { tapeId, generationId, contractId, currency, netBB, firstBB, result, resultKey: null };
  const [row] = await asSystem(
    async (session) => {
      const { id } = await saveBorrowingBase(session, base);
      return session.query<{ limits: { rule: number }[] }>('select limits from borrowing_bases where id = $1', [id]);
    },
    { rollback: true },
  );
  expect(row?.limits.map(({ rule }) => rule)).toEqual(result.excessBreachDistribution.map(({ rule }) => rule));
}

/** Like `toEqual`, which takes as long as the calculation of many rows, and is only needed to show a difference. */
function expectSame(found: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(found, expected)) expect(found).toEqual(expected);
}

/** The pools partition Relevant, the changes of the waterfall lead from level to level, and the limits add up. */
function expectToAddUp(result: BorrowingBaseResult): void {
  const { totals, rulesTracking, excessBreachDistribution } = result;
  const { pools } = totals;
  const amounts = (list: readonly Amount[]) => sum(list.map((amount) => amount.sum));
  const isSame = (found: DecimalText, expected: DecimalText) => expect(Number(subtract(found, expected))).toBe(0);
  for (const parts of [
    [pools.eligibleOrPerforming, pools.inEligibleOrNonPerforming],
    [pools.eligible, pools.performing, pools.inEligible, pools.nonPerforming],
  ]) {
    const all = [...parts.map((pool) => pool.amount), ...(totals.offset ? [totals.offset.amount] : [])];
    isSame(amounts(all), pools.relevant.amount.sum);
    expect(parts.reduce((count, pool) => count + pool.count, 0)).toBe(pools.relevant.count);
  }
  let level: DecimalText = '0';
  for (const bar of waterfallOf(result)) {
    if (bar.sum === null) continue;
    if (bar.kind === 'change') level = add(level, bar.sum);
    else {
      if (bar.step !== 'relevant') isSame(level, bar.sum);
      level = bar.sum;
    }
  }
  isSame(amounts(excessBreachDistribution.map((rule) => rule.removed!.sum)), totals.excess.sum);
  isSame(amounts(rulesTracking.concentration.map((rule) => rule.first.amount)), totals.excess.sum);
}

test('the worked case comes out of the engine digit for digit', async () => {
  const file = nextFile();
  await writeTape(WORKED_CASE_ASSETS, [file]);
  const { result } = await expectAgreement(WORKED_CASE_ASSETS, WORKED_CASE_CONTRACT, WORKED_CASE_TAPE, [file]);
  expect([result.firstBB.sum, result.totals.excess.sum, result.netBB.sum]).toEqual(['855.00', '190.00', '689.53']);
});

test('the worked case with the largest excess per asset comes out of the engine digit for digit', async () => {
  const file = nextFile();
  await writeTape(WORKED_CASE_ASSETS, [file]);
  const contract = { ...WORKED_CASE_CONTRACT, overlap: 'maximumPerAsset' as const };
  const { result } = await expectAgreement(WORKED_CASE_ASSETS, contract, WORKED_CASE_TAPE, [file]);
  expect([result.firstBB.sum, result.totals.excess.sum, result.netBB.sum]).toEqual(['855.00', '190.00', '690.31']);
  expect(result.excessBreachDistribution.map(({ excess, removed }) => [excess.sum.sum, removed?.sum.sum])).toEqual([
    ['100.00', '40.00'],
    ['150.00', '150.00'],
  ]);
});

test('of the worked receivables, 150 are eligible with what a file has', async () => {
  const parquetFiles = [nextFile()];
  await writeTape(RECEIVABLES, parquetFiles);
  const ofFile = { title: 'Payables', kind: 'file' as const, groupBy: 'borrowerId', file: 'payables' };
  const contract = {
    ...RECEIVABLES_CONTRACT,
    offsets: [{ ...ofFile, groupColumn: 'Vendor', amountColumn: 'Balance' }],
  };
  const groups = new Map([
    ['d2', '50'],
    ['d4', '100'],
    ['d9', '30'],
  ]);
  const lists = [{ rule: 0, file: { name: 'payables.csv', key: 'loanTapes/payables' }, groups }];
  const { result } = await expectAgreement(RECEIVABLES, contract, WORKED_CASE_TAPE, parquetFiles, lists);
  expect(result.totals.pools.eligibleOrPerforming.amount.sum).toBe('150.00');
  expect(
    result.totals.offsets?.[0]?.groups.map(({ key, taken, leftOver }) => [key, taken.sum, leftOver.sum].join(' ')),
  ).toEqual(['d4 80.00 20.00', 'd2 50.00 0.00', 'd9 0.00 30.00']);
});

test.each([
  { offsets: [], eligible: '280.00' },
  { offsets: [{ title: 'Credits', kind: 'negatives' as const, groupBy: 'borrowerId' }], eligible: '250.00' },
])('of the worked receivables, $eligible are eligible', async ({ offsets, eligible }) => {
  const file = nextFile();
  await writeTape(RECEIVABLES, [file]);
  const contract = { ...RECEIVABLES_CONTRACT, offsets };
  const { result } = await expectAgreement(RECEIVABLES, contract, WORKED_CASE_TAPE, [file]);
  expect(result.totals.pools.eligibleOrPerforming.amount.sum).toBe(eligible);
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
  // It also names parents of borrowers and states, some of which are borrowers themselves.
  'address.city': fc.constantFrom(null, null, 'b1', 'CA', 'P'),
  sector: maybe(fc.constantFrom('a', 'b')),
  isDelinquent: maybe(fc.boolean()),
  monthsOnBook: maybe(fc.oneof(fc.integer({ min: -3, max: 40 }), fc.double({ min: 0, max: 500, noNaN: true }))),
  daysPastDue: maybe(fc.integer({ min: 0, max: 90 })),
  currentLtv: maybe(fc.integer({ min: 0, max: 12_000 }).map((points) => String(points / 100))),
  dateFinanced: maybe(fc.constantFrom('2025-10-31', '2026-07-31', '2026-08-15')),
  'sums.outstandingSum': maybe(cents),
  'sums.outstandingSum.currency': fc.constantFrom('USD', 'USD', 'EUR', 'JPY'),
  'sums.collateralValue': maybe(cents),
  'sums.collateralValue.currency': fc.constantFrom('USD', 'GBP'),
  'sums.arrears': fc.constantFrom(null, null, '0', '-5', '12.34', '70', '1500.005'),
  'sums.arrears.currency': fc.constantFrom('USD', 'EUR'),
});
/** Pools that are alike as a whole, where sums are zero and averages are of nothing. */
const sumOfAll = fc.constantFrom<((assets: ReferenceAsset[]) => ReferenceAsset[])[]>(
  (assets) => assets.map((one) => ({ ...one, 'sums.outstandingSum': '0' })),
  (assets) => assets.map((one) => ({ ...one, 'sums.outstandingSum': '-12.5' })),
  (assets) => assets.map((one) => ({ ...one, 'sums.outstandingSum': null })),
  (assets) => assets.slice(0, 1),
  () => [],
);
const mixedPool = fc
  .array(asset, { maxLength: 30, size: 'max' })
  .map((assets) => assets.map((one, index): ReferenceAsset => ({ assetId: `a${index}`, ...one })));
const pool = fc.oneof(
  { weight: 3, arbitrary: mixedPool },
  { weight: 1, arbitrary: fc.tuple(mixedPool, sumOfAll).map(([assets, make]) => make(assets)) },
);

const condition = fc.oneof(
  { weight: 8, arbitrary: fc.constant({}) },
  fc.constantFrom('CA', 'NY', 'TX').map((state) => ({ 'address.state': state })),
  fc.integer({ min: 0, max: 90 }).map((days) => ({ daysPastDue: { lte: days } })),
  fc.integer({ min: 0, max: 120 }).map((ltv) => ({ $or: [{ currentLtv: { lt: ltv } }, { sector: 'a' }] })),
  fc.constant({ isDelinquent: { neq: true } }),
  fc.constant({ borrowerId: { exists: true } }),
  fc.constant({ 'sums.outstandingSum': { gt: 100 } }),
  fc.constant({ 'sums.outstandingSum': { lte: { $field: 'sums.collateralValue' } } }),
  fc.constant({ daysPastDue: { gte: { $field: 'monthsOnBook' } } }),
  fc.constantFrom('-3m', '-77d').map(($cutOff) => ({ dateFinanced: { lte: { $cutOff } } })),
);
const exceptions = fc.array(
  fc.oneof(
    fc.integer({ min: 0, max: 39 }).map((index) => ({ assetId: `a${index}` })),
    condition.filter((one) => Object.keys(one).length > 0).map((filter) => ({ filter })),
  ),
  { maxLength: 2 },
);
const rules = fc.array(
  fc.record({
    filter: condition,
    exceptions,
    enabled: fc.constantFrom(true, true, true, false),
    startDate: fc.constantFrom(null, null, '2026-10-31', '2026-11-01'),
    expirationDate: fc.constantFrom(null, null, '2026-12-01'),
  }),
  { maxLength: 2 },
);
const operand = fc.constantFrom('lte', 'lte', 'lte', 'lte', 'lt', 'lt', 'gte', 'gt', 'eq', 'neq');
const values = fc.constantFrom(
  { title: 'LTV', accumulator: '$wAvg', field: 'currentLtv', pool: 'relevant' },
  { title: 'Age', accumulator: '$avg', field: 'monthsOnBook', filter: { 'address.state': 'CA' } },
  { title: 'Collateral', field: 'sums.collateralValue', pool: 'inEligibleOrNonPerforming' },
  { title: 'Weighed', accumulator: '$wAvg', field: 'monthsOnBook', weightedField: 'sums.collateralValue' },
);
const limits = fc.oneof(
  fc.record({ operand, unit: fc.constant('percentage'), value: fc.constantFrom(0, 5, 10, 12.5, 33.3, 50, 80, 100) }),
  fc.record({
    operand,
    unit: fc.constant('percentage'),
    value: fc.constantFrom(10, 50),
    of: fc.constant('Total Relevant Pool'),
  }),
  fc.record({
    operand,
    unit: fc.constantFrom('money', 'number'),
    value: fc.constantFrom(-1, 0, 0.01, 777.77, 20_000, 300_000),
  }),
);
const concentrationRule = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      filter: condition,
      exceptions,
      groupBy: fc.constantFrom(null, 'borrowerId', 'state', 'isDelinquent', 'daysPastDue', 'currentLtv'),
      topN: fc.constantFrom(null, null, 1, 2, 5),
      skipN: fc.constantFrom(0, 0, 1, 2),
      accumulatorField: fc.constantFrom(null, null, 'sums.collateralValue', 'monthsOnBook', 'sums.outstandingSum'),
      equator: limits,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      filter: condition,
      groupBy: fc.constantFrom(null, 'state', 'borrowerId'),
      topN: fc.constantFrom(null, 2),
      exceptions,
      accumulator: fc.constantFrom('$avg', '$wAvg'),
      accumulatorField: fc.constantFrom('currentLtv', 'monthsOnBook', 'daysPastDue'),
      weightedField: fc.constantFrom(null, 'sums.collateralValue'),
      equator: fc.record({ operand, unit: fc.constant('number'), value: fc.constantFrom(10, 30, 55.5) }),
    }),
  },
);
/** A parent is a text, as what it is the parent of must be. */
const parentOf = (groupBy: string) =>
  groupBy === 'borrowerId' || groupBy === 'state' ? fc.constantFrom(null, 'address.city') : fc.constant(null);
const wholeGroup = fc.constantFrom('borrowerId', 'state', 'isDelinquent', 'daysPastDue', null, null).chain((groupBy) =>
  groupBy === null
    ? fc.constant({})
    : fc.record({
        wholeGroup: fc.record({
          groupBy: fc.constant(groupBy),
          parent: parentOf(groupBy),
          percent: fc.constantFrom(0.00000001, 10, 25, 50, 100),
        }),
      }),
);
const offset = fc
  .tuple(
    fc.constantFrom('borrowerId', 'state', 'isDelinquent'),
    fc.constantFrom('field', 'field', 'file', 'file', 'negatives', 'negatives'),
  )
  .chain(([groupBy, kind]) =>
    fc.record({
      kind: fc.constant(kind),
      groupBy: fc.constant(groupBy),
      parent: parentOf(groupBy),
      field: fc.constantFrom('sums.arrears', 'sums.arrears', 'sums.collateralValue'),
      amounts: fc.constantFrom('perGroup', 'perAsset'),
      ...{ file: fc.constant('list'), groupColumn: fc.constant('Group'), amountColumn: fc.constant('Amount') },
      enabled: fc.constantFrom(true, true, true, false),
    }),
  );
/** Rows of a list: the group is one of the tape's by its place, or one that the tape lacks. */
const listRows = fc.array(
  fc.record({
    of: fc.oneof(fc.nat(30), fc.nat(30), fc.constantFrom('nobody', 'd-1')),
    amount: fc.constantFrom('0', '-3', '0.0001', '1', '12.34', '250', '5000.5', '99999999'),
  }),
  { maxLength: 12 },
);

/** The list of each offset from a file, over the groups that the assets have. */
function listsFor(
  input: TransactionContractInput,
  { cutOffDate, mainCurrency }: TapeTerms,
  assets: readonly ReferenceAsset[],
  rows: readonly { of: number | string; amount: string }[],
): OffsetList[] {
  const offsets = fileOffsets(transactionContractSchema.parse(input), cutOffDate);
  return offsets.map(({ rule, offset }) => {
    const named = assets.flatMap((asset) => [asset[offset.parent ?? ''], asset[offset.groupBy]]);
    const known = [...new Set(named.flatMap((one) => (one === null || one === undefined ? [] : [String(one)])))];
    const cells = rows.map(({ of, amount }) => [
      typeof of === 'number' ? (known[(of + rule) % Math.max(known.length, 1)] ?? '') : of,
      amount,
    ]);
    const sheet = {
      ...{ kind: 'xlsx' as const, headers: ['Group', 'Amount'] },
      rows: cells.map((own, index) => ({ row: index + 2, cells: own })),
    };
    const file = { name: `list-${rule}.xlsx`, key: `loanTapes/list-${rule}` };
    return { rule, file, groups: readOffsetList(sheet, offset, { name: file.name, currency: mainCurrency }) };
  });
}

const reserve = fc.oneof(
  fc.record({ kind: fc.constant('amount'), amount: fc.constantFrom(0, 10.5, 1e6) }),
  fc.record({
    kind: fc.constant('percentage'),
    percent: fc.constantFrom(0, 1, 33.333, 100),
    of: fc.constantFrom('Total Eligible & Performing Pool', 'Total Relevant Pool'),
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
    eligibilityRules: fc
      .tuple(rules, fc.array(wholeGroup, { minLength: 3, maxLength: 3 }))
      .map(([found, groups]) => found.map((rule, index) => ({ ...rule, ...groups[index] })))
      .map(titled('Eligibility')),
    performanceRules: rules.map(titled('Performance')),
    concentrationRules: fc
      .oneof(
        { weight: 1, arbitrary: fc.constant([]) },
        { weight: 9, arbitrary: fc.array(concentrationRule, { minLength: 2, maxLength: 5, size: 'max' }) },
      )
      .map(titled('Concentration')),
    offsets: fc
      .array(offset, { maxLength: 3 })
      .map((list) => {
        const first = list.findIndex(({ kind }) => kind === 'negatives');
        return list.filter(({ kind }, index) => kind !== 'negatives' || index === first);
      })
      .map(titled('Offset')),
    reserves: fc.array(reserve, { maxLength: 2 }).map(titled('Reserve')),
    overlap: fc.constantFrom(...LIMIT_OVERLAPS),
    values: fc.uniqueArray(values, { maxLength: 3, selector: (value) => value.title }),
    advanceRate: fc.record({
      cases: fc
        .array(fc.record({ filter: condition, rate: fc.constantFrom(0, 33.333333, 85, 100) }), { maxLength: 3 })
        .map(titled('Case')),
      defaultRate: fc.constantFrom(0, 72.5, 80),
    }),
  })
  .chain((input) =>
    // Several limits rarely cut what a random scope and random rules have left of a small pool.
    fc.constantFrom(
      input,
      input,
      { ...input, scopes: [], eligibilityRules: [], performanceRules: [] },
      { ...input, scopes: [], eligibilityRules: [], performanceRules: [] },
      // Offsets must find something to reduce.
      { ...input, eligibilityRules: [], performanceRules: [] },
      // No asset passes.
      { ...input, scopes: [], eligibilityRules: [{ title: 'Nothing', filter: { assetId: 'nothing' } }] },
    ),
  )
  .map((input) => input as unknown as TransactionContractInput);
const tape = fc.record({
  cutOffDate: fc.constant('2026-10-31'),
  mainCurrency: fc.constantFrom('USD', 'JPY', 'EUR'),
  exchangeRates: fc.constantFrom<Record<string, string>>({ EUR: '0.9137', JPY: '151.3', GBP: '0.77' }, { EUR: '0.9' }),
});

/** The layouts that a tape can have in the lake. */
const layouts = ['a file', 'joined parts, as published', 'parts', 'parts out of order'] as const;

/** Writes the assets in the given layout. @returns the files to calculate from */
async function layOut(
  assets: readonly ReferenceAsset[],
  layout: (typeof layouts)[number],
  options?: Parameters<typeof writeTape>[2],
): Promise<string[]> {
  const parts = layout === 'a file' ? [nextFile()] : [nextFile(), nextFile(), nextFile(), nextFile(), nextFile()];
  await writeTape(assets, parts, options, connection);
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

const RUNS = Number(process.env.FC_RUNS ?? 500);

const OFFSET_FEATURES = {
  field: 'offset from a field',
  file: 'offset from a file',
  negatives: 'offset of negative balances',
} as const;

/** What the random contracts and pools must have contained, so that the test proves agreement on it. */
const FEATURES = [
  ...LIMIT_OVERLAPS.flatMap((overlap) => [overlap, `${overlap}: several limits cut one asset`]),
  'maximumPerAsset: not all excess counts',
  ...ACCUMULATORS.flatMap((accumulator) => [`limit of ${accumulator}`, `value of ${accumulator}`]),
  ...OPERANDS,
  'limit kept',
  'limit breached',
  ...THRESHOLD_UNITS.map((unit) => `limit in ${unit}`),
  'limit of the whole pool',
  'limit per group with an unknown group',
  'limit of the largest groups',
  'limit without the largest groups',
  'limit of another value',
  'limit with exceptions',
  'rule with exceptions',
  'rule that is off or out of its dates',
  'rule about whole groups that excludes some',
  'rule about whole groups that excludes none',
  'rule about whole groups with an unknown group',
  'rule about whole groups with exceptions',
  'rule about whole groups of parents',
  ...Object.values(OFFSET_FEATURES),
  'offset of a group without an asset',
  'offset from a file by parent',
  'offset that takes all it asks for',
  'offset that leaves some over',
  'offset that leaves nothing of the pool',
  'offset of groups by parent',
  'offset of an unknown group',
  'several offsets that reduce one asset',
  'offset and limit that cut one asset',
  'offset and reserve',
  'several scopes',
  'several currencies',
  'missing rate',
  'missing amount',
  'zero amount',
  'negative amount',
  'pool without an asset',
  'pool of one asset',
  'pool without an eligible asset',
  'pool of zero balance',
  'pool of negative balances',
  'pool without an amount',
  'limit of a pool without a balance',
  ...BORROWING_BASE_STATUSES,
];

function* featuresOf(
  contract: TransactionContract,
  assets: readonly ReferenceAsset[],
  result: BorrowingBaseResult,
  results: readonly AssetResult[],
): Generator<string> {
  const { overlap, eligibilityRules, performanceRules, concentrationRules } = contract;
  const { totals, excessBreachDistribution, rulesTracking, warnings } = result;
  yield overlap;
  const cut = rulesTracking.concentration;
  if (cut.some(({ failed, first }) => first.count < failed.count)) yield `${overlap}: several limits cut one asset`;
  if (excessBreachDistribution.some(({ excess, removed }) => excess.sum.sum !== removed?.sum.sum)) {
    yield `${overlap}: not all excess counts`;
  }
  for (const found of excessBreachDistribution) {
    const rule = concentrationRules[found.rule]!;
    yield `limit of ${rule.accumulator}`;
    yield `limit in ${rule.equator.unit}`;
    yield found.operand;
    yield found.breached ? 'limit breached' : 'limit kept';
    if (found.groupBy === null) yield 'limit of the whole pool';
    else if (found.groups.some(({ key }) => key === null)) yield 'limit per group with an unknown group';
    if (found.topN !== null) yield 'limit of the largest groups';
    if (found.skipN > 0) yield 'limit without the largest groups';
    if (rule.equator.of !== undefined) yield 'limit of another value';
    if (found.excepted.count > 0) yield 'limit with exceptions';
  }
  for (const { accumulator } of contract.values) yield `value of ${accumulator}`;
  for (const rule of [...eligibilityRules, ...performanceRules]) {
    if (rule.exceptions.length > 0) yield 'rule with exceptions';
    if (!ruleApplies(rule, result.cutOffDate)) yield 'rule that is off or out of its dates';
  }
  for (const { rule, groups, failedGroupCount, groupCount } of result.wholeGroups ?? []) {
    if (failedGroupCount > 0) yield 'rule about whole groups that excludes some';
    if (failedGroupCount < groupCount) yield 'rule about whole groups that excludes none';
    if (groups.some(({ key }) => key === null)) yield 'rule about whole groups with an unknown group';
    if (eligibilityRules[rule]!.exceptions.length > 0) yield 'rule about whole groups with exceptions';
    if (eligibilityRules[rule]!.wholeGroup?.parent) yield 'rule about whole groups of parents';
  }
  const { offset: all, offsets = [] } = totals;
  for (const { kind, taken, leftOver, parent, groups } of offsets) {
    if (Number(taken.sum) > 0) yield OFFSET_FEATURES[kind];
    if (kind === 'file' && groups.some(({ count }) => count === 0)) yield 'offset of a group without an asset';
    if (kind === 'file' && parent !== null && groups.length > 0) yield 'offset from a file by parent';
    if (Number(taken.sum) > 0 && Number(leftOver.sum) === 0) yield 'offset that takes all it asks for';
    if (Number(leftOver.sum) > 0) yield 'offset that leaves some over';
    if (parent !== null && groups.length > 0) yield 'offset of groups by parent';
    if (groups.some(({ key }) => key === null)) yield 'offset of an unknown group';
  }
  if (all && Number(all.amount.sum) > 0) {
    if (Number(totals.pools.eligibleOrPerforming.amount.sum) === 0) yield 'offset that leaves nothing of the pool';
    if (offsets.reduce((count, one) => count + one.count, 0) > all.count) yield 'several offsets that reduce one asset';
    if (totals.reserves) yield 'offset and reserve';
    if (results.some(({ failed }) => ['offset', 'concentration'].every((of) => failed.join().includes(of)))) {
      yield 'offset and limit that cut one asset';
    }
  }
  if (result.scopes.length > 1) yield 'several scopes';
  if (new Set(assets.map((asset) => asset['sums.outstandingSum.currency'])).size > 1) yield 'several currencies';
  for (const { code } of warnings) {
    if (code === 'missingRate') yield 'missing rate';
    if (code === 'noOutstanding') yield 'missing amount';
    if (code === 'negativeOutstanding') yield 'negative amount';
  }
  if (assets.some((asset) => asset['sums.outstandingSum'] === '0')) yield 'zero amount';
  const sums = assets.map((asset) => asset['sums.outstandingSum']);
  if (sums.length === 0) yield 'pool without an asset';
  if (sums.length === 1) yield 'pool of one asset';
  if (sums.length > 1 && sums.every((each) => each === '0')) yield 'pool of zero balance';
  if (sums.length > 1 && sums.every((each) => Number(each) < 0)) yield 'pool of negative balances';
  if (sums.length > 1 && sums.every((each) => each === null)) yield 'pool without an amount';
  if (sums.length > 1 && totals.pools.inEligible.count === sums.length) yield 'pool without an eligible asset';
  if (excessBreachDistribution.length > 0 && Number(totals.pools.eligibleOrPerforming.amount.sum) === 0) {
    yield 'limit of a pool without a balance';
  }
  for (const status of BORROWING_BASE_STATUSES) if (totals.pools[status].count > 0) yield status;
}

describe('the engine and the plain calculation agree on every asset and figure', () => {
  // FC_RUNS sets the number of contracts, and FC_SEED chooses others.
  test('over 500 random pools, contracts and currencies, all of which can be stored', async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        pool,
        contractInput,
        tape,
        fc.tuple(listRows, fc.boolean()),
        fc.constantFrom(...layouts),
        async (assets, contract, terms, [rows, codes], layout) => {
          const lists = listsFor(contract, terms, assets, rows);
          const parquetFiles = await layOut(assets, layout, { codes, columns: ['assetId', ...Object.keys(SAMPLE)] });
          const { result, results } = await expectAgreement(assets, contract, terms, parquetFiles, lists);
          await expectToBeStored(result);
          const parsed = transactionContractSchema.parse(contract);
          for (const one of featuresOf(parsed, assets, result, results)) seen.add(one);
          await Promise.all(parquetFiles.map((file) => rm(file)));
        },
      ),
      { numRuns: RUNS, seed: Number(process.env.FC_SEED ?? 1) },
    );
    if (RUNS >= 500) expect([...seen].sort()).toEqual([...FEATURES].sort());
  }, 1_800_000);

  const many = Array.from({ length: 12_345 }, (_, index): ReferenceAsset => manyAssets(index));
  const rulesOfGreatest: TransactionContractInput = {
    ...manyRules,
    overlap: 'maximumPerAsset',
    offsets: [
      { title: 'Largest', kind: 'field', groupBy: 'borrowerId', field: 'sums.outstandingSum' },
      { title: 'Parents', kind: 'field', groupBy: 'borrowerId', parent: 'state', field: 'sums.outstandingSum' },
    ],
  };
  // The plain calculation of many rows is slow, and does not depend on their layout.
  const references = new Map<TransactionContractInput, ReturnType<typeof calculateReference>>();
  const referenceOfMany = (rules: TransactionContractInput) => {
    const kept = references.get(rules) ?? referenceOf(many, rules, WORKED_CASE_TAPE);
    references.set(rules, kept);
    return kept;
  };

  test.each(layouts)(
    'over many rows in %s, where they could change places',
    async (layout) => {
      const parquetFiles = await layOut(many, layout);
      const expected = referenceOfMany(manyRules);
      const found = await expectAgreement(many, manyRules, WORKED_CASE_TAPE, parquetFiles, [], expected);
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

      const greatest = await expectAgreement(
        many,
        rulesOfGreatest,
        WORKED_CASE_TAPE,
        parquetFiles,
        [],
        referenceOfMany(rulesOfGreatest),
      );
      await writeAssetResults(greatest.assets, parquetFiles, results[0]);
      await expectStored(results[0], greatest.assets);
    },
    300_000,
  );

  // A process runs for days, and V8 recompiles its code over time. That once made rules report each other's counts.
  test('and say the same each time they are asked', async () => {
    const parquetFiles = await layOut(many, 'joined parts, as published');
    const contract = transactionContractSchema.parse(manyRules);
    const { result } = referenceOfMany(manyRules);
    for (let time = 0; time < 80; time += 1) {
      const again = await calculateBorrowingBase({ parquetFiles, tape: WORKED_CASE_TAPE, contract, catalog });
      expect(again.result).toEqual(result);
    }
  });
});

/** Expects the file to contain the calculated result of each asset. */
async function expectStored(file: string, assets: Awaited<ReturnType<typeof calculateBorrowingBase>>['assets']) {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const reader = await connection.runAndReadAll(`SELECT COLUMNS(*)::VARCHAR FROM read_parquet('${file}')`);
  const rows = reader.getRowObjectsJS() as Record<string, string | null>[];
  connection.closeSync();
  instance.closeSync();
  expect(rows).toHaveLength(assets.length);
  const expected = rows.map((_, index) => ({
    sequenceIndex: String(index),
    row: String(index + 2),
    assetId: `a${index}`,
    ...written(assetResultAt(assets, index), assets.prepared),
  }));
  expectSame(rows, expected);
}

const decimalOf = (units: bigint, digits: number): string => {
  const text = (units < 0n ? -units : units).toString().padStart(digits + 1, '0');
  return `${units < 0n ? '-' : ''}${text.slice(0, -digits)}.${text.slice(-digits)}`;
};
/** Any value of a DECIMAL(18) column, often at its limits. */
const anyDecimal = (digits: number) =>
  fc
    .oneof(
      fc.constantFrom(0n, 1n, -1n, 10n ** 18n - 1n, 1n - 10n ** 18n, 10n ** 17n, 2n ** 52n, 2n ** 52n + 1n, 2n ** 53n),
      fc.bigInt(1n - 10n ** 18n, 10n ** 18n - 1n),
      fc.bigInt(0n, 10n ** 9n),
    )
    .map((units) => decimalOf(units, digits));
/** Any number that is small enough for 40 of them to be summed exactly. */
const anyNumber = fc.oneof(
  fc.constantFrom(0, -0, 1e14, -1e14, 5e-324, 0.1, 90_071_992.547_409_92, 0.000_000_004_999),
  fc.double({ min: -1e14, max: 1e14, noNaN: true }),
  fc.integer({ min: -5, max: 900 }),
);
const anyAsset = fc.record({
  borrowerId: maybe(fc.constantFrom('b1', 'b2', 'b3', 'b4')),
  'address.state': maybe(fc.constantFrom('CA', 'NY')),
  monthsOnBook: maybe(anyNumber),
  currentLtv: maybe(anyDecimal(8)),
  'sums.outstandingSum': maybe(anyDecimal(4)),
  'sums.outstandingSum.currency': fc.constantFrom('USD', 'USD', 'EUR', 'XXL'),
  'sums.collateralValue': maybe(anyDecimal(4)),
  'sums.collateralValue.currency': fc.constantFrom('USD', 'EUR'),
});
const anyPool = fc
  .array(anyAsset, { minLength: 1, maxLength: 40 })
  .map((assets) => assets.map((one, index): ReferenceAsset => ({ assetId: `a${index}`, ...one })));
const anyRate = fc.oneof(
  fc.constantFrom(0, 100, 99.999_999_99, 0.000_000_01, 33.333_333_33, 50),
  fc.integer({ min: 0, max: 10 ** 10 }).map((units) => units / 10 ** 8),
);
const anyEquator = fc.record({
  operand,
  unit: fc.constantFrom('money', 'percentage', 'number'),
  value: fc.oneof(
    fc.constantFrom(0, -0, 1e15, -1e15, 5e-324, 0.01, 100, 99_999_999_999.99),
    fc.double({ min: -1e15, max: 1e15, noNaN: true }),
    fc.double({ min: 0, max: 100, noNaN: true }),
  ),
  of: fc.constantFrom('Total Eligible & Performing Pool', 'Total Relevant Pool', 'LTV', 'Weighed'),
});
const anyLimit = fc.record({
  groupBy: fc.constantFrom(null, 'borrowerId', 'state'),
  topN: fc.constantFrom(null, 1, 1_000_000),
  skipN: fc.constantFrom(0, 1, 1_000_000),
  equator: anyEquator,
});
const anyContract = fc
  .record({
    cutOffDate: fc.constant('2026-01-01'),
    assetsETL: fc.constant('64b000000000000000000001'),
    eligibilityRules: fc.constantFrom([], [{ title: 'Size', filter: { 'sums.outstandingSum': { gte: 0.0001 } } }]),
    concentrationRules: fc
      .array(
        fc.oneof(
          fc
            .tuple(anyLimit, fc.constantFrom(null, 'sums.collateralValue', 'monthsOnBook', 'currentLtv'))
            .map(([rule, accumulatorField]) => ({ ...rule, accumulatorField })),
          fc
            .tuple(
              anyLimit,
              fc.constantFrom('$avg', '$wAvg'),
              fc.constantFrom('currentLtv', 'monthsOnBook', 'sums.collateralValue'),
              fc.constantFrom(null, 'sums.collateralValue', 'monthsOnBook'),
            )
            .map(([rule, accumulator, accumulatorField, weightedField]) => ({
              ...rule,
              accumulator,
              accumulatorField,
              weightedField,
            })),
        ),
        { maxLength: 3 },
      )
      .map(titled('Limit')),
    overlap: fc.constantFrom(...LIMIT_OVERLAPS),
    values: fc.constant([
      { title: 'LTV', accumulator: '$wAvg', field: 'currentLtv', pool: 'relevant' },
      { title: 'Weighed', accumulator: '$wAvg', field: 'sums.collateralValue', weightedField: 'monthsOnBook' },
    ]),
    advanceRate: fc.record({
      cases: fc
        .array(fc.record({ filter: fc.constantFrom({}, { state: 'CA' }), rate: anyRate }), { maxLength: 2 })
        .map(titled('Case')),
      defaultRate: anyRate,
    }),
  })
  .map((input) => input as unknown as TransactionContractInput);
/** No conversion makes an amount larger, so that 40 of them can still be summed exactly. */
const anyTape = fc.record({
  cutOffDate: fc.constant('2026-10-31'),
  mainCurrency: fc.constantFrom('USD', 'JPY', 'KWD', 'CLF'),
  exchangeRates: fc
    .tuple(
      fc.constantFrom('1', '1.000000000001', '3', `1${'0'.repeat(60)}`, '7.7777777777777777777'),
      fc.constantFrom('1', '0.3', `0.${'0'.repeat(60)}1`, '0.99999999999999999999'),
    )
    .map(([from, to]) => ({ EUR: from, XXL: from, JPY: to, KWD: to, CLF: to })),
});

const written = (result: AssetResult, prepared: PreparedContract) => ({
  'borrowingBase.status': result.status ?? 'outOfScope',
  'borrowingBase.scope': result.scope === null ? null : (prepared.scopes[result.scope]?.title ?? null),
  'borrowingBase.failed': result.failed.length === 0 ? '' : `,${result.failed.join(',')},`,
  'borrowingBase.firstFailed': result.failed[0] ?? null,
  'borrowingBase.amount': result.amount,
  'borrowingBase.excessRemoved': result.excessRemoved,
  'borrowingBase.remaining': result.remaining,
  'borrowingBase.rate': result.rate === null ? null : Number(result.rate).toFixed(8),
  'borrowingBase.advanced': result.advanced,
});

describe('over everything that the schemas allow', () => {
  test('the engine, its stored results and the reference calculation agree', async () => {
    await fc.assert(
      fc.asyncProperty(anyPool, anyContract, anyTape, async (assets, input, tape) => {
        const files = await layOut(assets, 'joined parts, as published', {
          columns: ['assetId', ...Object.keys(SAMPLE)],
        });
        const { assets: found } = await expectAgreement(assets, input, tape, files);
        const stored = nextFile();
        await writeAssetResults(found, files, stored);
        await expectStored(stored, found);
        await Promise.all([...files, stored].map((file) => rm(file)));
      }),
      { numRuns: Number(process.env.FC_RUNS ?? 40) },
    );
  }, 600_000);

  test.each([
    { rate: 100, advanced: '99999999999999.999900000000' },
    { rate: 99.999_999_99, advanced: '99999999989999.999900000000' },
    { rate: 0.000_000_01, advanced: '9999.999999999999' },
    { rate: 0, advanced: '0.000000000000' },
  ])('the largest amount at $rate % is stored as $advanced', async ({ rate, advanced }) => {
    const assets = [{ assetId: 'a0', 'sums.outstandingSum': LARGEST, 'sums.outstandingSum.currency': 'USD' }];
    const file = nextFile();
    await writeTape(assets, [file]);
    const contract = { ...WORKED_CASE_CONTRACT, eligibilityRules: [], performanceRules: [], concentrationRules: [] };
    const input = { ...contract, advanceRate: { cases: [], defaultRate: rate } };
    const found = await expectAgreement(assets, input, WORKED_CASE_TAPE, [file]);
    const stored = nextFile();
    await writeAssetResults(found.assets, [file], stored);
    await expectStored(stored, found.assets);
    expect(assetResultAt(found.assets, 0).advanced).toBe(advanced);
  });

  // 45 of the largest amounts stay below 2^52 units, 46 do not.
  test.each([
    { words: 'too many large amounts', count: 46, value: {} },
    { words: 'a number beyond any sum', count: 1, value: { monthsOnBook: 1.7e308 } },
    { words: 'a number that overflows in scaling', count: 1, value: { monthsOnBook: 1e301 } },
  ])('$words are refused by the name of their field', async ({ count, value }) => {
    const assets = Array.from({ length: count }, (_, index) => ({
      assetId: `a${index}`,
      'sums.outstandingSum': LARGEST,
      'sums.outstandingSum.currency': 'USD',
      ...value,
    }));
    const file = nextFile();
    await writeTape(assets, [file]);
    const contract = transactionContractSchema.parse({
      ...WORKED_CASE_CONTRACT,
      eligibilityRules: [],
      performanceRules: [],
      concentrationRules: [],
      values: [{ title: 'Age', field: 'monthsOnBook' }],
    });
    const calculate = (parquetFiles: string[]) =>
      calculateBorrowingBase({ parquetFiles, tape: WORKED_CASE_TAPE, contract, catalog });
    await expect(calculate([file])).rejects.toThrow(/exceeds the exact range of numbers/);
    if (count === 1) return;
    const fewer = nextFile();
    await writeTape(assets.slice(0, 45), [fewer]);
    await expect(calculate([fewer])).resolves.toBeDefined();
  });
});

const LARGEST = '99999999999999.9999';

const SAMPLE = {
  dateFinanced: 0,
  borrowerId: 0,
  'address.state': 0,
  'address.city': 0,
  sector: 0,
  isDelinquent: 0,
  monthsOnBook: 0,
  daysPastDue: 0,
  currentLtv: 0,
  'sums.outstandingSum': 0,
  'sums.outstandingSum.currency': 0,
  'sums.collateralValue': 0,
  'sums.collateralValue.currency': 0,
  'sums.arrears': 0,
  'sums.arrears.currency': 0,
};

/** Assets of a pool with few states, many borrowers, and many exact ties. */
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
