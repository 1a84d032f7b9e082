import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { RefreshToken } from '../../entities/identity.ts';
import { User } from '../../entities/people.ts';
import { newId } from '../../ids.ts';
import { type CallOrigin, type Session, type Store, SYSTEM } from '../../store.ts';
import { hashToken, newSalt, newToken, successorOf } from './secrets.ts';

const DAY_MS = 86_400_000;
export const REFRESH_TOKEN_LIFETIME_MS = 30 * DAY_MS;
/** Within this time parallel calls with one token get the same successor. */
export const ROTATION_GRACE_MS = 10_000;
export const MAX_REFRESH_TOKENS_PER_USER = 200;

export interface SignedIn {
  userId: string;
  /** One sign-in; ends by signing out, by expiry, or by the reuse of an old token. */
  familyId: string;
  /** For the httpOnly cookie; only its hash is stored. */
  refreshToken: string;
  expiresAt: Date;
}

const signInAgain = () => new Refusal('unauthorized', 'Please sign in first');

interface TokenRow {
  token_hash: string;
  family_id: string;
  user_id: string;
  successor_salt: string;
  agent: string | null;
  // Plain SQL gives instants as text.
  signed_in_at: string;
  rotated_at: string | null;
}

interface NewToken {
  token: string;
  familyId: string;
  userId: string;
  signedInAt: Date;
}

/** Stores the token's hash and keeps the user's list at its limit, the oldest dropped. */
async function keepToken(session: Session, made: NewToken, origin: CallOrigin): Promise<SignedIn> {
  const expiresAt = new Date(session.now.getTime() + REFRESH_TOKEN_LIFETIME_MS);
  // One at a time for a user: two that sign in at once must not each leave the list one too long.
  await session.query('select 1 from users where id = $1 for no key update', [made.userId]);
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
  await session.query(
    `delete from refresh_tokens where user_id = $1 and (expires_at <= $2 or token_hash in (
       select token_hash from refresh_tokens where user_id = $1
       order by rotated_at is null desc, created_at desc, token_hash offset $3))`,
    [made.userId, session.now, MAX_REFRESH_TOKENS_PER_USER],
  );
  return { userId: made.userId, familyId: made.familyId, refreshToken: made.token, expiresAt };
}

/** Opens a session for a user who has proved who they are, within the caller's transaction. */
export function openSession(session: Session, userId: string, origin: CallOrigin): Promise<SignedIn> {
  const family = { token: newToken(), familyId: newId(session.now), userId, signedInAt: session.now };
  return keepToken(session, family, origin);
}

/**
 * Signs in with an ownership token, which is used up by it.
 * @throws Refusal unauthorized for a token that is unknown, used or expired, or whose user is not active
 */
export async function signIn(
  store: Store,
  command: { ownershipToken: string; now: Date } & CallOrigin,
): Promise<SignedIn> {
  return store.as(
    SYSTEM,
    async (session) => {
      const [owned] = await session.query<{ user_id: string | null }>(
        `update ownership_tokens set used_at = $2
         where token_hash = $1 and used_at is null and expires_at > $2 returning user_id`,
        [hashToken(command.ownershipToken), command.now],
      );
      const user = owned?.user_id ? await session.em.findOne(User, { id: owned.user_id, status: 'Active' }) : null;
      if (!user) throw signInAgain();
      user.lastVisited = command.now;
      return openSession(session, user.id, command);
    },
    { now: command.now },
  );
}

/**
 * Exchanges a refresh token for its successor. Parallel calls within 10 seconds get the same one; an older token that
 * comes back means that it was copied, and ends the whole family.
 * @throws Refusal unauthorized where the token is unknown, expired or reused, or its user is not active
 */
export async function rotateRefreshToken(
  store: Store,
  command: { refreshToken: string; now: Date } & CallOrigin,
): Promise<SignedIn> {
  // Refusing after the transaction, not within: ending a family must last.
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
        return keepToken(session, family, { ...command, agent: command.agent ?? row.agent });
      }
      if (command.now.getTime() - Date.parse(row.rotated_at) <= ROTATION_GRACE_MS) {
        const [successor] = await session.query<{ expires_at: string }>(
          'select expires_at from refresh_tokens where token_hash = $1',
          [hashToken(token)],
        );
        if (!successor) return null;
        const { userId, familyId } = family;
        return { userId, familyId, refreshToken: token, expiresAt: new Date(successor.expires_at) };
      }
      await session.query('delete from refresh_tokens where family_id = $1', [row.family_id]);
      return null;
    },
    { now: command.now },
  );
  if (!rotated) throw signInAgain();
  return rotated;
}

/** Ends the session that the token belongs to; quietly where there is none. */
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

/** Whether the sign-in still stands: an access token names its family, and must not outlive it. */
export async function familyLives(store: Store, familyId: string, now: Date): Promise<boolean> {
  const rows = await store.as(
    SYSTEM,
    (session) =>
      session.query('select 1 from refresh_tokens where family_id = $1 and expires_at > $2 limit 1', [familyId, now]),
    { now },
  );
  return rows.length > 0;
}

/** One sign-in of a user, as the account page lists them. */
export interface SessionEntry {
  familyId: string;
  agent: string | null | undefined;
  ip: string | null | undefined;
  signedInAt: Date;
  lastUsedAt: Date;
  expiresAt: Date;
}

/** The user's open sign-ins, the latest used first. */
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

/** Ends one of the user's sign-ins. @throws Refusal notFound where it is not theirs. */
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
