import { createServer } from 'node:net';
import { newId } from '@tapeline/db/ids.ts';
import { RETENTION_KINDS } from '@tapeline/db/operations/retention/retention.ts';
import type { retention } from '@tapeline/workflows/all-workflows.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTapeCluster, type TapeCluster, TEST_INSTANCE, TEST_QUEUES } from '../testing/tape-cluster.ts';
import { retentionScheduleOf } from './schedule.ts';

let cluster: TapeCluster;
let metricsPort = 0;

beforeAll(async () => {
  cluster = await openTapeCluster({ batchRows: 1000 });
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  metricsPort = typeof address === 'object' && address ? address.port : 0;
  await new Promise((closed) => server.close(closed));
});
afterAll(() => cluster?.close());

const run = (workflowId: string) =>
  cluster.client.workflow.execute<typeof retention>('retention', {
    taskQueue: TEST_QUEUES.workflows,
    workflowId,
    args: [],
  });
const count = async (table: string) => {
  const [row] = await cluster.database.query<{ count: number }>(`select count(*)::int as count from ${table}`);
  return row?.count;
};

test('every hour, old data is removed in batches; what fails is reported, and does not stop the rest', async () => {
  const [worker] = await cluster.startWorkers(1, { METRICS_PORT: String(metricsPort) });
  const schedule = cluster.client.schedule.getHandle(retentionScheduleOf(TEST_INSTANCE));
  const { spec, policies, action } = await schedule.describe();
  expect(spec.intervals).toMatchObject([{ every: 3_600_000, offset: 1_800_000 }]);
  expect(policies.overlap).toBe('SKIP');
  expect(action).toMatchObject({ workflowType: 'retention' });
  await schedule.pause('tests');

  // More than a batch, in a kind before the one that fails, and one in a kind after it.
  await cluster.database.query(
    `insert into limited_calls (id, limit_key, called_at)
     select lpad(to_hex(n), 24, '0'), 'code/address', now() - interval '2 days' from generate_series(1, 2500) as n`,
  );
  await cluster.database.query(
    `insert into import_drafts (id, manager_id, user_id, content, created_at, changed_at)
     select $1, (select id from managers limit 1), (select id from users limit 1), '{"kind": "funds"}', now(), now() - interval '91 days'`,
    [newId(new Date())],
  );
  await cluster.database.query('revoke delete on outbox from tapeline_app');
  await expect(run('retention/1')).rejects.toMatchObject({ cause: { message: 'Data was not removed: mails' } });
  expect(await count('limited_calls')).toBe(0);
  expect(await count('import_drafts')).toBe(0);
  expect(worker?.lines.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ level: 50, kind: 'mails', msg: 'data beyond its limit could not be removed' }),
  );
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  expect(metrics).toMatch(/^tapeline_retention_removed_total\{kind="limitedCalls"\} 2500$/m);
  expect(metrics).toMatch(/^tapeline_retention_removed_total\{kind="importDrafts"\} 1$/m);
  expect(metrics).toMatch(/^tapeline_retention_failures_total\{kind="mails"\} [12]$/m);
  expect(metrics).not.toMatch(/^tapeline_retention_failures_total\{kind="limitedCalls"\}/m);

  await cluster.database.query('grant delete on outbox to tapeline_app');
  expect(await run('retention/2')).toEqual({ removed: Object.fromEntries(RETENTION_KINDS.map((kind) => [kind, 0])) });
});
