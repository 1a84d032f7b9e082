import { contentHash } from '@tapeline/db/operations/sent-requests/sent-requests.ts';
import { testActor } from '@tapeline/db/testing/actors.ts';
import { createTestDatabase, type TestDatabase } from '@tapeline/db/testing/test-store.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { once } from './once.server.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const actor = testActor({ type: 'manager', managerId: '1'.repeat(24) });
const reported: unknown[] = [];
let keys = 0;

/** Carries out a request with a new key, whose first transaction is stored before `after` ends. */
async function carriedOut(after: () => Promise<void>) {
  keys += 1;
  const request = { userId: actor.userId, key: `key-${keys}`, content: contentHash(['/crud/repayments', keys]) };
  const run = async (store: TestDatabase['store']) => {
    await store.as(actor, ({ query }) => query('select 1'));
    await after();
    return { outcome: new Response('{}', { status: 201 }), kept: { status: 201, text: '{}' } };
  };
  const repeat = () => new Response('{}', { status: 201 });
  const report = (error: unknown) => void reported.push(error);
  const before = await kept();
  const outcome = await once<Response>(database.store, request, { isKeyed: true, run, repeat, report }).then(
    ({ status }) => status,
    (error: unknown) => error,
  );
  return { outcome, isKept: (await kept()) > before };
}

const kept = async (): Promise<number> =>
  (await database.query<{ count: number }>('select count(*)::integer as count from sent_requests'))[0]!.count;

test('a key is given back after a refusal only: after any other error its work may be stored', async () => {
  expect(await carriedOut(async () => {})).toEqual({ outcome: 201, isKept: true });
  const refusal = new Refusal('badRequest', 'not like this');
  expect(await carriedOut(() => Promise.reject(refusal))).toEqual({ outcome: refusal, isKept: false });
  const failure = new Error('the connection was lost');
  expect(await carriedOut(() => Promise.reject(failure))).toEqual({ outcome: failure, isKept: true });
});

test('what only prepares takes no key: a request that fails before it stores anything can be sent again', async () => {
  const request = { userId: actor.userId, key: 'prepared', content: contentHash(['/files/loanTapeScheduler']) };
  const done: string[] = [];
  const send = (between: () => Promise<void>) =>
    once<Response>(database.store, request, {
      isKeyed: true,
      async run(store: TestDatabase['store']) {
        await store.as(actor, ({ query }) => query('select 1'), { isPreparation: true });
        done.push('prepared');
        await between();
        await store.as(actor, ({ query }) => query('select 2'));
        done.push('stored');
        return { outcome: new Response('{"id":1}', { status: 201 }), kept: { status: 201, text: '{"id":1}' } };
      },
      repeat: ({ text, status }) => new Response(text, { status }),
      report: (error: unknown) => void reported.push(error),
    });
  const before = await kept();
  for (const failure of [new Error('a worker was killed'), new Refusal('badRequest', 'not like this')]) {
    await expect(send(() => Promise.reject(failure))).rejects.toBe(failure);
    expect(await kept()).toBe(before);
  }
  expect((await send(async () => {})).status).toBe(201);
  // The answer is there before anything is prepared: what was prepared may be used up.
  const again = await send(() => Promise.reject(new Error('never')));
  expect([again.status, await again.text(), done.filter((one) => one === 'stored').length]).toEqual([
    201,
    '{"id":1}',
    1,
  ]);
  expect(done.filter((one) => one === 'prepared')).toHaveLength(3);
});

test('an answer that cannot be kept is still sent, and its key stays taken', async () => {
  const lose = () => database.query('alter table sent_requests drop column answer').then(() => undefined);
  expect(await carriedOut(lose)).toEqual({ outcome: 201, isKept: true });
  expect(reported).toEqual([expect.objectContaining({ message: expect.stringContaining('"answer"') })]);
});
