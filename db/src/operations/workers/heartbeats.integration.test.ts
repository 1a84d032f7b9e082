import { afterAll, beforeAll, expect, test } from 'vitest';
import { SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { forgetWorker, queuesWithoutWorker, recordHeartbeat } from './heartbeats.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const missing = () => database.store.as(SYSTEM, queuesWithoutWorker);
const beat = (id: string, queues: Parameters<typeof recordHeartbeat>[1]['queues']) =>
  database.store.as(SYSTEM, (session) => recordHeartbeat(session, { id, queues }));
const age = (id: string, interval: string) =>
  database.store.as(SYSTEM, ({ query }) =>
    query(`update worker_heartbeats set seen_at = clock_timestamp() - $2::interval where id = $1`, [id, interval]),
  );

test('the kinds of work without a worker are those that no fresh heartbeat names', async () => {
  expect(await missing()).toEqual(['workflows', 'io', 'compute', 'previews']);
  await beat('one', ['workflows', 'io']);
  await beat('two', ['compute']);
  expect(await missing()).toEqual(['previews']);
  await age('one', '9 seconds');
  expect(await missing()).toEqual(['previews']);
  await age('one', '11 seconds');
  expect(await missing()).toEqual(['workflows', 'io', 'previews']);
  await beat('one', ['workflows', 'io', 'previews']);
  expect(await missing()).toEqual([]);
  await database.store.as(SYSTEM, (session) => forgetWorker(session, 'two'));
  expect(await missing()).toEqual(['compute']);
});

test('workers that are long gone are forgotten, and nobody but the program sees any', async () => {
  await beat('gone', ['io']);
  await age('gone', '61 minutes');
  await beat('three', ['io']);
  const ids = await database.store.as(SYSTEM, ({ query }) =>
    query(`select id from worker_heartbeats where id in ('gone', 'three')`),
  );
  expect(ids).toEqual([{ id: 'three' }]);
  const seen = await database.store.as(testActor({ type: 'admin' }), ({ query }) =>
    query('select id from worker_heartbeats'),
  );
  expect(seen).toEqual([]);
  await expect(
    database.store.as(testActor({ type: 'admin' }), (session) =>
      recordHeartbeat(session, { id: 'me', queues: ['io'] }),
    ),
  ).rejects.toThrow('row-level security');
});
