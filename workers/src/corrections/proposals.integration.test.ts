import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { listBorrowingBases } from '@tapeline/db/operations/borrowing-bases/borrowing-bases.ts';
import { fileStored, registerFile } from '@tapeline/db/operations/files/files.ts';
import { acceptProposal, getProposal, proposeCorrections } from '@tapeline/db/operations/tapes/proposals.ts';
import { createTransaction } from '@tapeline/db/operations/transactions/transactions.ts';
import { testActor } from '@tapeline/db/testing/actors.ts';
import { transactionSchema } from '@tapeline/domain/facilities/transaction.schema.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import type { OriginCell, RowCorrection } from '@tapeline/domain/tapes/corrections.schema.ts';
import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import { readErroredRows } from '@tapeline/lake/errored-assets.ts';
import { openLake } from '@tapeline/lake/lake.ts';
import { objectKey } from '@tapeline/lake/storage/object-store.ts';
import type { correctionsOfFile, proposalReview, rerunErrored } from '@tapeline/workflows/all-workflows.ts';
import type { ReviewedProposal } from '@tapeline/workflows/corrections/preview.ts';
import { workflowIdOf } from '@tapeline/workflows/queues.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readPublished } from '../testing/published-tape.ts';
import { ALL_QUEUES, openTapeCluster, type TapeCluster, TEST_INSTANCE, TEST_QUEUES } from '../testing/tape-cluster.ts';
import { LOAN_MAPPING, type Loan, writeLoans, writeTapeFile } from '../testing/tape-file.ts';

vi.setConfig({ testTimeout: 240_000 });

let cluster: TapeCluster;
let mappingId = '';
let companyId = '';
let borrower: UserActor;
let manager: UserActor;
let files = 0;

beforeAll(async () => {
  cluster = await openTapeCluster({ batchRows: 5000 });
  companyId = await cluster.companyId('Alder Auto');
  mappingId = await cluster.createMapping(companyId, LOAN_MAPPING);
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
  borrower = testActor({ type: 'company', firstName: 'Bea', lastName: 'Lind', managerId, companyId });
  manager = testActor({ type: 'manager', firstName: 'Mara', lastName: 'Holt', managerId });
  await cluster.startWorkers(1, ALL_QUEUES);
});
afterAll(() => cluster?.close());

const loan = (id: string, balance: Loan['balance']): Loan => ({ id, balance });

async function publish(loans: readonly Loan[], cutOffDate: string): Promise<string> {
  files += 1;
  const path = join(cluster.folder, `loans-${files}.xlsx`);
  await writeLoans(path, loans);
  const tape = await cluster.createTape({ companyId, mappingId, cutOffDate, path, calculateBB: true });
  await cluster.startTape(tape.id);
  expect(await cluster.finish(tape.id)).toMatchObject({ stage: 'done' });
  return tape.id;
}

const readErrored = async (parts: readonly string[], rows: readonly number[]) => {
  const lake = await openLake({ threads: 1 });
  try {
    const paths = await Promise.all(parts.map((key) => cluster.objects.localPath(key)));
    return await readErroredRows(lake, paths, rows);
  } finally {
    lake.close();
  }
};
const findErrored = async (parts: readonly string[], rows: readonly number[] | null) =>
  (await readErrored(parts, rows ?? [])).map(({ row }) => row);

const propose = (
  tapeId: string,
  corrections: readonly { row: number; cells: Readonly<Record<string, OriginCell>> }[],
) =>
  cluster.database.store.as(borrower, (session) =>
    proposeCorrections(session, { tapeId, corrections, on: null, readErrored }),
  );
const review = async (proposalId: string) =>
  (await cluster.client.workflow.execute<typeof proposalReview>('proposalReview', {
    taskQueue: TEST_QUEUES.workflows,
    workflowId: `review/${proposalId}/${Date.now()}`,
    args: [{ proposalId }],
  })) as ReviewedProposal;
const netBB = (tapeId: string) =>
  cluster.asSystem(async (session) => {
    const { documents } = await listBorrowingBases(session, { filter: { loanTape: tapeId } });
    return documents.map((base) => Number(base.netBB));
  });

test('a proposal shows the net borrowing base before and after, and comes to exactly that when it is accepted', async () => {
  const tapeId = await publish([loan('A1', 1000), loan('A2', 'see note'), loan('A3', 'n/a')], '2030-01-31');
  expect(await netBB(tapeId)).toEqual([800]);
  const keys = await cluster.keys(`lake/${tapeId}/`);
  const proposal = await propose(tapeId, [
    { row: 3, cells: { Balance: 500.5 } },
    { row: 4, cells: { Balance: 'still not' } },
  ]);

  const seen = await review(proposal.id);
  expect(seen).toMatchObject({ rows: 2, assets: 1, errored: 1, changedCells: 2, calculates: true });
  expect(seen.notes).toEqual([
    {
      transactionId: expect.any(String),
      noteId: expect.any(String),
      contractId: expect.any(String),
      title: 'Alder warehouse, Senior',
      before: { sum: expect.stringMatching(/^800(\.0+)?$/), currency: 'USD' },
      after: { sum: expect.stringMatching(/^1200\.40*$/), currency: 'USD' },
      failure: null,
    },
  ]);
  expect(seen.shown.map(({ row, errors }) => [row, errors.map(({ column }) => column)])).toEqual([
    [3, []],
    [4, ['Balance']],
  ]);
  expect(await netBB(tapeId)).toEqual([800]);
  expect(await cluster.keys(`lake/${tapeId}/`)).toEqual(keys);

  const { attempt } = await cluster.database.store.as(manager, (session) =>
    acceptProposal(session, { id: proposal.id, findErrored }),
  );
  const end = await cluster.client.workflow.execute<typeof rerunErrored>('rerunErrored', {
    taskQueue: TEST_QUEUES.workflows,
    workflowId: workflowIdOf(TEST_INSTANCE, WORKFLOW_IDS.rerun(tapeId, attempt.generationId)),
    args: [
      {
        attempt,
        corrections: { proposalId: proposal.id },
        by: 'Bea Lind',
        acceptedBy: 'Mara Holt',
        at: '2030-02-01T12:00:00.000Z',
      },
    ],
  });
  expect(end).toEqual({ result: { rows: 2, assets: 1, errored: 1 }, failure: null });
  expect(await netBB(tapeId)).toEqual([1200.4]);
  expect(await cluster.asSystem((session) => getProposal(session, proposal.id))).toMatchObject({
    status: 'Accepted',
    decidedBy: 'Mara Holt',
  });
  const { manifest, assets } = await readPublished(cluster, tapeId);
  expect(assets.map(({ assetId }) => assetId)).toEqual(['A1', 'A2']);
  expect(manifest.rerun).toMatchObject({ by: 'Bea Lind', acceptedBy: 'Mara Holt', rows: 2, assets: 1, stayed: [4] });
  expect(await json(await cluster.objects.getStream(manifest.corrections ?? ''))).toMatchObject([
    { row: 3, cells: { Balance: { before: 'see note', after: 500.5 } }, by: 'Bea Lind', acceptedBy: 'Mara Holt' },
    { row: 4, cells: { Balance: { before: 'n/a', after: 'still not' } } },
  ]);
  await expect(review(proposal.id)).rejects.toMatchObject({
    cause: { cause: { message: expect.stringContaining('no longer open') } },
  });
});

test('a file of corrections is read for a proposal, and one of too many rows is refused', async () => {
  const tapeId = await publish(
    Array.from({ length: 1001 }, (_, at) => loan(`F${at}`, 'x')),
    '2030-02-28',
  );
  const read = async (rows: Parameters<typeof writeTapeFile>[2]) => {
    files += 1;
    const name = `corrected-${files}.xlsx`;
    const path = join(cluster.folder, name);
    await writeTapeFile(path, 'Errored', rows);
    const file = await cluster.asSystem((session) =>
      registerFile(session, { bucket: 'loanTapes', name, size: 1, type: 'text/plain', companyId }),
    );
    const { size, checksum } = await cluster.objects.putFile(objectKey(file.bucket, file.key), path);
    await cluster.asSystem((session) => fileStored(session, { ...file, size, checksum }));
    return (await cluster.client.workflow.execute<typeof correctionsOfFile>('correctionsOfFile', {
      taskQueue: TEST_QUEUES.workflows,
      workflowId: `corrections-of-file/${files}`,
      args: [{ tapeId, fileId: file.id }],
    })) as RowCorrection[];
  };
  const rows = (count: number) => [['Sheet row', 'Balance'], ...Array.from({ length: count }, (_, at) => [at + 2, at])];
  const corrections = await read(rows(1000));
  expect(corrections).toHaveLength(1000);
  expect(corrections[7]).toEqual({ row: 9, cells: { Balance: 7 } });
  await expect(propose(tapeId, corrections)).resolves.toMatchObject({ status: 'Proposed' });
  await expect(read(rows(1001))).rejects.toMatchObject({
    cause: { cause: { message: expect.stringContaining('at most 1000 rows') } },
  });
});
