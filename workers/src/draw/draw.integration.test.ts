import { updateDraw } from '@tapeline/db/operations/draws/change-draws.ts';
import { getDraw } from '@tapeline/db/operations/draws/draw-views.ts';
import { createDraw } from '@tapeline/db/operations/draws/request-draws.ts';
import { createTransaction } from '@tapeline/db/operations/transactions/transactions.ts';
import { testActor } from '@tapeline/db/testing/actors.ts';
import { drawCreateSchema } from '@tapeline/domain/draws/draw.schema.ts';
import { transactionSchema } from '@tapeline/domain/facilities/transaction.schema.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import type { drawRequest, restartDraws } from '@tapeline/workflows/all-workflows.ts';
import type { DrawCheckCommand } from '@tapeline/workflows/draw/activities.ts';
import { drawSignalOf } from '@tapeline/workflows/draw/signal.ts';
import { workflowIdOf } from '@tapeline/workflows/queues.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { restartDrawsScheduleOf } from '../sweep/schedule.ts';
import { recordWorkflow, replayWorkflows } from '../testing/histories.ts';
import {
  openTapeCluster,
  type TapeCluster,
  TEST_INSTANCE,
  TEST_QUEUES,
  type WorkerProcess,
} from '../testing/tape-cluster.ts';

const DONE_WITHIN_MS = 120_000;
const LONG = 4 * 3_600_000;

let cluster: TapeCluster;
let borrower: UserActor;
let manager: UserActor;
let transactionId: string;

beforeAll(async () => {
  cluster = await openTapeCluster({ batchRows: 1000 });
  const companyId = await cluster.companyId('Alder Auto');
  const [company] = await cluster.database.query<{ managerId: string }>(
    'select manager_id as "managerId" from companies where id = $1',
    [companyId],
  );
  const managerId = company!.managerId;
  borrower = testActor({ type: 'company', managerId, companyId });
  manager = testActor({ type: 'manager', managerId });
  const created = await cluster.database.store.as(manager, (session) =>
    createTransaction(
      session,
      transactionSchema.parse({
        title: 'Facility of drawn notes',
        type: 'Direct',
        industries: ['Consumer Lending'],
        company: companyId,
        notes: [
          {
            title: 'Senior',
            mainCurrency: 'USD',
            tranches: [
              {
                sequence: 1,
                sequenceActivated: true,
                title: 'A',
                type: 'ROFR',
                terms: {
                  commitments: [{ amount: { sum: 1000, currency: 'USD' } }],
                  timeline: { contractSigning: '2026-01-01', maturity: '2100-01-01' },
                },
              },
            ],
          },
        ],
      }),
    ),
  );
  transactionId = created.id;
});
afterAll(() => cluster?.close());

const request = (dueDate = '2099-11-09') =>
  cluster.database.store.as(
    borrower,
    (session) =>
      createDraw(
        session,
        drawCreateSchema.parse({
          transaction: transactionId,
          noteTitle: 'Senior',
          cutOffDate: '2026-11-02',
          dueDate,
          draws: [{ type: 'Regular', amounts: [{ sum: 100, currency: 'USD' }] }],
        }),
      ),
    // The tests make the same request on purpose.
    { isKeyed: true },
  );
const load = (id: string) => cluster.asSystem((session) => getDraw(session, id));
const workflowId = (drawId: string) => workflowIdOf(TEST_INSTANCE, WORKFLOW_IDS.draw(drawId));
const signal = (change: DrawCheckCommand, urgentAfterMs = LONG) =>
  cluster.client.workflow.signalWithStart<typeof drawRequest, [DrawCheckCommand]>(
    'drawRequest',
    drawSignalOf(TEST_INSTANCE, change, urgentAfterMs),
  );
/** Starts a worker whose schedule restarts no checks: only the test itself does. */
async function startWorker(): Promise<WorkerProcess> {
  const [worker] = await cluster.startWorkers(1);
  await cluster.client.schedule.getHandle(restartDrawsScheduleOf(TEST_INSTANCE)).pause('tests');
  return worker!;
}
const resultOf = (drawId: string) => cluster.client.workflow.getHandle(workflowId(drawId)).result();
/** How many activities of the workflow were completed. */
const completed = async (drawId: string): Promise<number> => {
  const { events } = await cluster.client.workflow.getHandle(workflowId(drawId)).fetchHistory();
  return (events ?? []).filter(({ activityTaskCompletedEventAttributes: done }) => done).length;
};
const waitFor = (check: () => Promise<void>) => vi.waitFor(check, { timeout: DONE_WITHIN_MS, interval: 100 });

let sweeps = 0;
/** What the schedule starts every minute. */
const sweep = async (graceMs = 0): Promise<string[]> => {
  sweeps += 1;
  const { drawIds } = await cluster.client.workflow.execute<typeof restartDraws>('restartDraws', {
    taskQueue: TEST_QUEUES.workflows,
    workflowId: `restart-draws/${sweeps}`,
    args: [{ graceMs }],
  });
  return drawIds;
};

/** Skips what the checks found, here the missing borrowing base, and approves. */
async function approve(id: string, tell: typeof signal | null = signal): Promise<void> {
  const draw = await load(id);
  const exceptions = draw.exceptions.map(() => ({ status: 'Skipped' as const, reason: 'A direct loan has none' }));
  const approved = await cluster.database.store.as(manager, (session) =>
    updateDraw(session, { id, body: { version: draw.version, exceptions, status: 'Approved' } }),
  );
  await tell?.({ drawId: id, version: approved.version, stage: 'change' });
}

test('the workflow checks a request, each change, and ends with the decision', async () => {
  const worker = await startWorker();
  const draw = await request();
  await signal({ drawId: draw.id, version: draw.version, stage: 'request' });
  await waitFor(async () => expect(await completed(draw.id)).toBe(1));
  // What the request did already is not done again.
  expect((await load(draw.id)).version).toBe(draw.version);
  const changed = await cluster.database.store.as(borrower, (session) =>
    updateDraw(session, { id: draw.id, body: { version: draw.version, dueDate: '2099-12-09' } }),
  );
  await signal({ drawId: draw.id, version: changed.version, stage: 'change' });
  await waitFor(async () => expect(await completed(draw.id)).toBe(2));
  await approve(draw.id);
  await resultOf(draw.id);
  expect(await load(draw.id)).toMatchObject({ status: 'Approved', exceptions: [{ status: 'Skipped' }] });
  expect(await replayWorkflows(cluster, [workflowId(draw.id)])).toBe(1);
  await recordWorkflow(cluster, workflowId(draw.id), 'decided');
  await worker.end();
});

test('a waiting request is reminded of once before its due date', async () => {
  const worker = await startWorker();
  // Its reminder is overdue, so that it comes as soon as the request has waited a little.
  const draw = await request('2026-11-03');
  await signal({ drawId: draw.id, version: draw.version, stage: 'request' }, 500);
  await waitFor(async () => expect(await completed(draw.id)).toBe(2));
  const reminders = () =>
    cluster.database.query(`select user_id from outbox where kind = 'drawReminder' and document_id = $1`, [draw.id]);
  const told = await reminders();
  expect(told.length).toBeGreaterThan(0);
  await signal({ drawId: draw.id, version: draw.version, stage: 'change' });
  await waitFor(async () => expect(await completed(draw.id)).toBe(3));
  await approve(draw.id);
  await resultOf(draw.id);
  expect(await reminders()).toEqual(told);
  expect(await replayWorkflows(cluster, [workflowId(draw.id)])).toBe(1);
  await recordWorkflow(cluster, workflowId(draw.id), 'reminded');
  await worker.end();
});

test('a worker that is killed between checks and approval loses and doubles nothing', async () => {
  const first = await startWorker();
  const draw = await request();
  // The checks wait for this lock while their worker is killed.
  await cluster.asSystem(async (session) => {
    await session.query('select 1 from draws where id = $1 for update', [draw.id]);
    await signal({ drawId: draw.id, version: draw.version, stage: 'request' });
    await waitFor(async () => {
      const waiting = await cluster.database.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      expect(waiting).toHaveLength(1);
    });
    await first.end('SIGKILL');
  });
  // Nobody works on the queue, and the approval is answered all the same.
  await approve(draw.id);
  const approved = await load(draw.id);
  expect(approved.status).toBe('Approved');
  const second = await startWorker();
  await resultOf(draw.id);
  expect(await load(draw.id)).toEqual({ ...approved, watchedVersion: approved.version });
  const changes = await cluster.database.query<{ operation: string }>(
    `select operation from history where document_id = $1 order by id`,
    [draw.id],
  );
  // The request, what its checks found, and the approval.
  expect(changes.map(({ operation }) => operation)).toEqual(['Insert', 'Update', 'Update']);
  const mails = await cluster.database.query<{ kind: string; count: number }>(
    `select kind, count(*)::int as count, count(distinct user_id)::int as people from outbox where document_id = $1
     group by kind having count(*) <> count(distinct user_id)`,
    [draw.id],
  );
  expect(mails).toEqual([]);
  expect(await replayWorkflows(cluster, [workflowId(draw.id)])).toBe(1);
  await recordWorkflow(cluster, workflowId(draw.id), 'killed');
  await second.end();
});

test('requests and decisions whose signal was lost are found, and each is signalled once', async () => {
  const worker = await startWorker();
  const draw = await load((await request()).id);
  // A signal may still be on its way.
  expect(await sweep(60_000)).not.toContain(draw.id);
  expect(await sweep()).toContain(draw.id);
  await waitFor(async () => expect(await completed(draw.id)).toBe(1));
  expect(await load(draw.id)).toEqual({ ...draw, watchedVersion: draw.version });
  expect(await sweep()).not.toContain(draw.id);

  await approve(draw.id, null);
  expect(await sweep()).toContain(draw.id);
  await resultOf(draw.id);
  expect(await sweep()).not.toContain(draw.id);
  expect((await load(draw.id)).status).toBe('Approved');
  const changes = await cluster.database.query('select from history where document_id = $1', [draw.id]);
  expect(changes).toHaveLength(3);
  await worker.end();
});
