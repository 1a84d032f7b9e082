import { Role, User } from '@tapeline/db/entities/people.ts';
import { newId } from '@tapeline/db/ids.ts';
import { openSession, signOut } from '@tapeline/db/operations/identity/sessions.ts';
import { markAllRead } from '@tapeline/db/operations/notifications/notifications.ts';
import { tell } from '@tapeline/db/operations/outbox/tell.ts';
import { seedFoundations } from '@tapeline/db/seed/seed-foundations.ts';
import { SYSTEM } from '@tapeline/db/store.ts';
import { testActor } from '@tapeline/db/testing/actors.ts';
import { makeTenant } from '@tapeline/db/testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '@tapeline/db/testing/test-store.ts';
import type { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { openNotificationStreams } from './notification-streams.ts';

interface Person {
  readonly actor: UserActor;
  readonly familyId: string;
  readonly refreshToken: string;
}

let database: TestDatabase;
let tapeId = '';
/** Adds users and signs in the first of them. */
let addPeople: (count: number) => Promise<[Person, ...UserActor[]]>;
const addPerson = async () => (await addPeople(1))[0];

beforeAll(async () => {
  database = await createTestDatabase();
  const { managerId, roleId } = await database.store.as(SYSTEM, async (session) => {
    await seedFoundations(session);
    const tenant = await makeTenant(session);
    tapeId = tenant.companies[0]!.tapeId;
    const role = newId();
    session.em.create(Role, { id: role, title: 'Reader', level: 12, permissions: ['assets/read'] });
    return { managerId: tenant.managerId, roleId: role };
  });
  addPeople = (count) =>
    database.store.as(SYSTEM, async (session) => {
      const ids = Array.from({ length: count }, () => newId());
      for (const id of ids) {
        const name = { firstName: 'Ann', lastName: 'Example', email: `${id}@example.test` };
        const assoc = { manager: { id: managerId } };
        session.em.create(User, { id, type: 'manager', managerId, assoc, ...name, roleId, status: 'Active' });
      }
      await session.em.flush();
      const [actor, ...others] = ids.map((userId) => testActor({ type: 'manager', managerId, userId }));
      if (!actor) throw new Error('Nobody was added');
      const { familyId, refreshToken } = await openSession(session, actor.userId, {});
      return [{ actor, familyId, refreshToken }, ...others];
    });
});
afterAll(() => database.close());

const tellThem = (people: readonly UserActor[], rollback = false) =>
  database.store.as(
    SYSTEM,
    (session) =>
      tell(session, {
        to: { users: people.map(({ userId }) => userId) },
        kind: 'tapeLate',
        resource: 'loanTapes',
        documentId: tapeId,
        key: `told/${newId()}`,
        subject: 'A tape is late',
        lines: ['It was due yesterday.'],
        page: '/monitoring/tapes',
        pageTitle: 'Open the tapes',
      }),
    { rollback },
  );

/** The streams of one web process. */
function openProcess(limits = { perUser: 3, perProcess: 10, heartbeatMs: 60_000 }) {
  const streams = openNotificationStreams(database, database.store, { warn: () => undefined }, limits);
  onTestFinished(() => streams.close());
  return {
    close: () => streams.close(),
    /** Opens a stream, as a browser does. */
    open({ actor, familyId }: Person, readyToSend = async () => true) {
      const gone = new AbortController();
      const body = streams.open({ actor, familyId, signal: gone.signal, readyToSend });
      const seen = { counts: [] as number[], text: '', ended: false };
      const read = async () => {
        for await (const bytes of body) {
          seen.text += Buffer.from(bytes).toString();
          seen.counts = [...seen.text.matchAll(/event: unread\ndata: (\d+)\n\n/g)].map(([, count]) => Number(count));
        }
        seen.ended = true;
      };
      void read();
      return { seen, leave: () => gone.abort() };
    },
  };
}

const until = (check: () => void) => vi.waitFor(check, { timeout: 20_000, interval: 20 });

test('people are told in every process at once, and only of their own notifications', async () => {
  const [ann, ben] = [await addPerson(), await addPerson()];
  await tellThem([ann.actor]);
  const [first, second] = [openProcess(), openProcess()];
  const streams = [first.open(ann), second.open(ann)];
  const other = first.open(ben);
  await until(() => expect([...streams, other].map(({ seen }) => seen.counts.at(-1))).toEqual([1, 1, 0]));
  const reports = other.seen.counts.length;

  await tellThem([ann.actor], true);
  await tellThem([ann.actor]);
  await until(() => expect(streams.map(({ seen }) => seen.counts.at(-1))).toEqual([2, 2]));
  await database.store.as(ann.actor, markAllRead);
  await until(() => expect(streams.map(({ seen }) => seen.counts.at(-1))).toEqual([0, 0]));
  expect(streams[0]!.seen.counts).not.toContain(3);
  expect(other.seen.counts).toHaveLength(reports);
});

test('many people are told by one change', async () => {
  const [ann, ...crowd] = await addPeople(320);
  const stream = openProcess().open(ann);
  await until(() => expect(stream.seen.counts).toContain(0));
  await tellThem([ann.actor, ...crowd]);
  await until(() => expect(stream.seen.counts.at(-1)).toBe(1));
});

test('signing out ends the streams of that sign-in, and no others', async () => {
  const [ann, ben] = [await addPerson(), await addPerson()];
  const process = openProcess();
  const [ending, staying] = [process.open(ann), process.open(ben)];
  await until(() => expect(ending.seen.counts).toEqual([0]));
  await signOut(database.store, { refreshToken: ann.refreshToken, now: new Date() });
  await until(() => expect(ending.seen).toMatchObject({ ended: true, text: expect.stringContaining('signedOut') }));
  expect(staying.seen.ended).toBe(false);
});

test('a sign-in that has expired, or whose user was disabled, ends its streams', async () => {
  const [ann, ben] = [await addPerson(), await addPerson()];
  const process = openProcess({ perUser: 3, perProcess: 10, heartbeatMs: 200 });
  const [expiring, disabled] = [process.open(ann), process.open(ben)];
  await until(() => expect(expiring.seen.text).toContain(':\n\n'));
  await database.query("update refresh_tokens set expires_at = now() - interval '1 second' where family_id = $1", [
    ann.familyId,
  ]);
  await until(() => expect(expiring.seen.ended).toBe(true));
  expect(disabled.seen.ended).toBe(false);
  await database.query("update users set status = 'Disabled' where id = $1", [ben.actor.userId]);
  await until(() => expect(disabled.seen.ended).toBe(true));
});

test('streams are limited for each person and for the process, and free their place when they end', async () => {
  const [ann, ben, cem] = [await addPerson(), await addPerson(), await addPerson()];
  const process = openProcess({ perUser: 2, perProcess: 3, heartbeatMs: 60_000 });
  const codeOf = (person: Person) => {
    try {
      return process.open(person);
    } catch (error) {
      return (error as Refusal).code;
    }
  };
  const first = process.open(ann);
  process.open(ann);
  expect(codeOf(ann)).toBe('tooMany');
  process.open(ben);
  expect(codeOf(cem)).toBe('tooMany');
  first.leave();
  await until(() => expect(first.seen.ended).toBe(true));
  expect(codeOf(cem)).not.toBe('tooMany');
});

test('a browser that takes nothing is ended instead of buffered for', async () => {
  const ann = await addPerson();
  const stuck = openProcess().open(ann, () => new Promise(() => undefined));
  await until(() => expect(stuck.seen.ended).toBe(true));
  expect(stuck.seen.counts).toEqual([]);
});

test('a process uses one connection to listen, connects again after an outage, and reports what it missed', async () => {
  const ann = await addPerson();
  const process = openProcess();
  const streams = [process.open(ann), process.open(ann)];
  await until(() => expect(streams.map(({ seen }) => seen.counts.at(-1))).toEqual([0, 0]));
  const listeners = () =>
    database.query<{ pid: number }>(
      "select pid from pg_stat_activity where datname = current_database() and query ~ '^listen tapeline'",
    );
  let pids: { pid: number }[] = [];
  await until(async () => {
    pids = await listeners();
    expect(pids).toHaveLength(1);
  });
  await database.query('select pg_terminate_backend($1)', [pids[0]!.pid]);
  await tellThem([ann.actor]);
  await until(() => expect(streams.map(({ seen }) => seen.counts.at(-1))).toEqual([1, 1]));
  await process.close();
  await until(() => expect(streams.map(({ seen }) => seen.ended)).toEqual([true, true]));
});
