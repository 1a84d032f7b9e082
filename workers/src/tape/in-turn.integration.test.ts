import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beginRerun, rerunRequestKey } from '@tapeline/db/operations/tapes/rerun-errored.ts';
import type { endStranded, loanTape, rerunErrored } from '@tapeline/workflows/all-workflows.ts';
import { rerunStartOf } from '@tapeline/workflows/corrections/start.ts';
import type { ProcessedTape } from '@tapeline/workflows/loan-tape/activities.ts';
import { cancelTapeSignal, tapeProgressQuery, turnSignal } from '@tapeline/workflows/loan-tape/messages.ts';
import { tapeStartOf } from '@tapeline/workflows/loan-tape/start.ts';
import { beginTape as begunState } from '@tapeline/workflows/loan-tape/state.ts';
import { Client } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { recordHistory, replayTapes } from '../testing/histories.ts';
import { highestAttempts, runningActivities } from '../testing/tape-activities.ts';
import {
  ALL_QUEUES,
  loanTapeWorkflowId,
  openTapeCluster,
  type TapeCluster,
  TEST_INSTANCE,
  TEST_QUEUES,
  until,
  type WorkerProcess,
} from '../testing/tape-cluster.ts';
import { LOAN_MAPPING, manyLoans, writeLoans, writeTapeFile } from '../testing/tape-file.ts';
import { expectWhole } from '../testing/whole-tape.ts';
import { createTapeComputeActivities } from './compute-activities.ts';

// It takes ten seconds to notice a killed worker.
vi.setConfig({ testTimeout: 300_000 });

const { loans, counts } = manyLoans(2500);
let cluster: TapeCluster;
let worker: WorkerProcess;
let companyId = '';
let mappingId = '';
const started: string[] = [];
const paths = { loans: '', wrong: '', small: '' };
let otherMapping: string | undefined;

beforeAll(async () => {
  cluster = await openTapeCluster({ batchRows: 1000 });
  companyId = await cluster.companyId('Alder Auto');
  mappingId = await cluster.createMapping(companyId, LOAN_MAPPING);
  paths.loans = join(cluster.folder, 'loans.xlsx');
  await writeLoans(paths.loans, loans());
  paths.small = join(cluster.folder, 'small.xlsx');
  await writeLoans(paths.small, manyLoans(20).loans());
  paths.wrong = join(cluster.folder, 'wrong.xlsx');
  await writeTapeFile(paths.wrong, 'Loans', [['no', 'such', 'header']]);
  [worker] = (await cluster.startWorkers(1)) as [WorkerProcess];
});
afterAll(() => cluster?.close());

const make = (cutOffDate: string, path = paths.loans) => cluster.createTape({ companyId, mappingId, cutOffDate, path });
type Tape = Awaited<ReturnType<typeof make>>;

/** Starts it as the product does: the size of its file decides how it is processed. */
async function start(tape: Tape): Promise<void> {
  await cluster.client.workflow.start<typeof loanTape>('loanTape', tapeStartOf(TEST_INSTANCE, tape));
  started.push(tape.id);
}
/** A company of another tenant. */
async function otherCompany(): Promise<{ id: string; managerId: string }> {
  const [other] = await cluster.asSystem(({ query }) =>
    query<{ id: string; managerId: string }>(
      `select id, manager_id as "managerId" from companies
       where manager_id <> (select manager_id from companies where id = $1) order by id limit 1`,
      [companyId],
    ),
  );
  return other!;
}
const handleOf = ({ id }: Tape) => cluster.client.workflow.getHandle<typeof loanTape>(loanTapeWorkflowId(id));
const waits = (tape: Tape) =>
  until(async () => (await handleOf(tape).query(tapeProgressQuery)).stage === 'finalize' || null);
const eventsOf = async (tape: Tape) => (await handleOf(tape).fetchHistory()).events ?? [];
const activitiesOf = async (tape: Tape) =>
  (await eventsOf(tape)).flatMap(({ activityTaskScheduledEventAttributes: scheduled }) =>
    scheduled ? [scheduled.activityType?.name] : [],
  );
const signalsOf = async (tape: Tape) =>
  (await eventsOf(tape)).filter((event) => event.workflowExecutionSignaledEventAttributes).length;

test('a small tape takes one step', async () => {
  const tape = await make('2020-01-31');
  await start(tape);
  const progress = await cluster.finish(tape.id);
  expect(progress).toMatchObject({ stage: 'done', percent: 100, batches: 3, batchesTransformed: 3 });
  expect(Object.keys(progress.reachedAt)).toEqual(['read', 'transform', 'finalize', 'publish', 'done']);
  expect(await activitiesOf(tape)).toEqual(['processTape']);
  expect((await eventsOf(tape)).length).toBeLessThanOrEqual(13);
  expect(await cluster.tape(tape.id)).toMatchObject({ schedulerStatus: 'Completed', progress });
  await expectWhole(cluster, tape.id, { loans: loans(), counts });
  const kept = await cluster.keys(`lake/${tape.id}/`);
  expect(kept.filter((key) => /staged|candidate/.test(key))).toEqual([]);
  await recordHistory(cluster, tape.id, 'in-one-step');
});

test('a small file of many parts is read in one step, and its parts are spread', async () => {
  const many = manyLoans(4500);
  const path = join(cluster.folder, 'many-parts.xlsx');
  await writeLoans(path, many.loans());
  const tape = await make('2020-03-31', path);
  expect(tape.attachment.size).toBeLessThan(2 ** 20);
  await start(tape);
  expect(await cluster.finish(tape.id)).toMatchObject({
    stage: 'done',
    percent: 100,
    batches: 5,
    rowsRead: many.counts.dataRows,
  });
  const activities = (await activitiesOf(tape)).filter((name) => name !== 'recordProgress');
  expect(activities).toEqual(['processTape', ...Array(5).fill('transformBatch'), 'publishTape', 'completeTape']);
  await expectWhole(cluster, tape.id, { loans: many.loans(), counts: many.counts });
});

/** The activities in this process. */
const byHand = (temporal = cluster.client) =>
  createTapeComputeActivities({
    instance: TEST_INSTANCE,
    store: cluster.database.store,
    objects: cluster.objects,
    temporal,
    scratchFolder: join(cluster.folder, 'by-hand'),
    batchRows: 1000,
    jobMemory: '1GiB',
    jobSpill: '20GB',
    log: pino({ level: 'silent' }),
  });

test('a tape is published although the next one cannot be told', async () => {
  const [tape, next] = [await make('2020-04-30'), await make('2020-05-31')];
  const elsewhere = new Client({ connection: cluster.client.connection, namespace: 'no-such-namespace' });
  const { progress } = begunState(Date.now());
  const input = { tapeId: tape.id, progress };
  const made: ProcessedTape = await new MockActivityEnvironment().run(byHand(elsewhere).processTape, input);
  expect(await cluster.tape(tape.id)).toMatchObject({ generationId: made.published?.generationId });
  await start(next);
  expect(await cluster.finish(next.id)).toMatchObject({ stage: 'done' });
});

test('a step that is repeated after the tape was published says what was published', async () => {
  const tape = await make('2020-02-29');
  const compute = byHand();
  const { progress } = begunState(Date.now());
  const run = (): Promise<ProcessedTape> =>
    new MockActivityEnvironment().run(compute.processTape, { tapeId: tape.id, progress });
  const first = await run();
  const published = await cluster.tape(tape.id);
  expect(first.published).toMatchObject({ generationId: published.generationId });
  const again = await run();
  expect(again.published).toEqual(first.published);
  expect(again.begun).toEqual(first.begun);
  expect(again.state.progress).toMatchObject({ rowsRead: counts.dataRows, rowsErrored: counts.errored });
  expect(await cluster.tape(tape.id)).toMatchObject({ fence: published.fence, generationId: published.generationId });
  // An earlier tape that was sent since is not waited for: whoever ends it tells only those that are not published.
  const earlier = await make('2020-01-15');
  const nothing = { read: { batches: [], dataRows: 0, blankRows: 0 }, transformed: [] };
  const publish = () => new MockActivityEnvironment().run(compute.publishTape, { ...first.begun.attempt, ...nothing });
  expect(await publish()).toEqual(first.published);
  await start(earlier);
  expect(await cluster.finish(earlier.id)).toMatchObject({ stage: 'done' });
});

test('a tape is published although its assets cannot be made searchable yet, and its workflow ends it', async () => {
  const tape = await make('2020-06-30');
  const { progress } = begunState(Date.now());
  await cluster.database.query('alter table asset_ids rename to asset_ids_away');
  const made: ProcessedTape = await new MockActivityEnvironment().run(byHand().processTape, {
    tapeId: tape.id,
    progress,
  });
  await cluster.database.query('alter table asset_ids_away rename to asset_ids');
  expect(made.published).toMatchObject({ assets: counts.assets });
  expect(made.isEnded).toBeUndefined();
  await cluster.database.query('delete from asset_ids');
  await start(tape);
  expect(await cluster.finish(tape.id)).toMatchObject({ stage: 'done', percent: 100 });
  expect(await activitiesOf(tape)).toEqual(['processTape', 'completeTape']);
  const searchable = await cluster.database.query<{ ids: number }>('select count(*)::int as ids from asset_ids');
  expect(searchable).toEqual([{ ids: counts.assets }]);
});

describe('a tape whose company has an earlier one in progress', () => {
  test('waits without asking again, and is published once that one is', async () => {
    const [earlier, later] = [await make('2021-01-31'), await make('2021-02-28')];
    await start(later);
    await waits(later);
    expect(await cluster.tape(later.id)).toMatchObject({ generationId: null, progress: { stage: 'finalize' } });
    const before = (await eventsOf(later)).length;
    await start(earlier);
    expect(await cluster.finish(earlier.id)).toMatchObject({ stage: 'done' });
    expect(await cluster.finish(later.id)).toMatchObject({ stage: 'done', percent: 100 });
    const [first, second] = [await cluster.tape(earlier.id), await cluster.tape(later.id)];
    expect(first.publishedAt?.getTime()).toBeLessThan(second.publishedAt?.getTime() ?? 0);
    // It asked when it came to wait, and after the signal.
    expect(await activitiesOf(later)).toEqual(['processTape', 'publishTape', 'publishTape', 'completeTape']);
    expect(await signalsOf(later)).toBe(1);
    expect((await eventsOf(later)).length - before).toBeLessThan(25);
    await recordHistory(cluster, later.id, 'in-turn');
  });

  test('is published once that one has failed, or was cancelled, and not before', async () => {
    const tapes = [await make('2021-03-31', paths.wrong), await make('2021-04-30'), await make('2021-05-31')] as const;
    const [fails, cancelled, last] = tapes;
    for (const tape of [last, cancelled]) {
      await start(tape);
      await waits(tape);
    }
    await handleOf(cancelled).signal(cancelTapeSignal);
    expect(await cluster.finish(cancelled.id)).toMatchObject({ stage: 'cancelled' });
    await until(async () => (await signalsOf(last)) === 1 || null);
    await until(async () => (await activitiesOf(last)).filter((name) => name === 'publishTape').length >= 2 || null);
    expect(await cluster.tape(last.id)).toMatchObject({ generationId: null });
    await start(fails);
    expect(await cluster.finish(fails.id)).toMatchObject({ stage: 'failed' });
    expect(await cluster.finish(last.id)).toMatchObject({ stage: 'done' });
  });

  test('is published once that one is, whose worker was killed', async () => {
    const [earlier, later] = [await make('2021-06-30'), await make('2021-07-31')];
    await start(later);
    await waits(later);
    // The earlier one has begun and waits for the lock on its row.
    await cluster.asSystem(async ({ query }) => {
      await query('select 1 from loan_tapes where id = $1 for update', [earlier.id]);
      await start(earlier);
      await until(async () => (await runningActivities(cluster.client, earlier.id))[0]?.type === 'processTape' || null);
      await worker.end('SIGKILL');
    });
    [worker] = (await cluster.startWorkers(1)) as [WorkerProcess];
    expect(await cluster.finish(earlier.id)).toMatchObject({ stage: 'done' });
    expect(await cluster.finish(later.id)).toMatchObject({ stage: 'done' });
    expect((await highestAttempts(cluster.client, earlier.id)).get('processTape')).toBeGreaterThan(1);
    await expectWhole(cluster, earlier.id, { loans: loans(), counts });
  });

  test('is published although the job of that one is gone, and nobody could tell', async () => {
    const [lost, later] = [await make('2021-08-31'), await make('2021-09-30')];
    await start(later);
    await waits(later);
    await cluster.client.workflow.execute<typeof endStranded>('endStranded', {
      taskQueue: TEST_QUEUES.workflows,
      workflowId: 'end-stranded/in-turn',
      args: [{ graceMs: -60_000 }],
    });
    expect(await cluster.finish(later.id)).toMatchObject({ stage: 'done' });
    expect((await cluster.tape(lost.id)).failure).toMatch(/ended before/);
  });

  test('takes no notice of a signal that comes too early', async () => {
    const [earlier, later] = [await make('2021-10-31'), await make('2021-11-30')];
    await start(later);
    await waits(later);
    for (let sent = 0; sent < 3; sent += 1) await handleOf(later).signal(turnSignal);
    await until(async () => (await signalsOf(later)) === 3 || null);
    expect(await cluster.tape(later.id)).toMatchObject({ generationId: null });
    await start(earlier);
    expect(await cluster.finish(later.id)).toMatchObject({ stage: 'done' });
  });
});

test('tapes that arrive together are published in their order, and those of another tenant are not behind them', async () => {
  const other = await otherCompany();
  const many: Tape[] = [];
  for (let day = 1; day <= 24; day += 1) many.push(await make(`2022-01-${String(day).padStart(2, '0')}`, paths.small));
  otherMapping ??= await cluster.createMapping(other.id, LOAN_MAPPING);
  const few: Tape[] = [];
  for (let day = 1; day <= 3; day += 1) {
    const tape = { companyId: other.id, mappingId: otherMapping, cutOffDate: `2022-01-0${day}`, path: paths.small };
    few.push(await cluster.createTape(tape));
  }
  await worker.end();
  for (const tape of [...many, ...few]) await start(tape);
  [worker] = (await cluster.startWorkers(1)) as [WorkerProcess];
  await Promise.all([...many, ...few].map(({ id }) => cluster.finish(id)));
  const published = await cluster.asSystem(({ query }) =>
    query<{ id: string }>('select id from loan_tapes where id = any($1) order by published_at, code', [
      [...many, ...few].map(({ id }) => id),
    ]),
  );
  const placeOf = new Map(published.map(({ id }, index) => [id, index]));
  const indexes = many.map(({ id }) => placeOf.get(id) ?? -1);
  expect(indexes).toEqual([...indexes].sort((a, b) => a - b));
  // Three of each are given out in turn; some of the first tenant's are on their way by then.
  expect(Math.max(...few.map(({ id }) => placeOf.get(id) ?? Number.NaN))).toBeLessThan(14);
});

/** A tape of the other tenant that is published, with an errored row, and what corrects it as the product does. */
async function tapeToCorrect(cutOffDate: string) {
  const company = await otherCompany();
  const path = join(cluster.folder, `errored-${cutOffDate}.xlsx`);
  const errored = manyLoans(100);
  await writeLoans(path, errored.loans());
  otherMapping ??= await cluster.createMapping(company.id, LOAN_MAPPING);
  const tape = await cluster.createTape({ companyId: company.id, mappingId: otherMapping, cutOffDate, path });
  await start(tape);
  expect(await cluster.finish(tape.id)).toMatchObject({ stage: 'done' });
  const row = 2 + [...errored.loans()].findIndex((loan) => loan?.balance === 'see notes');
  return async (userId: string) => {
    const attempt = await cluster.asSystem((session) =>
      beginRerun(session, { tapeId: tape.id, rows: [row], on: null, by: null, findErrored: async () => [row] }),
    );
    const key = rerunRequestKey(attempt);
    await cluster.objects.putStream(key, Readable.from([JSON.stringify([{ row, cells: {} }])]));
    const command = { attempt, corrections: { key }, by: null, at: '2026-11-21T12:00:00.000Z' };
    const options = rerunStartOf(TEST_INSTANCE, { managerId: company.managerId, userId }, command);
    return cluster.client.workflow.start<typeof rerunErrored>('rerunErrored', options);
  };
}

test('a correction of one tenant passes the tapes that another has sent, and corrections without end leave tapes their turn', async () => {
  const correct: Awaited<ReturnType<typeof tapeToCorrect>>[] = [];
  for (const day of ['2023-01-31', '2023-02-28', '2023-03-31']) correct.push(await tapeToCorrect(day));
  await worker.end();
  const many: Tape[] = [];
  for (let day = 1; day <= 24; day += 1) many.push(await make(`2024-01-${String(day).padStart(2, '0')}`, paths.small));
  for (const tape of many) await start(tape);
  const corrections = await Promise.all(correct.map((begin) => begin('someone')));
  const publishedNow = async () => {
    const tapes = await Promise.all(many.map(({ id }) => cluster.tape(id)));
    return tapes.filter(({ generationId }) => generationId !== null).length;
  };
  [worker] = (await cluster.startWorkers(1, ALL_QUEUES)) as [WorkerProcess];
  expect(await Promise.all(corrections.map((each) => each.result()))).toMatchObject(
    corrections.map(() => ({ failure: null })),
  );
  expect(await publishedNow()).toBeLessThan(many.length / 2);
  // Whoever corrects on and on: the next correction begins when one has ended.
  let isOver = false;
  const onAndOn = correct.map(async (begin) => {
    while (!isOver) await (await begin('someone')).result();
  });
  await Promise.all(many.map(({ id }) => cluster.finish(id)));
  isOver = true;
  await Promise.all(onAndOn);
});

test('what these workflows did is what they do when they are run again from their histories', async () => {
  expect(started.length).toBeGreaterThan(30);
  expect(await replayTapes(cluster, started)).toBe(started.length);
});
