import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { guardPool } from './pool-guard.ts';
import { isServiceFault } from './service-faults.ts';
import { openStore, type Session, type Store, SYSTEM } from './store.ts';
import { createTestDatabase, type TestDatabase } from './testing/test-store.ts';

const SLOTS = 3;
const KILLS = 20;

let database: TestDatabase;
let store: Store;
beforeAll(async () => {
  database = await createTestDatabase();
  store = await openStore({ databaseUrl: database.databaseUrl, databasePoolSize: SLOTS });
});
afterAll(async () => {
  await store.close();
  await database.close();
});

const backendOf = async ({ query }: Pick<Session, 'query'>): Promise<number> => {
  const [row] = await query<{ pid: number }>('select pg_backend_pid() as pid');
  return row!.pid;
};

/** Ends the backend, and waits until PostgreSQL no longer lists it. */
async function kill(pid: number): Promise<void> {
  await database.query('select pg_terminate_backend($1)', [pid]);
  await expect
    .poll(() => database.query('select pid from pg_stat_activity where pid = $1', [pid]), { interval: 10 })
    .toEqual([]);
}

/** Runs as many transactions at once as the pool has slots: each waits until all others have begun, or one failed. */
async function useEverySlot(): Promise<void> {
  let waiting = SLOTS;
  const { promise: all, resolve: open } = Promise.withResolvers<void>();
  const transaction = () =>
    store.as(SYSTEM, async (session) => {
      await backendOf(session);
      waiting -= 1;
      if (waiting === 0) open();
      await all;
    });
  const transactions = Promise.all(Array.from({ length: SLOTS }, transaction));
  transactions.catch(open);
  await transactions;
}

describe('a connection that PostgreSQL ends gives its slot back', () => {
  const moments: Record<string, () => Promise<unknown>> = {
    'between two statements of a transaction': () =>
      store.as(SYSTEM, async (session) => {
        await kill(await backendOf(session));
        await session.query('select 1');
      }),
    'during a statement of a transaction': () =>
      store.as(SYSTEM, async (session) => {
        const pid = await backendOf(session);
        const [slept] = await Promise.allSettled([session.query('select pg_sleep(600)'), kill(pid)]);
        if (slept.status === 'rejected') throw slept.reason;
      }),
    'before the commit': () => store.as(SYSTEM, async (session) => kill(await backendOf(session))),
    'before the rollback of work that failed': () =>
      store.as(SYSTEM, async (session) => {
        await kill(await backendOf(session));
        throw new pg.DatabaseError('the work failed', 0, 'error');
      }),
    'while a dry run is undone': () =>
      store.as(SYSTEM, async (session) => kill(await backendOf(session)), { rollback: true }),
    'during a read': async () => {
      const reading = store.read(SYSTEM, ({ query }) => query('select pg_sleep(600) as "killed read"'));
      reading.catch(() => undefined);
      let pid: number | undefined;
      await expect
        .poll(async () => {
          const [row] = await database.query<{ pid: number }>(
            `select pid from pg_stat_activity where query like '%pg_sleep(600) as "killed read"%' and pid <> pg_backend_pid()`,
          );
          pid = row?.pid;
          return pid;
        })
        .toBeDefined();
      await kill(pid!);
      await reading;
    },
  };

  test.for(Object.keys(moments))('%s, twenty times', async (moment) => {
    for (let round = 0; round < KILLS; round += 1) {
      const error = await moments[moment]!().then(
        () => null,
        (reason: unknown) => reason,
      );
      if (moment.includes('work that failed')) expect(error).toMatchObject({ message: 'the work failed' });
      else expect(error).toSatisfy((reason) => isServiceFault(reason));
    }
    await useEverySlot();
  });

  test('when it was idle', async () => {
    for (let round = 0; round < KILLS; round += 1) {
      const pids = await Promise.all(
        Array.from({ length: SLOTS }, () => store.as(SYSTEM, (session) => backendOf(session))),
      );
      for (const pid of new Set(pids)) await kill(pid);
      // The pool may only now learn of it, from the work that it gives such a connection to.
      await useEverySlot().catch(() => undefined);
    }
    await useEverySlot();
  });
});

describe('a pool', () => {
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });
  const QUICK = { stuckAfterMs: 50, checkEveryMs: 10 };

  /** A pool of one connection, which is taken. */
  async function takenPool(
    times: Parameters<typeof guardPool>[2],
    working: Parameters<typeof guardPool>[1] = async () => 0,
  ) {
    const pool = new pg.Pool({ connectionString: database.databaseUrl, max: 1 });
    pool.on('connect', (client) => client.on('error', () => undefined));
    ends.push(() => pool.end());
    (await pool.connect()).release();
    // Only who waits for the slot, not for the connection itself, is to be refused soon.
    pool.options.connectionTimeoutMillis = 10;
    const guard = guardPool(pool, working, times);
    ends.push(guard.close);
    const held = await pool.connect();
    return { pool, guard, held };
  }

  test('takes back what was held longer than the longest transaction', async () => {
    const { pool, held } = await takenPool({ longestTransactionMs: 100 });
    pool.options.connectionTimeoutMillis = 0;
    await expect.poll(async () => (await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await expect(held.query('select 1')).rejects.toThrow();
    held.release();
    expect(pool).toMatchObject({ totalCount: 1, idleCount: 1 });
  });

  test('is stuck while it gives no connection although PostgreSQL accepts one, and no longer than that', async () => {
    const { guard, held } = await takenPool(QUICK);
    await expect.poll(() => [guard.isStuck(), guard.isLost()]).toEqual([true, true]);
    held.release();
    await expect.poll(() => [guard.isStuck(), guard.isLost()]).toEqual([false, false]);
  });

  test('is stuck but not lost while its connections work', async () => {
    const asked: (readonly number[])[] = [];
    const { guard, held } = await takenPool(QUICK, async (backends) => asked.push(backends));
    await expect.poll(() => guard.isStuck()).toBe(true);
    expect(guard.isLost()).toBe(false);
    const { rows } = await held.query('select pg_backend_pid() as pid');
    expect(asked[0]).toEqual([rows[0].pid]);
    held.release();
  });

  test('is not stuck while PostgreSQL accepts no connection', async () => {
    let asked = 0;
    const { guard, held } = await takenPool(QUICK, async () => {
      asked += 1;
      throw new Error('down');
    });
    await expect.poll(() => asked).toBeGreaterThan(2);
    expect(guard.isStuck()).toBe(false);
    held.release();
  });
});
