import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Role, User } from '../../entities/people.ts';
import { newId } from '../../ids.ts';
import { seedFoundations } from '../../seed/seed-foundations.ts';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { tell } from '../outbox/tell.ts';
import { completeAction, countUnread, listNotifications, markAllRead, markNotification } from './notifications.ts';

let database: TestDatabase;
let tenant: TestTenant;
let one: UserActor;
let two: UserActor;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.store.as(SYSTEM, async (session) => {
    await seedFoundations(session);
    tenant = await makeTenant(session);
    const roleId = newId();
    session.em.create(Role, { id: roleId, title: 'Reader', level: 12, permissions: ['assets/read'] });
    const people = ['Ann', 'Ben'].map((firstName) => {
      const { managerId } = tenant;
      const id = newId();
      const assoc = { manager: { id: managerId } };
      session.em.create(User, {
        id,
        type: 'manager',
        managerId,
        assoc,
        firstName,
        lastName: 'Example',
        email: `${id}@example.test`,
        roleId,
      });
      return testActor({ type: 'manager', managerId, userId: id });
    });
    [one, two] = people as [UserActor, UserActor];
  });
});
afterAll(() => database.close());

const as = <Result>(actor: UserActor, work: (session: Session) => Promise<Result>) => database.store.as(actor, work);
const tape = () => tenant.companies[0]!.tapeId;

const tellOf = (key: string, users: readonly UserActor[] = [one, two]) =>
  database.store.as(SYSTEM, (session) =>
    tell(session, {
      to: { users: users.map(({ userId }) => userId) },
      kind: 'tapeLate',
      resource: 'loanTapes',
      documentId: tape(),
      key,
      subject: 'A tape is late',
      lines: ['It was due yesterday.'],
      page: '/monitoring/tapes',
      pageTitle: 'Open the tapes',
    }),
  );

test('a person is told once of each occasion, and sees nobody else’s notifications', async () => {
  await tellOf('occasion/1');
  await tellOf('occasion/1');
  await tellOf('occasion/2', [two]);
  const seen = await as(one, (session) => listNotifications(session));
  expect(seen.total).toBe(1);
  expect(seen.documents[0]).toMatchObject({
    userId: one.userId,
    title: 'A tape is late',
    description: 'It was due yesterday.',
    level: 'warning',
    actionRequired: true,
    isRead: false,
  });
  expect((await as(two, (session) => listNotifications(session))).total).toBe(2);
  const { id } = (await as(two, (session) => listNotifications(session, { limit: 1 }))).documents[0]!;
  await expect(as(one, (session) => markNotification(session, { id, isRead: true }))).rejects.toThrow(Refusal);
});

test('reading one or all of them changes only one’s own', async () => {
  await tellOf('occasion/3');
  const before = await as(two, countUnread);
  const { documents } = await as(one, (session) => listNotifications(session, { filter: { isRead: false } }));
  const { id } = documents[0]!;
  expect((await as(one, (session) => markNotification(session, { id, isRead: true }))).isRead).toBe(true);
  expect(await as(one, countUnread)).toBe(documents.length - 1);
  await as(one, (session) => markNotification(session, { id, isRead: false }));
  expect(await as(one, markAllRead)).toBe(documents.length);
  expect(await as(one, countUnread)).toBe(0);
  expect(await as(two, countUnread)).toBe(before);
});

test('an action is required of nobody once anyone has done it', async () => {
  await tellOf('occasion/4');
  const waiting = (actor: UserActor) =>
    as(actor, async (session) => (await listNotifications(session, { filter: { actionRequired: true } })).total);
  expect(await waiting(two)).toBeGreaterThan(0);
  const about = { resource: 'loanTapes', documentIds: [tape()] };
  await as(one, (session) => completeAction(session, { ...about, kinds: ['drawWaits'] }));
  expect(await waiting(two)).toBeGreaterThan(0);
  await as(one, (session) => completeAction(session, { ...about, kinds: ['tapeLate'] }));
  expect([await waiting(one), await waiting(two)]).toEqual([0, 0]);
});
