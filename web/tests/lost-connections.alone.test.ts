import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '@tapeline/db/ids.ts';
import { tell } from '@tapeline/db/operations/outbox/tell.ts';
import { type Session, SYSTEM } from '@tapeline/db/store.ts';
import { beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { paths } from '../app/paths.ts';
import { type NorthwindTapes, northwindTapes } from './northwind-tapes.ts';
import { productStore } from './product-store.ts';
import { type ScreenClient, screensOf } from './screen-client.ts';
import { ownTenant } from './tenant.ts';

const KILLS = 20;
/** In the first of so many rounds, a worker is in a transaction too. */
const ROUNDS_PER_TAPE = 4;
/** Tables of the calls, and of the workers. */
const HELD = ['entities', 'loan_tapes'];
/** Enough for a tape that is still in progress when the tables are held. */
const ROWS = 5_000;
/** Connections of the pool of one process, unless DATABASE_POOL_SIZE is set. */
const SLOTS = 10;

const tenant = ownTenant();
let tapes: NorthwindTapes;
let person: ScreenClient;
let userId = '';
beforeAll(async () => {
  tapes = await northwindTapes(tenant.manager);
  person = await screensOf(tenant.emails.manager);
  const store = await productStore();
  const [row] = await store.as(SYSTEM, ({ query }) =>
    query<{ id: string }>('select id from users where email = $1', [tenant.emails.manager]),
  );
  userId = row!.id;
});

type Query = Session['query'];

/** Work on a connection of the test's own, which holds the tables: whoever reads or writes them waits in its transaction. */
async function whileHeld<Result>(tables: readonly string[], work: (query: Query) => Promise<Result>): Promise<Result> {
  const store = await productStore();
  return store.as(SYSTEM, async ({ query }) => {
    await query(`lock table ${tables.join(', ')} in access exclusive mode`);
    return work(query);
  });
}

/** How many connections wait for one of the tables. */
const waiting = async (query: Query, tables: readonly string[]): Promise<number> => {
  const [row] = await query<{ count: number }>(
    'select count(distinct pid)::integer as count from pg_locks where not granted and relation = any ($1::regclass[])',
    [tables],
  );
  return row!.count;
};

/** Ends all connections of the product: in use, idle and of listeners. */
const killAll = (query: Query) =>
  query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and usename = session_user and pid <> pg_backend_pid()`,
  );

const read = () => tenant.manager.get('/crud/entities', { limit: 1 });
const write = () => {
  const name = `Entity ${newId()}`;
  return tenant.manager.post('/crud/entities', { name, formalId: name, nationality: { country: 'US' } });
};

/** The status of each process at its port for machines. */
const statusOf = (path: string) =>
  Promise.all(inject('metricsUrls').map(async (url) => (await fetch(`${url}${path}`)).status));

const everywhere = (value: unknown) => inject('metricsUrls').map(() => value);

/** What each process says of its pool. */
const poolsInUse = () =>
  Promise.all(
    inject('metricsUrls').map(async (url) => {
      const metrics = await (await fetch(`${url}/metrics`)).text();
      const metric = (name: string) => Number(new RegExp(`^${name}[^\\n]* (\\S+)$`, 'm').exec(metrics)?.[1]);
      return [
        metric(String.raw`tapeline_database_connections\{[^}]*state="used"`),
        metric('tapeline_database_waiting'),
      ];
    }),
  );

/** The counts of unread notifications that this person's browser receives. */
async function unreadCounts({ cookie }: ScreenClient): Promise<() => number[]> {
  const gone = new AbortController();
  onTestFinished(() => gone.abort());
  const url = new URL(paths.notificationStream(), inject('productUrl'));
  const answer = await fetch(url, { headers: { cookie }, signal: gone.signal });
  expect(answer.status).toBe(200);
  let text = '';
  const follow = async () => {
    for await (const bytes of answer.body ?? []) text += Buffer.from(bytes).toString();
  };
  follow().catch(() => undefined);
  return () => [...text.matchAll(/event: unread\ndata: (\d+)\n\n/g)].map(([, count]) => Number(count));
}

async function tellPerson(tapeId: string): Promise<void> {
  const store = await productStore();
  await store.as(SYSTEM, (session) =>
    tell(session, {
      to: { users: [userId] },
      kind: 'tapeLate',
      resource: 'loanTapes',
      documentId: tapeId,
      key: `told/${newId()}`,
      subject: 'A tape is late',
      lines: ['It was due yesterday.'],
      page: paths.tapes(),
      pageTitle: 'Open the tapes',
    }),
  );
}

async function expectEverySlotOfWeb(): Promise<void> {
  const answers = await whileHeld(['entities'], async (query) => {
    const calls = Array.from({ length: SLOTS }, read);
    await expect.poll(() => waiting(query, ['entities'])).toBe(SLOTS);
    return { calls };
  });
  for (const { status, text } of await Promise.all(answers.calls)) expect(status, text).toBe(200);
}

describe('PostgreSQL ends every connection of web and workers twenty times', () => {
  it('then every slot is usable, the tapes are published, changes are heard and each process is well', async () => {
    let tape = '';
    for (let round = 0; round < KILLS; round += 1) {
      const hasTape = round % ROUNDS_PER_TAPE === 0;
      if (hasTape) {
        const loans = Array.from({ length: ROWS }, (_, at) => tapes.loan({ 'Loan ID': `L-${at}` }));
        const month = 1 + round / ROUNDS_PER_TAPE;
        tape = await tapes.begin(loans, { cutOffDate: `2013-0${month}-28`, name: `${month}.xlsx` });
      }
      const { calls } = await whileHeld(HELD, async (query) => {
        if (hasTape) await expect.poll(() => waiting(query, HELD)).toBeGreaterThan(0);
        const ofWorkers = await waiting(query, ['entities']);
        const begun = [read(), write()];
        await expect.poll(() => waiting(query, ['entities'])).toBeGreaterThanOrEqual(ofWorkers + begun.length);
        await killAll(query);
        return { calls: begun };
      });
      const answers = await Promise.all(calls);
      // Workers may have waited for the same table in place of a call.
      if (!hasTape) expect(answers.map(({ status }) => status)).toEqual([502, 502]);
      if (hasTape) expect(await tapes.finished(tape)).toMatchObject({ processStatus: 'Completed', failure: null });
    }

    await expectEverySlotOfWeb();
    await expect.poll(poolsInUse).toEqual(everywhere([0, 0]));
    const counts = await unreadCounts(person);
    await expect.poll(counts).toHaveLength(1);
    const [before] = counts();
    await tellPerson(tape);
    await expect.poll(() => counts().at(-1)).toBe(before! + 1);
    expect(await statusOf('/healthz')).toEqual(everywhere(200));
    await expect.poll(() => statusOf('/readyz')).toEqual(everywhere(200));
  });
});

describe('while PostgreSQL accepts and has no connection', () => {
  it('each process lives but is not ready, and it is ready again by itself', async () => {
    const { pid } = JSON.parse(readFileSync(join(inject('productHome'), 'run', 'postgres.pid'), 'utf8'));
    const store = await productStore();
    await store.as(SYSTEM, async ({ query }) => {
      process.kill(pid, 'SIGSTOP');
      try {
        // Backends work on without the process that accepts connections.
        await killAll(query);
        await expect.poll(() => statusOf('/readyz')).toEqual(everywhere(503));
        expect(await statusOf('/healthz')).toEqual(everywhere(200));
      } finally {
        process.kill(pid, 'SIGCONT');
      }
    });
    await expect.poll(() => statusOf('/readyz')).toEqual(everywhere(200));
    expect((await read()).status).toBe(200);
  });
});
