import { utimes } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { SYSTEM } from '@tapeline/db/store.ts';
import { type CashLedger, mt940Statement, openCashLedger } from '@tapeline/db/testing/cash-ledger.ts';
import { deliveryPrefix } from '@tapeline/domain/cash/statement-delivery.ts';
import type { deliveredStatements } from '@tapeline/workflows/all-workflows.ts';
import { workflowIdOf } from '@tapeline/workflows/queues.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTapeCluster, type TapeCluster, TEST_INSTANCE, TEST_QUEUES } from '../testing/tape-cluster.ts';
import { statementScheduleOf } from './schedule.ts';

const QUEUES = { WORKER_QUEUES: 'workflows,io' };
/** A file is recorded once this lock is free. */
const LOCK = 4_243;
const HOUR_AGO = new Date(Math.floor(Date.now() / 1000) * 1000 - 3_600_000);

let cluster: TapeCluster;
let ledger: CashLedger;

beforeAll(async () => {
  cluster = await openTapeCluster({ batchRows: 1000 });
  ledger = await openCashLedger(cluster.database, { now: new Date() });
});
afterAll(() => cluster?.close());

const keyOf = (name: string) => `${deliveryPrefix(ledger.tenant.managerId)}${name}`;
/** Delivers a file as if an hour ago. */
async function deliver(name: string, content: string): Promise<void> {
  await cluster.objects.putStream(keyOf(name), Readable.from([content]));
  await utimes(await cluster.objects.localPath(keyOf(name)), HOUR_AGO, HOUR_AGO);
}
const statement = (number: number, day: string) =>
  mt940Statement(number, day, '1000', [{ amount: '10.00', reference: `R${number}`, text: 'PAYMENT' }]);
const files = () =>
  cluster.database.query<{ name: string; outcome: string; added: number }>(
    'select name, outcome, added from statement_files where manager_id = $1 order by name',
    [ledger.tenant.managerId],
  );
const payments = () => cluster.database.query('select 1 from payments where bank_account_id = $1', [ledger.account]);
const incoming = () => cluster.keys(deliveryPrefix(ledger.tenant.managerId));

let runs = 0;
const start = () => {
  runs += 1;
  return cluster.client.workflow.start<typeof deliveredStatements>('deliveredStatements', {
    taskQueue: TEST_QUEUES.workflows,
    workflowId: workflowIdOf(TEST_INSTANCE, `delivered/${runs}`),
    args: [],
  });
};

test('every minute, the schedule takes what banks delivered, and a bad file does not keep the others waiting', {
  timeout: 120_000,
}, async () => {
  await deliver('a.sta', 'nothing that a bank writes');
  await deliver('b.sta', statement(1, '2026-05-04'));
  const [worker] = await cluster.startWorkers(1, QUEUES);
  const schedule = cluster.client.schedule.getHandle(statementScheduleOf(TEST_INSTANCE));
  const { spec, action } = await schedule.describe();
  expect(spec.intervals).toMatchObject([{ every: 60_000 }]);
  expect(action).toMatchObject({ workflowType: 'deliveredStatements', taskQueue: TEST_QUEUES.workflows });
  await schedule.trigger();
  await expect.poll(files, { timeout: 60_000 }).toEqual([
    { name: 'a.sta', outcome: 'Refused', added: 0 },
    { name: 'b.sta', outcome: 'Imported', added: 1 },
  ]);
  await expect.poll(incoming, { timeout: 60_000 }).toEqual([]);
  // Only the runs that the tests start should count.
  await schedule.pause('tests');
  await expect.poll(async () => (await schedule.describe()).info.runningActions, { timeout: 60_000 }).toEqual([]);
  await worker!.end();
});

test('a worker that is killed while it imports, or before it moves the file, leaves nothing twice', {
  timeout: 180_000,
}, async () => {
  await cluster.database.query(
    `create function stand() returns trigger language plpgsql as
       $$ begin perform pg_advisory_xact_lock_shared(${LOCK}); return new; end $$`,
  );
  await cluster.database.query(
    'create trigger stand before insert on statement_files for each row execute function stand()',
  );
  const content = statement(2, '2026-05-05');
  await deliver('c.sta', content);
  const [worker] = await cluster.startWorkers(1, QUEUES);
  let successors: Promise<unknown> | undefined;
  const handle = await cluster.database.store.as(SYSTEM, async ({ query }) => {
    await query(`select pg_advisory_xact_lock(${LOCK})`);
    const started = await start();
    await expect
      .poll(
        () =>
          cluster.database.query(`select 1 from pg_locks where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`),
        {
          timeout: 60_000,
        },
      )
      .not.toEqual([]);
    await worker!.end('SIGKILL');
    successors = cluster.startWorkers(1, QUEUES);
    return started;
  });
  await successors;
  await handle.result();
  expect((await files()).at(-1)).toEqual({ name: 'c.sta', outcome: 'Imported', added: 1 });
  expect([await payments(), await incoming()]).toMatchObject([{ length: 2 }, []]);
  // As a worker leaves it that is killed after the import: the same delivery is still there.
  await deliver('c.sta', content);
  expect(await (await start()).result()).toEqual({ imported: 1, refused: 0 });
  expect([await payments(), await incoming(), await files()]).toMatchObject([{ length: 2 }, [], { length: 3 }]);
});
