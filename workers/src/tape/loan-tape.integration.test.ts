import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { cancelTapeSignal } from '@tapeline/workflows/loan-tape/messages.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { catchTape, goOn, partsOf } from '../testing/caught-tape.ts';
import { recordHistory, replayTapes } from '../testing/histories.ts';
import { highestAttempts, runningActivities } from '../testing/tape-activities.ts';
import { loanTapeWorkflowId, openTapeCluster, type TapeCluster, type WorkerProcess } from '../testing/tape-cluster.ts';
import { LOAN_MAPPING, manyLoans, writeLoans } from '../testing/tape-file.ts';
import { expectWhole } from '../testing/whole-tape.ts';

const ROWS = 60_000;
const BATCH_ROWS = 3000;
const BATCHES = 20;
const WAITED = { timeout: 60_000, interval: 50 };

// It takes ten seconds to notice a killed worker, and every test starts a new one.
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
});
afterAll(() => cluster?.close());

let months = 0;
const nextTape = () => {
  months += 1;
  const cutOffDate = `${2010 + Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, '0')}-28`;
  return cluster.createTape({ companyId, mappingId, cutOffDate, path });
};

/**
 * Waits until a tape is in the middle of the activity, calls `before`, kills the worker that runs it without warning,
 * and starts a replacement.
 */
async function killInside(
  type: 'readTape' | 'transformBatch',
  before: (tapeId: string) => Promise<unknown> = async () => {},
): Promise<string> {
  const folder = type === 'readTape' ? 'staged' : 'candidate';
  const { tape, found: pid } = await catchTape(cluster, workers, nextTape, async (tapeId) => {
    if ((await partsOf(cluster, tapeId, folder)) < 2) return null;
    return (await runningActivities(cluster.client, tapeId)).find((activity) => activity.type === type)?.pid;
  });
  await before(tape.id);
  const killed = workers.find((worker) => worker.pid === pid);
  if (!killed) throw new Error(`${pid} is none of our workers`);
  await killed.end('SIGKILL');
  workers = workers.filter((worker) => worker !== killed);
  goOn(workers);
  workers.push(...(await cluster.startWorkers(1)));
  return tape.id;
}

async function expectWholeAndTidy(tapeId: string): Promise<void> {
  await expectWhole(cluster, tapeId, { loans: loans(), counts });
  // The replacement worker deleted the unfinished files of the killed one.
  expect((await cluster.scratch()).filter((name) => name.includes('job-'))).toEqual([]);
}

describe('a worker killed in mid-tape', () => {
  test('while it reads costs nothing but time: every row is there once', async () => {
    const tapeId = await killInside('readTape');
    expect(await cluster.finish(tapeId)).toMatchObject({ stage: 'done', batches: BATCHES });
    expect((await highestAttempts(cluster.client, tapeId)).get('readTape')).toBeGreaterThan(1);
    await expectWholeAndTidy(tapeId);
  });

  test('while it stores a part, of which the storage keeps the beginning, costs nothing either', async () => {
    let broken = '';
    const tapeId = await killInside('readTape', async (id) => {
      const staged = (await cluster.keys(`lake/${id}/`)).filter((key) => key.includes('/staged/')).sort();
      broken = staged.at(-1)!;
      const bytes = await buffer(await cluster.objects.getStream(broken));
      await cluster.objects.putStream(broken, Readable.from([bytes.subarray(0, bytes.length / 2)]));
    });
    expect(broken).toContain(tapeId);
    expect(await cluster.finish(tapeId)).toMatchObject({ stage: 'done', batches: BATCHES });
    await expectWholeAndTidy(tapeId);
  });

  test('while it transforms costs only the batch in progress', async () => {
    const tapeId = await killInside('transformBatch');
    expect(await cluster.finish(tapeId)).toMatchObject({ stage: 'done', batchesTransformed: BATCHES });
    await recordHistory(cluster, tapeId, 'killed');
    expect((await highestAttempts(cluster.client, tapeId)).get('transformBatch')).toBeGreaterThan(1);
    await expectWholeAndTidy(tapeId);
  });
});

describe('a cancelled tape', () => {
  const expectGone = async (tapeId: string) => {
    const tape = await cluster.tape(tapeId);
    expect(tape).toMatchObject({ status: 'Removed', schedulerStatus: 'Completed', generationId: null, counts: null });
    expect(await cluster.keys(`lake/${tapeId}/`)).toEqual([]);
  };

  const cancel = (tapeId: string) =>
    cluster.client.workflow.getHandle(loanTapeWorkflowId(tapeId)).signal(cancelTapeSignal);

  test('leaves nothing of its work in storage or database', async () => {
    const { tape } = await catchTape(
      cluster,
      workers,
      nextTape,
      async (tapeId) => (await partsOf(cluster, tapeId, 'candidate')) >= 2,
    );
    await cancel(tape.id);
    goOn(workers);
    expect(await cluster.finish(tape.id)).toMatchObject({ stage: 'cancelled' });
    await expectGone(tape.id);
  });

  test('leaves nothing where it is cancelled while it begins: what is begun is waited for before all is cleared away', async () => {
    const { id } = await nextTape();
    const events = async () => (await cluster.client.workflow.getHandle(loanTapeWorkflowId(id)).fetchHistory()).events;
    // The tape has begun and waits for the lock on its row.
    await cluster.asSystem(async ({ query }) => {
      await query('select 1 from loan_tapes where id = $1 for update', [id]);
      await cluster.startTape(id);
      await vi.waitUntil(async () => (await runningActivities(cluster.client, id))[0]?.type === 'beginTape', WAITED);
      await cancel(id);
      const heard = async () => (await events())?.some((event) => event.activityTaskCancelRequestedEventAttributes);
      await vi.waitUntil(heard, WAITED);
      const scheduled = (await events())?.map(
        (event) => event.activityTaskScheduledEventAttributes?.activityType?.name,
      );
      expect(scheduled?.filter(Boolean)).toEqual(['beginTape']);
    });
    expect(await cluster.finish(id)).toMatchObject({ stage: 'cancelled' });
    await expectGone(id);
  });

  test('is removed also where the worker that was at it is killed', async () => {
    const tapeId = await killInside('readTape', cancel);
    expect(await cluster.finish(tapeId)).toMatchObject({ stage: 'cancelled' });
    await recordHistory(cluster, tapeId, 'cancelled');
    await expectGone(tapeId);
  });
});

test('what every one of these workflows did is what it does when it is run again from its history', async () => {
  expect(cluster.startedTapes.size).toBeGreaterThanOrEqual(4);
  expect(await replayTapes(cluster, [...cluster.startedTapes])).toBe(cluster.startedTapes.size);
});
