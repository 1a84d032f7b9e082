import { MAX_ATTEMPTS } from '@tapeline/db/operations/importer/attempts.ts';
import { createImportDraft } from '@tapeline/db/operations/importer/drafts.ts';
import { getImport, undoImport } from '@tapeline/db/operations/importer/imports.ts';
import { checkAlone, draftCheck, queueCheck } from '@tapeline/db/operations/importer/queued-checks.ts';
import { queueImport } from '@tapeline/db/operations/importer/queued-imports.ts';
import { testActor } from '@tapeline/db/testing/actors.ts';
import { emptyDraft } from '@tapeline/domain/importer/draft.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import type { runImportChecks, runImports } from '@tapeline/workflows/all-workflows.ts';
import { importCheckRunOf, importRunOf } from '@tapeline/workflows/imports/messages.ts';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordWorkflow } from '../testing/histories.ts';
import {
  openTapeCluster,
  type TapeCluster,
  TEST_INSTANCE,
  until,
  type WorkerProcess,
} from '../testing/tape-cluster.ts';
import { createImportActivities } from './activities.ts';

const QUEUES = { WORKER_QUEUES: 'workflows,io' };

let cluster: TapeCluster;
let actor: UserActor;
let worker: WorkerProcess | undefined;

beforeAll(async () => {
  cluster = await openTapeCluster({ batchRows: 1000 });
  const [manager] = await cluster.database.query<{ id: string; email: string; managerId: string }>(
    `select id, email, manager_id as "managerId" from users where email = 'manager@tapeline.test'`,
  );
  actor = { ...testActor({ type: 'manager', managerId: manager!.managerId }), userId: manager!.id };
});
afterAll(() => cluster?.close());

const SHEET = { bucket: 'importerFiles', key: 'x/lps.csv', name: 'lps.csv', size: 1, type: 'text/csv', checksum: null };
const FIRST = 70_001;
const ROWS = 1_200;
const rowsOf = (first: number, count: number) =>
  Array.from({ length: count }, (_, place) => ({
    file: 0,
    row: place + 2,
    cells: {
      code: String(first + place),
      entityName: `Pension ${first + place}`,
      formalId: `P-${first + place}`,
      country: 'NO',
    },
  }));
const queue = (first: number, count: number) =>
  cluster.database.store.as(actor, (session) =>
    queueImport(session, { kind: 'LPs', rows: rowsOf(first, count), attachments: [SHEET] }),
  );
const wake = () =>
  cluster.client.workflow.signalWithStart<typeof runImports>('runImports', { ...importRunOf(TEST_INSTANCE), args: [] });
const load = (id: string) => cluster.asSystem((session) => getImport(session, id));
const investors = async (id: string): Promise<number> => {
  const [row] = await cluster.database.query<{ count: number }>(
    `select count(*)::int as count from lps where metadata ->> 'bulkActionCode' = $1 and status <> 'Removed'`,
    [id],
  );
  return row!.count;
};
const told = (id: string) =>
  cluster.database.query<{ title: string; userId: string; level: string }>(
    `select title, user_id as "userId", level from notifications where document_id = $1 order by id`,
    [id],
  );

test('a worker that is killed in the middle leaves nothing, and another one imports all rows', {
  timeout: 600_000,
}, async () => {
  [worker] = await cluster.startWorkers(1, QUEUES);
  const { id } = await queue(FIRST, ROWS);
  await wake();
  await until(async () => (await load(id)).doneCount > 0);
  await worker?.end('SIGKILL');
  expect(await load(id)).toMatchObject({ status: 'Processing', uploadedCount: 0, totalCount: ROWS });
  expect(await investors(id)).toBe(0);
  [worker] = await cluster.startWorkers(1, QUEUES);
  await wake();
  await until(async () => (await load(id)).status === 'Completed', { withinMs: 240_000 });
  expect(await load(id)).toMatchObject({ uploadedCount: ROWS, doneCount: ROWS, failure: null });
  expect(await investors(id)).toBe(ROWS);
  expect(await told(id)).toEqual([{ title: '1,200 LPs imported', userId: actor.userId, level: 'info' }]);
  await recordWorkflow(cluster, importRunOf(TEST_INSTANCE).workflowId, 'imported');
  // The history names the person, and not the worker.
  const [author] = await cluster.database.query<{ id: string }>(
    `select metadata #>> '{createdBy,entity,id}' as id from lps where code = $1`,
    [FIRST],
  );
  expect(author?.id).toBe(actor.userId);
  await cluster.database.store.as(actor, (session) => undoImport(session, id));
  expect(await investors(id)).toBe(0);
});

test('an import that loses its worker each time fails after three times, and writes nothing', {
  timeout: 600_000,
}, async () => {
  const first = FIRST + 10_000;
  await worker?.end('SIGKILL');
  const { id } = await queue(first, ROWS);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    [worker] = await cluster.startWorkers(1, QUEUES);
    await wake();
    await until(async () => (await load(id)).attempts === attempt, { withinMs: 120_000 });
    await worker?.end('SIGKILL');
    expect(await load(id)).toMatchObject({ status: 'Processing', failure: null });
  }
  [worker] = await cluster.startWorkers(1, QUEUES);
  await wake();
  const failed = await until(
    async () => {
      const record = await load(id);
      return record.failure ? record : null;
    },
    { withinMs: 120_000 },
  );
  expect(failed).toMatchObject({ status: 'Pending', uploadedCount: 0, doneCount: 0, attempts: MAX_ATTEMPTS });
  expect(failed.failure).toContain('Nothing was imported. The import was started 3 times');
  expect(await investors(id)).toBe(0);
  expect(await told(id)).toMatchObject([{ title: 'The import of LPs failed', level: 'danger' }]);
});

test('a check runs in a worker with its progress, stores nothing, and survives the worker', {
  timeout: 600_000,
}, async () => {
  await worker?.end('SIGKILL');
  const first = FIRST + 20_000;
  const rows = [...rowsOf(first, ROWS), { file: 0, row: ROWS + 2, cells: { code: 'x' } }];
  const input = { kind: 'LPs' as const, rows, attachments: [SHEET] };
  const draft = await cluster.database.store.as(actor, async (session) => {
    const { id, version } = await createImportDraft(session, emptyDraft('LPs', 'Active'));
    await queueCheck(session, { id, version, input });
    return { id, version };
  });
  // Another check of the user does not run at once.
  const other = await cluster.database.store.as(actor, async (session) => {
    const { id, version } = await createImportDraft(session, emptyDraft('LPs', 'Active'));
    await queueCheck(session, { id, version, input: { ...input, rows: rows.slice(-1) } });
    return { id, version };
  });
  const wakeChecks = () =>
    cluster.client.workflow.signalWithStart<typeof runImportChecks>('runImportChecks', {
      ...importCheckRunOf(TEST_INSTANCE),
      args: [],
    });
  const checkOf = (one: { id: string; version: number }) =>
    cluster.database.store.as(actor, (session) => draftCheck(session, one));
  [worker] = await cluster.startWorkers(1, QUEUES);
  await wakeChecks();
  await until(async () => ((await checkOf(draft))?.done ?? 0) > 0, { withinMs: 120_000 });
  expect(await checkOf(draft)).toMatchObject({ status: 'Processing', total: ROWS + 1, result: null });
  expect(await checkOf(other)).toMatchObject({ result: null });
  await expect(
    cluster.database.store.as(actor, (session) => checkAlone(session, input), { rollback: true }),
  ).rejects.toMatchObject({ code: 'tooMany' });
  await worker?.end('SIGKILL');
  [worker] = await cluster.startWorkers(1, QUEUES);
  await wakeChecks();
  const checked = await until(
    async () => {
      const check = await checkOf(draft);
      return check?.result ? check : null;
    },
    { withinMs: 120_000 },
  );
  expect(checked).toMatchObject({ status: 'Completed', done: ROWS + 1, failure: null });
  expect(checked.result).toMatchObject({ kind: 'LPs', totalCount: ROWS + 1, readyCount: ROWS });
  expect(checked.result?.rows.at(-1)?.problems).not.toEqual([]);
  await until(async () => (await checkOf(other))?.status === 'Completed', { withinMs: 120_000 });
  await recordWorkflow(cluster, importCheckRunOf(TEST_INSTANCE).workflowId, 'checked');
  const stored = await cluster.database.query(`select id from lps where code between $1 and $2`, [first, first + ROWS]);
  expect(stored).toEqual([]);
  // A draft that was changed has no check yet.
  expect(await checkOf({ ...draft, version: draft.version + 1 })).toBeNull();
});

test('an import that cannot be written fails once, says why, and writes nothing', { timeout: 120_000 }, async () => {
  const { id } = await queue(FIRST, 3);
  await wake();
  const failed = await until(async () => {
    const record = await load(id);
    return record.failure ? record : null;
  });
  expect(failed).toMatchObject({ status: 'Pending', uploadedCount: 0, doneCount: 0 });
  expect(failed.failure).toContain('Row 2, LP code: was the code of Pension 70001, which was removed.');
  expect(await investors(id)).toBe(0);
  expect(await told(id)).toMatchObject([{ title: 'The import of LPs failed', level: 'danger' }]);
  // It is not tried again.
  const next = await queue(FIRST + ROWS, 1);
  await wake();
  await until(async () => (await load(next.id)).status === 'Completed');
  expect(await load(id)).toMatchObject({ version: failed.version });
});

test('an import or a check that meets a fault of a service does not keep others from theirs', async () => {
  await worker?.end('SIGKILL');
  const [full, free] = [FIRST + 30_000, FIRST + 30_001];
  await cluster.database.query(
    `create function refuse_one() returns trigger language plpgsql as
       $$ begin raise exception 'no space' using errcode = '53100'; end $$`,
  );
  await cluster.database.query(
    `create trigger refuse_one before insert on lps for each row when (new.code = ${full}) execute function refuse_one()`,
  );
  const [colleague] = await cluster.database.query<{ id: string }>(
    `insert into users (id, type, status, first_name, last_name, email, assoc, manager_id, role_id, metadata)
     select substr(md5(id), 1, 24), type, status, first_name, last_name, 'colleague@example.test', assoc, manager_id, role_id, metadata
     from users where id = $1 returning id`,
    [actor.userId],
  );
  const checkOf = (user: UserActor, first: number) =>
    cluster.database.store.as(user, async (session) => {
      const { id, version } = await createImportDraft(session, emptyDraft('LPs', 'Active'));
      await queueCheck(session, {
        id,
        version,
        input: { kind: 'LPs', rows: rowsOf(first, 1), attachments: [SHEET] },
      });
      return { id, version };
    });
  const other = { ...actor, userId: colleague!.id };
  const checks = [await checkOf(actor, full), await checkOf(other, free)] as const;
  const imports = [await queue(full, 1), await queue(free, 1)] as const;
  const { runDueImports, runDueChecks } = createImportActivities({
    store: cluster.database.store,
    log: pino({ level: 'silent' }),
  });
  await expect(runDueChecks()).rejects.toThrow('no space');
  const statusOf = async (user: UserActor, check: { id: string; version: number }) =>
    (await cluster.database.store.as(user, (session) => draftCheck(session, check)))?.status;
  expect([await statusOf(actor, checks[0]), await statusOf(other, checks[1])]).toEqual(['Processing', 'Completed']);
  await expect(runDueImports()).rejects.toThrow('no space');
  expect([(await load(imports[0].id)).status, (await load(imports[1].id)).status]).toEqual(['Processing', 'Completed']);
  // The next run does what waits.
  await cluster.database.query('drop trigger refuse_one on lps');
  expect(await runDueChecks()).toEqual({ checked: 1, failed: 0 });
  expect(await runDueImports()).toEqual({ imported: 1, failed: 0 });
});
