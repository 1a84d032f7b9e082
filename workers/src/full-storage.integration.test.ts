import { join } from 'node:path';
import { startObjectStorage, type TestObjectStorage } from '@tapeline/lake/testing/object-storage.ts';
import { tapeProgressQuery } from '@tapeline/workflows/loan-tape/messages.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { catchTape, goOn, partsOf } from './testing/caught-tape.ts';
import {
  loanTapeWorkflowId,
  openTapeCluster,
  type TapeCluster,
  until,
  type WorkerProcess,
} from './testing/tape-cluster.ts';
import { LOAN_MAPPING, manyLoans, writeLoans } from './testing/tape-file.ts';

const { loans, counts } = manyLoans(5000);

let storage: TestObjectStorage;
let cluster: TapeCluster;
let workers: WorkerProcess[] = [];
beforeAll(async () => {
  storage = await startObjectStorage();
  cluster = await openTapeCluster({ batchRows: 1000, storage });
  workers = await cluster.startWorkers(1);
});
afterAll(async () => {
  await cluster?.close();
  await storage?.close();
});

test('full storage while a tape is processed is reported in the progress and the log, and only costs time', async () => {
  const companyId = await cluster.companyId('Alder Auto');
  const mappingId = await cluster.createMapping(companyId, LOAN_MAPPING);
  const path = join(cluster.folder, 'loans.xlsx');
  await writeLoans(path, loans());
  const { tape } = await catchTape(
    cluster,
    workers,
    () => cluster.createTape({ companyId, mappingId, cutOffDate: '2024-03-31', path }),
    async (tapeId) => (await partsOf(cluster, tapeId, 'staged')) >= 1,
  );
  storage.fillUp();
  goOn(workers);
  const handle = cluster.client.workflow.getHandle(loanTapeWorkflowId(tape.id));
  const progress = await until(async () => {
    const now = await handle.query(tapeProgressQuery);
    return now.notice === null ? null : now;
  });
  expect(progress.notice).toMatch(/storage is full.*Free up space/);
  expect(workers.flatMap(({ lines }) => lines).join()).toContain('a disk or the object storage is full');

  storage.makeRoom();
  expect(await cluster.finish(tape.id)).toMatchObject({ stage: 'done', notice: null, failure: null });
  expect((await cluster.tape(tape.id)).counts).toEqual(counts);
}, 300_000);
