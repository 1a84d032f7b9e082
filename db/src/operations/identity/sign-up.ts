import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { UserDetails } from '@tapeline/domain/identity/user-details.schema.ts';
import type { CallOrigin } from '../../changed-by.ts';
import { User } from '../../entities/people.ts';
import { type Store, SYSTEM } from '../../store.ts';
import { hashToken } from './secrets.ts';
import { openSession, type SignedIn, signInAgain, useOwnershipToken } from './sessions.ts';

/** What an invited person sees before they sign up. */
export interface Invited {
  email: string;
  firstName: string;
  lastName: string;
  phoneNumber: string | null;
}

/**
 * The invitation behind an ownership token, without using the token. Null if the token is not valid, or its user has
 * already signed up.
 */
export async function findInvitation(
  store: Store,
  command: { ownershipToken: string; now: Date },
): Promise<Invited | null> {
  const [found] = await store.read(SYSTEM, (session) =>
    session.query<Invited>(
      `select u.email, u.first_name as "firstName", u.last_name as "lastName", u.phone_number as "phoneNumber"
       from ownership_tokens t join users u on u.id = t.user_id and u.status = 'Pending'
       where t.token_hash = $1 and t.used_at is null and t.expires_at > $2`,
      [hashToken(command.ownershipToken), command.now],
    ),
  );
  return found ?? null;
}

/**
 * Signs up an invited user with the proof that the email is theirs, makes them Active and signs them in. Their type,
 * association, role and LPs come from the invitation.
 * @throws Refusal unauthorized if the token is unknown, used or expired; badRequest if its user has already signed up
 */
export async function signUp(
  store: Store,
  command: { ownershipToken: string; details: UserDetails; now: Date } & CallOrigin,
): Promise<SignedIn> {
  const { details, now } = command;
  return store.as(
    SYSTEM,
    async (session) => {
      const userId = await useOwnershipToken(session, command.ownershipToken);
      const user = await session.em.findOne(User, { id: userId });
      if (user?.status === 'Active') {
        throw new Refusal('badRequest', 'You have already signed up. Sign in instead.', {
          flags: { ownershipToken: 'belongs to a user who has already signed up' },
        });
      }
      if (user?.status !== 'Pending') throw signInAgain();
      user.firstName = details.firstName;
      user.lastName = details.lastName;
      user.phoneNumber = details.phoneNumber ?? user.phoneNumber ?? null;
      user.status = 'Active';
      // They have just entered their details.
      user.isConfirmedUserDetails = true;
      await session.em.flush();
      await session.query('delete from magic_links where user_id = $1', [user.id]);
      return openSession(session, user.id, command);
    },
    { now, agent: command.agent, ip: command.ip, locale: command.locale },
  );
}
