import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { withAdjustments } from '@tapeline/domain/borrowing-base/adjust.ts';
import { calculateReference } from '@tapeline/domain/borrowing-base/testing/reference.ts';
import type { ReferenceBase } from '@tapeline/domain/borrowing-base/testing/reference-steps.ts';
import { adjustment, note, untidyPair } from '@tapeline/domain/borrowing-base/testing/untidy-pairs.ts';
import {
  RECEIVABLES,
  RECEIVABLES_CONTRACT,
  WORKED_CASE_ASSETS,
  WORKED_CASE_CONTRACT,
  WORKED_CASE_TAPE,
} from '@tapeline/domain/borrowing-base/testing/worked-case.ts';
import { transactionContractSchema } from '@tapeline/domain/facilities/contract.schema.ts';
import { compare, sum } from '@tapeline/domain/money/decimal.ts';
import { changeIssues } from '@tapeline/domain/scenarios/changed-inputs.ts';
import { type ScenarioChange, scenarioCreateSchema } from '@tapeline/domain/scenarios/scenario.schema.ts';
import { changedReference } from '@tapeline/domain/scenarios/testing/changed-assets.ts';
import { assetCatalog } from '@tapeline/domain/tapes/target-schema.ts';
import { affectedAssets } from '@tapeline/lake/asset-effects.ts';
import type { Lake } from '@tapeline/lake/lake.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BaseOnFiles } from './explain-bases.ts';
import { calculateChanged, isSameBase, unchanged, writeScenarioAssets } from './scenarios.ts';
import { assetResultAt } from './testing/asset-result.ts';
import { writeTape } from './testing/tape.ts';

const catalog = assetCatalog();
let folder = '';
let instance: DuckDBInstance;
let connection: DuckDBConnection;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scenarios-'));
  instance = await DuckDBInstance.create(':memory:', { preserve_insertion_order: 'false' });
  connection = await instance.connect();
});
afterAll(async () => {
  connection.closeSync();
  instance.closeSync();
  await rm(folder, { recursive: true, force: true });
});
const lake = (): Lake =>
  ({ connected: (work: (of: DuckDBConnection) => unknown) => work(connection) }) as unknown as Lake;

const COLUMNS = [
  'assetId',
  'borrowerId',
  'address.state',
  'creditScores.grade',
  'creditScores.origination',
  'daysPastDue',
  'dateFinanced',
  'sums.outstandingSum',
  'sums.outstandingSum.currency',
  'sums.arrears',
  'sums.arrears.currency',
];

/** The certificate of a reference, on files. */
async function onFiles({
  assets,
  contract,
  tape,
  facility,
  offsetLists,
  adjustments,
}: ReferenceBase): Promise<BaseOnFiles> {
  const file = join(folder, 'tape.parquet');
  await writeTape(assets, [file], { columns: COLUMNS }, connection);
  const { result } = calculateReference({ assets, tape, contract, catalog, facility, offsetLists });
  return {
    result: withAdjustments(result, adjustments, tape.exchangeRates),
    contract,
    tape,
    parquetFiles: [file],
    customFields: [],
    hasStableIds: true,
    documents: [],
    offsetLists,
  };
}

const shares = fc.constantFrom(0, 12.5, 33.3333, 50, 100);
const filter = fc.constantFrom({}, { 'address.state': 'CA' }, { daysPastDue: { lte: 30 } }, { borrowerId: 'b1' });
const change: fc.Arbitrary<unknown> = fc.oneof(
  fc.record({
    kind: fc.constant('rate'),
    rule: fc.constantFrom(-1, -1, 0, 1),
    ratePercent: fc.constantFrom(0, 55, 72.125, 100),
  }),
  fc.record({ kind: fc.constant('limit'), rule: fc.constantFrom(0, 1, 2), value: fc.constantFrom(0, 5, 40, 1000) }),
  fc.record({
    kind: fc.constant('ruleOff'),
    list: fc.constantFrom('eligibilityRules', 'performanceRules', 'concentrationRules'),
    rule: fc.constantFrom(0, 1),
  }),
  fc.record({ kind: fc.constant('haircut'), filter, percent: fc.constantFrom(0.0001, 10, 33.3333, 50, 100) }),
  fc.record({
    kind: fc.constant('largestDefault'),
    field: fc.constantFrom('borrowerId', 'address.state', 'assetId'),
    count: fc.constantFrom(1, 2, 3),
  }),
  fc.record({
    kind: fc.constant('rollRates'),
    months: fc.integer({ min: 1, max: 4 }),
    shares: fc.record({ current: shares, '1-29': shares, '30-59': shares, '60-89': shares }),
  }),
  fc.record({
    kind: fc.constant('currency'),
    currency: fc.constantFrom('EUR', 'USD', 'GBP'),
    percent: fc.constantFrom(-10, 7.25),
  }),
);

test('scenarios of random certificates agree with the reference on changed inputs, to the last digit', async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(untidyPair, fc.array(change, { minLength: 1, maxLength: 4 }), async ([earlier], drafts) => {
      const base = await onFiles(earlier);
      const terms = unchanged(base);
      const certificate = { contract: terms.contract, catalog, tape: base.tape, columns: new Set(COLUMNS) };
      // Those that can be in one scenario: of two with the roll rates, for example, only the first.
      let changes: readonly ScenarioChange[] = [];
      for (const draft of drafts) {
        const more = scenarioCreateSchema.shape.changes.safeParse([...changes, draft]);
        if (more.success && changeIssues(more.data, certificate).length === 0) changes = more.data;
      }
      const again = await calculateChanged(connection, folder, base, terms, 'certificate');
      expect(isSameBase(base.result, again.result)).toBe(true);
      const found = await calculateChanged(connection, folder, base, { ...terms, changes }, 'scenario');
      const inputs = changedReference(
        { assets: earlier.assets, contract: terms.contract, tape: base.tape, catalog },
        changes,
      );
      const expected = calculateReference({ ...inputs, facility: terms.facility });
      expect(found.calculation.result).toEqual(expected.result);
      const { assets } = found.calculation;
      expect(Array.from({ length: assets.length }, (_, index) => assetResultAt(assets, index))).toEqual(
        expected.assets,
      );
      compared += 1;
      // The effects on the assets add up to what is advanced before rounding.
      const file = join(folder, 'changed.parquet');
      const affected = await writeScenarioAssets(connection, [again.file, found.file], file);
      const { assets: listed, total } = await affectedAssets(lake(), file, 'scenario', { skip: 0, limit: 100 });
      expect([total, listed.length]).toEqual([affected.count, affected.count]);
      expect(compare(sum(listed.map(({ effect }) => effect)), affected.effect)).toBe(0);
    }),
    { numRuns: 100 },
  );
  expect(compared).toBeGreaterThanOrEqual(100);
}, 240_000);

test('a scenario without changes is the certificate, byte for byte', async () => {
  await fc.assert(
    fc.asyncProperty(untidyPair, async ([earlier]) => {
      const base = await onFiles(earlier);
      const again = await calculateChanged(connection, folder, base, unchanged(base), 'certificate');
      expect(JSON.stringify(again.result)).toBe(JSON.stringify(base.result));
      const same = await calculateChanged(connection, folder, base, unchanged(base), 'same');
      expect((await readFile(again.file)).equals(await readFile(same.file))).toBe(true);
      const file = join(folder, 'changed.parquet');
      const affected = await writeScenarioAssets(connection, [again.file, same.file], file);
      expect(affected).toEqual({ count: 0, ownCount: 0, effect: '0.000000000000', statusChanges: [] });
    }),
    { numRuns: 20 },
  );
}, 120_000);

test('a scenario takes the offsets of the file that its certificate was calculated from', async () => {
  const ofFile = { title: 'Payables', kind: 'file', groupBy: 'borrowerId', file: 'payables' };
  const offsets = [{ ...ofFile, groupColumn: 'Vendor', amountColumn: 'Balance' }];
  const base = await onFiles({
    ...{ assets: RECEIVABLES, tape: WORKED_CASE_TAPE, adjustments: [] },
    contract: transactionContractSchema.parse({ ...RECEIVABLES_CONTRACT, offsets }),
    offsetLists: [{ rule: 0, file: { name: 'payables.csv', key: 'payables' }, groups: new Map([['d2', '50']]) }],
  });
  const again = await calculateChanged(connection, folder, base, unchanged(base), 'certificate');
  expect(isSameBase(base.result, again.result)).toBe(true);
  const changes: ScenarioChange[] = [{ kind: 'haircut', filter: {}, percent: 50 }];
  const { result } = await calculateChanged(connection, folder, base, { ...unchanged(base), changes }, 'scenario');
  const eligible = [again.result, result].map(({ totals }) => totals.pools.eligibleOrPerforming.amount.sum);
  expect(eligible).toEqual(['230.00', '90.00']);
});

test('the worked case: the two largest borrowers default', async () => {
  const contract = transactionContractSchema.parse(WORKED_CASE_CONTRACT);
  const base = await onFiles({
    assets: WORKED_CASE_ASSETS,
    contract,
    tape: WORKED_CASE_TAPE,
    facility: note('400'),
    adjustments: [adjustment('-25.00')],
  });
  expect(base.result.totals.availableBase?.sum).toBe('664.53');
  const changes: ScenarioChange[] = [{ kind: 'largestDefault', field: 'borrowerId', count: 2 }];
  const again = await calculateChanged(connection, folder, base, unchanged(base), 'certificate');
  const found = await calculateChanged(connection, folder, base, { ...unchanged(base), changes }, 'scenario');
  expect(found.defaulted).toEqual([{ change: 0, keys: ['b1', 'b3'] }]);
  const file = join(folder, 'changed.parquet');
  const affected = await writeScenarioAssets(connection, [again.file, found.file], file);
  expect(affected.statusChanges).toEqual([{ from: 'performing', to: 'inEligible', assets: 3 }]);
  const { assets: listed } = await affectedAssets(lake(), file, 'scenario', { skip: 0, limit: 1 });
  expect(listed[0]).toMatchObject({
    isOwn: true,
    before: { status: 'performing' },
    after: { status: 'inEligible', firstFailed: 'eligible:1', advanced: '0' },
  });
  // The adjustment of the certificate stays.
  expect(found.result.totals.adjustments).toHaveLength(1);
});

test('a change that does not fit is refused by name', async () => {
  const contract = transactionContractSchema.parse(WORKED_CASE_CONTRACT);
  const base = await onFiles({
    assets: WORKED_CASE_ASSETS,
    contract,
    tape: WORKED_CASE_TAPE,
    facility: note('400'),
    adjustments: [],
  });
  const changes: ScenarioChange[] = [{ kind: 'limit', rule: 7, value: 10 }];
  await expect(
    calculateChanged(connection, folder, base, { ...unchanged(base), changes }, 'scenario'),
  ).rejects.toMatchObject({
    flags: { 'changes.0.rule': 'is not a concentration limit of the contract' },
  });
});
