import { join } from 'node:path';
import type { loanTape } from '@tapeline/workflows/all-workflows.ts';
import { cancelTapeSignal, tapeProgressQuery, turnSignal } from '@tapeline/workflows/loan-tape/messages.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { recordRun, replayRuns, runsOf, type WorkflowRun } from '../testing/histories.ts';
import { readPublished } from '../testing/published-tape.ts';
import { loanTapeWorkflowId, openTapeCluster, type TapeCluster, TEST_QUEUES, until } from '../testing/tape-cluster.ts';
import { LOAN_MAPPING, manyLoans, writeLoans } from '../testing/tape-file.ts';

// A tape's history normally gets long only after thousands of batches or days of waiting. This limit makes it long
// after a few.
const MAX_EVENTS = 24;
const ROWS = 16_000;
const BATCHES = 16;

// These tests process whole tapes with real workers, possibly on busy machines.
vi.setConfig({ testTimeout: 300_000 });

let cluster: TapeCluster;
let companyId = '';
let mappingId = '';
const { loans, counts } = manyLoans(ROWS);

beforeAll(async () => {
  cluster = await openTapeCluster({ batchRows: 1000 });
  companyId = await cluster.companyId('Alder Auto');
  mappingId = await cluster.createMapping(companyId, LOAN_MAPPING);
  await cluster.startWorkers(1);
});
afterAll(() => cluster?.close());

async function makeTape(cutOffDate: string, rows = loans()) {
  const path = join(cluster.folder, `${cutOffDate}.xlsx`);
  await writeLoans(path, rows);
  return cluster.createTape({ companyId, mappingId, cutOffDate, path });
}

const handleOf = (tapeId: string) => cluster.client.workflow.getHandle<typeof loanTape>(loanTapeWorkflowId(tapeId));
const startTape = (tapeId: string) =>
  cluster.client.workflow.start<typeof loanTape>('loanTape', {
    taskQueue: TEST_QUEUES.workflows,
    workflowId: loanTapeWorkflowId(tapeId),
    args: [{ tapeId, mostEvents: MAX_EVENTS }],
  });

/** Expects that every run except the last continued as new, and that all of them can be replayed. */
async function expectCarriedOn(tapeId: string): Promise<WorkflowRun[]> {
  const runs = await runsOf(cluster, tapeId);
  expect(runs.length).toBeGreaterThan(1);
  for (const { history } of runs.slice(0, -1)) {
    expect(history.events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes).toBeTruthy();
  }
  expect(await replayRuns(runs)).toBe(runs.length);
  return runs;
}

test('a tape of many batches goes on in new runs, and every row is there once', async () => {
  const tape = await makeTape('2024-01-31');
  await startTape(tape.id);
  const progress = await cluster.finish(tape.id);
  expect(progress).toMatchObject({ stage: 'done', percent: 100, batches: BATCHES, batchesTransformed: BATCHES });
  expect(progress.rowsRead).toBe(counts.dataRows);
  expect(await cluster.tape(tape.id)).toMatchObject({ processStatus: 'Completed', failure: null, counts });
  const { assets, errored } = await readPublished(cluster, tape.id);
  const rows = [...assets, ...errored].map(({ row }) => Number(row));
  expect(new Set(rows).size).toBe(counts.dataRows);
  expect(assets.map(({ sequenceIndex }) => sequenceIndex)).toEqual(assets.map((_, index) => index));
  // The tape's start time is that of its first run.
  const { startTime } = await handleOf(tape.id).describe();
  expect(progress.startedAt).toBeLessThan(startTime.getTime());
  const runs = await expectCarriedOn(tape.id);
  await recordRun(runs[0]!, 'gave-way');
  await recordRun(runs.at(-1)!, 'went-on');
});

/** Tells the tape that it may be its turn until its history is too long. */
async function wakeUntilGoneOn(tapeId: string): Promise<void> {
  await until(async () => {
    await handleOf(tapeId).signal(turnSignal);
    return (await runsOf(cluster, tapeId)).length > 1;
  });
}

test('a tape that waits for an earlier one waits on in new runs, and is finalized once that one is', async () => {
  const earlier = await makeTape('2024-02-29', manyLoans(50).loans());
  const later = await makeTape('2024-03-31', manyLoans(80).loans());
  await startTape(later.id);
  await wakeUntilGoneOn(later.id);
  // The signals can make the history too long before the tape has reached its last step.
  await expect
    .poll(() => handleOf(later.id).query(tapeProgressQuery))
    .toMatchObject({ stage: 'finalize', batchesTransformed: 1 });
  await startTape(earlier.id);
  expect(await cluster.finish(later.id)).toMatchObject({ stage: 'done' });
  const [first, second] = [await cluster.tape(earlier.id), await cluster.tape(later.id)];
  expect(first.publishedAt?.getTime()).toBeLessThan(second.publishedAt?.getTime() ?? 0);
  await expectCarriedOn(later.id);
});

test('a tape that went on in a new run is cancelled as any other, and leaves nothing', async () => {
  await makeTape('2024-04-30', manyLoans(50).loans());
  const later = await makeTape('2024-05-31', manyLoans(80).loans());
  await startTape(later.id);
  await wakeUntilGoneOn(later.id);
  await handleOf(later.id).signal(cancelTapeSignal);
  expect(await cluster.finish(later.id)).toMatchObject({ stage: 'cancelled' });
  expect(await cluster.tape(later.id)).toMatchObject({ status: 'Removed', generationId: null });
  expect(await cluster.keys(`lake/${later.id}/`)).toEqual([]);
  await expectCarriedOn(later.id);
});
