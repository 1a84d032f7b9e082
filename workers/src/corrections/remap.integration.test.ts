import { join } from 'node:path';
import { Readable } from 'node:stream';
import { listBorrowingBases } from '@tapeline/db/operations/borrowing-bases/borrowing-bases.ts';
import { discardErrored } from '@tapeline/db/operations/tapes/discard-errored.ts';
import { visiblePublishedTapes } from '@tapeline/db/operations/tapes/published-tapes.ts';
import { beginRemap, remapTarget } from '@tapeline/db/operations/tapes/remap-tape.ts';
import { beginRerun, type RerunAttempt } from '@tapeline/db/operations/tapes/rerun-errored.ts';
import { createTransaction } from '@tapeline/db/operations/transactions/transactions.ts';
import { testActor } from '@tapeline/db/testing/actors.ts';
import { transactionSchema } from '@tapeline/domain/facilities/transaction.schema.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import type { MappingInput } from '@tapeline/domain/tapes/mapping.schema.ts';
import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import { findErroredRows } from '@tapeline/lake/errored-assets.ts';
import { openLake } from '@tapeline/lake/lake.ts';
import type { remapReview, remapTape, rerunErrored } from '@tapeline/workflows/all-workflows.ts';
import type { ReviewedRemap } from '@tapeline/workflows/corrections/preview.ts';
import { workflowIdOf } from '@tapeline/workflows/queues.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readPublished } from '../testing/published-tape.ts';
import { ALL_QUEUES, openTapeCluster, type TapeCluster, TEST_INSTANCE, TEST_QUEUES } from '../testing/tape-cluster.ts';
import { LOAN_CSV_MAPPING, LOAN_MAPPING, type Loan, writeLoans, writeLoansCsv } from '../testing/tape-file.ts';

vi.setConfig({ testTimeout: 240_000 });

let cluster: TapeCluster;
let mappingId = '';
let otherId = '';
let companyId = '';
let manager: UserActor;
let files = 0;

/** Doubles the balance, reads no state, keeps the cell of the status, and leaves an unreadable balance empty. */
const OTHER: MappingInput = {
  ...LOAN_MAPPING,
  rules: LOAN_MAPPING.rules.flatMap((rule) => {
    if (rule.targetCol === 'address.state') return [];
    if (rule.targetCol === 'assetStatus') return [{ ...rule, remainOriginCol: true }];
    if (rule.targetCol !== 'sums.outstandingSum') return [rule];
    return [
      {
        ...rule,
        checks: [],
        onUnreadable: 'empty' as const,
        serializations: [{ type: 'number' as const }, { type: 'multiply' as const, value: 2 }, ...rule.serializations],
      },
    ];
  }),
};

beforeAll(async () => {
  cluster = await openTapeCluster({ batchRows: 5000 });
  companyId = await cluster.companyId('Alder Auto');
  mappingId = await cluster.createMapping(companyId, LOAN_MAPPING);
  otherId = await cluster.createMapping(companyId, OTHER);
  const { managerId } = await cluster.asSystem((session) =>
    createTransaction(
      session,
      transactionSchema.parse({
        title: 'Alder warehouse',
        type: { kind: 'debt', loanType: 'Asset Backed Lending' },
        industries: ['Auto'],
        company: companyId,
        notes: [
          {
            title: 'Senior',
            mainCurrency: 'USD',
            contracts: [
              {
                title: 'Terms',
                cutOffDate: '2030-01-01',
                assetsETL: mappingId,
                status: 'Active',
                advanceRate: { defaultRate: 80 },
              },
            ],
          },
        ],
      }),
    ),
  );
  manager = testActor({ type: 'manager', firstName: 'Mara', lastName: 'Holt', managerId });
  await cluster.startWorkers(1, ALL_QUEUES);
});
afterAll(() => cluster?.close());

const loan = (id: string, balance: Loan['balance'] = 1000.25, more: Partial<Loan> = {}): Loan => ({
  id,
  balance,
  ...more,
});

async function publish(
  loans: Iterable<Loan | null>,
  cutOffDate: string,
  { mapping = mappingId, calculateBB = false, write = writeLoans, type = 'xlsx' } = {},
): Promise<string> {
  files += 1;
  const path = join(cluster.folder, `loans-${files}.${type}`);
  await write(path, loans);
  const tape = await cluster.createTape({ companyId, mappingId: mapping, cutOffDate, path, calculateBB });
  await cluster.startTape(tape.id);
  expect(await cluster.finish(tape.id)).toMatchObject({ stage: 'done' });
  return tape.id;
}

const findErrored = async (parts: readonly string[], rows: readonly number[] | null) => {
  const lake = await openLake({ threads: 1 });
  try {
    return await findErroredRows(lake, await Promise.all(parts.map((key) => cluster.objects.localPath(key))), rows);
  } finally {
    lake.close();
  }
};

const begin = (tapeId: string, target = otherId, on: string | null = null): Promise<RerunAttempt> =>
  cluster.database.store.as(manager, (session) =>
    beginRemap(session, { tapeId, mappingId: target, on, by: 'Mara Holt' }),
  );

async function run(attempt: RerunAttempt, target = otherId) {
  const workflowId = workflowIdOf(TEST_INSTANCE, WORKFLOW_IDS.rerun(attempt.tapeId, attempt.generationId));
  const handle = await cluster.client.workflow.start<typeof remapTape>('remapTape', {
    taskQueue: TEST_QUEUES.workflows,
    workflowId,
    args: [{ attempt, mappingId: target }],
  });
  return handle.result();
}

const remap = async (tapeId: string, target = otherId) => run(await begin(tapeId, target), target);

async function correct(tapeId: string, row: number, balance: number | string): Promise<void> {
  const attempt = await cluster.asSystem((session) =>
    beginRerun(session, { tapeId, rows: [row], on: null, by: 'Mara Holt', findErrored }),
  );
  const key = `${attempt.objectPrefix}request.json`;
  await cluster.objects.putStream(key, Readable.from([JSON.stringify([{ row, cells: { Balance: balance } }])]));
  const { failure } = await cluster.client.workflow.execute<typeof rerunErrored>('rerunErrored', {
    taskQueue: TEST_QUEUES.workflows,
    workflowId: workflowIdOf(TEST_INSTANCE, WORKFLOW_IDS.rerun(tapeId, attempt.generationId)),
    args: [{ attempt, corrections: { key }, by: 'Mara Holt', at: '2026-11-21T12:00:00.000Z' }],
  });
  expect(failure).toBeNull();
}

const basesOf = (tapeId: string) =>
  cluster.asSystem((session) => listBorrowingBases(session, { filter: { loanTape: tapeId } }));

const review = (tapeId: string) =>
  cluster.client.workflow.execute<typeof remapReview>('remapReview', {
    taskQueue: TEST_QUEUES.workflows,
    workflowId: `review/${tapeId}/${Date.now()}`,
    args: [{ tapeId, mappingId: otherId }],
  }) as Promise<ReviewedRemap>;

describe('a published tape with another mapping version', () => {
  test('is reviewed, then has the assets that the file would have had, with what was corrected and discarded', async () => {
    const loans = [
      loan('A1'),
      loan('A2', 'see notes'),
      null,
      loan('A3', 'n/a'),
      loan('', 50),
      loan('', 60),
      loan('A6', 77, { state: 'NY' }),
    ];
    const tapeId = await publish(loans, '2030-01-31', { calculateBB: true });
    await correct(tapeId, 3, 500);
    await cluster.asSystem((session) => discardErrored(session, { tapeId, rows: [5, 6], findErrored }));
    const before = await readPublished(cluster, tapeId);
    const keys = await cluster.keys(`lake/${tapeId}/`);
    const [earlier] = (await basesOf(tapeId)).documents;
    if (!earlier) throw new Error('the tape has a borrowing base');

    const found = await review(tapeId);
    expect(found).toMatchObject({
      before: { assets: 3, errored: 1, discarded: 2 },
      after: { assets: 4, errored: 1, discarded: 1 },
      becomeAssets: 1,
      stopBeingAssets: 0,
      balances: [{ currency: 'USD', before: '1577.25', after: '3154.5' }],
      moreFields: 0,
      correctedRows: 1,
      calculates: true,
    });
    expect(found.fields).toEqual([
      { path: 'customFields.Status', label: 'Status', change: 'added', assets: 4 },
      { path: 'sums.outstandingSum', label: 'Current balance', change: 'changed', assets: 3 },
      { path: 'address.state', label: 'State', change: 'removed', assets: 3 },
    ]);
    expect(found.notes).toMatchObject([
      { before: { sum: '1261.80', currency: 'USD' }, after: { sum: '2523.60', currency: 'USD' }, failure: null },
    ]);
    expect(await cluster.keys(`lake/${tapeId}/`)).toEqual(keys);

    expect(await remap(tapeId)).toEqual({ result: { rows: 6, assets: 4, errored: 1 }, failure: null });
    const tape = await cluster.tape(tapeId);
    expect(tape).toMatchObject({
      mappingId: otherId,
      mappingVersion: 1,
      schedulerStatus: 'Completed',
      processStatus: 'Completed',
      counts: { dataRows: 6, assets: 4, errored: 1, discarded: 1, blankRows: 1 },
    });
    expect(tape.progress?.rerun).toBeUndefined();
    const after = await readPublished(cluster, tapeId);
    const right = loans.map((each) => each && (each.id === 'A2' ? { ...each, balance: 500 } : each));
    const expected = await readPublished(cluster, await publish(right, '2030-01-31', { mapping: otherId }));
    expect(after.assets).toEqual(expected.assets);
    expect(after.manifest).toMatchObject({ mapping: { id: otherId, version: 1 }, discarded: [6] });
    expect(after.manifest.corrections).not.toBe(before.manifest.corrections);
    expect(after.errored.map(({ row }) => row)).toEqual([6, 7]);
    const bases = await basesOf(tapeId);
    expect(bases.documents.map(({ netBB, generationId }) => [netBB, generationId === tape.generationId])).toEqual([
      ['2523.60', true],
    ]);

    // The earlier certificate still has the assets that it was calculated from, as the mapping made them then.
    const [opened] = await cluster.asSystem((session) =>
      visiblePublishedTapes(session, { tapeIds: [tapeId], borrowingBase: earlier.id }),
    );
    expect(opened).toMatchObject({ isEarlier: true, manifest: { ...before.manifest, mapping: { id: mappingId } } });

    // And back again: what was corrected stays so.
    expect(await remap(tapeId, mappingId)).toMatchObject({ failure: null });
    expect((await readPublished(cluster, tapeId)).assets).toEqual(before.assets);
  });

  test('is the same over many batches of a CSV file, whose corrected cells stay texts', async () => {
    const asCsv = ({ rules, ...rest }: MappingInput): MappingInput => ({
      ...rest,
      loanTapeSheetName: LOAN_CSV_MAPPING.loanTapeSheetName,
      rules: rules.map((rule) => {
        const read = LOAN_CSV_MAPPING.rules.find(({ targetCol }) => targetCol === rule.targetCol);
        return rule.targetCol === 'dateFinanced' && read ? read : rule;
      }),
    });
    const other = await cluster.createMapping(companyId, asCsv(OTHER));
    const rows = Array.from({ length: 12_000 }, (_, index) =>
      loan(`B${index}`, index === 7_000 ? 'n/a' : 1000 + index),
    );
    const csv = { write: writeLoansCsv, type: 'csv' };
    const mapping = await cluster.createMapping(companyId, asCsv(LOAN_MAPPING));
    const tapeId = await publish(rows, '2030-02-28', { ...csv, mapping });
    await correct(tapeId, 7_002, '8,000.5');
    expect(await remap(tapeId, other)).toMatchObject({ result: { rows: 12_000, assets: 12_000, errored: 0 } });
    const right = rows.map((each) => (each.balance === 'n/a' ? { ...each, balance: '8000.5' } : each));
    const expected = await publish(right, '2030-02-28', { ...csv, mapping: other });
    expect((await readPublished(cluster, tapeId)).assets).toEqual((await readPublished(cluster, expected)).assets);
  });

  test('stays as it is if the version reads a column that the file does not have', async () => {
    const tapeId = await publish([loan('C1'), loan('C2')], '2030-03-31');
    const lacking = await cluster.createMapping(companyId, {
      ...OTHER,
      rules: [
        ...OTHER.rules,
        { originCol: 'Grade', targetCol: 'creditScores.grade', serializations: [{ type: 'text' }] },
      ],
    });
    const before = await readPublished(cluster, tapeId);
    const { result, failure } = await remap(tapeId, lacking);
    expect(result).toBeNull();
    expect(failure).toContain('Grade');
    const tape = await cluster.tape(tapeId);
    expect(tape).toMatchObject({ mappingId, schedulerStatus: 'Completed', processStatus: 'Completed' });
    expect(tape.failure).toContain('Grade');
    expect(await readPublished(cluster, tapeId)).toEqual(before);
  });

  test('is refused with its own version, one of another company, by a borrower, and twice at once', async () => {
    const tapeId = await publish([loan('D1')], '2030-04-30');
    const other = await cluster.createMapping(await cluster.companyId('Northwind Consumer Loans'), LOAN_MAPPING);
    const target = (actor: UserActor, chosen: string) =>
      cluster.database.store.as(actor, (session) => remapTarget(session, { tapeId, mappingId: chosen }));
    await expect(target(manager, mappingId)).rejects.toMatchObject({
      code: 'badRequest',
      flags: { assetsETL: 'is the mapping version that the tape has' },
    });
    await expect(target(manager, other)).rejects.toMatchObject({ flags: { assetsETL: expect.any(String) } });
    const borrower = testActor({ type: 'company', managerId: manager.managerId ?? '', companyId });
    await expect(target(borrower, otherId)).rejects.toMatchObject({ code: 'forbidden' });
    const { generationId } = await cluster.tape(tapeId);
    await expect(begin(tapeId, otherId, 'f'.repeat(24))).rejects.toMatchObject({
      message: expect.stringContaining('Review the effect again'),
    });
    const attempt = await begin(tapeId, otherId, generationId ?? '');
    await expect(begin(tapeId)).rejects.toMatchObject({ message: expect.stringContaining('being reprocessed') });
    expect(await run(attempt)).toMatchObject({ failure: null });
  });
});
