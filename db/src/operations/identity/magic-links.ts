import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { ROLE_LEVELS } from '@tapeline/domain/people/role.schema.ts';
import type { CallOrigin } from '../../changed-by.ts';
import { MagicLink } from '../../entities/identity.ts';
import { newId } from '../../ids.ts';
import type { ReadSession } from '../../read-session.ts';
import { type Session, type Store, SYSTEM } from '../../store.ts';
import { requirePermission } from '../permission.ts';
import { getUser } from '../users/users.ts';
import { countLimitedCall } from './limits.ts';
import { hashToken, newToken } from './secrets.ts';
import { activateInvited, openSession, type SignedIn, signInAgain } from './sessions.ts';

const HOUR_MS = 3_600_000;
const LINK_LIFETIME_DAYS = 7;

/** No recipient gets more than five links an hour, and no sender sends more than three hundred. */
const PER_RECIPIENT = { calls: 5, windowMs: HOUR_MS };
const PER_SENDER = { calls: 300, windowMs: HOUR_MS };

/** A link to send. Only its hash is stored. */
export interface CreatedMagicLink {
  email: string;
  firstName: string;
  /** Whom the user acts for; null for an administrator. */
  organization: string | null;
  /** Whether the user has never signed in, so that the link is an invitation. */
  isInvitation: boolean;
  token: string;
  expiresAt: Date;
}

/**
 * Which of these users have a magic link that is still valid. Users that the actor cannot see are left out.
 * @returns the ids of those users
 */
export async function usersWithMagicLink(session: ReadSession, userIds: readonly string[]): Promise<Set<string>> {
  const rows = await session.query<{ user_id: string }>(
    'select user_id from magic_links where user_id = any($1) and time_to_remove > $2',
    [[...userIds], session.now],
  );
  return new Set(rows.map((row) => row.user_id));
}

/** Checks that the actor can see the user and is allowed to send them a link. */
async function requireInvitable(session: Session, actor: UserActor, userId: string) {
  requirePermission(session, 'users/write');
  const user = await getUser(session, userId);
  if ((user.roleLevel ?? ROLE_LEVELS.lowest) < actor.level) {
    throw new Refusal('forbidden', "You don't have permission to invite a user of a more privileged level");
  }
  if (user.status !== 'Active' && user.status !== 'Pending') {
    throw new Refusal('badRequest', `This user is ${user.status} and cannot sign in`, {
      flags: { userId: 'is not a user who can sign in' },
    });
  }
  return user;
}

/**
 * Creates a link that signs a user in once within 7 days. It replaces an earlier one, which stops working.
 * @throws Refusal forbidden without users/write, or for a user of a more privileged level; notFound for a user that the
 *   actor cannot see; badRequest if a valid link exists and `resend` is not set, or the user cannot sign in; tooMany
 */
export async function createMagicLink(
  store: Store,
  actor: UserActor,
  command: { userId: string; resend?: boolean | undefined; now: Date; limitFactor?: number },
): Promise<CreatedMagicLink> {
  const { now, limitFactor = 1 } = command;
  const user = await store.as(actor, (session) => requireInvitable(session, actor, command.userId), { now });
  return store.as(
    SYSTEM,
    async (session) => {
      await countLimitedCall(session, {
        [`magic-link/user/${user.id}`]: { ...PER_RECIPIENT, calls: PER_RECIPIENT.calls * limitFactor },
        [`magic-link/sender/${actor.userId}`]: { ...PER_SENDER, calls: PER_SENDER.calls * limitFactor },
      });
      // The limits above are locked per user, so two calls cannot both find no link.
      const open = await usersWithMagicLink(session, [user.id]);
      if (open.has(user.id) && !command.resend) {
        throw new Refusal(
          'badRequest',
          'This user already has an invitation that is valid. Set resend to replace it.',
          {
            flags: { userId: 'already has a valid invitation' },
          },
        );
      }
      await session.query('delete from magic_links where user_id = $1', [user.id]);
      const token = newToken();
      const expiresAt = new Date(now.getTime() + LINK_LIFETIME_DAYS * 24 * HOUR_MS);
      session.em.create(MagicLink, {
        id: newId(now),
        userId: user.id,
        email: user.email,
        tokenHash: hashToken(token),
        timeToRemove: expiresAt,
        createdAt: now,
      });
      const { email, firstName, organization } = user;
      return { email, firstName, organization, isInvitation: user.status === 'Pending', token, expiresAt };
    },
    { now },
  );
}

const VALID = `select u.id, u.email, u.first_name as "firstName"
  from magic_links l join users u on u.id = l.user_id and u.email = l.email and u.status in ('Active', 'Pending')
  where l.token_hash = $1 and l.time_to_remove > $2`;

/** Whom a link signs in, without using it. Null if it is unknown, used, replaced or expired. */
export async function findMagicLink(
  store: Store,
  command: { magicToken: string; now: Date },
): Promise<{ email: string; firstName: string } | null> {
  const [found] = await store.read(SYSTEM, (session) =>
    session.query<{ email: string; firstName: string }>(VALID, [hashToken(command.magicToken), command.now]),
  );
  return found ? { email: found.email, firstName: found.firstName } : null;
}

/**
 * Signs in with a magic link and consumes it. An invited user becomes Active: the link proves that the email is theirs,
 * and they confirm their details next.
 * @throws Refusal unauthorized if the link is unknown, used, replaced or expired, or its user cannot sign in
 */
export async function signInByMagicLink(
  store: Store,
  command: { magicToken: string; now: Date } & CallOrigin,
): Promise<SignedIn> {
  return store.as(
    SYSTEM,
    async (session) => {
      const hash = hashToken(command.magicToken);
      const [user] = await session.query<{ id: string }>(`${VALID} for update of l`, [hash, command.now]);
      if (!user) throw signInAgain();
      // Also deletes the link.
      await activateInvited(session, user.id);
      return openSession(session, user.id, command);
    },
    command,
  );
}
