import { announcementCreateSchema } from '@tapeline/domain/communication/announcement.schema.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { PermissionKey, UserActor, UserType } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Role, User } from '../../entities/people.ts';
import { newId } from '../../ids.ts';
import { seedFoundations } from '../../seed/seed-foundations.ts';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { countUnread } from '../notifications/notifications.ts';
import { deliveriesOf, toldOf } from '../outbox/deliveries.ts';
import { readersOf } from '../outbox/readers.ts';
import {
  listAnnouncements,
  publishAnnouncement,
  publishAnnouncements,
  readAnnouncement,
  readersOfAnnouncement,
  removeAnnouncements,
} from './announcements.ts';
import { withdrawnAnnouncementOf } from './withdrawn-announcements.ts';

const READ: readonly PermissionKey[] = ['announcements/read'];
const WRITE: readonly PermissionKey[] = [...READ, 'announcements/write'];

let database: TestDatabase;
let tenant: TestTenant;
let other: TestTenant;
let author: UserActor;
/** The users of the two investors, of the two companies, and of an investor of another manager. */
let people: Record<'firstLP' | 'secondLP' | 'firstCompany' | 'secondCompany' | 'foreign', UserActor>;

beforeAll(async () => {
  database = await createTestDatabase();
  people = await database.store.as(SYSTEM, async (session) => {
    await seedFoundations(session);
    tenant = await makeTenant(session);
    other = await makeTenant(session);
    const roleId = newId();
    session.em.create(Role, { id: roleId, title: 'Reader', level: 12, permissions: [...READ] });
    const add = (type: UserType, managerId: string, of: { lpIds?: string[]; companyId?: string }): UserActor => {
      const id = newId();
      const name = { firstName: 'Ann', lastName: 'Example', email: `${id}@example.test` };
      const assoc = of.companyId
        ? { company: { id: of.companyId } }
        : of.lpIds
          ? { LP: { id: of.lpIds[0]! } }
          : { manager: { id: managerId } };
      session.em.create(User, {
        id,
        ...name,
        type,
        managerId,
        roleId,
        assoc,
        companyId: of.companyId ?? null,
        LPs: of.lpIds ?? [],
      });
      return testActor({ type, managerId, userId: id, permissions: [...(type === 'manager' ? WRITE : READ)], ...of });
    };
    author = add('manager', tenant.managerId, {});
    const [one, two] = tenant.companies;
    return {
      firstLP: add('LP', tenant.managerId, { lpIds: [tenant.lpIds[0]!] }),
      secondLP: add('LP', tenant.managerId, { lpIds: [tenant.lpIds[1]!] }),
      firstCompany: add('company', tenant.managerId, { companyId: one!.id }),
      secondCompany: add('company', tenant.managerId, { companyId: two!.id }),
      foreign: add('LP', other.managerId, { lpIds: [other.lpIds[0]!] }),
    };
  });
});
afterAll(() => database.close());

const as = <Result>(actor: UserActor, work: (session: Session) => Promise<Result>) => database.store.as(actor, work);
const body = (resource: object, more: object = {}) =>
  announcementCreateSchema.parse({ resource, title: 'First close', description: 'The fund has **closed**.', ...more });

type Person = keyof typeof people;
async function seenBy(id: string): Promise<Person[]> {
  const seen: Person[] = [];
  for (const [name, actor] of Object.entries(people) as [Person, UserActor][]) {
    const { total } = await as(actor, (session) => listAnnouncements(session, 'all', { filter: { id } }));
    if (total > 0) seen.push(name);
  }
  return seen;
}

const mailed = async (id: string): Promise<string[]> => {
  const rows = await database.query<{ id: string }>('select user_id as id from outbox where document_id = $1', [id]);
  return rows.map((row) => row.id);
};

test.each([
  ['all', () => ({ kind: 'all' }), ['firstLP', 'secondLP', 'firstCompany', 'secondCompany']],
  ['the investors of a fund', () => ({ kind: 'funds', id: tenant.fundId }), ['firstLP', 'secondLP']],
  ['all investors', () => ({ kind: 'LPs' }), ['firstLP', 'secondLP']],
  ['one investor', () => ({ kind: 'LPs', id: tenant.lpIds[0] }), ['firstLP']],
  ['one borrower', () => ({ kind: 'companies', id: tenant.companies[1]!.id }), ['secondCompany']],
] as const)('an announcement to %s is seen by and told to nobody else', async (_, resource, audience) => {
  const published = await as(author, (session) => publishAnnouncement(session, body(resource())));
  expect(await seenBy(published.id)).toEqual(audience);
  const told = (await mailed(published.id)).filter((id) => Object.values(people).some(({ userId }) => userId === id));
  expect(told.sort()).toEqual(audience.map((name) => people[name].userId).sort());
  expect(published.users).toBeGreaterThanOrEqual(audience.length);
});

test('an announcement to a class is seen by and told to its investors only', async () => {
  await database.query(
    `update funds set classes = '[{"name":"Class A","uniqueKey":"a"},{"name":"Class B","uniqueKey":"b"}]' where id = $1`,
    [tenant.fundId],
  );
  // Documents repeat the class of their commitment.
  const tables = ['lp_commitments', 'contributions', 'distributions', 'navs', 'write_offs', 'capital_accounts'];
  const setClasses = (classes: readonly (string | null)[]) =>
    database.store.as(SYSTEM, async ({ query }) => {
      for (const [index, Class] of classes.entries())
        for (const table of tables)
          await query(`update ${table} set class = $2 where investor_lp_id = $1`, [tenant.lpIds[index], Class]);
    });
  await setClasses(['a', 'b']);
  const resource = { kind: 'funds', id: tenant.fundId };
  const published = await as(author, (session) => publishAnnouncement(session, body(resource, { Class: 'b' })));
  expect([published.target, published.className]).toEqual(['A fund', 'Class B']);
  expect(await seenBy(published.id)).toEqual(['secondLP']);
  expect(await mailed(published.id)).toContain(people.secondLP.userId);
  expect(await mailed(published.id)).not.toContain(people.firstLP.userId);
  await setClasses([null, null]);
});

test('a person who comes later can see it, and gets neither an email nor a notification', async () => {
  const resource = { kind: 'LPs', id: tenant.lpIds[1] };
  const { id, users } = await as(author, (session) => publishAnnouncement(session, body(resource)));
  const late = testActor({
    type: 'LP',
    managerId: tenant.managerId,
    userId: newId(),
    permissions: [...READ],
    lpIds: [tenant.lpIds[1]!],
  });
  await database.store.as(SYSTEM, async ({ em }) => {
    const named = { firstName: 'Lea', lastName: 'Late', email: `${late.userId}@example.test` };
    const assoc = { LP: { id: tenant.lpIds[1]! } };
    const { managerId } = tenant;
    const [{ roleId } = { roleId: null }] = await em.find(User, { id: people.firstLP.userId });
    em.create(User, {
      id: late.userId,
      ...named,
      type: 'LP',
      managerId,
      roleId: roleId ?? null,
      assoc,
      LPs: [...late.lpIds],
    });
  });
  expect((await as(late, (session) => readAnnouncement(session, { id }))).isRead).toBe(true);
  expect(await mailed(id)).not.toContain(late.userId);
  expect(await as(late, countUnread)).toBe(0);
  const [kept] = (await as(author, (session) => listAnnouncements(session, 'all', { filter: { id } }))).documents;
  expect(kept?.users).toBe(users);
});

test('how many people it went to is for the manager only', async () => {
  const { id, users } = await as(author, (session) => publishAnnouncement(session, body({ kind: 'LPs' })));
  const found = (actor: UserActor, filter: object = {}) =>
    as(actor, (session) => listAnnouncements(session, 'LPs', { filter: { id, ...filter } }));
  expect((await found(people.firstLP)).documents[0]?.users).toBeNull();
  expect((await found(author, { users })).total).toBe(1);
  expect((await found(people.firstLP, { users })).total).toBe(0);
});

test('without emails there are only notifications', async () => {
  const before = await as(people.firstLP, countUnread);
  const quiet = body({ kind: 'LPs', id: tenant.lpIds[0] }, { disableEmail: true });
  const { id, users } = await as(author, (session) => publishAnnouncement(session, quiet));
  expect([users, await mailed(id)]).toEqual([1, []]);
  expect(await as(people.firstLP, countUnread)).toBe(before + 1);
});

test('opening an announcement marks it as read by that person, which the manager sees', async () => {
  const { id } = await as(author, (session) => publishAnnouncement(session, body({ kind: 'LPs' })));
  const isRead = async (actor: UserActor) =>
    (await as(actor, (session) => listAnnouncements(session, 'LPs', { filter: { id } }))).documents[0]?.isRead;
  expect(await isRead(people.firstLP)).toBe(false);
  await as(people.firstLP, (session) => readAnnouncement(session, { kind: 'LPs', id }));
  await as(people.firstLP, (session) => readAnnouncement(session, { id }));
  expect([await isRead(people.firstLP), await isRead(people.secondLP), await isRead(author)]).toEqual([
    true,
    false,
    false,
  ]);
  // Whoever published it is not among those it is for.
  await as(author, (session) => readAnnouncement(session, { id }));
  const readers = (actor: UserActor) =>
    as(actor, async (session) => readersOfAnnouncement(session, await readAnnouncement(session, { id }), 10));
  const seen = await readers(author);
  expect([seen.total, ...seen.readers.map(({ userId }) => userId)]).toEqual([1, people.firstLP.userId]);
  expect(await readers(people.firstLP)).toEqual({ readers: [], total: 0 });
  await expect(as(people.foreign, (session) => readAnnouncement(session, { id }))).rejects.toThrow(Refusal);
  await expect(as(people.firstLP, (session) => readAnnouncement(session, { kind: 'funds', id }))).rejects.toThrow(
    Refusal,
  );
});

describe('what is withdrawn', () => {
  const sent = (id: string, userId: string) =>
    database.query(`update outbox set status = 'Sent', sent_at = now() where document_id = $1 and user_id = $2`, [
      id,
      userId,
    ]);
  const address = (actor: UserActor, id: string) =>
    as(actor, (session) => withdrawnAnnouncementOf(session, { id }).then((found) => found?.text ?? null));

  test('is gone for its audience, with its notification; whoever got the email gets one that says so', async () => {
    const { id } = await as(author, (session) => publishAnnouncement(session, body({ kind: 'LPs' })));
    await sent(id, people.firstLP.userId);
    const before = await as(people.firstLP, countUnread);
    const sees = { ...author, permissions: [...author.permissions, 'users/read' as const] };
    const review = await as(sees, async (session) => {
      await removeAnnouncements(session, [id]);
      return toldOf(session, 'announcements', { ids: [id], about: 'withdrawal' });
    });
    const investors = [people.firstLP.userId, people.secondLP.userId];
    expect(review.map(({ email }) => email)).toEqual(
      expect.arrayContaining(investors.map((user) => `${user}@example.test`)),
    );
    expect(await seenBy(id)).toEqual([]);
    // The notification with its text went, and one that says that it is withdrawn came.
    expect(await as(people.firstLP, countUnread)).toBe(before);
    const notified = await database.query<{ userId: string; title: string; description: string }>(
      `select user_id as "userId", title, description from notifications where owned_by = $1 and user_id = any ($2)
       order by user_id`,
      [`announcements/${id}`, investors],
    );
    expect(notified.map(({ userId }) => userId)).toEqual(investors.toSorted());
    for (const { title, description } of notified) {
      expect(title).toBe('Withdrawn: First close');
      expect(description).toMatch(/^“First close” of .* was withdrawn\.\nDo not rely on it any longer\.$/);
    }
    const mails = await database.query<{ userId: string; kind: string; status: string }>(
      `select user_id as "userId", kind, status from outbox
       where (document_id = $1 or owned_by = $2) and user_id = any ($3) order by kind, status`,
      [id, `announcements/${id}`, investors],
    );
    expect(mails).toEqual([
      { userId: people.firstLP.userId, kind: 'announcement', status: 'Sent' },
      { userId: people.secondLP.userId, kind: 'announcement', status: 'Skipped' },
      { userId: people.firstLP.userId, kind: 'noticeWithdrawn', status: 'Queued' },
    ]);
    const [claimed] = await database.query<{ documentId: string; resource: string; owners: string[] }>(
      `select document_id as "documentId", resource, owners from outbox where kind = 'noticeWithdrawn' and owned_by = $1`,
      [`announcements/${id}`],
    );
    const readers = await database.store.as(SYSTEM, (session) => readersOf(session, claimed!, [people.firstLP]));
    expect(readers).toHaveLength(1);
    const { rows } = await as(sees, (session) => deliveriesOf(session, 'announcements', [id]));
    const [first, second] = investors.map((user) => rows.filter(({ email }) => email === `${user}@example.test`));
    expect([first?.length, second?.length]).toEqual([2, 1]);
  });

  test('says so at its address, to whoever was told of it and to its manager, and to nobody else', async () => {
    const { id } = await as(author, (session) =>
      publishAnnouncement(session, body({ kind: 'LPs', id: tenant.lpIds[0] }, { disableEmail: true })),
    );
    for (const actor of [people.firstLP, author]) expect(await address(actor, id)).toBeNull();
    await as(author, (session) => removeAnnouncements(session, [id]));
    for (const actor of [people.firstLP, author]) {
      expect(await address(actor, id)).toMatch(/^“First close” was withdrawn on .*\. Do not rely on it any longer\.$/);
    }
    const elsewhere = testActor({ type: 'manager', managerId: other.managerId });
    const blind = { ...people.firstLP, permissions: [] };
    for (const actor of [people.secondLP, people.firstCompany, people.foreign, elsewhere, blind]) {
      expect(await address(actor, id)).toBeNull();
    }
    // Nobody got an email of it, so nobody gets one that says that it is withdrawn.
    expect(await database.query('select id from outbox where owned_by = $1', [`announcements/${id}`])).toEqual([]);
  });

  test('says so also if it was withdrawn before people were told of that: to whoever got its email or has read it', async () => {
    const { id } = await as(author, (session) => publishAnnouncement(session, body({ kind: 'LPs' })));
    const quiet = body({ kind: 'LPs' }, { disableEmail: true });
    const read = await as(author, (session) => publishAnnouncement(session, quiet));
    await as(people.firstLP, (session) => readAnnouncement(session, { id: read.id }));
    await as(author, (session) => removeAnnouncements(session, [id, read.id]));
    const owners = [id, read.id].map((one) => `announcements/${one}`);
    await database.query('delete from notifications where owned_by = any ($1)', [owners]);
    expect(await address(people.firstLP, id)).toContain('“First close” was withdrawn on');
    expect(await address(people.secondLP, id)).not.toBeNull();
    expect(await address(people.firstLP, read.id)).not.toBeNull();
    for (const actor of [people.secondLP, people.firstCompany, people.foreign]) {
      expect(await address(actor, read.id)).toBeNull();
    }
    expect(await address({ ...people.firstLP, managerId: other.managerId }, id)).toBeNull();
  });

  test('is hidden from whoever may not see what it was for any more', async () => {
    const { id } = await as(author, (session) =>
      publishAnnouncement(session, body({ kind: 'funds', id: tenant.fundId })),
    );
    await as(author, (session) => removeAnnouncements(session, [id]));
    const blocked = (documents: string[]) => address({ ...people.firstLP, blockedDocuments: documents }, id);
    expect(await blocked([`funds/${newId()}`])).not.toBeNull();
    expect(await blocked([`funds/${tenant.fundId}`])).toBeNull();
  });
});

test('a foreign audience, a foreign class and a person without permission are refused, and nothing is published', async () => {
  const flagsOf = (bodies: ReturnType<typeof body>[], actor = author) =>
    as(actor, (session) => publishAnnouncements(session, bodies)).then(
      () => 'published',
      (error) => (error instanceof Refusal ? (error.flags ?? error.code) : error),
    );
  const count = () => database.query<{ count: number }>('select count(*)::int as count from announcements');
  const before = await count();
  const good = body({ kind: 'all' });
  expect(await flagsOf([good, body({ kind: 'funds', id: other.fundId })])).toEqual({
    '1.resource.id': 'is not one that you can see',
  });
  expect(await flagsOf([body({ kind: 'funds', id: tenant.fundId }, { Class: 'none' })])).toEqual({
    Class: 'is not the key of a class of the fund',
  });
  expect(await flagsOf([body({ kind: 'all' }, { Class: 'none' })])).toEqual({ Class: 'needs a fund' });
  expect(await flagsOf([body({ kind: 'all' }, { files: [{ key: 'none.pdf' }] })])).toEqual({
    'files.0': 'is not an uploaded file',
  });
  expect(await flagsOf([good], people.firstLP)).toBe('forbidden');
  expect(await count()).toEqual(before);
});
