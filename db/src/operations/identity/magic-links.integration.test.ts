import { afterAll, beforeAll, expect, test } from 'vitest';
import { Manager, Role, User } from '../../entities/people.ts';
import { newId } from '../../ids.ts';
import { type Store, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { addEntity } from '../../testing/entities.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { createMagicLink, findMagicLink, signInByMagicLink, usersWithMagicLink } from './magic-links.ts';

let database: TestDatabase;
let store: Store;
const [managerId, otherManagerId, roleId] = [newId(), newId(), newId()];

beforeAll(async () => {
  database = await createTestDatabase();
  store = database.store;
  await store.as(SYSTEM, async ({ em }) => {
    for (const id of [managerId, otherManagerId]) em.create(Manager, { id, entityId: addEntity(em, id, 'A manager') });
    em.create(Role, { id: roleId, managerId, title: 'Partner', level: 4, permissions: [] });
  });
});
afterAll(() => database.close());

async function makeUser(fields: Partial<User> = {}): Promise<User> {
  const id = newId();
  return store.as(SYSTEM, async ({ em }) =>
    em.create(User, {
      id,
      firstName: 'Ann',
      lastName: 'Bay',
      email: `${id}@example.test`,
      type: 'manager',
      assoc: { manager: { id: managerId } },
      managerId,
      status: 'Pending',
      ...fields,
    }),
  );
}

const sender = testActor({ type: 'manager', managerId, level: 5 });
const now = new Date('2026-05-01T09:00:00Z');
const later = (ms: number) => new Date(now.getTime() + ms);
const DAY_MS = 86_400_000;
const refusal = (code: string) => expect.objectContaining({ name: 'Refusal', code });

test('a magic link signs in once and makes an invited user Active', async () => {
  const user = await makeUser();
  const link = await createMagicLink(store, sender, { userId: user.id, now });
  expect(link).toMatchObject({ email: user.email, isInvitation: true, expiresAt: later(7 * DAY_MS) });
  const { token: magicToken } = link;
  // Looking at the link does not use it.
  for (const _ of [1, 2])
    expect(await findMagicLink(store, { magicToken, now })).toEqual({ email: user.email, firstName: 'Ann' });
  const tries = await Promise.allSettled([1, 2].map(() => signInByMagicLink(store, { magicToken, now })));
  expect(tries.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  await expect(signInByMagicLink(store, { magicToken, now })).rejects.toEqual(refusal('unauthorized'));
  expect(await findMagicLink(store, { magicToken, now })).toBeNull();
  const after = await store.as(SYSTEM, ({ em }) => em.findOneOrFail(User, { id: user.id }));
  expect(after).toMatchObject({ status: 'Active', lastVisited: now });
});

test('a magic link ends after 7 days, with the email it was sent to, and with the user', async () => {
  const user = await makeUser({ status: 'Active' });
  const { token: magicToken, isInvitation } = await createMagicLink(store, sender, { userId: user.id, now });
  expect(isInvitation).toBe(false);
  const at = { magicToken, now: later(7 * DAY_MS) };
  await expect(signInByMagicLink(store, at)).rejects.toEqual(refusal('unauthorized'));
  const change = (sql: string) => store.as(SYSTEM, ({ query }) => query(sql, [user.id]));
  await change(`update users set email = 'moved.' || email where id = $1`);
  await expect(signInByMagicLink(store, { magicToken, now })).rejects.toEqual(refusal('unauthorized'));
  await change(`update users set email = substr(email, 7), status = 'Disabled' where id = $1`);
  await expect(signInByMagicLink(store, { magicToken, now })).rejects.toEqual(refusal('unauthorized'));
  await change(`update users set status = 'Active' where id = $1`);
  const last = later(7 * DAY_MS - 1);
  expect((await signInByMagicLink(store, { magicToken, now: last })).userId).toBe(user.id);
});

test('a valid link is replaced only on request, and the old one stops working', async () => {
  const user = await makeUser();
  const create = (resend?: boolean, at = now) => createMagicLink(store, sender, { userId: user.id, resend, now: at });
  const first = await create();
  const seen = (actor: typeof sender) => store.as(actor, (session) => usersWithMagicLink(session, [user.id]), { now });
  expect(await seen(sender)).toEqual(new Set([user.id]));
  expect(await seen({ ...sender, managerId: otherManagerId })).toEqual(new Set());
  await expect(create()).rejects.toThrow('already has an invitation');
  const second = await create(true);
  await expect(signInByMagicLink(store, { magicToken: first.token, now })).rejects.toEqual(refusal('unauthorized'));
  expect(await findMagicLink(store, { magicToken: second.token, now })).not.toBeNull();
  expect(await create(false, later(7 * DAY_MS))).toHaveProperty('token');
});

test('a magic link is created only by someone who may invite this user', async () => {
  const to = (userId: string, actor = sender) => createMagicLink(store, actor, { userId, now });
  const user = await makeUser();
  await expect(to(user.id, { ...sender, permissions: ['users/read'] })).rejects.toEqual(refusal('forbidden'));
  await expect(to(user.id, { ...sender, managerId: otherManagerId })).rejects.toEqual(refusal('notFound'));
  await expect(to(newId())).rejects.toEqual(refusal('notFound'));
  const partner = await makeUser({ roleId });
  await expect(to(partner.id)).rejects.toThrow('more privileged level');
  expect(await to(partner.id, { ...sender, level: 4 })).toHaveProperty('token');
  const disabled = await makeUser({ status: 'Disabled' });
  await expect(to(disabled.id)).rejects.toEqual(refusal('badRequest'));
});

test('a recipient gets at most five links an hour', async () => {
  const user = await makeUser();
  const create = (at: Date, limitFactor = 1) =>
    createMagicLink(store, sender, { userId: user.id, resend: true, now: at, limitFactor });
  for (let calls = 0; calls < 5; calls++) await create(later(calls));
  await expect(create(later(5))).rejects.toEqual(refusal('tooMany'));
  expect(await create(later(6), 2)).toHaveProperty('token');
  expect(await create(later(2 * 3_600_000))).toHaveProperty('token');
});

test('the database holds no token that could be used', async () => {
  const { token } = await createMagicLink(store, sender, { userId: (await makeUser()).id, now });
  const rows = await store.as(SYSTEM, ({ query }) =>
    query<{ row: string }>('select l::text as row from magic_links l'),
  );
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.some(({ row }) => row.includes(token))).toBe(false);
});
