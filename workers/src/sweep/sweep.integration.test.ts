import { existsSync } from 'node:fs';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileStored, findFile, registerFile } from '@tapeline/db/operations/files/files.ts';
import { beginGeneration } from '@tapeline/db/operations/tapes/generations.ts';
import { removeTape } from '@tapeline/db/operations/tapes/tapes.ts';
import { SYSTEM } from '@tapeline/db/store.ts';
import type { sweepOrphans } from '@tapeline/workflows/all-workflows.ts';
import { loanTapeWorkflowId, TASK_QUEUES } from '@tapeline/workflows/queues.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { takeTapeInHand } from '../testing/tape-by-hand.ts';
import { openTapeCluster, type TapeCluster, type WorkerProcess } from '../testing/tape-cluster.ts';
import { LOAN_MAPPING, manyLoans, writeLoans } from '../testing/tape-file.ts';
import { SWEEP_SCHEDULE } from './schedule.ts';

const BATCH_ROWS = 1000;

let cluster: TapeCluster;
let companyId = '';
let mappingId = '';
let path = '';

beforeAll(async () => {
  cluster = await openTapeCluster({ batchRows: BATCH_ROWS });
  companyId = await cluster.companyId('Alder Auto');
  mappingId = await cluster.createMapping(companyId, LOAN_MAPPING);
  path = join(cluster.folder, 'loans.xlsx');
  await writeLoans(path, manyLoans(2500).loans());
  await cluster.startWorkers(1);
  // It may be a full hour just now: only the sweeps that the tests ask for count.
  await cluster.client.schedule.getHandle(SWEEP_SCHEDULE).pause('tests');
});
afterAll(() => cluster?.close());

let sweeps = 0;
const sweep = () => {
  sweeps += 1;
  return cluster.client.workflow.execute<typeof sweepOrphans>('sweepOrphans', {
    taskQueue: TASK_QUEUES.workflows,
    workflowId: `sweep/${sweeps}`,
    args: [{ graceMs: 500 }],
  });
};
const makeTape = () => cluster.createTape({ companyId, mappingId, cutOffDate: '2023-01-31', path });
const put = (key: string) => cluster.objects.putStream(key, Readable.from(['left behind']));

describe('an attempt that was overtaken', () => {
  test('publishes nothing, whatever it finishes, and is swept away', async () => {
    const tape = await makeTape();
    // The activities themselves, as a worker that was thought dead would run them on; its workflow has no worker.
    const zombie = await takeTapeInHand(cluster, tape.id, { batchRows: BATCH_ROWS });
    const { attempt } = zombie;
    const read = await zombie.read();
    const transformed = await zombie.transform(read);
    expect(transformed).toHaveLength(3);
    await zombie.end();

    await cluster.startTape(tape.id);
    expect(await cluster.finish(tape.id)).toMatchObject({ stage: 'done' });
    const published = await cluster.tape(tape.id);
    await expect(zombie.settle(read, transformed)).rejects.toMatchObject({
      message: expect.stringContaining('later attempt'),
    });
    const after = await cluster.tape(tape.id);
    expect(after).toMatchObject({ generationId: published.generationId, fence: published.fence });
    expect(after.publishedAt).toEqual(published.publishedAt);

    const kept = `lake/${tape.id}/${published.generationId}/`;
    const ours = await cluster.keys(kept);
    expect(await cluster.keys(attempt.objectPrefix)).not.toEqual([]);
    const swept = await sweep();
    expect(swept).toMatchObject({ generations: 1, endedTapes: [] });
    expect(await cluster.keys(`lake/${tape.id}/`)).toEqual(ours);
  });
});

describe('the sweeper', () => {
  test('keeps what is published or in work, and deletes what removed, failed and unknown attempts left', async () => {
    const published = await makeTape();
    await cluster.startTape(published.id);
    await cluster.finish(published.id);
    const { generationId } = await cluster.tape(published.id);
    const prefix = `lake/${published.id}/${generationId}/`;
    const wanted = await cluster.keys(prefix);
    await put(`${prefix}candidate/assets-00000.parquet`);

    const inWork = await makeTape();
    const attempt = await cluster.asSystem((session) => beginGeneration(session, { tapeId: inWork.id }));
    await put(`${attempt.objectPrefix}staged/00000.parquet`);
    // A workflow that nobody works at now is still one that will be.
    await cluster.client.workflow.start('loanTape', {
      taskQueue: 'nobody polls here',
      workflowId: loanTapeWorkflowId(inWork.id),
      args: [{ tapeId: inWork.id }],
    });

    const removed = await makeTape();
    const lost = await cluster.asSystem((session) => beginGeneration(session, { tapeId: removed.id }));
    await put(`${lost.objectPrefix}assets.parquet`);
    await cluster.asSystem((session) => removeTape(session, { id: removed.id }));
    const unknown = `lake/${removed.id}/${'a'.repeat(24)}/assets.parquet`;
    await put(unknown);

    expect(await sweep()).toMatchObject({ objects: 3, generations: 1, endedTapes: [] });
    expect(await cluster.keys(prefix)).toEqual(wanted);
    expect(await cluster.keys(attempt.objectPrefix)).toEqual([`${attempt.objectPrefix}staged/00000.parquet`]);
    expect(await cluster.keys(`lake/${removed.id}/`)).toEqual([]);
    expect(await sweep()).toMatchObject({ objects: 0, generations: 0 });
    await cluster.client.workflow.getHandle(loanTapeWorkflowId(inWork.id)).terminate();
    await cluster.asSystem((session) => removeTape(session, { id: inWork.id }));
    expect(await sweep()).toMatchObject({ objects: 1, generations: 1, endedTapes: [] });
  });

  test('ends a tape whose workflow is gone, so that it can be tried again', async () => {
    const tape = await makeTape();
    const attempt = await cluster.asSystem((session) => beginGeneration(session, { tapeId: tape.id }));
    await put(`${attempt.objectPrefix}staged/00000.parquet`);
    expect((await sweep()).endedTapes).toContain(tape.id);
    expect(await cluster.tape(tape.id)).toMatchObject({
      schedulerStatus: 'Completed',
      processStatus: 'Pending',
      failure: expect.stringContaining('try again'),
    });
    // It holds no right to its objects any more.
    expect(await sweep()).toMatchObject({ objects: 1, generations: 1, endedTapes: [] });
  });

  test('forgets a file that was announced and never used, with its bytes, and no other', async () => {
    const announce = (name: string, ageHours: number) =>
      cluster.database.store.as(
        SYSTEM,
        (session) => registerFile(session, { bucket: 'loanTapes', name, size: 11, type: 'text/csv' }),
        { now: new Date(Date.now() - ageHours * 3_600_000) },
      );
    const [never, sent, fresh, stored] = [
      await announce('never.csv', 25),
      await announce('sent.csv', 25),
      await announce('fresh.csv', 23),
      await announce('stored.csv', 25),
    ];
    for (const { key } of [sent, fresh, stored]) await put(`loanTapes/${key}`);
    await cluster.asSystem((session) => fileStored(session, { ...stored, checksum: 'any' }));
    expect(await sweep()).toMatchObject({ uploads: 2 });
    const statusOf = ({ bucket, key }: { bucket: string; key: string }) =>
      cluster.asSystem((session) => findFile(session, { bucket, key }).then(({ status }) => status));
    for (const file of [never, sent]) {
      await expect(statusOf(file)).rejects.toMatchObject({ code: 'notFound' });
      expect(await cluster.objects.head(`loanTapes/${file.key}`)).toBeNull();
    }
    expect([await statusOf(fresh), await statusOf(stored)]).toEqual(['Pending', 'Active']);
    for (const { key } of [fresh, stored]) expect(await cluster.objects.head(`loanTapes/${key}`)).not.toBeNull();
  });

  test('removes the scratch of killed workers, and never that of living ones or of other machines in use', async () => {
    const root = join(cluster.home, 'scratch');
    const folder = (host: string, pid: number) => join(root, `worker-${host}-${pid}-0123abcd`);
    const [dead, living, resting, busy] = [
      folder(hostname(), 2 ** 22 + 7),
      folder(hostname(), process.pid),
      folder('another-machine', 1),
      folder('third-machine', 1),
    ];
    for (const name of [dead, living, resting, busy]) {
      await mkdir(name, { recursive: true });
      await writeFile(join(name, 'part'), 'x');
    }
    const longAgo = new Date(Date.now() - 25 * 3_600_000);
    await utimes(resting, longAgo, longAgo);
    expect(await sweep()).toMatchObject({ scratchFolders: 2 });
    expect([dead, resting, living, busy].map((name) => existsSync(name))).toEqual([false, false, true, true]);
  });

  test('runs every hour by one schedule, however many workers start', async () => {
    const [second] = (await cluster.startWorkers(1)) as [WorkerProcess];
    const { spec, action, policies } = await cluster.client.schedule.getHandle(SWEEP_SCHEDULE).describe();
    expect(spec.intervals).toMatchObject([{ every: 3_600_000 }]);
    expect(action).toMatchObject({ workflowType: 'sweepOrphans', taskQueue: TASK_QUEUES.workflows });
    expect(policies.overlap).toBe('SKIP');
    expect(second.lines.filter((line) => JSON.parse(line).level >= 40)).toEqual([]);
    await second.end();
    expect(second.lines.at(-1)).toContain('worker ended');
  });
});
