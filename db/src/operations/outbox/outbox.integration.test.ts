import { MAX_ATTEMPTS } from '@tapeline/domain/mail/mail.ts';
import type { PermissionKey, UserType } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Role, User } from '../../entities/people.ts';
import { newId } from '../../ids.ts';
import { seedFoundations } from '../../seed/seed-foundations.ts';
import { SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { decideHeld, endHold, holdRestored, listHeldItems, listHolds } from '../holds/holds.ts';
import type { Recipients } from './readers.ts';
import { type ClaimedMail, claimMail, recipientOf, recordFailure, recordSent } from './sending.ts';
import { type Message, tell } from './tell.ts';

const LEASE = { leaseMs: 60_000 };

let database: TestDatabase;
let one: TestTenant;
let two: TestTenant;
let roleId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.store.as(SYSTEM, async (session) => {
    await seedFoundations(session);
    one = await makeTenant(session);
    two = await makeTenant(session);
    const permissions: PermissionKey[] = ['assets/read', 'transactions/read'];
    roleId = newId();
    session.em.create(Role, { id: roleId, title: 'Reader', level: 12, permissions });
    await session.em.flush();
  });
});
afterAll(() => database.close());

interface Person {
  type: UserType;
  managerId: string;
  companyId?: string;
  status?: string;
  hasRole?: boolean;
  exclusiveResources?: string[];
}

async function addUser({ hasRole = true, status = 'Active', ...person }: Person): Promise<string> {
  const id = newId();
  const assoc = person.companyId ? { company: { id: person.companyId } } : { manager: { id: person.managerId } };
  await database.store.as(SYSTEM, async ({ em }) => {
    em.create(User, {
      ...person,
      id,
      status,
      firstName: 'Ann',
      lastName: 'Example',
      email: `${id}@example.test`,
      assoc,
      roleId: hasRole ? roleId : null,
    });
  });
  return id;
}

const managers = () => addUser({ type: 'manager', managerId: one.managerId });
const borrowers = () => addUser({ type: 'company', managerId: one.managerId, companyId: one.companies[0]!.id });

let keys = 0;
const aboutTape = (to: Recipients | Recipients[], more: Partial<Message> = {}): Message => {
  keys += 1;
  return {
    to,
    kind: 'tapeLate',
    resource: 'loanTapes',
    documentId: one.companies[0]!.tapeId,
    key: `test/${keys}`,
    subject: 'A tape is late',
    lines: ['It was due yesterday.'],
    page: '/monitoring/tapes',
    pageTitle: 'Open the tapes',
    ...more,
  };
};

const asBorrower = () =>
  testActor({ type: 'company', managerId: one.managerId, companyId: one.companies[0]!.id, permissions: [] });

const queue = (command: Message, actor = asBorrower() as Parameters<typeof database.store.as>[0]) =>
  database.store.as(actor, (session) => tell(session, command));

/** The users that an email was queued for. */
const queuedFor = async ({ key }: Message): Promise<string[]> =>
  (await database.query<{ id: string }>('select user_id as id from outbox where key = $1 order by 1', [key])).map(
    ({ id }) => id,
  );

const rowOf = async ({ key }: Message) =>
  (
    await database.query<{ status: string; attempts: number; error: string | null }>(
      'select status, attempts, last_error as error from outbox where key = $1',
      [key],
    )
  )[0];

const now = (at: Date) => ({ now: at });
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000);
const claim = (at = new Date()) => database.store.as(SYSTEM, (session) => claimMail(session, LEASE), now(at));
const recipient = (mail: ClaimedMail) => database.store.as(SYSTEM, (session) => recipientOf(session, mail));
const clear = () => database.query('delete from outbox');

describe('one email is claimed at a time', () => {
  test('whatever plan PostgreSQL chooses, so that none waits for the end of a lease that nobody knows of', async () => {
    await clear();
    const queueOne = async () => queue(aboutTape({ users: [await managers()] }));
    await queueOne();
    // With one row in its statistics, PostgreSQL asks what is due again for each email.
    await database.query('vacuum analyze outbox');
    await queueOne();
    await queueOne();
    const claimed = await claim();
    const attempted = await database.query<{ id: string }>('select id from outbox where attempts > 0');
    expect(attempted).toEqual([{ id: claimed?.id }]);
    await clear();
  });
});

describe('an email that follows from a change', () => {
  test('reaches people whom the actor of the change cannot see', async () => {
    const command = aboutTape({ users: [await managers()] });
    expect(await queue(command)).toBe(1);
    // The actor's own visibility is back: it sees no other user and no email.
    const seen = await database.store.as(asBorrower(), async (session) => {
      await tell(session, command);
      return session.query(`select id from users union all select id from outbox`);
    });
    expect(seen).toEqual([]);
  });

  test('is queued once for a person, however often and from wherever it is queued', async () => {
    const command = aboutTape({ users: [await managers()] });
    expect(await Promise.all([queue(command), queue(command), queue(command)])).toEqual(
      expect.arrayContaining([1, 0, 0]),
    );
    expect(await queue({ ...command, subject: 'Again' }, SYSTEM)).toBe(0);
    expect(await queuedFor(command)).toHaveLength(1);
  });

  test('is told although its text or a name in it was cut within a character', async () => {
    const person = await managers();
    const long = { subject: `${'a'.repeat(199)}😀`, lines: ['😀'.slice(0, 1), `${'a'.repeat(20_997)}😀`] };
    const command = aboutTape({ users: [person] }, long);
    expect(await queue(command)).toBe(1);
    expect(await queuedFor(command)).toEqual([person]);
  });

  test('is committed with the change, or not at all', async () => {
    const command = aboutTape({ users: [await managers()] });
    const failing = database.store.as(asBorrower(), async (session) => {
      await tell(session, command);
      throw new Error('the change failed');
    });
    await expect(failing).rejects.toThrow('the change failed');
    expect(await queuedFor(command)).toEqual([]);
  });

  test('announces itself after the commit, and not after a rollback', async () => {
    const store = await database.openAnother();
    let heard = 0;
    store.on('mailQueued', () => {
      heard += 1;
    });
    const command = aboutTape({ users: [await managers()] });
    await store.as(SYSTEM, (session) => tell(session, command), { rollback: true });
    expect(heard).toBe(0);
    await store.as(SYSTEM, (session) => tell(session, command));
    expect(heard).toBe(1);
    await store.as(SYSTEM, (session) => tell(session, command));
    expect(heard).toBe(1);
  });
});

describe('the recipients', () => {
  test('are people who hold the permission and can see the document', async () => {
    const [manager, borrower] = [await managers(), await borrowers()];
    const other = {
      withoutRole: await addUser({ type: 'manager', managerId: one.managerId, hasRole: false }),
      disabled: await addUser({ type: 'manager', managerId: one.managerId, status: 'Disabled' }),
      blocked: await addUser({
        type: 'manager',
        managerId: one.managerId,
        exclusiveResources: [`companies/${one.companies[0]!.id}`],
      }),
      sister: await addUser({ type: 'company', managerId: one.managerId, companyId: one.companies[1]!.id }),
      otherManager: await addUser({ type: 'manager', managerId: two.managerId }),
    };
    const toAll = aboutTape([
      { manager: one.managerId, can: 'assets/read' },
      { company: one.companies[0]!.id, can: 'assets/read' },
      { company: one.companies[1]!.id, can: 'assets/read' },
      { manager: two.managerId, can: 'assets/read' },
    ]);
    await queue(toAll);
    const queued = await queuedFor(toAll);
    expect(queued).toEqual(expect.arrayContaining([manager, borrower]));
    for (const id of Object.values(other)) expect(queued).not.toContain(id);

    const named = aboutTape({ users: [manager, ...Object.values(other)] });
    await queue(named);
    expect((await queuedFor(named)).sort()).toEqual([manager, other.withoutRole].sort());
  });

  test('who hold another permission get nothing', async () => {
    await managers();
    const command = aboutTape({ manager: one.managerId, can: 'transactionDraw/write' });
    expect(await queue(command)).toBe(0);
  });

  test('a document that does not exist has no readers', async () => {
    const command = aboutTape({ users: [await managers()] }, { documentId: newId() });
    expect(await queue(command)).toBe(0);
  });
});

describe('sending', () => {
  test('two senders never claim the same email', async () => {
    await clear();
    const command = aboutTape({ users: [await managers(), await managers(), await borrowers()] });
    await queue(command);
    const at = new Date();
    const claimed = await Promise.all(Array.from({ length: 5 }, () => claim(at)));
    const ids = claimed.flatMap((mail) => mail?.id ?? []);
    expect(new Set(ids).size).toBe(3);
    expect(ids).toHaveLength(3);
  });

  test('an email is not claimed before its time, and again when the lease of a killed sender ends', async () => {
    await clear();
    await queue(aboutTape({ users: [await managers()] }, { notBefore: inMinutes(60) }));
    expect(await claim(inMinutes(59))).toBeNull();
    const first = await claim(inMinutes(61));
    expect(first).toMatchObject({ attempts: 1 });
    expect(await recipient(first!)).toMatchObject({ firstName: 'Ann' });
    expect(await claim(inMinutes(61))).toBeNull();
    const second = await claim(inMinutes(63));
    expect(second).toMatchObject({ id: first!.id, dueAt: first!.dueAt, attempts: 2 });
  });

  test('a person who can no longer see the document gets nothing', async () => {
    await clear();
    const userId = await managers();
    await queue(aboutTape({ users: [userId] }));
    await database.query(`update users set status = 'Disabled' where id = $1`, [userId]);
    const mail = await claim();
    expect(mail).toMatchObject({ userId });
    expect(await recipient(mail!)).toBeNull();
  });

  test('a failed attempt waits, and the last one is recorded as failed with its reason', async () => {
    await clear();
    const command = aboutTape({ users: [await managers()] });
    await queue(command);
    const at = new Date();
    const mail = (await claim(at))!;
    const fail = (error: string, isFinal = false) =>
      database.store.as(SYSTEM, (session) => recordFailure(session, mail, { error, isFinal }), now(at));
    expect(await fail('no answer')).toBe(false);
    expect(await rowOf(command)).toEqual({ status: 'Queued', attempts: 1, error: 'no answer' });
    expect(await claim(new Date(at.getTime() + 29_000))).toBeNull();

    await database.query('update outbox set attempts = $1', [MAX_ATTEMPTS - 1]);
    const last = (await claim(inMinutes(1)))!;
    const gaveUp = await database.store.as(SYSTEM, (session) =>
      recordFailure(session, last, { error: 'still none', isFinal: false }),
    );
    expect(gaveUp).toBe(true);
    expect(await rowOf(command)).toEqual({ status: 'Failed', attempts: MAX_ATTEMPTS, error: 'still none' });
  });

  test('a sender whose lease has ended does not overwrite the next one', async () => {
    await clear();
    const command = aboutTape({ users: [await managers()] });
    await queue(command);
    const late = (await claim())!;
    const next = (await claim(inMinutes(2)))!;
    await database.store.as(SYSTEM, (session) => recordSent(session, next));
    await database.store.as(SYSTEM, (session) => recordFailure(session, late, { error: 'too late', isFinal: true }));
    expect(await rowOf(command)).toMatchObject({ status: 'Sent', error: null });
  });

  test('an email that kills its sender each time is given up, and does not stop the others', async () => {
    await clear();
    const [killing, fine] = [aboutTape({ users: [await managers()] }), aboutTape({ users: [await managers()] })];
    await queue(killing);
    await database.query('update outbox set attempts = $1', [MAX_ATTEMPTS]);
    await queue(fine);
    expect(await claim()).toMatchObject({ attempts: 1 });
    expect(await rowOf(killing)).toMatchObject({ status: 'Failed', error: 'The last attempt was interrupted' });
  });
});

describe('after a restore', () => {
  const administrator = testActor({ type: 'admin' });
  const asAdmin = <Result>(work: Parameters<typeof database.store.as<Result>>[1]) =>
    database.store.as(administrator, work);
  const held = () => asAdmin((session) => listHeldItems(session, { skip: 0, limit: 100 }));
  const statusOf = async (key: string) =>
    (await database.query<{ status: string }>('select status from outbox where key = $1', [key])).map(
      ({ status }) => status,
    );

  test('what is queued and what jobs queue is held until an administrator decides, and what people cause is sent', async () => {
    await database.query(`delete from outbox`);
    const user = await managers();
    const before = aboutTape({ users: [user] });
    await database.store.as(SYSTEM, (session) => tell(session, before));
    await database.query(
      `insert into secret_mails (id, email, sealed, is_wanted, next_attempt_at, created_at, expires_at)
       values ($1, 'ann@example.test', 'sealed', true, now(), now(), now() + interval '1 hour')`,
      [newId()],
    );
    const backupAt = new Date('2026-11-20T03:00:00Z');
    expect(await database.store.as(SYSTEM, (session) => holdRestored(session, { backupAt }))).toBe(1);
    expect(await database.query(`select status, sealed from secret_mails`)).toEqual([
      { status: 'Skipped', sealed: '' },
    ]);

    // A job queues another one, a person a third one.
    const byJob = aboutTape({ users: [user] });
    await database.store.as(SYSTEM, (session) => tell(session, byJob));
    const byPerson = aboutTape({ users: [user] });
    const manager = testActor({ type: 'manager', managerId: one.managerId });
    await database.store.as(manager, (session) => tell(session, byPerson));
    expect(await Promise.all([before, byJob, byPerson].map(({ key }) => statusOf(key)))).toEqual([
      ['Held'],
      ['Held'],
      ['Queued'],
    ]);
    const claimed = await database.store.as(SYSTEM, (session) => claimMail(session, LEASE));
    expect(claimed).toMatchObject({ userId: user, attempts: 1 });
    await database.store.as(SYSTEM, (session) => recordSent(session, claimed as ClaimedMail));
    expect(await database.store.as(SYSTEM, (session) => claimMail(session, LEASE))).toBeNull();

    // A second restore extends the hold.
    await database.store.as(SYSTEM, (session) => holdRestored(session, { backupAt }));
    const [hold, ...others] = await asAdmin(listHolds);
    expect({ hold, others }).toMatchObject({ hold: { kind: 'email', endedAt: null, held: 2 }, others: [] });
    expect(new Date(hold!.backupAt)).toEqual(backupAt);
    const { rows, total } = await held();
    expect(total).toBe(2);
    expect(rows).toMatchObject([
      { kind: 'email', title: before.subject, to: `${user}@example.test`, name: 'Ann Example', page: before.page },
      { title: byJob.subject },
    ]);

    const blocking = testActor({ type: 'admin', blockedDocuments: [`${before.resource}/${before.documentId}`] });
    const shown = await database.store.as(blocking, (session) => listHeldItems(session, { skip: 0, limit: 100 }));
    expect(shown.rows[0]).toMatchObject({ id: rows[0]!.id, title: 'About a document that is blocked for you' });

    // Nobody else sees or decides anything, whatever the permissions.
    const stranger = testActor({
      type: 'manager',
      managerId: one.managerId,
      permissions: ['managers/read', 'managers/write'],
    });
    const denied = { code: 'forbidden' };
    await expect(database.store.as(stranger, listHolds)).rejects.toMatchObject(denied);
    await expect(
      database.store.as(stranger, (session) => decideHeld(session, { all: true, decision: 'Release' })),
    ).rejects.toMatchObject(denied);
    await expect(database.store.as(stranger, (session) => endHold(session, hold!))).rejects.toMatchObject(denied);

    await expect(asAdmin((session) => endHold(session, hold!))).rejects.toMatchObject({
      message: expect.stringContaining('2 items wait for a decision'),
    });
    const decide = (id: string, decision: 'Release' | 'Drop') =>
      asAdmin((session) => decideHeld(session, { ids: [id], decision }));
    expect(await decide(rows[0]!.id, 'Release')).toBe(1);
    expect(await decide(rows[1]!.id, 'Drop')).toBe(1);
    await expect(decide(rows[1]!.id, 'Release')).rejects.toMatchObject({ code: 'badRequest' });
    expect(await Promise.all([before, byJob].map(({ key }) => statusOf(key)))).toEqual([['Queued'], ['Skipped']]);
    // The dropped one is remembered: the job does not queue it again.
    await database.store.as(SYSTEM, (session) => tell(session, byJob));
    expect(await statusOf(byJob.key)).toEqual(['Skipped']);
    expect(await database.store.as(SYSTEM, (session) => claimMail(session, LEASE))).toMatchObject({ id: rows[0]!.id });

    await asAdmin((session) => endHold(session, hold!));
    const later = aboutTape({ users: [user] });
    await database.store.as(SYSTEM, (session) => tell(session, later));
    expect(await statusOf(later.key)).toEqual(['Queued']);
  });

  test('a hold does not end while a job holds an email', async () => {
    await database.store.as(SYSTEM, (session) => holdRestored(session, { backupAt: new Date() }));
    await asAdmin((session) => decideHeld(session, { all: true, decision: 'Drop' }));
    const [hold] = await asAdmin(listHolds);
    const user = await managers();
    let ended: Promise<unknown> = Promise.resolve();
    await database.store.as(SYSTEM, async (session) => {
      await tell(session, aboutTape({ users: [user] }));
      ended = asAdmin((other) => endHold(other, hold!)).catch((error) => error);
      await expect
        .poll(() =>
          database.query(
            `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%from holds%'`,
          ),
        )
        .toHaveLength(1);
    });
    expect(await ended).toMatchObject({ code: 'badRequest' });
    await asAdmin((session) => decideHeld(session, { all: true, decision: 'Drop' }));
    await asAdmin((session) => endHold(session, hold!));
  });
});
