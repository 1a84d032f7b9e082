import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import type { loanTape } from '@tapeline/workflows/all-workflows.ts';
import { taskQueuesOf, workflowIdOf } from '@tapeline/workflows/queues.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endStrandedScheduleOf } from './sweep/schedule.ts';
import { openTapeCluster, type TapeCluster, TEST_INSTANCE } from './testing/tape-cluster.ts';
import { LOAN_MAPPING, manyLoans, writeLoans } from './testing/tape-file.ts';

let cluster: TapeCluster;
beforeAll(async () => {
  cluster = await openTapeCluster({ batchRows: 1000 });
});
afterAll(() => cluster?.close());

test('two instances in one Temporal namespace only take their own work', async () => {
  const companyId = await cluster.companyId('Alder Auto');
  const mappingId = await cluster.createMapping(companyId, LOAN_MAPPING);
  const path = join(cluster.folder, 'loans.xlsx');
  await writeLoans(path, manyLoans(1500).loans());
  const makeTape = () => cluster.createTape({ companyId, mappingId, cutOffDate: '2023-01-31', path });
  const [mine, theirs] = [await makeTape(), await makeTape()];

  await cluster.startWorkers(1, { INSTANCE_NAME: 'mine' });
  const start = (instance: string, tapeId: string) =>
    cluster.client.workflow.start<typeof loanTape>('loanTape', {
      taskQueue: taskQueuesOf(instance).workflows,
      workflowId: workflowIdOf(instance, WORKFLOW_IDS.tape(tapeId)),
      args: [{ tapeId }],
    });
  const waiting = await start('theirs', theirs.id);
  // Every step of the tape runs on its own instance's queues: no others are polled.
  expect(await (await start('mine', mine.id)).result()).toMatchObject({ stage: 'done' });
  const events = (await waiting.fetchHistory()).events ?? [];
  expect(events.some(({ workflowTaskStartedEventAttributes }) => workflowTaskStartedEventAttributes)).toBe(false);
  await waiting.terminate();

  // Other users of the machine cannot read what the worker wrote.
  const open: string[] = [];
  for (const name of await readdir(cluster.home, { recursive: true })) {
    const { mode } = await stat(join(cluster.home, name));
    if ((mode & 0o077) !== 0) open.push(name);
  }
  expect(open).toEqual([]);

  const schedules: string[] = [];
  for await (const { scheduleId } of cluster.client.schedule.list()) schedules.push(scheduleId);
  expect(schedules.length).toBeGreaterThan(1);
  // The cluster has paused this one of its own instance; no worker has added another.
  expect(schedules.filter((id) => !id.startsWith(workflowIdOf('mine', '')))).toEqual([
    endStrandedScheduleOf(TEST_INSTANCE),
  ]);
});
