import { existsSync } from 'node:fs';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileStored, findFile, registerFile } from '@tapeline/db/operations/files/files.ts';
import { listJobFailures } from '@tapeline/db/operations/jobs/job-failures.ts';
import { beginGeneration, restartTape } from '@tapeline/db/operations/tapes/generations.ts';
import { endStrandedTape, listWorkedTapes } from '@tapeline/db/operations/tapes/stranded.ts';
import { removeTape } from '@tapeline/db/operations/tapes/tapes.ts';
import { SYSTEM } from '@tapeline/db/store.ts';
import type { compareStorage, endStranded, sweepOrphans } from '@tapeline/workflows/all-workflows.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { claimTape } from '../testing/tape-by-hand.ts';
import {
  loanTapeWorkflowId,
  openTapeCluster,
  type TapeCluster,
  TEST_INSTANCE,
  TEST_QUEUES,
  type WorkerProcess,
} from '../testing/tape-cluster.ts';
import { LOAN_MAPPING, manyLoans, writeLoans } from '../testing/tape-file.ts';
import { compareStorageScheduleOf, endStrandedScheduleOf, sweepScheduleOf } from './schedule.ts';

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
  // The hour may just be full: only the sweeps that the tests start should count.
  await cluster.client.schedule.getHandle(sweepScheduleOf(TEST_INSTANCE)).pause('tests');
});
afterAll(() => cluster?.close());

let sweeps = 0;
const sweep = () => {
  sweeps += 1;
  return cluster.client.workflow.execute<typeof sweepOrphans>('sweepOrphans', {
    taskQueue: TEST_QUEUES.workflows,
    workflowId: `sweep/${sweeps}`,
  });
};
const endWithGrace = (graceMs: number) =>
  cluster.client.workflow.execute<typeof endStranded>('endStranded', {
    taskQueue: TEST_QUEUES.workflows,
    workflowId: 'end-stranded',
    args: [{ graceMs }],
  });
const makeTape = () => cluster.createTape({ companyId, mappingId, cutOffDate: '2023-01-31', path });
const put = (key: string) => cluster.objects.putStream(key, Readable.from(['left behind']));

describe('a superseded attempt', () => {
  test('publishes nothing, whatever it finishes, and is swept', async () => {
    const tape = await makeTape();
    // The activities themselves, as a worker that was believed dead would continue them; its workflow has no worker.
    const zombie = await claimTape(cluster, tape.id, { batchRows: BATCH_ROWS });
    const { attempt } = zombie;
    const read = await zombie.read();
    const transformed = await zombie.transform(read);
    expect(transformed).toHaveLength(3);
    await zombie.end();

    await cluster.startTape(tape.id);
    expect(await cluster.finish(tape.id)).toMatchObject({ stage: 'done' });
    const published = await cluster.tape(tape.id);
    await expect(zombie.finalize(read, transformed)).rejects.toMatchObject({
      message: expect.stringContaining('later attempt'),
    });
    const after = await cluster.tape(tape.id);
    expect(after).toMatchObject({ generationId: published.generationId, fence: published.fence });
    expect(after.publishedAt).toEqual(published.publishedAt);

    const kept = `lake/${tape.id}/${published.generationId}/`;
    const ours = await cluster.keys(kept);
    const theirs = await cluster.keys(attempt.objectPrefix);
    expect(theirs).not.toEqual([]);
    expect(await sweep()).toMatchObject({ recorded: theirs.length });
    await cluster.passDays(8);
    expect(await sweep()).toMatchObject({ recorded: 0, trashed: theirs.length });
    expect(await cluster.keys(`lake/${tape.id}/`)).toEqual(ours);
  });
});

describe('the sweeper', () => {
  test('records what removed attempts and working parts left, and keeps what is published, in progress or unknown', async () => {
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
    // A workflow that no worker polls now may still be continued.
    await cluster.client.workflow.start('loanTape', {
      taskQueue: 'no worker polls this queue',
      workflowId: loanTapeWorkflowId(inWork.id),
      args: [{ tapeId: inWork.id }],
    });

    const removed = await makeTape();
    const lost = await cluster.asSystem((session) => beginGeneration(session, { tapeId: removed.id }));
    await put(`${lost.objectPrefix}assets.parquet`);
    await cluster.asSystem((session) => removeTape(session, { id: removed.id }));
    const unknown = `lake/${removed.id}/${'a'.repeat(24)}/assets.parquet`;
    await put(unknown);

    expect(await sweep()).toMatchObject({ recorded: 2, trashed: 0, unknown: 1 });
    await cluster.passDays(8);
    expect(await sweep()).toMatchObject({ recorded: 0, trashed: 2, unknown: 1 });
    expect(await cluster.keys(prefix)).toEqual(wanted);
    expect(await cluster.keys(attempt.objectPrefix)).toEqual([`${attempt.objectPrefix}staged/00000.parquet`]);
    expect(await cluster.keys(`lake/${removed.id}/`)).toEqual([unknown]);
    await cluster.passDays(8);
    expect(await sweep()).toMatchObject({ deleted: expect.any(Number), unknown: 1 });
    expect((await cluster.keys('trash/')).filter((key) => key.includes(removed.id))).toEqual([]);
    await cluster.objects.delete(unknown);
    await cluster.client.workflow.getHandle(loanTapeWorkflowId(inWork.id)).terminate();
    await cluster.asSystem((session) => removeTape(session, { id: inWork.id }));
    expect(await sweep()).toMatchObject({ recorded: 1 });
  });

  test('ends a tape whose workflow is gone, so that it can be retried', async () => {
    const [tape, waiting] = [await makeTape(), await makeTape()];
    await cluster.client.workflow.start('loanTape', {
      taskQueue: 'no worker polls this queue',
      workflowId: loanTapeWorkflowId(waiting.id),
      args: [{ tapeId: waiting.id }],
    });
    const attempt = await cluster.asSystem((session) => beginGeneration(session, { tapeId: tape.id }));
    await put(`${attempt.objectPrefix}staged/00000.parquet`);
    // Just changed: its workflow may be about to start.
    expect(await endWithGrace(60_000)).toEqual({ tapeIds: [] });
    expect(await endWithGrace(0)).toEqual({ tapeIds: [tape.id] });
    expect(await cluster.tape(tape.id)).toMatchObject({
      schedulerStatus: 'Completed',
      processStatus: 'Pending',
      failure: expect.stringContaining('Try again'),
    });
    expect(await cluster.tape(waiting.id)).toMatchObject({ schedulerStatus: 'Processing', failure: null });
    // It no longer has a right to its objects.
    expect(await sweep()).toMatchObject({ recorded: 1 });
    expect(await endWithGrace(0)).toEqual({ tapeIds: [] });
    await cluster.client.workflow.getHandle(loanTapeWorkflowId(waiting.id)).terminate();
    await cluster.asSystem((session) => removeTape(session, { id: waiting.id }));
  });

  test('ends tapes that the database has in progress after it was restored, by a schedule that acts within a minute', async () => {
    const [unpublished, calculating] = [await makeTape(), await makeTape()];
    for (const { id } of [unpublished, calculating]) {
      await cluster.startTape(id);
      await cluster.finish(id);
    }
    const { generationId } = await cluster.tape(calculating.id);
    // As a backup of the database has them that was made while they were processed and calculated.
    const before = new Date(Date.now() - 3_600_000).toISOString();
    await cluster.asSystem(async ({ query }) => {
      await query(
        `update loan_tapes set metadata = jsonb_set(metadata, '{iat}', to_jsonb($2::text)) - 'changedBy' where id = any($1)`,
        [[unpublished.id, calculating.id], before],
      );
      await query(
        `update loan_tapes set scheduler_status = 'Processing', process_status = 'Processing', generation_id = null,
           published_at = null, counts = null where id = $1`,
        [unpublished.id],
      );
      const entry = { transactionId: 'a'.repeat(24), noteId: 'b'.repeat(24), noteTitle: 'Senior', contractId: null };
      await query('update loan_tapes set borrowing_base_statuses = $2 where id = $1', [
        calculating.id,
        JSON.stringify([
          { ...entry, status: 'Processing', borrowingBaseId: null, failure: null },
          { ...entry, noteId: 'c'.repeat(24), status: 'Completed', borrowingBaseId: 'd'.repeat(24), failure: null },
        ]),
      ]);
    });
    const schedule = cluster.client.schedule.getHandle(endStrandedScheduleOf(TEST_INSTANCE));
    const { spec, policies, action } = await schedule.describe();
    expect(spec.intervals).toMatchObject([{ every: 30_000 }]);
    // A tape that was just changed waits for this and the next interval.
    expect(action).toMatchObject({ workflowType: 'endStranded', args: [{ graceMs: 20_000 }] });
    expect(policies.overlap).toBe('SKIP');
    await schedule.trigger();
    await expect
      .poll(async () => (await cluster.tape(unpublished.id)).failure)
      .toContain('ended before it was complete');
    await expect
      .poll(async () => (await cluster.tape(calculating.id)).borrowingBaseStatuses[0]?.failure)
      .toContain('Calculate the borrowing base again');
    expect(await cluster.tape(unpublished.id)).toMatchObject({
      schedulerStatus: 'Completed',
      processStatus: 'Pending',
    });
    expect(await cluster.tape(calculating.id)).toMatchObject({
      generationId,
      borrowingBaseStatuses: [
        { status: 'Pending', failure: expect.stringContaining('Calculate the borrowing base again') },
        { status: 'Completed', failure: null },
      ],
    });
    // Retried, it is published again.
    await cluster.asSystem((session) => restartTape(session, { tapeId: unpublished.id }));
    await cluster.startTape(unpublished.id);
    expect(await cluster.finish(unpublished.id)).toMatchObject({ stage: 'done' });
  });

  test('says of a calculation and of the processing of a tape each why its own workflow failed', async () => {
    const tape = await makeTape();
    await cluster.asSystem((session) => beginGeneration(session, { tapeId: tape.id }));
    const status = { transactionId: 'a'.repeat(24), noteId: 'b'.repeat(24), noteTitle: 'Senior', contractId: null };
    await cluster.asSystem(({ query }) =>
      query('update loan_tapes set borrowing_base_statuses = $2 where id = $1', [
        tape.id,
        JSON.stringify([{ ...status, status: 'Processing', borrowingBaseId: null, failure: null }]),
      ]),
    );
    // A workflow that fails under the name of the tape's own: its argument is no number.
    const failed = cluster.client.workflow.execute('endStranded', {
      taskQueue: TEST_QUEUES.workflows,
      workflowId: loanTapeWorkflowId(tape.id),
      args: [{ graceMs: 'soon' }],
    });
    await expect(failed).rejects.toThrow();
    expect(await endWithGrace(0)).toEqual({ tapeIds: [tape.id] });
    const { failure, borrowingBaseStatuses } = await cluster.tape(tape.id);
    expect(failure).toContain('Retrying does not help');
    expect(borrowingBaseStatuses[0]?.failure).toBe(
      'The calculation ended before it was complete. Calculate the borrowing base again.',
    );
    await cluster.asSystem((session) => removeTape(session, { id: tape.id }));
  });

  test('leaves a tape alone that has changed since its workflow was looked for', async () => {
    const tape = await makeTape();
    const end = async () => {
      const [listed] = await cluster.asSystem((session) =>
        listWorkedTapes(session, { before: new Date(), after: null, limit: 10 }),
      );
      return { listed: listed!, failure: 'Gone', calculationFailure: 'Gone' };
    };
    const command = await end();
    expect(command.listed.id).toBe(tape.id);
    await cluster.asSystem((session) => beginGeneration(session, { tapeId: tape.id }));
    expect(await cluster.asSystem((session) => endStrandedTape(session, command))).toBe(false);
    expect(await cluster.tape(tape.id)).toMatchObject({ schedulerStatus: 'Processing', failure: null });
    const again = await end();
    expect(await cluster.asSystem((session) => endStrandedTape(session, again))).toBe(true);
    expect(await cluster.tape(tape.id)).toMatchObject({ schedulerStatus: 'Completed', failure: 'Gone' });
  });

  test('finds tapes in progress by an index', async () => {
    const plan = await cluster.asSystem(async (session) => {
      await session.query('set local enable_seqscan = off');
      const explained = {
        ...session,
        query: (sql: string, values?: readonly unknown[]) => session.query(`explain ${sql}`, values),
      };
      return listWorkedTapes(explained as typeof session, { before: new Date(), after: null, limit: 10 });
    });
    expect(JSON.stringify(plan)).toContain('loan_tapes_in_progress');
  });

  test('forgets a file that was declared and never used, with its bytes, and no other', async () => {
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
    await cluster.passDays(8);
    await sweep();
    for (const file of [never, sent]) {
      await expect(statusOf(file)).rejects.toMatchObject({ code: 'notFound' });
      expect(await cluster.objects.head(`loanTapes/${file.key}`)).toBeNull();
    }
    expect([await statusOf(fresh), await statusOf(stored)]).toEqual(['Pending', 'Active']);
    for (const { key } of [fresh, stored]) expect(await cluster.objects.head(`loanTapes/${key}`)).not.toBeNull();
  });

  test('compares database and storage every night, and names what is missing among the failed jobs', async () => {
    const { spec, action } = await cluster.client.schedule
      .getHandle(compareStorageScheduleOf(TEST_INSTANCE))
      .describe();
    expect(spec.calendars).toMatchObject([{ hour: [{ start: 1 }], minute: [{ start: 45 }] }]);
    expect(action).toMatchObject({ workflowType: 'compareStorage' });
    const { attachment } = await makeTape();
    const key = `${attachment.bucket}/${attachment.key}`;
    await cluster.objects.delete(key);
    const compare = (workflowId: string) =>
      cluster.client.workflow.execute<typeof compareStorage>('compareStorage', {
        taskQueue: TEST_QUEUES.workflows,
        workflowId,
      });
    const reasons = async () => {
      const failures = await cluster.asSystem(listJobFailures);
      return failures.flatMap(({ activity, reason }) => (activity === 'compareStorage' ? [reason] : []));
    };
    await expect(compare('compare-storage')).rejects.toThrow();
    expect(await reasons()).toEqual([expect.stringMatching(/stored objects? (is|are) missing/)]);
    expect(await cluster.database.query('select key, finding from object_findings')).toContainEqual({
      key,
      finding: 'missing',
    });
  });

  test('removes the temporary files of killed workers, but not those of running ones or of other active machines', async () => {
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

  test('runs every hour with a single schedule, however many workers start', async () => {
    const [second] = (await cluster.startWorkers(1)) as [WorkerProcess];
    const { spec, action, policies } = await cluster.client.schedule
      .getHandle(sweepScheduleOf(TEST_INSTANCE))
      .describe();
    expect(spec.intervals).toMatchObject([{ every: 3_600_000 }]);
    expect(action).toMatchObject({ workflowType: 'sweepOrphans', taskQueue: TEST_QUEUES.workflows });
    expect(policies.overlap).toBe('SKIP');
    expect(second.lines.filter((line) => JSON.parse(line).level >= 40)).toEqual([]);
    await second.end();
    expect(second.lines.at(-1)).toContain('worker ended');
  });
});
