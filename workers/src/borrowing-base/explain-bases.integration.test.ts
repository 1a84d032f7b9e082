import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { ASSET_CAUSES } from '@tapeline/domain/borrowing-base/causes/causes.ts';
import { explainDifference } from '@tapeline/domain/borrowing-base/causes/explain-difference.ts';
import {
  effectsOf,
  type ReferenceBase,
  referenceSteps,
  totalOf,
} from '@tapeline/domain/borrowing-base/testing/reference-steps.ts';
import { note, untidyPair } from '@tapeline/domain/borrowing-base/testing/untidy-pairs.ts';
import {
  RECEIVABLES,
  RECEIVABLES_CONTRACT,
  WORKED_CASE_ASSETS,
  WORKED_CASE_CONTRACT,
  WORKED_CASE_TAPE,
} from '@tapeline/domain/borrowing-base/testing/worked-case.ts';
import { transactionContractSchema } from '@tapeline/domain/facilities/contract.schema.ts';
import { compare, type DecimalText, isZero, round } from '@tapeline/domain/money/decimal.ts';
import { assetCatalog, ROW_COLUMN, SEQUENCE_COLUMN } from '@tapeline/domain/tapes/target-schema.ts';
import { affectedAssets, affectedExport } from '@tapeline/lake/asset-effects.ts';
import { type Lake, quoteName, quoteText } from '@tapeline/lake/lake.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { explainOnFiles } from './explain-bases.ts';
import { PAIRS, PairedAssets } from './paired-assets.ts';
import { writeTape } from './testing/tape.ts';

const catalog = assetCatalog();
let folder = '';
let instance: DuckDBInstance;
let connection: DuckDBConnection;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'explained-'));
  instance = await DuckDBInstance.create(':memory:', { preserve_insertion_order: 'false' });
  connection = await instance.connect();
});
afterAll(async () => {
  connection.closeSync();
  instance.closeSync();
  await rm(folder, { recursive: true, force: true });
});

/** All that lists of assets need of a lake. */
const lake = (): Lake =>
  ({ connected: (work: (of: DuckDBConnection) => unknown) => work(connection) }) as unknown as Lake;

async function explain(earlier: ReferenceBase, later: ReferenceBase) {
  const reference = referenceSteps(earlier, later, catalog);
  const expected = explainDifference(reference.was, reference.is, reference.steps);
  const onFile = async (base: ReferenceBase, name: string) => {
    const file = join(folder, name);
    const columns = ['assetId', 'sums.outstandingSum', 'sums.outstandingSum.currency'];
    await writeTape(base.assets, [file], base.assets.length === 0 ? { columns } : {}, connection);
    return { ...base, parquetFiles: [file], customFields: [], hasStableIds: true, documents: [] };
  };
  const [was, is] = [await onFile(earlier, 'earlier.parquet'), await onFile(later, 'later.parquet')];
  const file = join(folder, 'effects.parquet');
  const [before, after] = [
    { ...was, result: reference.was },
    { ...is, result: reference.is },
  ];
  const found = await explainOnFiles(connection, folder, before, after, file);
  return { found, expected, reference, file };
}

test('the worked case: a late loan is another status, listed first with the loans that the limits reach', async () => {
  const contract = transactionContractSchema.parse(WORKED_CASE_CONTRACT);
  const worked = {
    assets: WORKED_CASE_ASSETS,
    contract,
    tape: WORKED_CASE_TAPE,
    facility: note('400'),
    adjustments: [],
  };
  const assets = WORKED_CASE_ASSETS.map((asset, index) => (index === 3 ? { ...asset, daysPastDue: 45 } : asset));
  const { found, file } = await explain(worked, { ...worked, assets });
  expect(found.difference.total).toMatchObject({ earlier: '289.53', notExplained: '0' });
  const status = found.assets.find(({ cause }) => cause === 'status');
  const { assets: listed, total } = await affectedAssets(lake(), file, 'status', { skip: 0, limit: 10 });
  expect(listed[0]).toMatchObject({
    assetId: '4',
    isOwn: true,
    before: { row: 5, status: 'performing', rate: '80', advanced: '120' },
    after: { row: 5, status: 'nonPerforming', firstFailed: 'performing:0', rate: null, advanced: '0' },
    effect: '-120',
  });
  expect(listed.slice(1).map(({ isOwn }) => isOwn)).toEqual(Array(total - 1).fill(false));
  expect(status).toMatchObject({ count: total, ownCount: 1, effect: totalOf(listed.map(({ effect }) => effect)) });
  // The pool of 850 has limits of 340 and 425 instead of 400 and 500.
  expect(found.difference.lines.find(({ key }) => key === 'eligibleOrPerforming')?.difference).toBe('-150');
});

test('each certificate has the amounts of its own file, and another file is a cause of limits and offsets', async () => {
  const ofFile = { title: 'Payables', kind: 'file', groupBy: 'borrowerId', file: 'payables' };
  const offsets = [{ ...ofFile, groupColumn: 'Vendor', amountColumn: 'Balance' }];
  const contract = transactionContractSchema.parse({ ...RECEIVABLES_CONTRACT, offsets });
  const withFile = (name: string, groups: Record<string, string>) => ({
    ...{ assets: RECEIVABLES, contract, tape: WORKED_CASE_TAPE, adjustments: [] },
    offsetLists: [{ rule: 0, file: { name, key: name }, groups: new Map(Object.entries(groups)) }],
  });
  const { found, expected, reference } = await explain(
    withFile('payables-09.csv', { d2: '50', d4: '100', d9: '30' }),
    withFile('payables-10.csv', { d2: '70' }),
  );
  expect(found.difference).toEqual(expected);
  const eligible = [reference.was, reference.is].map(({ totals }) => totals.pools.eligibleOrPerforming.amount.sum);
  expect(eligible).toEqual(['150.00', '210.00']);
  expect(found.assets.filter(({ effect }) => !isZero(effect)).map(({ cause }) => cause)).toEqual(['limit']);
  expect(found.difference.total.notExplained).toBe('0');
});

test('exports name the rule that an asset fails, and none for one that only a limit cuts', async () => {
  const contract = transactionContractSchema.parse(WORKED_CASE_CONTRACT);
  const worked = {
    assets: WORKED_CASE_ASSETS,
    contract,
    tape: WORKED_CASE_TAPE,
    facility: note('400'),
    adjustments: [],
  };
  const assets = WORKED_CASE_ASSETS.map((asset, index) => (index === 3 ? { ...asset, daysPastDue: 45 } : asset));
  const { file } = await explain(worked, { ...worked, assets });
  const { assets: listed } = await affectedAssets(lake(), file, 'status', { skip: 0, limit: 10 });
  const cut = listed.filter(({ after }) => after?.firstFailed?.startsWith('concentration:'));
  expect(cut.length).toBeGreaterThan(0);
  const titles = new Map([['performing:0', 'Days past due is at most 30']]);
  const table = affectedExport(
    file,
    [{ cause: 'status', count: listed.length, titles: { before: titles, after: titles } }],
    {
      before: 'before',
      after: 'after',
    },
  );
  const read = await connection.runAndReadAll(`SELECT id, after_rule ${table.queries[0]!.from}`);
  expect(new Map(read.getRows() as [string, string | null][])).toEqual(
    new Map(listed.map(({ assetId }) => [assetId, assetId === '4' ? 'Days past due is at most 30' : null])),
  );
});

/** Which asset has the last digit of a limit depends on the order of the pool, which the reference does not have. */
const seen = (effects: readonly DecimalText[]): DecimalText[] =>
  effects
    .map((effect) => round(effect, 9))
    .filter((effect) => !isZero(effect))
    .sort(compare);

test('any two certificates: the engine explains their difference as the reference does, down to each asset', async () => {
  await fc.assert(
    fc.asyncProperty(untidyPair, async ([earlier, later]) => {
      const { found, expected, reference, file } = await explain(earlier, later);
      expect(found.difference).toEqual(expected);
      for (const { cause, count, effect } of found.assets) {
        const { assets, total } = await affectedAssets(lake(), file, cause, { skip: 0, limit: 100 });
        expect([assets.length, count]).toEqual([total, total]);
        const listed = assets.filter((asset) => asset.isOwn || !isZero(asset.effect));
        expect(listed).toHaveLength(total);
        expect(compare(totalOf(assets.map((asset) => asset.effect)), effect)).toBe(0);
        expect(seen(assets.map((asset) => asset.effect))).toEqual(seen(effectsOf(reference.steps, cause)));
      }
      expect(found.assets.map(({ cause }) => cause)).toEqual([...ASSET_CAUSES]);
    }),
    { numRuns: 15, endOnFailure: true },
  );
});

test('tapes are paired in one pass over each: by ids that are listed once, not by row numbers', async () => {
  const size = 100_000;
  const written = async (name: string, id: string) => {
    const file = join(folder, name);
    await connection.run(
      `COPY (SELECT range AS ${quoteName(SEQUENCE_COLUMN)}, range + 2 AS ${quoteName(ROW_COLUMN)}, ${id} AS "assetId"
         FROM range(${size})) TO ${quoteText(file)} (FORMAT parquet)`,
    );
    return file;
  };
  // Each tape has its first id twice; the later one has another last id.
  const was = await written('was.parquet', 'greatest(range, 1)::VARCHAR');
  const is = await written(
    'is.parquet',
    `CASE WHEN range = ${size - 1} THEN 'new' ELSE greatest(range, 1)::VARCHAR END`,
  );
  const counted = async (earlier: string, later: string, hasStableIds: boolean) => {
    await PairedAssets.open(connection, folder, [earlier], [later], hasStableIds);
    const read = await connection.runAndReadAll(
      `SELECT count(*), count(*) FILTER (WHERE earlier IS NOT NULL AND later IS NOT NULL) FROM ${PAIRS}`,
    );
    return read.getRows()[0]?.map(Number);
  };
  expect(await counted(was, is, true)).toEqual([size + 3, size - 3]);
  expect(await counted(was, is, false)).toEqual([2 * size, 0]);
  expect(await counted(was, was, false)).toEqual([size, size]);
}, 20_000);
