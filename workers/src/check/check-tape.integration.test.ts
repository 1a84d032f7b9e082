import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileStored, registerFile } from '@tapeline/db/operations/files/files.ts';
import type { RuleInput } from '@tapeline/domain/tapes/rule.schema.ts';
import type { CheckedFile } from '@tapeline/domain/tapes/tape-check.ts';
import { objectKey } from '@tapeline/lake/storage/object-store.ts';
import type { tapeCheck } from '@tapeline/workflows/all-workflows.ts';
import type { CheckTapeInput } from '@tapeline/workflows/check/activities.ts';
import { workflowIdOf } from '@tapeline/workflows/queues.ts';
import { defaultPayloadConverter } from '@temporalio/common';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  ALL_QUEUES,
  openTapeCluster,
  type TapeCluster,
  TEST_INSTANCE,
  TEST_QUEUES,
  until,
} from '../testing/tape-cluster.ts';
import { LOAN_MAPPING, type Loan, manyLoans, writeLoans } from '../testing/tape-file.ts';

const ROWS = 100_000;
const BATCH_ROWS = 10_000;
const CUT_OFF = '2026-06-30';

vi.setConfig({ testTimeout: 300_000 });

let cluster: TapeCluster;
let companyId = '';
let mappingId = '';
let checks = 0;
const many = manyLoans(ROWS);
let manyPath = '';

beforeAll(async () => {
  cluster = await openTapeCluster({ batchRows: BATCH_ROWS });
  companyId = await cluster.companyId('Alder Auto');
  mappingId = await cluster.createMapping(companyId, LOAN_MAPPING);
  manyPath = join(cluster.folder, 'many.xlsx');
  await writeLoans(manyPath, many.loans());
  await cluster.startWorkers(1, ALL_QUEUES);
});
afterAll(() => cluster?.close());

async function upload(path: string): Promise<string> {
  const name = basename(path);
  const file = await cluster.asSystem((session) =>
    registerFile(session, { bucket: 'loanTapes', name, size: 1, type: 'text/plain', companyId }),
  );
  const { size, checksum } = await cluster.objects.putFile(objectKey(file.bucket, file.key), path);
  await cluster.asSystem((session) => fileStored(session, { ...file, size, checksum }));
  return file.id;
}

async function start(path: string, more: Partial<CheckTapeInput> = {}) {
  checks += 1;
  const input: CheckTapeInput = {
    fileId: await upload(path),
    sheetName: null,
    cutOffDate: CUT_OFF,
    primaryCurrency: 'USD',
    rules: LOAN_MAPPING.rules,
    companyId,
    ...more,
  };
  return cluster.client.workflow.start<typeof tapeCheck>('tapeCheck', {
    taskQueue: TEST_QUEUES.awaited,
    workflowId: workflowIdOf(TEST_INSTANCE, `checks/${checks}`),
    args: [input],
  });
}

const checked = async (...args: Parameters<typeof start>) => (await (await start(...args)).result()) as CheckedFile;

/** Publishes a tape of the file, and answers its counts with those of its warnings. */
async function published(path: string, cutOffDate: string) {
  const { id } = await cluster.createTape({ companyId, mappingId, cutOffDate, path });
  await cluster.startTape(id);
  await cluster.finish(id);
  const { counts, statistics, failure } = await cluster.tape(id);
  expect(failure).toBeNull();
  return { ...counts, warned: statistics?.warnings?.assets };
}

test('the counts of 100,000 rows are those of the tape that is processed, and nothing is left of the check', async () => {
  const { groups, ...counts } = await checked(manyPath);
  const { dataRows: rows, assets, errored, blankRows } = many.counts;
  expect(counts).toMatchObject({ rows, assets, errored, blankRows, warned: 0, moreGroups: 0, sheetName: 'Loans' });
  expect(groups.map(({ code, count }) => ({ code, count }))).toEqual([
    { code: 'notConverted', count: groups[0]?.count },
    { code: 'notUnique', count: groups[1]?.count },
  ]);
  expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(errored);
  // The ids that are repeated are of row 2, in another batch than most of the rows that repeat them.
  expect(groups[1]?.rows[0]?.reason).toMatch(/is already used by row 2$/);
  // The upload alone. Other keys are of documents of the demonstration, which the workers may be printing.
  const ofTapes = await Promise.all(['loanTapes/', 'lake/', 'previews/'].map((prefix) => cluster.keys(prefix)));
  expect(ofTapes.flat()).toHaveLength(1);
  expect((await cluster.scratch()).filter((name) => name.includes('job-'))).toEqual([]);
  expect(await published(manyPath, CUT_OFF)).toMatchObject({ dataRows: rows, assets, errored, blankRows, warned: 0 });
});

test('what differs from the company’s earlier tape is counted too', async () => {
  const loans = (change: Partial<Loan>): Loan[] =>
    Array.from({ length: 60 }, (_, at) => ({ id: `C${at}`, balance: 100 + at, ...(at % 3 === 0 ? change : {}) }));
  const path = join(cluster.folder, 'consistent.xlsx');
  await writeLoans(path, loans({}));
  expect(await published(path, '2020-01-31')).toMatchObject({ assets: 60 });
  await writeLoans(path, loans({ original: 26_000, balance: -4 }));
  const found = await checked(path, { cutOffDate: '2020-02-29' });
  expect(found).toMatchObject({ rows: 60, assets: 40, errored: 20, warned: 0 });
  expect(found.groups).toMatchObject([{ code: 'notConsistent', count: 20, rule: 2, fixes: [] }]);
  const alone = await checked(path, { cutOffDate: '2020-02-29', companyId: null });
  expect(alone).toMatchObject({ assets: 60, errored: 0, warned: 20 });
  const { dataRows, assets, errored, warned } = await published(path, '2020-02-29');
  expect({ dataRows, assets, errored, warned }).toEqual({ dataRows: 60, assets: 40, errored: 20, warned: 0 });
});

test('a broken file, and one that lacks a column, are refused at once with what to do', async () => {
  const path = join(cluster.folder, 'broken.xlsx');
  await writeFile(path, 'PK\u0003\u0004 no workbook');
  await expect(checked(path)).rejects.toMatchObject({ cause: { cause: { type: 'Refusal' } } });
  const other = join(cluster.folder, 'other.csv');
  await writeFile(other, 'Loan,Balance\nL1,5\n');
  await expect(checked(other)).rejects.toMatchObject({
    cause: { cause: { type: 'Refusal', message: expect.stringContaining('Original') } },
  });
  const invalid: RuleInput[] = [{ originCol: 'Loan', targetCol: 'x', serializations: [] }];
  await expect(checked(other, { rules: invalid })).rejects.toMatchObject({ cause: { cause: { type: 'Refusal' } } });
});

test('tells how far it is, and ends at once when its caller leaves', async () => {
  const slow = join(cluster.folder, 'slow.xlsx');
  // Enough rows for several heartbeats, of which each says how much is read.
  await writeLoans(slow, manyLoans(600_000).loans());
  const handle = await start(slow);
  const share = await until(async () => {
    const { raw } = await handle.describe();
    const [payload] = raw.pendingActivities?.[0]?.heartbeatDetails?.payloads ?? [];
    return payload ? defaultPayloadConverter.fromPayload<number>(payload) : null;
  });
  expect(share).toBeGreaterThan(0);
  expect(share).toBeLessThanOrEqual(1);
  await handle.terminate('the caller left');
  await until(async () => ((await cluster.scratch()).some((name) => name.includes('job-')) ? null : true));
  // The worker takes the next check.
  expect(await checked(manyPath)).toMatchObject({ assets: many.counts.assets });
});
