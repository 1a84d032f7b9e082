import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { SESSION_LIMITS } from '@tapeline/domain/identity/session-limits.ts';
import type { CallOrigin } from '../../changed-by.ts';
import { RefreshToken } from '../../entities/identity.ts';
import { newId } from '../../ids.ts';
import { type Session, type Store, SYSTEM } from '../../store.ts';
import { hashToken, newSalt, newToken, successorOf } from './secrets.ts';

/** Parallel calls with one token within this time get the same successor. */
export const ROTATION_GRACE_MS = 10_000;
export const MAX_REFRESH_TOKENS_PER_USER = 200;

export interface SignedIn {
  userId: string;
  /** One sign-in; ends when the user signs out, when it expires, or when an old token is reused. */
  familyId: string;
  /** For the httpOnly cookie; only its hash is stored. */
  refreshToken: string;
  /** When the sign-in ends at the latest, however often it is refreshed. */
  expiresAt: Date;
}

export const signInAgain = () => new Refusal('unauthorized', 'Please sign in first');

interface TokenRow {
  token_hash: string;
  family_id: string;
  user_id: string;
  successor_salt: string;
  agent: string | null;
  // Plain SQL returns instants as text.
  signed_in_at: string;
  rotated_at: string | null;
}

interface NewToken {
  token: string;
  familyId: string;
  userId: string;
  signedInAt: Date;
}

/** Stores the token's hash and limits the user's list by dropping the oldest. */
async function keepToken(session: Session, made: NewToken, origin: CallOrigin): Promise<SignedIn> {
  // Serialized for each user: two concurrent sign-ins must not exceed the limit by one.
  const [ends] = await session.query<{ now: string; last: string }>(
    `select sign_in_ends(id, $2, $3) as now, sign_in_ends(id, $2, 'infinity') as last
     from users where id = $1 for no key update`,
    [made.userId, made.signedInAt, session.now],
  );
  if (!ends) throw signInAgain();
  const expiresAt = new Date(ends.now);
  session.em.create(RefreshToken, {
    tokenHash: hashToken(made.token),
    familyId: made.familyId,
    userId: made.userId,
    successorSalt: newSalt(),
    agent: origin.agent?.slice(0, 300) ?? null,
    ip: origin.ip ?? null,
    signedInAt: made.signedInAt,
    createdAt: session.now,
    expiresAt,
  });
  await session.em.flush();
  // Older tokens of the sign-in end with it: as long as they are stored, a reuse is noticed.
  await session.query('update refresh_tokens set expires_at = $2 where family_id = $1 and expires_at < $2', [
    made.familyId,
    expiresAt,
  ]);
  await session.query(
    `delete from refresh_tokens where user_id = $1 and (expires_at <= $2 or token_hash in (
       select token_hash from refresh_tokens where user_id = $1
       order by rotated_at is null desc, created_at desc, token_hash offset $3))`,
    [made.userId, session.now, MAX_REFRESH_TOKENS_PER_USER],
  );
  return { userId: made.userId, familyId: made.familyId, refreshToken: made.token, expiresAt: new Date(ends.last) };
}

/** Makes an invited user Active who has proved that the email is theirs. They confirm their details next. */
export async function activateInvited(session: Session, userId: string): Promise<void> {
  await session.query(
    `update users set status = 'Active', version = version + 1 where id = $1 and status = 'Pending'`,
    [userId],
  );
  await session.query('delete from magic_links where user_id = $1', [userId]);
}

/**
 * Opens a session for a user who has proved who they are, within the caller's transaction.
 * @throws Refusal unauthorized if the user is not active
 */
export async function openSession(session: Session, userId: string, origin: CallOrigin): Promise<SignedIn> {
  // Plain SQL: a visit is not a change of the document, so its version stays the same.
  const active = await session.query(
    `update users set last_visited = $2 where id = $1 and status = 'Active' returning 1`,
    [userId, session.now],
  );
  if (active.length === 0) throw signInAgain();
  return keepToken(
    session,
    { token: newToken(), familyId: newId(session.now), userId, signedInAt: session.now },
    origin,
  );
}

/**
 * Consumes an ownership token and returns its user.
 * @throws Refusal unauthorized if it is unknown, used or expired
 */
export async function useOwnershipToken(session: Session, ownershipToken: string): Promise<string> {
  const [owned] = await session.query<{ user_id: string | null }>(
    `update ownership_tokens set used_at = $2
     where token_hash = $1 and used_at is null and expires_at > $2 returning user_id`,
    [hashToken(ownershipToken), session.now],
  );
  if (!owned?.user_id) throw signInAgain();
  return owned.user_id;
}

/**
 * Signs in with an ownership token and consumes it.
 * @throws Refusal unauthorized if the token is unknown, used or expired, or its user cannot sign in; badRequest if its
 *   user is invited and has to sign up first, in which case the token stays valid
 */
export async function signIn(
  store: Store,
  command: { ownershipToken: string; now: Date } & CallOrigin,
): Promise<SignedIn> {
  return store.as(
    SYSTEM,
    async (session) => {
      const userId = await useOwnershipToken(session, command.ownershipToken);
      const [invited] = await session.query(`select 1 from users where id = $1 and status = 'Pending'`, [userId]);
      if (invited) {
        throw new Refusal('badRequest', 'Sign up first', {
          flags: { ownershipToken: 'belongs to an invited user who has not signed up' },
        });
      }
      return openSession(session, userId, command);
    },
    { now: command.now },
  );
}

/**
 * Exchanges a refresh token for its successor. Parallel calls within 10 seconds get the same one. Reuse of an older
 * token means that it was copied, ends the whole family, and is reported to `onReuse`.
 * @throws Refusal unauthorized if the token is unknown, expired or reused, or its user is not active
 */
export async function rotateRefreshToken(
  store: Store,
  command: {
    refreshToken: string;
    now: Date;
    onReuse?: (ended: { userId: string; familyId: string }) => void;
  } & CallOrigin,
): Promise<SignedIn> {
  // Throw the refusal after the transaction, not within it: ending a family must not be rolled back.
  const rotated = await store.as(
    SYSTEM,
    async (session) => {
      const [row] = await session.query<TokenRow>(
        `select t.* from refresh_tokens t join users u on u.id = t.user_id
         where t.token_hash = $1 and t.expires_at > $2 and u.status = 'Active' for update of t`,
        [hashToken(command.refreshToken), command.now],
      );
      if (!row) return null;
      const token = successorOf(command.refreshToken, row.successor_salt);
      const family = { token, familyId: row.family_id, userId: row.user_id, signedInAt: new Date(row.signed_in_at) };
      if (row.rotated_at === null) {
        await session.query('update refresh_tokens set rotated_at = $2 where token_hash = $1', [
          row.token_hash,
          command.now,
        ]);
        // A client that is in use renews its token every ten minutes, which is how exact the last visit is.
        await session.query('update users set last_visited = $2 where id = $1', [row.user_id, command.now]);
        return keepToken(session, family, { ...command, agent: command.agent ?? row.agent });
      }
      if (command.now.getTime() - Date.parse(row.rotated_at) <= ROTATION_GRACE_MS) {
        const [successor] = await session.query<{ expires_at: string }>(
          `select sign_in_ends(user_id, signed_in_at, 'infinity') as expires_at from refresh_tokens where token_hash = $1`,
          [hashToken(token)],
        );
        if (!successor) return null;
        const { userId, familyId } = family;
        return { userId, familyId, refreshToken: token, expiresAt: new Date(successor.expires_at) };
      }
      await session.query('delete from refresh_tokens where family_id = $1', [row.family_id]);
      command.onReuse?.({ userId: row.user_id, familyId: row.family_id });
      return null;
    },
    { now: command.now },
  );
  if (!rotated) throw signInAgain();
  return rotated;
}

/** Ends the session that the token belongs to; does nothing if there is none. */
export async function signOut(store: Store, command: { refreshToken: string; now: Date }): Promise<void> {
  await store.as(
    SYSTEM,
    (session) =>
      session.query(
        'delete from refresh_tokens where family_id = (select family_id from refresh_tokens where token_hash = $1)',
        [hashToken(command.refreshToken)],
      ),
    { now: command.now },
  );
}

/**
 * Whether the user's sign-in is still open. An access token contains both ids, and must not outlive the sign-in. Asking
 * counts as a use of it.
 */
export async function familyLives(
  store: Store,
  signIn: { userId: string; familyId: string },
  now: Date,
): Promise<boolean> {
  const [open] = await store.read(SYSTEM, (session) =>
    session.query<{ expires_at: string }>(
      'select max(expires_at) as expires_at from refresh_tokens where family_id = $1 and user_id = $2 and expires_at > $3 having count(*) > 0',
      [signIn.familyId, signIn.userId, now],
      { kept: true },
    ),
  );
  if (!open) return false;
  await keepFromIdleness(store, { ...signIn, expiresAt: new Date(open.expires_at) }, now);
  return true;
}

const MINUTE_MS = 60_000;

/**
 * Notes that a sign-in is used that ends when it is idle: at most once a minute. One that ends later than the time of
 * idleness does not need it.
 */
export async function keepFromIdleness(
  store: Store,
  { familyId, expiresAt }: { familyId: string; expiresAt: Date },
  now: Date,
): Promise<void> {
  if (expiresAt.getTime() > now.getTime() + (SESSION_LIMITS.idleMinutes - 1) * MINUTE_MS) return;
  await store.as(
    SYSTEM,
    (session) =>
      session.query(
        `update refresh_tokens set expires_at = sign_in_ends(user_id, signed_in_at, $2)
         where family_id = $1 and expires_at > $2 and expires_at < sign_in_ends(user_id, signed_in_at, $2)`,
        [familyId, now],
      ),
    { now },
  );
}

/** Those of these sign-ins that are still open. */
export async function livingFamilies(store: Store, familyIds: readonly string[], now: Date): Promise<Set<string>> {
  if (familyIds.length === 0) return new Set();
  const rows = await store.read(SYSTEM, (session) =>
    session.query<{ id: string }>(
      'select distinct family_id as id from refresh_tokens where family_id = any ($1) and expires_at > $2',
      [familyIds, now],
    ),
  );
  return new Set(rows.map(({ id }) => id));
}

/** One sign-in of a user, as listed on the account page. */
export interface SessionEntry {
  familyId: string;
  agent: string | null | undefined;
  ip: string | null | undefined;
  signedInAt: Date;
  lastUsedAt: Date;
  expiresAt: Date;
}

/** The user's open sign-ins, most recently used first. */
export async function listSessions(store: Store, command: { userId: string; now: Date }): Promise<SessionEntry[]> {
  const tokens = await store.as(SYSTEM, ({ em }) =>
    em.find(
      RefreshToken,
      { userId: command.userId, expiresAt: { $gt: command.now } },
      { orderBy: { createdAt: 'desc' } },
    ),
  );
  const byFamily = new Map<string, SessionEntry>();
  for (const { familyId, agent, ip, signedInAt, createdAt, expiresAt } of tokens) {
    if (byFamily.has(familyId)) continue;
    byFamily.set(familyId, { familyId, agent, ip, signedInAt, lastUsedAt: createdAt, expiresAt });
  }
  return [...byFamily.values()];
}

/** Ends all of the user's sign-ins. @returns how many there were */
export async function endEverySession(store: Store, command: { userId: string }): Promise<number> {
  const ended = await store.as(SYSTEM, (session) =>
    session.query<{ family_id: string }>('delete from refresh_tokens where user_id = $1 returning family_id', [
      command.userId,
    ]),
  );
  return new Set(ended.map((row) => row.family_id)).size;
}

/** Ends one of the user's sign-ins. @throws Refusal notFound if it belongs to another user */
export async function endSession(
  store: Store,
  command: { userId: string; familyId: string; now: Date },
): Promise<void> {
  const ended = await store.as(SYSTEM, (session) =>
    session.query('delete from refresh_tokens where user_id = $1 and family_id = $2 returning 1', [
      command.userId,
      command.familyId,
    ]),
  );
  if (ended.length === 0) throw new Refusal('notFound');
}
