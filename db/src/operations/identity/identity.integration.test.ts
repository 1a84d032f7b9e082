import type { PermissionKey } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Company, LP, Manager, Permission, Role, User } from '../../entities/people.ts';
import { newId } from '../../ids.ts';
import { type Store, SYSTEM } from '../../store.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { loadActor } from './load-actor.ts';
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
    em.create(Manager, { id: managerId, entity: { name: 'Harbour Credit Partners' } });
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
/** Each test has an hour of its own, so that limits of one do not reach another. */
const freshTime = () => new Date(Date.UTC(2026, 0, 1) + 3_600_000 * ++minute);
const later = (from: Date, ms: number) => new Date(from.getTime() + ms);
const address = '203.0.113.7';

async function signedIn(user: User, now: Date) {
  const sent = await requestSignInCode(store, { email: user.email, address, now });
  const { ownershipToken } = await verifySignInCode(store, { email: user.email, code: sent!.code, address, now });
  return signIn(store, { ownershipToken, now, agent: 'Firefox' });
}

const refusal = (code: string) => expect.objectContaining({ name: 'Refusal', code });

describe('a sign-in code', () => {
  test('opens a session for the user it was made for, once', async () => {
    const user = await makeUser();
    const now = freshTime();
    const sent = await requestSignInCode(store, { email: ` ${user.email.toUpperCase()} `, address, now });
    expect(sent).toMatchObject({ email: user.email, firstName: 'Ann', code: expect.stringMatching(/^\d{6}$/) });
    const { ownershipToken } = await verifySignInCode(store, { email: user.email, code: sent!.code, address, now });
    await expect(verifySignInCode(store, { email: user.email, code: sent!.code, address, now })).rejects.toEqual(
      refusal('badRequest'),
    );
    const session = await signIn(store, { ownershipToken, now });
    expect(session.userId).toBe(user.id);
    await expect(signIn(store, { ownershipToken, now })).rejects.toEqual(refusal('unauthorized'));
  });

  test('ends after five wrong tries, even for the right code', async () => {
    const user = await makeUser();
    const now = freshTime();
    const sent = await requestSignInCode(store, { email: user.email, address, now });
    const wrong = sent!.code === '000000' ? '000001' : '000000';
    for (let tries = 0; tries < 5; tries++) {
      await expect(verifySignInCode(store, { email: user.email, code: wrong, address, now })).rejects.toEqual(
        refusal('badRequest'),
      );
    }
    await expect(verifySignInCode(store, { email: user.email, code: sent!.code, address, now })).rejects.toEqual(
      refusal('badRequest'),
    );
  });

  test('is right on the fifth try', async () => {
    const user = await makeUser();
    const now = freshTime();
    const sent = await requestSignInCode(store, { email: user.email, address, now });
    const wrong = sent!.code === '000000' ? '000001' : '000000';
    for (let tries = 0; tries < 4; tries++) {
      await verifySignInCode(store, { email: user.email, code: wrong, address, now }).catch(() => undefined);
    }
    const answer = await verifySignInCode(store, { email: user.email, code: sent!.code, address, now });
    expect(answer.ownershipToken).toHaveLength(43);
  });

  test('ends after ten minutes, and when a newer one is made', async () => {
    const user = await makeUser();
    const now = freshTime();
    const first = await requestSignInCode(store, { email: user.email, address, now });
    const tooLate = { email: user.email, code: first!.code, address, now: later(now, 600_000) };
    await expect(verifySignInCode(store, tooLate)).rejects.toEqual(refusal('badRequest'));
    const second = await requestSignInCode(store, { email: user.email, address, now: later(now, 1000) });
    if (first!.code !== second!.code) {
      await expect(
        verifySignInCode(store, { email: user.email, code: first!.code, address, now: later(now, 2000) }),
      ).rejects.toEqual(refusal('badRequest'));
    }
    const inTime = { email: user.email, code: second!.code, address, now: later(now, 3000) };
    expect(await verifySignInCode(store, inTime)).toHaveProperty('ownershipToken');
  });

  test('is asked for an unknown email with the same refusal and the same count of calls', async () => {
    const now = freshTime();
    const email = 'nobody@example.test';
    for (let calls = 0; calls < 5; calls++) {
      expect(await requestSignInCode(store, { email, address, now })).toBeNull();
    }
    await expect(requestSignInCode(store, { email, address, now })).rejects.toEqual(refusal('tooMany'));
    await expect(verifySignInCode(store, { email, code: '123456', address, now })).rejects.toEqual(
      refusal('badRequest'),
    );
  });

  test('is limited per account whatever the address, until the window has passed', async () => {
    const user = await makeUser();
    const now = freshTime();
    for (let calls = 0; calls < 5; calls++) {
      await requestSignInCode(store, { email: user.email, address: `203.0.113.${calls}`, now });
    }
    const sixth = { email: user.email, address: '203.0.113.99', now };
    await expect(requestSignInCode(store, sixth)).rejects.toEqual(refusal('tooMany'));
    expect(await requestSignInCode(store, { ...sixth, now: later(now, 15 * 60_000) })).not.toBeNull();
  });

  test('is not made for a user who is disabled', async () => {
    const user = await makeUser({ status: 'Disabled' });
    expect(await requestSignInCode(store, { email: user.email, address, now: freshTime() })).toBeNull();
  });

  test('gives an ownership token that ends after five minutes', async () => {
    const user = await makeUser();
    const now = freshTime();
    const sent = await requestSignInCode(store, { email: user.email, address, now });
    const { ownershipToken } = await verifySignInCode(store, { email: user.email, code: sent!.code, address, now });
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
    expect(await familyLives(store, stolen.familyId, later(now, 12_000))).toBe(false);
    await expect(
      rotateRefreshToken(store, { refreshToken: next.refreshToken, now: later(now, 12_000) }),
    ).rejects.toEqual(refusal('unauthorized'));
    expect(await familyLives(store, elsewhere.familyId, later(now, 12_000))).toBe(true);
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
    expect(await familyLives(store, oldest.familyId, later(now, 6000))).toBe(false);
    expect(await familyLives(store, latest.familyId, later(now, 6000))).toBe(true);
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
      exclusiveResources: ['funds', 'assets/read'],
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
      em.create(Company, { id: companyId, managerId, entity: { name: 'Northwind Consumer Loans' } });
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
      for (const [index, id] of ids.entries()) {
        const title = `Pension ${index}`;
        em.create(LP, { id, managerId, title, entity: { name: title }, groupId: index < 2 ? groupId : null });
      }
    });
    const user = await makeUser({ type: 'LPGroup', assoc: { LPGroup: { id: groupId } } });
    expect((await loadActor(store, user.id))?.lpIds).toEqual([ids[0], ids[1]]);
    expect((await loadActor(store, user.id, { lpId: ids[1] }))?.lpIds).toEqual([ids[1]]);
    expect(await loadActor(store, user.id, { lpId: ids[2] })).toBeNull();
  });

  test('are nobody’s where the tenant is another’s or the user is gone', async () => {
    const user = await makeUser();
    expect(await loadActor(store, user.id, { managerId: newId() })).toBeNull();
    expect(await loadActor(store, newId())).toBeNull();
    const gone = await makeUser({ status: 'Removed' });
    expect(await loadActor(store, gone.id)).toBeNull();
  });

  test('let an admin choose a tenant, or none', async () => {
    const admin = await makeUser({ type: 'admin', assoc: { admin: true }, managerId: null });
    expect(await loadActor(store, admin.id)).toMatchObject({ managerId: null, type: 'admin' });
    expect(await loadActor(store, admin.id, { managerId })).toMatchObject({ managerId });
    expect(await loadActor(store, admin.id, { managerId: newId() })).toBeNull();
  });
});
