import { reason } from '@tapeline/domain/errors/reason.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { CallOrigin } from '../../changed-by.ts';
import { type Store, SYSTEM } from '../../store.ts';
import { activateInvited, openSession, type SignedIn, signInAgain } from './sessions.ts';

/** The caller has proved that the email is theirs, and can be told that it has no account. */
const unknownEmail = (): Refusal =>
  new Refusal('unauthorized', 'No account has this email', {
    flags: { 'externalIdentity.email': reason('noAccount') },
  });

/**
 * Signs in the user whose email the identity provider has verified. An invited user becomes Active. Each id token works
 * once.
 * @throws Refusal unauthorized if the token was used before, or no user who can sign in has this email
 */
export async function signInByExternalIdentity(
  store: Store,
  command: { email: string; tokenHash: string; expiresAt: Date; now: Date } & CallOrigin,
): Promise<SignedIn> {
  const { email, tokenHash, expiresAt, now } = command;
  return store.as(
    SYSTEM,
    async (session) => {
      const fresh = await session.query(
        'insert into used_id_tokens (token_hash, expires_at) values ($1, $2) on conflict do nothing returning 1',
        [tokenHash, expiresAt],
      );
      if (fresh.length === 0) throw signInAgain();
      const [user] = await session.query<{ id: string }>(
        `select id from users where email = $1 and status in ('Active', 'Pending')`,
        [email],
      );
      if (!user) throw unknownEmail();
      await activateInvited(session, user.id);
      return openSession(session, user.id, command);
    },
    { now, agent: command.agent, ip: command.ip, locale: command.locale },
  );
}
