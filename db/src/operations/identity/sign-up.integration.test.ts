import { afterAll, beforeAll, expect, test } from 'vitest';
import { Manager, User } from '../../entities/people.ts';
import { newId } from '../../ids.ts';
import { type Store, SYSTEM } from '../../store.ts';
import { countStatements } from '../../testing/count-statements.ts';
import { addEntity } from '../../testing/entities.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { loadActor } from './load-actor.ts';
import { createMagicLink, findMagicLink } from './magic-links.ts';
import { acceptPrivacyAndTerms, confirmUserDetails, updateProfile } from './profile.ts';
import { confirmRecoveryEmail, removeRecoveryEmail, requestRecoveryCode } from './recovery-email.ts';
import { newToken } from './secrets.ts';
import { endEverySession, listSessions, openSession, rotateRefreshToken, signIn } from './sessions.ts';
import { requestSignInCode, verifySignInCode } from './sign-in-codes.ts';
import { findInvitation, signUp } from './sign-up.ts';

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
      ...fields,
    }),
  );
}
const read = (id: string) => store.as(SYSTEM, ({ em }) => em.findOneOrFail(User, { id }));
const actorOf = async (user: User) => (await loadActor(store, user.id))!;

const now = new Date('2026-05-01T09:00:00Z');
const later = (ms: number) => new Date(now.getTime() + ms);
const MINUTE_MS = 60_000;
const refusal = (code: string) => expect.objectContaining({ name: 'Refusal', code });
const details = { firstName: 'Anna', lastName: 'Bayer', phoneNumber: '442079460018' };

function makeClient() {
  const base = { clientToken: newToken(), address: '203.0.113.9', now };
  return {
    ...base,
    ask: (email: string) => requestSignInCode(store, { ...base, email }),
    enter: (email: string, code: string) => verifySignInCode(store, { ...base, email, code }),
  };
}

async function proveOwnership(email: string): Promise<string> {
  const client = makeClient();
  const { toSend } = await client.ask(email);
  return (await client.enter(email, toSend!.code)).ownershipToken;
}

test('an invited user signs up with the proof of their email, once', async () => {
  const user = await makeUser({ status: 'Pending' });
  const ownershipToken = await proveOwnership(user.email);
  expect(await findInvitation(store, { ownershipToken, now })).toMatchObject({ email: user.email, firstName: 'Ann' });
  // Signing in does not work yet, and leaves the token valid.
  await expect(signIn(store, { ownershipToken, now })).rejects.toThrow('Sign up first');
  const signedIn = await signUp(store, { ownershipToken, details, now });
  expect(signedIn.userId).toBe(user.id);
  expect(await read(user.id)).toMatchObject({
    ...details,
    status: 'Active',
    type: 'manager',
    isConfirmedUserDetails: true,
    isReadPrivacyAndTerms: false,
    lastVisited: now,
  });
  await expect(signUp(store, { ownershipToken, details, now })).rejects.toEqual(refusal('unauthorized'));
  expect(await findInvitation(store, { ownershipToken, now })).toBeNull();
});

test('nobody else signs up: not an Active or Disabled user, and not after five minutes', async () => {
  const active = await makeUser();
  const proof = await proveOwnership(active.email);
  await expect(signUp(store, { ownershipToken: proof, details, now })).rejects.toThrow('already signed up');
  expect((await signIn(store, { ownershipToken: proof, now })).userId).toBe(active.id);
  const late = await proveOwnership((await makeUser({ status: 'Pending' })).email);
  const atFive = { ownershipToken: late, details, now: later(5 * MINUTE_MS) };
  await expect(signUp(store, atFive)).rejects.toEqual(refusal('unauthorized'));
  const leaver = await makeUser({ status: 'Pending' });
  const theirs = await proveOwnership(leaver.email);
  await store.as(SYSTEM, ({ query }) => query(`update users set status = 'Disabled' where id = $1`, [leaver.id]));
  await expect(signUp(store, { ownershipToken: theirs, details, now })).rejects.toEqual(refusal('unauthorized'));
});

test('signing up ends the magic link of the invitation', async () => {
  const user = await makeUser({ status: 'Pending' });
  const sender = { ...(await actorOf(await makeUser())), permissions: ['users/write'] as const };
  const { token: magicToken } = await createMagicLink(store, sender, { userId: user.id, now });
  await signUp(store, { ownershipToken: await proveOwnership(user.email), details, now });
  expect(await findMagicLink(store, { magicToken, now })).toBeNull();
});

test('a known, an invited, a disabled and an unknown email take the same statements', async () => {
  const emails = [
    (await makeUser()).email,
    (await makeUser({ status: 'Pending' })).email,
    (await makeUser({ status: 'Disabled' })).email,
    'nobody@example.test',
  ];
  const counts: number[] = [];
  for (const email of emails) counts.push(await countStatements(() => makeClient().ask(email)));
  expect(new Set(counts).size).toBe(1);
});

test('what remains before anything else opens is known of the actor, and ends by accepting and confirming', async () => {
  const user = await makeUser();
  const actor = await actorOf(user);
  expect(actor.onboarding).toEqual(['privacyAndTerms', 'userDetails']);
  await acceptPrivacyAndTerms(store, actor, {});
  expect((await actorOf(user)).onboarding).toEqual(['userDetails']);
  await confirmUserDetails(store, actor, { details: { lastName: 'Bayer' }, origin: {} });
  expect((await actorOf(user)).onboarding).toEqual([]);
  expect(await read(user.id)).toMatchObject({ firstName: 'Ann', lastName: 'Bayer' });
});

test('people change their own details, recorded as theirs, unless someone else was faster', async () => {
  const user = await makeUser();
  const actor = await actorOf(user);
  const change = (version: number) => updateProfile(store, actor, { details, version, origin: { ip: '192.0.2.1' } });
  const changed = await change(user.version);
  expect(changed).toMatchObject(details);
  await expect(change(user.version)).rejects.toThrow('Someone else has changed this');
  const changes = await store.as(SYSTEM, ({ query }) =>
    query<{ by: { ip: string; entity: { id: string } } }>(
      `select changed_by as by from history where document_id = $1 and operation = 'Update'`,
      [user.id],
    ),
  );
  expect(changes.map(({ by }) => [by.ip, by.entity.id])).toEqual([['192.0.2.1', user.id]]);
});

test('a recovery email signs in only after its code was entered, and no longer once it is removed', async () => {
  const user = await makeUser();
  const actor = await actorOf(user);
  const email = `spare-${user.id}@example.test`;
  expect((await makeClient().ask(email)).toSend).toBeNull();
  const own = makeClient();
  await expect(requestRecoveryCode(store, { ...own, email: user.email, userId: user.id })).rejects.toEqual(
    refusal('badRequest'),
  );
  const { toSend } = await requestRecoveryCode(store, { ...own, email, userId: user.id });
  expect(toSend).toMatchObject({ email, firstName: 'Ann' });
  const code = toSend!.code;
  const wrong = code === '000000' ? '000001' : '000000';
  const confirm = (entered: string, by = actor) =>
    confirmRecoveryEmail(store, by, { ...own, email, code: entered, origin: {} });
  await expect(confirm(wrong)).rejects.toEqual(refusal('badRequest'));
  // The code confirms an address. It does not sign in, and is of no use to another user.
  await expect(own.enter(email, code)).rejects.toEqual(refusal('badRequest'));
  await confirm(code);
  expect(await read(user.id)).toMatchObject({ recoveryEmail: email, confirmedRecoveryEmail: email });

  const ownershipToken = await proveOwnership(email);
  expect((await signIn(store, { ownershipToken, now })).userId).toBe(user.id);

  const spare = await proveOwnership(email);
  await removeRecoveryEmail(store, actor, {});
  await expect(signIn(store, { ownershipToken: spare, now })).rejects.toEqual(refusal('unauthorized'));
  expect((await makeClient().ask(email)).toSend).toBeNull();
});

test('a recovery email is confirmed by its own user only, belongs to one account, and yields to an account of its own', async () => {
  const [one, two] = [await makeUser(), await makeUser()];
  const email = `shared-${one.id}@example.test`;
  const confirm = async (requester: User, confirmer: User) => {
    const client = makeClient();
    const { toSend } = await requestRecoveryCode(store, { ...client, email, userId: requester.id });
    const entry = { ...client, email, code: toSend!.code, origin: {} };
    return confirmRecoveryEmail(store, await actorOf(confirmer), entry);
  };
  await expect(confirm(one, two)).rejects.toThrow('wrong or no longer valid');
  await confirm(one, one);
  await expect(confirm(two, two)).rejects.toThrow('another account');
  const owner = await makeUser({ email });
  expect((await signIn(store, { ownershipToken: await proveOwnership(email), now })).userId).toBe(owner.id);
});

test('a recovery email that someone else has set is not confirmed', async () => {
  const user = await makeUser();
  const set = (address: string) =>
    store.as(SYSTEM, ({ query }) => query('update users set recovery_email = $2 where id = $1', [user.id, address]));
  await set('set-by-admin@example.test');
  expect((await makeClient().ask('set-by-admin@example.test')).toSend).toBeNull();
});

test('the last visit follows the use of a session, without changing the document', async () => {
  const user = await makeUser();
  const first = await store.as(SYSTEM, (session) => openSession(session, user.id, {}), { now });
  expect(await read(user.id)).toMatchObject({ lastVisited: now, version: user.version });
  await rotateRefreshToken(store, { refreshToken: first.refreshToken, now: later(10 * MINUTE_MS) });
  expect(await read(user.id)).toMatchObject({ lastVisited: later(10 * MINUTE_MS), version: user.version });
  const recorded = await store.as(SYSTEM, ({ query }) =>
    query(`select 1 from history where document_id = $1 and operation = 'Update'`, [user.id]),
  );
  expect(recorded).toEqual([]);
});

test('signing out everywhere ends all sessions of the user and no others', async () => {
  const [user, other] = [await makeUser(), await makeUser()];
  for (const { id } of [user, user, other]) await store.as(SYSTEM, (session) => openSession(session, id, {}), { now });
  expect(await endEverySession(store, { userId: user.id })).toBe(2);
  expect(await listSessions(store, { userId: user.id, now })).toEqual([]);
  expect(await listSessions(store, { userId: other.id, now })).toHaveLength(1);
});
