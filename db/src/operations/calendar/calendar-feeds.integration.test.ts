import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Role, User } from '../../entities/people.ts';
import { newId } from '../../ids.ts';
import { seedFoundations } from '../../seed/seed-foundations.ts';
import { SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { holdRestored } from '../holds/holds.ts';
import { loadActor } from '../identity/load-actor.ts';
import { FEED_LIMIT, feedEvents, feedKey, openFeed, ownFeed, removeFeed, renewFeed } from './calendar-feeds.ts';

const APP_SECRET = 'only for this test';
const NOW = new Date('2026-04-01T12:00:00Z');

let database: TestDatabase;
let tenant: TestTenant;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.store.as(SYSTEM, async (session) => {
    await seedFoundations(session);
    tenant = await makeTenant(session);
  });
});
afterAll(() => database.close());

/** A user of the first investor who can sign in and reads calls, as `loadActor` finds them. */
async function investor(fields: Partial<User> = {}): Promise<UserActor> {
  const { managerId } = tenant;
  const [lp] = tenant.lpIds as [string];
  const id = newId();
  await database.store.as(SYSTEM, async ({ em }) => {
    const roleId = newId();
    em.create(Role, {
      id: roleId,
      managerId,
      title: roleId,
      level: 20,
      permissions: ['contributions/read', 'funds/read'],
    });
    em.create(User, {
      id,
      type: 'LP',
      managerId,
      assoc: { LP: { id: lp } },
      LPs: [lp],
      roleId,
      firstName: 'Ann',
      lastName: 'Example',
      email: `${id}@example.test`,
      status: 'Active',
      isReadPrivacyAndTerms: true,
      isConfirmedUserDetails: true,
      ...fields,
    });
  });
  const actor = await loadActor(database.store, id);
  if (!actor) throw new Error('the user cannot sign in');
  return actor;
}

const open = (key: string, now = NOW) => openFeed(database.store, { appSecret: APP_SECRET, key, now });

/** A feed of the actor. @returns its key */
async function createFeed(actor: UserActor): Promise<string> {
  await database.store.as(actor, renewFeed);
  return feedKey(APP_SECRET, (await database.store.read(actor, ownFeed))!);
}

test('a key opens the calendar of its user, and no other key does', async () => {
  const ann = await investor();
  expect(await database.store.read(ann, ownFeed)).toBeNull();
  const key = await createFeed(ann);
  expect((await open(key))?.userId).toBe(ann.userId);
  expect((await database.store.read(ann, ownFeed))?.readAt).toBe('2026-04-01T12:00:00+00:00');
  const [id = '', token = ''] = key.split('.');
  const others = [
    '',
    id,
    `${id}.`,
    `${id}.${token}x`,
    `${newId()}.${token}`,
    feedKey('another secret', { id }),
    feedKey(APP_SECRET, { id: newId() }),
    `' or true --.${token}`,
  ];
  expect(await Promise.all(others.map((other) => open(other)))).toEqual(others.map(() => null));
});

test('a new address replaces the old one, and a removed one opens nothing', async () => {
  const ann = await investor();
  const first = await createFeed(ann);
  const second = await createFeed(ann);
  expect([await open(first), (await open(second))?.userId]).toEqual([null, ann.userId]);
  await database.store.as(ann, removeFeed);
  expect([await open(second), await database.store.read(ann, ownFeed)]).toEqual([null, null]);
});

test('two requests at once leave one address', async () => {
  const ann = await investor();
  await Promise.all([1, 2, 3].map(() => database.store.as(ann, renewFeed)));
  const rows = await database.query('select id from calendar_feeds where user_id = $1', [ann.userId]);
  expect(rows).toHaveLength(1);
});

test('a user neither sees nor ends the address of another user', async () => {
  const [ann, ben] = [await investor(), await investor()];
  const key = await createFeed(ann);
  const colleague = testActor({ type: 'manager', managerId: tenant.managerId });
  for (const actor of [ben, colleague]) {
    expect(await database.store.read(actor, ownFeed)).toBeNull();
    await database.store.as(actor, removeFeed);
  }
  expect((await open(key))?.userId).toBe(ann.userId);
});

test('an administrator has no address', async () => {
  const admin = testActor({ type: 'admin' });
  await expect(database.store.as(admin, renewFeed)).rejects.toMatchObject({ code: 'forbidden' });
});

test.each([
  ['is disabled', `status = 'Disabled'`],
  ['is removed', `status = 'Removed'`],
  ['has another email', `email = 'new-' || email`],
])('the address ends when its user %s', async (_, change) => {
  const ann = await investor();
  const key = await createFeed(ann);
  await database.query(`update users set ${change} where id = $1`, [ann.userId]);
  expect(await open(key)).toBeNull();
  await database.query(`update users set status = 'Active' where id = $1`, [ann.userId]);
  expect(await open(key)).toBeNull();
});

test('nothing opens before the user has accepted the terms, or while the manager is disabled', async () => {
  const ann = await investor();
  const key = await createFeed(ann);
  await database.query('update users set is_read_privacy_and_terms = false where id = $1', [ann.userId]);
  expect(await open(key)).toBeNull();
  await database.query('update users set is_read_privacy_and_terms = true where id = $1', [ann.userId]);
  expect((await open(key))?.userId).toBe(ann.userId);
  await database.query(`update managers set status = 'Disabled' where id = $1`, [tenant.managerId]);
  expect(await open(key)).toBeNull();
  await database.query(`update managers set status = 'Active' where id = $1`, [tenant.managerId]);
});

test('it has what the user may see now, from 30 days ago to a year ahead', async () => {
  const ann = await investor();
  const key = await createFeed(ann);
  const [, otherLp] = tenant.lpIds as [string, string];
  const kinds = async (now = NOW) => {
    const actor = await open(key, now);
    const found = await database.store.as(actor!, feedEvents, { now });
    return found.events.filter(({ kind }) => kind === 'call').map(({ day }) => day);
  };
  expect(await kinds()).toEqual(['2026-04-15']);
  expect(await kinds(new Date('2026-05-15T12:00:00Z'))).toEqual(['2026-04-15']);
  expect(await kinds(new Date('2026-05-16T12:00:00Z'))).toEqual([]);
  expect(await kinds(new Date('2025-04-15T12:00:00Z'))).toEqual(['2026-04-15']);
  expect(await kinds(new Date('2025-04-14T12:00:00Z'))).toEqual([]);
  // The user now is one of the other investor, whose call is not issued yet; and then may not read calls.
  await database.query(
    `update users set assoc = jsonb_build_object('LP', jsonb_build_object('id', $2::text)), lps = array[$2] where id = $1`,
    [ann.userId, otherLp],
  );
  const setStatus = (status: string) =>
    database.query('update contributions set status = $2 where investor_lp_id = $1', [otherLp, status]);
  await setStatus('Draft');
  expect(await kinds()).toEqual([]);
  await setStatus('Active');
  expect(await kinds()).toEqual(['2026-04-15']);
  await database.query(
    `update roles set permissions = '{funds/read}' where id = (select role_id from users where id = $1)`,
    [ann.userId],
  );
  expect(await kinds()).toEqual([]);
});

test('an address is read sixty times an hour at most', async () => {
  const ann = await investor();
  const key = await createFeed(ann);
  for (let call = 0; call < FEED_LIMIT.calls; call++) await open(key);
  const refused = await open(key).catch((error) => error);
  expect(refused).toBeInstanceOf(Refusal);
  expect(refused).toMatchObject({ code: 'tooMany', retryAfterSeconds: 3600 });
  expect((await open(key, new Date(NOW.getTime() + FEED_LIMIT.windowMs)))?.userId).toBe(ann.userId);
});

test('a restored backup opens no calendar: an address in it may have been turned off since', async () => {
  const ann = await investor();
  const key = await createFeed(ann);
  await database.store.as(SYSTEM, (session) => holdRestored(session, { backupAt: NOW }));
  expect(await open(key)).toBeNull();
});
