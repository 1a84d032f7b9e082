import type { PermissionKey } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Company, LP, LPGroup, Manager, Permission, Role, User } from '../../entities/people.ts';
import { newId } from '../../ids.ts';
import { type Store, SYSTEM } from '../../store.ts';
import { addEntity } from '../../testing/entities.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { loadActor, loadSignedInActor } from './load-actor.ts';
import { hashCode, newToken } from './secrets.ts';
import {
  endSession,
  familyLives,
  listSessions,
  MAX_REFRESH_TOKENS_PER_USER,
  rotateRefreshToken,
  signIn,
  signOut,
} from './sessions.ts';
import { requestSignInCode, verifySignInCode } from './sign-in-codes.ts';

let database: TestDatabase;
let store: Store;
const managerId = newId();

beforeAll(async () => {
  database = await createTestDatabase();
  store = database.store;
  await store.as(SYSTEM, async ({ em }) => {
    em.create(Manager, { id: managerId, entityId: addEntity(em, managerId, 'Harbour Credit Partners') });
  });
});
afterAll(() => database.close());

let people = 0;
async function makeUser(fields: Partial<User> = {}): Promise<User> {
  people += 1;
  return store.as(SYSTEM, async ({ em }) =>
    em.create(User, {
      id: newId(),
      firstName: 'Ann',
      lastName: 'Bay',
      email: `person${people}@example.test`,
      type: 'manager',
      assoc: { manager: { id: managerId } },
      managerId,
      ...fields,
    }),
  );
}

let minute = 0;
/** Each test has its own hour, so that the limits of one test do not affect another. */
const freshTime = () => new Date(Date.UTC(2026, 0, 1) + 3_600_000 * ++minute);
const later = (from: Date, ms: number) => new Date(from.getTime() + ms);
const address = '203.0.113.7';

/** A browser or program that requests codes. */
function makeClient(at = address) {
  const clientToken = newToken();
  const base = { clientToken, address: at };
  return {
    clientToken,
    ask: (email: string, now: Date) => requestSignInCode(store, { email, ...base, now }),
    /** Requests a code for an existing user and returns it. */
    async receive(email: string, now: Date): Promise<string> {
      const { toSend } = await requestSignInCode(store, { email, ...base, now });
      return toSend!.code;
    },
    enter: (email: string, code: string, now: Date) => verifySignInCode(store, { email, code, ...base, now }),
  };
}

const wrongOf = (code: string) => (code === '000000' ? '000001' : '000000');

async function signedIn(user: User, now: Date) {
  const client = makeClient();
  const { ownershipToken } = await client.enter(user.email, await client.receive(user.email, now), now);
  return signIn(store, { ownershipToken, now, agent: 'Firefox' });
}

const refusal = (code: string, more: object = {}) => expect.objectContaining({ name: 'Refusal', code, ...more });

describe('a sign-in code', () => {
  test('opens a session for the user it was made for, once', async () => {
    const user = await makeUser();
    const now = freshTime();
    const client = makeClient();
    const { toSend } = await client.ask(` ${user.email.toUpperCase()} `, now);
    expect(toSend).toMatchObject({ email: user.email, firstName: 'Ann', code: expect.stringMatching(/^\d{6}$/) });
    const { ownershipToken } = await client.enter(user.email, toSend!.code, now);
    await expect(client.enter(user.email, toSend!.code, now)).rejects.toEqual(refusal('badRequest'));
    const session = await signIn(store, { ownershipToken, now });
    expect(session.userId).toBe(user.id);
    await expect(signIn(store, { ownershipToken, now })).rejects.toEqual(refusal('unauthorized'));
  });

  test('is of no use to another client, nor to one that never asked', async () => {
    const user = await makeUser();
    const now = freshTime();
    const owner = makeClient();
    const code = await owner.receive(user.email, now);
    const thief = makeClient();
    await thief.receive(user.email, now);
    await expect(thief.enter(user.email, code, now)).rejects.toEqual(refusal('badRequest'));
    const without = { email: user.email, code, clientToken: null, address, now };
    await expect(verifySignInCode(store, without)).rejects.toThrow('works only where it was requested');
    expect(await owner.enter(user.email, code, now)).toHaveProperty('ownershipToken');
  });

  test('ends after five wrong tries of its client, even for the right code', async () => {
    const user = await makeUser();
    const now = freshTime();
    const client = makeClient();
    const code = await client.receive(user.email, now);
    for (let tries = 0; tries < 5; tries++) {
      await expect(client.enter(user.email, wrongOf(code), now)).rejects.toEqual(refusal('badRequest'));
    }
    await expect(client.enter(user.email, code, now)).rejects.toEqual(refusal('badRequest'));
    expect(await client.enter(user.email, await client.receive(user.email, now), now)).toHaveProperty('ownershipToken');
  });

  test('is right on the fifth try, and not used up by the wrong tries of others', async () => {
    const user = await makeUser();
    const now = freshTime();
    const [owner, attacker] = [makeClient(), makeClient()];
    const code = await owner.receive(user.email, now);
    const theirs = await attacker.receive(user.email, now);
    for (let tries = 0; tries < 6; tries++) {
      await attacker.enter(user.email, wrongOf(theirs), now).catch(() => undefined);
    }
    for (let tries = 0; tries < 4; tries++) {
      await owner.enter(user.email, wrongOf(code), now).catch(() => undefined);
    }
    const answer = await owner.enter(user.email, code, now);
    expect(answer.ownershipToken).toHaveLength(43);
  });

  test('ends after ten minutes, and not when a newer one is made', async () => {
    const user = await makeUser();
    const now = freshTime();
    const client = makeClient();
    const first = await client.receive(user.email, now);
    await expect(client.enter(user.email, first, later(now, 600_000))).rejects.toEqual(refusal('badRequest'));
    await makeClient().receive(user.email, later(now, 1000));
    const newer = await client.receive(user.email, later(now, 2000));
    expect(await client.enter(user.email, first, later(now, 599_999))).toHaveProperty('ownershipToken');
    // A user who has signed in needs no other code.
    await expect(client.enter(user.email, newer, later(now, 599_999))).rejects.toEqual(refusal('badRequest'));
  });

  test('is never refused to the owner, whoever else asks for it and however often', async () => {
    const user = await makeUser();
    const now = freshTime();
    for (let calls = 0; calls < 40; calls++) await makeClient(`203.0.113.${calls}`).ask(user.email, now);
    const owner = makeClient('198.51.100.20');
    const { toSend, slowDownMs } = await owner.ask(user.email, now);
    expect(slowDownMs).toBe(5000);
    expect(await owner.enter(user.email, toSend!.code, now)).toHaveProperty('ownershipToken');
  });

  test('comes at once for the first five requests of an account in an hour, and has twelve digits after twenty', async () => {
    const user = await makeUser();
    const now = freshTime();
    const given: { slowDownMs: number; digits: number }[] = [];
    for (let calls = 0; calls < 21; calls++) {
      const { toSend, slowDownMs } = await makeClient().ask(user.email, now);
      given.push({ slowDownMs, digits: toSend!.code.length });
    }
    expect(given.slice(3, 7).map((one) => one.slowDownMs)).toEqual([0, 0, 1000, 2000]);
    expect(given.slice(18).map((one) => one.digits)).toEqual([6, 6, 12]);
    expect((await makeClient().ask(user.email, later(now, 3_600_000))).slowDownMs).toBe(0);
    const relaxed = { email: user.email, clientToken: newToken(), address, now: later(now, 1), limitFactor: 10 };
    expect(await requestSignInCode(store, relaxed)).toMatchObject({
      slowDownMs: 0,
      toSend: { code: expect.stringMatching(/^\d{6}$/) },
    });
  });

  test('is asked for an unknown email with the same answers', async () => {
    const now = freshTime();
    const email = 'nobody@example.test';
    const client = makeClient();
    for (let calls = 0; calls < 5; calls++) {
      expect(await client.ask(email, now)).toEqual({ mailId: null, toSend: null, slowDownMs: 0 });
    }
    await expect(client.ask(email, now)).rejects.toEqual(refusal('tooMany'));
    expect(await makeClient().ask(email, now)).toEqual({ mailId: null, toSend: null, slowDownMs: 1000 });
    await expect(client.enter(email, '123456', now)).rejects.toEqual(refusal('badRequest'));
  });

  test('is limited per client, which is told how long to wait, and no longer than that', async () => {
    const user = await makeUser();
    const now = freshTime();
    const client = makeClient();
    for (let calls = 0; calls < 5; calls++) await client.ask(user.email, later(now, calls * 60_000));
    const sixth = client.ask(user.email, later(now, 5 * 60_000));
    await expect(sixth).rejects.toEqual(refusal('tooMany', { retryAfterSeconds: 600 }));
    await expect(sixth).rejects.toThrow('Try again in 10 minutes.');
    await expect(client.ask(user.email, later(now, 15 * 60_000 - 1))).rejects.toThrow('Try again in 1 second.');
    expect((await client.ask(user.email, later(now, 15 * 60_000))).toSend).not.toBeNull();
  });

  test('is limited per address, ten times as far where limits are relaxed', async () => {
    const now = freshTime();
    const ask = (limitFactor: number) =>
      requestSignInCode(store, {
        email: `${newId()}@example.test`,
        clientToken: newToken(),
        address: '192.0.2.77',
        now,
        limitFactor,
      });
    for (let calls = 0; calls < 60; calls++) await ask(1);
    await expect(ask(1)).rejects.toEqual(refusal('tooMany', { retryAfterSeconds: 900 }));
    expect(await ask(10)).toEqual({ mailId: null, toSend: null, slowDownMs: 0 });
  });

  test('cannot be found by who reads the database', async () => {
    const user = await makeUser();
    const now = freshTime();
    const client = makeClient();
    const code = await client.receive(user.email, now);
    const rows = await store.as(SYSTEM, ({ query }) =>
      query<{ row: string; code_hash: string; client_hash: string }>(
        'select t::text as row, code_hash, client_hash from sign_in_codes t where email = $1',
        [user.email],
      ),
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]!.row).not.toContain(client.clientToken);
    expect(hashCode(rows[0]!.client_hash, code)).not.toBe(rows[0]!.code_hash);
  });

  test('is not made for a user who is disabled', async () => {
    const user = await makeUser({ status: 'Disabled' });
    expect((await makeClient().ask(user.email, freshTime())).toSend).toBeNull();
  });

  test('gives an ownership token that ends after five minutes', async () => {
    const user = await makeUser();
    const now = freshTime();
    const client = makeClient();
    const { ownershipToken } = await client.enter(user.email, await client.receive(user.email, now), now);
    await expect(signIn(store, { ownershipToken, now: later(now, 300_000) })).rejects.toEqual(refusal('unauthorized'));
  });
});

describe('a refresh token', () => {
  test('is followed by one successor, which parallel calls share', async () => {
    const now = freshTime();
    const first = await signedIn(await makeUser(), now);
    const calls = [0, 1, 2, 3].map((step) =>
      rotateRefreshToken(store, { refreshToken: first.refreshToken, now: later(now, 60_000 + step) }),
    );
    const successors = new Set((await Promise.all(calls)).map((session) => session.refreshToken));
    expect(successors.size).toBe(1);
    expect([...successors]).not.toContain(first.refreshToken);
  });

  test('that is reused after ten seconds ends its whole family, and no other', async () => {
    const user = await makeUser();
    const now = freshTime();
    const stolen = await signedIn(user, now);
    const elsewhere = await signedIn(user, now);
    const next = await rotateRefreshToken(store, { refreshToken: stolen.refreshToken, now: later(now, 1000) });
    const reuse = { refreshToken: stolen.refreshToken, now: later(now, 11_001) };
    await expect(rotateRefreshToken(store, reuse)).rejects.toEqual(refusal('unauthorized'));
    expect(await familyLives(store, stolen, later(now, 12_000))).toBe(false);
    await expect(
      rotateRefreshToken(store, { refreshToken: next.refreshToken, now: later(now, 12_000) }),
    ).rejects.toEqual(refusal('unauthorized'));
    expect(await familyLives(store, elsewhere, later(now, 12_000))).toBe(true);
  });

  const HOUR = 3_600_000;
  test.each([
    ['administrator', 12 * HOUR, { type: 'admin', assoc: { admin: true }, managerId: null }],
    ['other user', 720 * HOUR, {}],
  ] as const)('of an %s ends at its time, however often it is refreshed', async (_, lasts, fields) => {
    const now = freshTime();
    const user = await makeUser(fields as Partial<User>);
    let held = await signedIn(user, now);
    for (const part of [0.3, 0.6, 0.9]) {
      const at = later(now, lasts * part);
      held = await rotateRefreshToken(store, { refreshToken: held.refreshToken, now: at });
      expect(held.expiresAt).toEqual(later(now, lasts));
    }
    expect(await familyLives(store, held, later(now, lasts - 1))).toBe(true);
    expect(await familyLives(store, held, later(now, lasts))).toBe(false);
    const ended = rotateRefreshToken(store, { refreshToken: held.refreshToken, now: later(now, lasts) });
    await expect(ended).rejects.toEqual(refusal('unauthorized'));
  });

  test('ends after 30 minutes without a request where the manager asks for it', async () => {
    const strictId = newId();
    await store.as(SYSTEM, async ({ em }) => {
      em.create(Manager, { id: strictId, entityId: addEntity(em, strictId, 'Strict Partners') });
    });
    const user = await makeUser({ managerId: strictId, assoc: { manager: { id: strictId } } });
    const MINUTE = 60_000;
    const now = new Date();
    const before = await signedIn(user, now);
    await store.as(SYSTEM, ({ query }) =>
      query('update managers set ends_idle_sessions = true where id = $1', [strictId]),
    );
    expect(await familyLives(store, before, later(now, 31 * MINUTE))).toBe(false);
    const held = await signedIn(user, now);
    for (const minutes of [29, 58, 87]) {
      expect(await loadSignedInActor(store, held, later(now, minutes * MINUTE))).toMatchObject({ userId: user.id });
    }
    const renewed = await rotateRefreshToken(store, { refreshToken: held.refreshToken, now: later(now, 116 * MINUTE) });
    expect(await familyLives(store, renewed, later(now, 145 * MINUTE))).toBe(true);
    expect(await loadSignedInActor(store, held, later(now, 176 * MINUTE))).toBeNull();
    expect(await familyLives(store, await signedIn(await makeUser(), now), later(now, 31 * MINUTE))).toBe(true);
    await store.as(SYSTEM, ({ query }) =>
      query('update managers set ends_idle_sessions = false where id = $1', [strictId]),
    );
  });

  test('belongs to its user: an access token that names another’s sign-in is good for nothing', async () => {
    const now = freshTime();
    const mine = await signedIn(await makeUser(), now);
    const theirs = await signedIn(await makeUser(), now);
    expect(await familyLives(store, { userId: mine.userId, familyId: mine.familyId }, now)).toBe(true);
    expect(await familyLives(store, { userId: mine.userId, familyId: theirs.familyId }, now)).toBe(false);
  });

  test('never stands in the database', async () => {
    const session = await signedIn(await makeUser(), freshTime());
    const rows = await store.as(SYSTEM, ({ query }) =>
      query<{ row: string }>('select t::text as row from refresh_tokens t'),
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.some(({ row }) => row.includes(session.refreshToken))).toBe(false);
  });

  test('is dropped, the oldest first, beyond 200 of one user', async () => {
    const user = await makeUser();
    const now = freshTime();
    const oldest = await signedIn(user, now);
    let latest = await signedIn(user, later(now, 1));
    await store.as(SYSTEM, ({ query }) =>
      query(
        `insert into refresh_tokens (token_hash, family_id, user_id, successor_salt, signed_in_at, created_at, expires_at)
         select 'filler' || n, lpad(to_hex(n), 24, '0'), $1, '', $2::timestamptz, $2::timestamptz + n * interval '1 ms',
           $2::timestamptz + interval '30 days' from generate_series(2, 199) n`,
        [user.id, now],
      ),
    );
    latest = await signedIn(user, later(now, 5000));
    const [count] = await store.as(SYSTEM, ({ query }) =>
      query<{ n: number }>('select count(*)::int as n from refresh_tokens where user_id = $1', [user.id]),
    );
    expect(count?.n).toBe(MAX_REFRESH_TOKENS_PER_USER);
    expect(await familyLives(store, oldest, later(now, 6000))).toBe(false);
    expect(await familyLives(store, latest, later(now, 6000))).toBe(true);
  });

  test('ends with signing out, and one session can be ended from another', async () => {
    const user = await makeUser();
    const now = freshTime();
    const here = await signedIn(user, now);
    const there = await signedIn(user, later(now, 1000));
    const sessions = await listSessions(store, { userId: user.id, now: later(now, 2000) });
    expect(sessions.map((session) => session.familyId)).toEqual([there.familyId, here.familyId]);
    expect(sessions[0]).toMatchObject({ agent: 'Firefox', lastUsedAt: later(now, 1000) });
    await signOut(store, { refreshToken: here.refreshToken, now: later(now, 2000) });
    await endSession(store, { userId: user.id, familyId: there.familyId, now: later(now, 2000) });
    expect(await listSessions(store, { userId: user.id, now: later(now, 2000) })).toEqual([]);
    const stranger = await signedIn(await makeUser(), now);
    await expect(endSession(store, { userId: user.id, familyId: stranger.familyId, now })).rejects.toEqual(
      refusal('notFound'),
    );
  });
});

describe('the rights of an actor', () => {
  beforeAll(async () => {
    await store.as(SYSTEM, async ({ em }) => {
      for (const [key, allowed] of [
        ['funds/read', ['admin', 'manager', 'LP']],
        ['funds/write', ['admin', 'manager']],
        ['assets/read', ['admin', 'manager', 'company']],
        ['assets/write', ['admin', 'manager', 'company']],
      ] as const) {
        em.create(Permission, { id: newId(), title: key, key, allowed: [...allowed] });
      }
    });
  });

  async function roleWith(permissions: PermissionKey[]): Promise<string> {
    const role = await store.as(SYSTEM, async ({ em }) =>
      em.create(Role, { id: newId(), title: `Role ${newId().slice(12)}`, level: 7, permissions }),
    );
    return role.id;
  }

  test('are the role’s, less the exclusive, plus the inclusive, within what the user type may hold', async () => {
    const roleId = await roleWith(['funds/read', 'funds/write', 'assets/read']);
    const user = await makeUser({
      roleId,
      exclusiveResources: ['funds/read', 'funds/write', 'assets/read'],
      inclusiveResources: ['funds/read'],
    });
    expect(await loadActor(store, user.id)).toMatchObject({
      level: 7,
      managerId,
      assocTitle: 'Harbour Credit Partners',
      permissions: ['funds/read'],
    });
    const companyId = newId();
    await store.as(SYSTEM, async ({ em }) => {
      em.create(Company, { id: companyId, managerId, entityId: addEntity(em, managerId, 'Northwind Consumer Loans') });
    });
    const borrower = await makeUser({
      roleId,
      type: 'company',
      assoc: { company: { id: companyId } },
      companyId,
      inclusiveResources: ['assets/write'],
    });
    expect(await loadActor(store, borrower.id)).toMatchObject({
      companyId,
      assocTitle: 'Northwind Consumer Loans',
      permissions: ['assets/read', 'assets/write'],
    });
  });

  test('reach, for an LP group, its members, which the client may narrow to one of them', async () => {
    const groupId = newId();
    const ids = [newId(), newId(), newId()] as const;
    await store.as(SYSTEM, async ({ em }) => {
      em.create(LPGroup, { id: groupId, managerId, title: 'Pensions' });
      for (const [index, id] of ids.entries()) {
        const title = `Pension ${index}`;
        em.create(LP, {
          id,
          managerId,
          title,
          entityId: addEntity(em, managerId, title),
          groupId: index < 2 ? groupId : null,
        });
      }
    });
    const user = await makeUser({ type: 'LPGroup', assoc: { LPGroup: { id: groupId } } });
    expect((await loadActor(store, user.id))?.lpIds).toEqual([ids[0], ids[1]]);
    expect((await loadActor(store, user.id, { lpId: ids[1] }))?.lpIds).toEqual([ids[1]]);
    await expect(loadActor(store, user.id, { lpId: ids[2] ?? '' })).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('X-LP-Id'),
    });
  });

  test('are nobody’s where the tenant is another’s or the user is gone', async () => {
    const user = await makeUser();
    await expect(loadActor(store, user.id, { managerId: newId() })).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('X-Manager-Id'),
    });
    expect(await loadActor(store, user.id, { managerId })).toMatchObject({ managerId });
    expect(await loadActor(store, newId())).toBeNull();
    const gone = await makeUser({ status: 'Removed' });
    expect(await loadActor(store, gone.id)).toBeNull();
  });

  test('let an admin choose a tenant, or none', async () => {
    const admin = await makeUser({ type: 'admin', assoc: { admin: true }, managerId: null });
    expect(await loadActor(store, admin.id)).toMatchObject({ managerId: null, type: 'admin' });
    expect(await loadActor(store, admin.id, { managerId })).toMatchObject({ managerId });
    await expect(loadActor(store, admin.id, { managerId: newId() })).rejects.toMatchObject({
      code: 'badRequest',
      message: 'X-Manager-Id is not the id of a manager',
    });
  });
});
