import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  WORKED_CASE_ASSETS,
  WORKED_CASE_CONTRACT,
  WORKED_CASE_TAPE,
} from '@tapeline/domain/borrowing-base/testing/worked-case.ts';
import { transactionContractSchema } from '@tapeline/domain/facilities/contract.schema.ts';
import { assetCatalog } from '@tapeline/domain/tapes/target-schema.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changedAssets } from './changed-assets.ts';
import { calculateBorrowingBase } from './engine.ts';
import { writeTape } from './testing/tape.ts';

let folder = '';
let parquetFiles: string[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'changed-assets-'));
  // Two parts, so that an asset's place is not its place in a file.
  parquetFiles = [join(folder, '1.parquet'), join(folder, '2.parquet')];
  await writeTape(
    WORKED_CASE_ASSETS.map((asset, index) => ({ assetId: `L-${index + 1}`, ...asset })),
    parquetFiles,
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const calculate = async (eligible: number) => {
  const contract = transactionContractSchema.parse({
    ...WORKED_CASE_CONTRACT,
    eligibilityRules: [{ title: 'Score', filter: { 'creditScores.origination': { gte: eligible } } }],
  });
  const found = await calculateBorrowingBase({
    parquetFiles,
    tape: WORKED_CASE_TAPE,
    contract,
    catalog: assetCatalog(),
  });
  return found.assets;
};

test('The assets whose status differs are named, with both statuses and the amount', async () => {
  const [before, after] = [await calculate(600), await calculate(645)];
  const found = await changedAssets(parquetFiles, before.status, after);
  expect(found.map(({ from, to, amount }) => [from, to, Number(amount)])).toEqual([
    ['performing', 'inEligible', 250],
    ['performing', 'inEligible', 150],
  ]);
  expect(found.map(({ assetId }) => assetId)).toEqual([expect.stringMatching(/3$/), expect.stringMatching(/4$/)]);
  expect(await changedAssets(parquetFiles, before.status, before)).toEqual([]);
});
