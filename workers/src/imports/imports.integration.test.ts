import { User } from '@tapeline/db/entities/people.ts';
import { newId } from '@tapeline/db/ids.ts';
import { changeImportDraft, createImportDraft, getImportDraft } from '@tapeline/db/operations/importer/drafts.ts';
import { getImport, undoImport } from '@tapeline/db/operations/importer/imports.ts';
import { type AcceptedCheck, acceptCheck, draftCheck } from '@tapeline/db/operations/importer/run-check.ts';
import { acceptImport } from '@tapeline/db/operations/importer/run-import.ts';
import { SYSTEM } from '@tapeline/db/store.ts';
import { testActor } from '@tapeline/db/testing/actors.ts';
import { makeTenant } from '@tapeline/db/testing/tenants.ts';
import { emptyDraft } from '@tapeline/domain/importer/draft.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import type { importCheck, importRows, runImports } from '@tapeline/workflows/all-workflows.ts';
import { importCheckStartOf, importStartOf } from '@tapeline/workflows/imports/start.ts';
import { workflowIdOf } from '@tapeline/workflows/queues.ts';
import { Client, Connection, defaultPayloadConverter } from '@temporalio/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordWorkflow } from '../testing/histories.ts';
import {
  openTapeCluster,
  type TapeCluster,
  TEST_INSTANCE,
  TEST_QUEUES,
  until,
  type WorkerProcess,
} from '../testing/tape-cluster.ts';
import { importScheduleOf } from './schedule.ts';

const QUEUES = { WORKER_QUEUES: 'workflows,io' };
/** A row with such a code is written once this lock is free. */
const LOCK = 4_242;
const STANDS_AT = 600;

let cluster: TapeCluster;
let actor: UserActor;
let worker: WorkerProcess | undefined;

beforeAll(async () => {
  cluster = await openTapeCluster({ batchRows: 1000 });
  const [manager] = await cluster.database.query<{ id: string; email: string; managerId: string }>(
    `select id, email, manager_id as "managerId" from users where email = 'manager@tapeline.test'`,
  );
  actor = { ...testActor({ type: 'manager', managerId: manager!.managerId }), userId: manager!.id };
  await cluster.database.query(
    `create function stand() returns trigger language plpgsql as
       $$ begin perform pg_advisory_xact_lock_shared(${LOCK}); return new; end $$`,
  );
  await cluster.database.query(
    `create trigger stand before insert on lps for each row when (new.code % 10000 = ${STANDS_AT}) execute function stand()`,
  );
});
afterAll(() => cluster?.close());

/** Runs `work` while every import and check stands at the row whose code ends so. @returns its result */
const whileStanding = <Result>(work: () => Promise<Result>): Promise<Result> =>
  cluster.database.store.as(
    SYSTEM,
    async (session) => {
      await session.query(`select pg_advisory_xact_lock(${LOCK})`);
      return work();
    },
    { rollback: true },
  );

/** Each test may be the first to need a worker. */
const ensureWorker = async (): Promise<void> => {
  if (!worker?.isRunning()) [worker] = await cluster.startWorkers(1, QUEUES);
};
const killWorker = async (): Promise<void> => {
  await worker?.end('SIGKILL');
  worker = undefined;
};

const SHEET = { bucket: 'importerFiles', key: 'x/lps.csv', name: 'lps.csv', size: 1, type: 'text/csv', checksum: null };
const FIRST = 70_001;
/** More than are written between two reports of the progress. */
const ROWS = 610;
/** Rows that are written before the one at which an import stands. */
const REPORTED = 500;
const rowsOf = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    file: 0,
    row: index + 2,
    cells: {
      code: String(first + index),
      entityName: `Pension ${first + index}`,
      formalId: `P-${first + index}`,
      country: 'NO',
    },
  }));
const inputOf = (first: number, count: number) => ({
  kind: 'LPs' as const,
  rows: rowsOf(first, count),
  attachments: [SHEET],
});

const accept = (first: number, count: number, by: UserActor = actor) =>
  cluster.database.store.as(by, (session) => acceptImport(session, inputOf(first, count)));
const start = (record: { id: string; managerId: string }) =>
  cluster.client.workflow.start<typeof importRows>('importRows', importStartOf(TEST_INSTANCE, record));
const startNew = async (first: number, count: number, by?: UserActor) => {
  const record = await accept(first, count, by);
  return { id: record.id, handle: await start(record) };
};
const load = (id: string) => cluster.asSystem((session) => getImport(session, id));
const investors = async (first: number, count: number): Promise<number> => {
  const [row] = await cluster.database.query<{ count: number }>(
    `select count(*)::int as count from lps where code between $1 and $2 and status <> 'Removed'`,
    [first, first + count - 1],
  );
  return row!.count;
};
const told = (id: string) =>
  cluster.database.query<{ title: string; userId: string; level: string }>(
    `select title, user_id as "userId", level from notifications where document_id = $1 order by id`,
    [id],
  );

const importId = (id: string) => workflowIdOf(TEST_INSTANCE, WORKFLOW_IDS.import(id));
const checkId = ({ id, version }: { id: string; version: number }) =>
  workflowIdOf(TEST_INSTANCE, WORKFLOW_IDS.importCheck(id, version));
const statusOf = async (workflowId: string) =>
  (await cluster.client.workflow.getHandle(workflowId).describe()).status.name;

/** What the worker last reported. */
async function progressOf(workflowId: string): Promise<number | null> {
  const { raw } = await cluster.client.workflow.getHandle(workflowId).describe();
  const [done] = raw.pendingActivities?.flatMap(({ heartbeatDetails }) => heartbeatDetails?.payloads ?? []) ?? [];
  return done ? defaultPayloadConverter.fromPayload(done) : null;
}
const untilReported = (workflowId: string) => until(async () => (await progressOf(workflowId)) === REPORTED);

/** How often, and in which attempts of Temporal, an activity of a workflow was begun. */
async function startsOf(workflowId: string, activity: string): Promise<number[]> {
  const { events } = await cluster.client.workflow.getHandle(workflowId).fetchHistory();
  const scheduled = new Set(
    (events ?? []).flatMap(({ eventId, activityTaskScheduledEventAttributes: attributes }) =>
      attributes?.activityType?.name === activity ? [String(eventId)] : [],
    ),
  );
  return (events ?? []).flatMap(({ activityTaskStartedEventAttributes: attributes }) =>
    attributes && scheduled.has(String(attributes.scheduledEventId)) ? [attributes.attempt ?? 0] : [],
  );
}

async function draftOf(): Promise<{ id: string; version: number }> {
  return cluster.database.store.as(actor, (session) => createImportDraft(session, emptyDraft('LPs', 'Active')));
}
const acceptCheckOf = (draft: { id: string; version: number }, first: number, count: number) =>
  cluster.database.store.as(actor, (session) => acceptCheck(session, { ...draft, input: inputOf(first, count) }));
const startCheck = (accepted: AcceptedCheck) =>
  cluster.client.workflow.start<typeof importCheck>('importCheck', importCheckStartOf(TEST_INSTANCE, accepted));
const checkOf = ({ id, version }: { id: string; version: number }) =>
  cluster.database.store.as(actor, (session) => draftCheck(session, { id, version }));

test('a worker that is killed in the middle leaves nothing, and another one imports all rows', {
  timeout: 600_000,
}, async () => {
  await ensureWorker();
  const { id, handle } = await whileStanding(async () => {
    const started = await startNew(FIRST, ROWS);
    await untilReported(started.handle.workflowId);
    await killWorker();
    expect(await load(started.id)).toMatchObject({ status: 'Processing', uploadedCount: 0, totalCount: ROWS });
    expect(await investors(FIRST, ROWS)).toBe(0);
    return started;
  });
  await ensureWorker();
  await handle.result();
  expect(await load(id)).toMatchObject({ status: 'Completed', uploadedCount: ROWS, failure: null });
  expect(await investors(FIRST, ROWS)).toBe(ROWS);
  expect(await told(id)).toEqual([{ title: '610 LPs imported', userId: actor.userId, level: 'info' }]);
  await recordWorkflow(cluster, handle.workflowId, 'written');
  // The history names the person, and not the worker.
  const [author] = await cluster.database.query<{ id: string }>(
    `select metadata #>> '{createdBy,entity,id}' as id from lps where code = $1`,
    [FIRST],
  );
  expect(author?.id).toBe(actor.userId);
  await cluster.database.store.as(actor, (session) => undoImport(session, id));
  expect(await investors(FIRST, ROWS)).toBe(0);
});

test('a worker that is stopped in the middle ends although its import stands, and another one imports all rows', {
  timeout: 300_000,
}, async () => {
  const first = FIRST + 80_000;
  await ensureWorker();
  const { id, handle } = await whileStanding(async () => {
    const started = await startNew(first, ROWS);
    await untilReported(started.handle.workflowId);
    await worker?.end('SIGTERM');
    worker = undefined;
    expect(await load(started.id)).toMatchObject({ status: 'Processing', uploadedCount: 0, failure: null });
    return started;
  });
  expect(await investors(first, ROWS)).toBe(0);
  await ensureWorker();
  await handle.result();
  expect(await load(id)).toMatchObject({ status: 'Completed', uploadedCount: ROWS, failure: null });
  expect(await investors(first, ROWS)).toBe(ROWS);
  expect(await told(id)).toMatchObject([{ title: '610 LPs imported' }]);
});

test('an import that loses its worker each time fails after three times, and writes nothing', {
  timeout: 600_000,
}, async () => {
  const first = FIRST + 10_000;
  await ensureWorker();
  const { id, handle } = await whileStanding(async () => {
    const started = await startNew(first, ROWS);
    let lost: string | null = null;
    // On a busy machine, an attempt can be lost before its worker is killed.
    for (;;) {
      const next = await until(async () => {
        const { status, raw } = await started.handle.describe();
        if (status.name !== 'RUNNING') return 'ended';
        const attempt = raw.pendingActivities?.find(({ activityType }) => activityType?.name === 'writeImport');
        const startedAt = attempt?.lastStartedTime ? JSON.stringify(attempt.lastStartedTime) : null;
        return startedAt === lost ? null : startedAt;
      });
      if (next === 'ended') return started;
      lost = next;
      await killWorker();
      // The worker may be killed before it has stored that it began.
      expect(await load(started.id)).toMatchObject({
        status: expect.stringMatching(/^(Pending|Processing)$/),
        uploadedCount: 0,
        failure: null,
      });
      await ensureWorker();
    }
  });
  await handle.result();
  const failed = await load(id);
  expect(failed).toMatchObject({ status: 'Pending', uploadedCount: 0 });
  expect(failed.failure).toContain('Nothing was imported. The import was started 3 times');
  expect(await startsOf(handle.workflowId, 'writeImport')).toEqual([1, 1, 1]);
  expect(await investors(first, ROWS)).toBe(0);
  expect(await told(id)).toMatchObject([{ title: 'The import of LPs failed', level: 'danger' }]);
  await recordWorkflow(cluster, handle.workflowId, 'lost');
});

test('an import that cannot be written ends at its first attempt, says why, and writes nothing', {
  timeout: 120_000,
}, async () => {
  await ensureWorker();
  const { id, handle } = await startNew(FIRST, 3);
  await handle.result();
  const failed = await load(id);
  expect(failed).toMatchObject({ status: 'Pending', uploadedCount: 0 });
  expect(failed.failure).toContain('Row 2, LP code: was the code of Pension 70001, which was removed.');
  expect(await startsOf(handle.workflowId, 'writeImport')).toEqual([1]);
  expect(await told(id)).toMatchObject([{ title: 'The import of LPs failed', level: 'danger' }]);
  await recordWorkflow(cluster, handle.workflowId, 'refused');
});

test('an import that is cancelled in the middle leaves nothing half done, and its rows can be imported again', {
  timeout: 300_000,
}, async () => {
  const first = FIRST + 20_000;
  const entities = () =>
    cluster.database.query(`select id from entities where formal_id like 'P-9%' and status <> 'Removed'`);
  await ensureWorker();
  const draft = await draftOf();
  const { id, handle } = await whileStanding(async () => {
    const started = await startNew(first, ROWS);
    await cluster.database.store.as(actor, (session) =>
      changeImportDraft(session, { ...draft, content: emptyDraft('LPs', 'Active'), importId: started.id }),
    );
    await untilReported(started.handle.workflowId);
    await cluster.database.store.as(actor, (session) => undoImport(session, started.id));
    await started.handle.cancel();
    return started;
  });
  await expect.poll(() => statusOf(handle.workflowId), { timeout: 60_000 }).not.toBe('RUNNING');
  expect(await load(id)).toMatchObject({ status: 'Removed', uploadedCount: 0, finishedAt: null, failure: null });
  expect(await investors(first, ROWS)).toBe(0);
  expect(await entities()).toEqual([]);
  expect(await told(id)).toEqual([]);
  await recordWorkflow(cluster, handle.workflowId, 'cancelled');
  const returned = await cluster.database.store.as(actor, (session) => getImportDraft(session, draft.id));
  expect(returned.importId).toBeNull();
  const again = await startNew(first, ROWS);
  await again.handle.result();
  expect(await load(again.id)).toMatchObject({ status: 'Completed', uploadedCount: ROWS });
});

test('a check runs with its progress, stores nothing, and survives its worker', {
  timeout: 600_000,
}, async () => {
  const first = FIRST + 30_000;
  await ensureWorker();
  const draft = await draftOf();
  const handle = await whileStanding(async () => {
    const started = await startCheck(await acceptCheckOf(draft, first, ROWS));
    await untilReported(started.workflowId);
    expect(await checkOf(draft)).toMatchObject({ status: 'Processing', total: ROWS, result: null });
    await killWorker();
    return started;
  });
  expect(await checkOf(draft)).toMatchObject({ status: 'Processing', result: null });
  await ensureWorker();
  await handle.result();
  const checked = await checkOf(draft);
  expect(checked).toMatchObject({ status: 'Completed', failure: null });
  expect(checked?.result).toMatchObject({ kind: 'LPs', totalCount: ROWS, readyCount: ROWS });
  expect(await investors(first, ROWS)).toBe(0);
  await recordWorkflow(cluster, handle.workflowId, 'rows-checked');
  // A draft that was changed has no check yet.
  expect(await checkOf({ ...draft, version: draft.version + 1 })).toBeNull();
});

test('the check of a later version of a draft replaces the one in progress', { timeout: 300_000 }, async () => {
  const first = FIRST + 40_000;
  const draft = await draftOf();
  const later = { ...draft, version: draft.version + 1 };
  await ensureWorker();
  let replacing: Awaited<ReturnType<typeof startCheck>> | undefined;
  const handle = await whileStanding(async () => {
    const started = await startCheck(await acceptCheckOf(draft, first, ROWS));
    await untilReported(started.workflowId);
    const accepted = await acceptCheckOf(later, first + ROWS, 2);
    expect(accepted.replaced).toBe(draft.version);
    await cluster.client.workflow.getHandle(checkId(draft)).cancel();
    replacing = await startCheck(accepted);
    return started;
  });
  await replacing?.result();
  await expect.poll(() => statusOf(handle.workflowId), { timeout: 60_000 }).not.toBe('RUNNING');
  expect(await checkOf(draft)).toBeNull();
  expect(await checkOf(later)).toMatchObject({ status: 'Completed', result: { totalCount: 2 } });
});

test('what was accepted while Temporal was away is started by the schedule, and so is what a former version had begun', {
  timeout: 300_000,
}, async () => {
  await ensureWorker();
  const schedule = cluster.client.schedule.getHandle(importScheduleOf(TEST_INSTANCE));
  // Its own turn would finish the second import before the test makes it look begun.
  await schedule.pause();
  await expect.poll(async () => (await schedule.describe()).info.runningActions, { timeout: 60_000 }).toEqual([]);
  const away = new Client({ connection: Connection.lazy({ address: '127.0.0.1:9' }), namespace: cluster.namespace });
  const [waiting, begun] = [await accept(FIRST + 50_000, 2), await accept(FIRST + 50_010, 2)];
  await expect(
    away.withDeadline(Date.now() + 2_000, () =>
      away.workflow.start<typeof importRows>('importRows', importStartOf(TEST_INSTANCE, waiting)),
    ),
  ).rejects.toThrow();
  await cluster.database.query(`update imports set status = 'Processing' where id = $1`, [begun.id]);
  const draft = await draftOf();
  await acceptCheckOf(draft, FIRST + 50_000, 2);

  const { spec, action } = await schedule.describe();
  expect(spec.intervals).toMatchObject([{ every: 60_000 }]);
  expect(action).toMatchObject({ workflowType: 'runImports', taskQueue: TEST_QUEUES.workflows });
  const [workflowId, taskQueue] = [workflowIdOf(TEST_INSTANCE, 'starts'), TEST_QUEUES.workflows];
  await cluster.client.workflow.execute<typeof runImports>('runImports', { workflowId, taskQueue });
  for (const id of [importId(waiting.id), importId(begun.id), checkId(draft)]) {
    await cluster.client.workflow.getHandle(id).result();
    expect(await statusOf(id)).toBe('COMPLETED');
  }
  expect(await load(waiting.id)).toMatchObject({ status: 'Completed', uploadedCount: 2 });
  expect(await load(begun.id)).toMatchObject({ status: 'Completed', uploadedCount: 2 });
  expect(await checkOf(draft)).toMatchObject({ status: 'Completed' });
  await schedule.unpause();
  await recordWorkflow(cluster, workflowId, 'started');
});

test('an import or a check that meets a fault of a service is tried again, and does not keep others from theirs', {
  timeout: 300_000,
}, async () => {
  await ensureWorker();
  // The check and the import do not meet each other's code.
  const [full, checked, free] = [FIRST + 60_000, FIRST + 60_001, FIRST + 60_002];
  await cluster.database.query(
    `create function refuse_one() returns trigger language plpgsql as
       $$ begin raise exception 'no space' using errcode = '53100'; end $$`,
  );
  await cluster.database.query(
    `create trigger refuse_one before insert on lps for each row when (new.code in (${full}, ${checked})) execute function refuse_one()`,
  );
  const draft = await draftOf();
  const check = await startCheck(await acceptCheckOf(draft, checked, 1));
  const blocked = await startNew(full, 1);
  const fine = await startNew(free, 1);
  await fine.handle.result();
  const attempts = async (workflowId: string) =>
    (await cluster.client.workflow.getHandle(workflowId).describe()).raw.pendingActivities?.[0]?.attempt ?? 0;
  for (const id of [check.workflowId, blocked.handle.workflowId]) await until(async () => (await attempts(id)) > 1);
  expect([(await load(blocked.id)).status, (await checkOf(draft))?.status]).toEqual(['Processing', 'Processing']);
  expect((await load(fine.id)).status).toBe('Completed');
  await cluster.database.query('drop trigger refuse_one on lps');
  await Promise.all([check.result(), blocked.handle.result()]);
  expect([(await load(blocked.id)).status, (await checkOf(draft))?.status]).toEqual(['Completed', 'Completed']);
});

test('the import of one tenant does not wait behind all those of another', { timeout: 300_000 }, async () => {
  await killWorker();
  const other = await cluster.asSystem(async (session) => {
    const { managerId } = await makeTenant(session);
    const id = newId(session.now);
    const [{ roleId } = { roleId: '' }] = await session.query<{ roleId: string }>(
      'select role_id as "roleId" from users where id = $1',
      [actor.userId],
    );
    const person = { firstName: 'Mia', lastName: 'Holt', email: `${id}@example.test` };
    const assoc = { manager: { id: managerId } };
    session.em.create(User, { id, ...person, type: 'manager', assoc, managerId, roleId, status: 'Active' });
    return { ...testActor({ type: 'manager', managerId }), userId: id };
  });
  const many = [];
  for (let count = 0; count < 10; count += 1) many.push(await startNew(FIRST + 70_000 + count, 1));
  const one = await startNew(FIRST + 70_000, 1, other);
  await ensureWorker();
  await Promise.all([one, ...many].map(({ handle }) => handle.result()));
  const ended = await cluster.database.query<{ id: string }>(
    `select id from imports where id = any ($1) and status = 'Completed' order by finished_at`,
    [[one, ...many].map(({ id }) => id)],
  );
  expect(ended).toHaveLength(11);
  expect(ended.findIndex(({ id }) => id === one.id)).toBeLessThan(5);
});
