import { join } from 'node:path';
import { cancelTapeSignal } from '@tapeline/workflows/loan-tape/messages.ts';
import { loanTapeWorkflowId } from '@tapeline/workflows/queues.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { recordHistory, replayTapes } from '../testing/histories.ts';
import { highestAttempts, runningActivities } from '../testing/tape-activities.ts';
import { openTapeCluster, type TapeCluster, until, type WorkerProcess } from '../testing/tape-cluster.ts';
import { LOAN_MAPPING, manyLoans, writeLoans } from '../testing/tape-file.ts';
import { expectWhole } from '../testing/whole-tape.ts';

const ROWS = 60_000;
const BATCH_ROWS = 3000;
const BATCHES = 20;

// A killed worker is noticed after ten seconds, and another one is started each time.
vi.setConfig({ testTimeout: 300_000 });

let cluster: TapeCluster;
let workers: WorkerProcess[] = [];
let companyId = '';
let mappingId = '';
let path = '';
const { loans, counts } = manyLoans(ROWS);

beforeAll(async () => {
  cluster = await openTapeCluster({ batchRows: BATCH_ROWS });
  companyId = await cluster.companyId('Alder Auto');
  mappingId = await cluster.createMapping(companyId, LOAN_MAPPING);
  path = join(cluster.folder, 'many.xlsx');
  await writeLoans(path, loans());
  workers = await cluster.startWorkers(2);
}, 240_000);
afterAll(() => cluster?.close());

/** Waits until a worker runs the activity and the tape is so far, kills it without warning, and starts another in its place. */
async function killInside(tapeId: string, type: string, isFarEnough: () => Promise<boolean>): Promise<void> {
  const pid = await until(async () => {
    if (!(await isFarEnough())) return null;
    return (await runningActivities(cluster.client, tapeId)).find((activity) => activity.type === type)?.pid;
  });
  const killed = workers.find((worker) => worker.pid === pid);
  if (!killed) throw new Error(`${pid} is none of our workers`);
  await killed.end('SIGKILL');
  workers = workers.filter((worker) => worker !== killed);
  workers.push(...(await cluster.startWorkers(1)));
}

const partsOf = async (tapeId: string, folder: 'staged' | 'candidate') =>
  (await cluster.keys(`lake/${tapeId}/`)).filter((key) => key.includes(`/${folder}/`)).length;

async function expectWholeAndTidy(tapeId: string): Promise<void> {
  await expectWhole(cluster, tapeId, { loans: loans(), counts });
  // The worker that took the killed one's place cleared away its files in work.
  expect((await cluster.scratch()).filter((name) => name.includes('job-'))).toEqual([]);
}

describe('a worker killed in mid-tape', () => {
  test('while it reads costs nothing but time: every row is there once', async () => {
    const tape = await cluster.createTape({ companyId, mappingId, cutOffDate: '2025-01-31', path });
    await cluster.startTape(tape.id);
    await killInside(tape.id, 'readTape', async () => (await partsOf(tape.id, 'staged')) >= 2);
    expect(await cluster.finish(tape.id)).toMatchObject({ stage: 'done', batches: BATCHES });
    expect((await highestAttempts(cluster.client, tape.id)).get('readTape')).toBeGreaterThan(1);
    await expectWholeAndTidy(tape.id);
  });

  test('while it transforms costs only the batch in hand', async () => {
    const tape = await cluster.createTape({ companyId, mappingId, cutOffDate: '2025-02-28', path });
    await cluster.startTape(tape.id);
    await killInside(tape.id, 'transformBatch', async () => (await partsOf(tape.id, 'candidate')) >= 2);
    expect(await cluster.finish(tape.id)).toMatchObject({ stage: 'done', batchesTransformed: BATCHES });
    await recordHistory(cluster, tape.id, 'killed');
    expect((await highestAttempts(cluster.client, tape.id)).get('transformBatch')).toBeGreaterThan(1);
    await expectWholeAndTidy(tape.id);
  });
});

describe('a cancelled tape', () => {
  const expectGone = async (tapeId: string) => {
    const tape = await cluster.tape(tapeId);
    expect(tape).toMatchObject({ status: 'Removed', schedulerStatus: 'Completed', generationId: null, counts: null });
    expect(await cluster.keys(`lake/${tapeId}/`)).toEqual([]);
    const generations = await cluster.asSystem(({ query }) =>
      query('select 1 from tape_generations where tape_id = $1', [tapeId]),
    );
    expect(generations).toEqual([]);
  };

  test('leaves nothing of its work in storage or database', async () => {
    const tape = await cluster.createTape({ companyId, mappingId, cutOffDate: '2025-03-31', path });
    await cluster.startTape(tape.id);
    await until(async () => (await partsOf(tape.id, 'candidate')) >= 2);
    await cluster.client.workflow.getHandle(loanTapeWorkflowId(tape.id)).signal(cancelTapeSignal);
    expect(await cluster.finish(tape.id)).toMatchObject({ stage: 'cancelled' });
    await expectGone(tape.id);
  });

  test('is removed also where the worker that was at it is killed', async () => {
    const tape = await cluster.createTape({ companyId, mappingId, cutOffDate: '2025-03-31', path });
    await cluster.startTape(tape.id);
    await killInside(tape.id, 'readTape', async () => {
      if ((await partsOf(tape.id, 'staged')) < 2) return false;
      await cluster.client.workflow.getHandle(loanTapeWorkflowId(tape.id)).signal(cancelTapeSignal);
      return true;
    });
    expect(await cluster.finish(tape.id)).toMatchObject({ stage: 'cancelled' });
    await recordHistory(cluster, tape.id, 'cancelled');
    await expectGone(tape.id);
  });
});

test('what every one of these workflows did is what it does when it is run again from its history', async () => {
  expect(await replayTapes(cluster, [...cluster.startedTapes])).toBe(4);
});
