import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import type { CallOrigin } from '../../changed-by.ts';
import { User } from '../../entities/people.ts';
import { type Session, type Store, SYSTEM } from '../../store.ts';
import { announceAddressChanges, isRecoveryEmailTaken } from './address-changes.ts';
import { asProfileOwner } from './profile.ts';
import {
  addCode,
  type CodeRequest,
  type CodeTry,
  normaliseEmail,
  type RequestedCode,
  tryCode,
  wrongCode,
} from './sign-in-codes.ts';

/**
 * Creates the code that confirms an email as the recovery email of a user. The same limits apply.
 * @throws Refusal badRequest for the user's own email; tooMany
 */
export function requestRecoveryCode(store: Store, request: CodeRequest & { userId: string }): Promise<RequestedCode> {
  const { now } = request;
  return store.as(
    SYSTEM,
    async (session) => {
      const user = await session.em.findOneOrFail(User, { id: request.userId });
      if (user.email === normaliseEmail(request.email)) {
        throw new Refusal('badRequest', 'The recovery email must be another one than the email of the account', {
          flags: { email: 'is the email of the account' },
        });
      }
      return addCode(session, request, 'recovery-email', async () => user);
    },
    { now },
  );
}

/** The recovery email that signs in; null if there is none, or it is not confirmed. */
export const workingRecoveryEmail = ({ recoveryEmail, confirmedRecoveryEmail }: User): string | null =>
  recoveryEmail && recoveryEmail === confirmedRecoveryEmail ? recoveryEmail : null;

/** Codes and ownership tokens of addresses that no longer sign the user in. */
const END_OTHER_ADDRESSES = ['sign_in_codes', 'ownership_tokens'].map(
  (table) => `delete from ${table} where user_id = $1 and email <> (select email from users where id = $1)`,
);

/** Sets the recovery email that signs in. The owner is told at the old addresses, and can stop the change. */
async function setRecoveryEmail(session: Session, user: User, email: string | null): Promise<void> {
  for (const sql of END_OTHER_ADDRESSES) await session.query(sql, [user.id]);
  const from = workingRecoveryEmail(user);
  user.recoveryEmail = email;
  user.confirmedRecoveryEmail = email;
  await session.em.flush();
  if (from === email) return;
  const change = { user, kind: 'recoveryEmail', from, next: email, isConfirmed: true } as const;
  await announceAddressChanges(session, [change], `${user.firstName} ${user.lastName}`);
}

/**
 * Confirms an email as the actor's recovery email, with the code that was sent to it. From then on, codes can be sent
 * to it to sign in to the account.
 * @throws Refusal badRequest for a wrong code, or if another account has this recovery email; tooMany
 */
export async function confirmRecoveryEmail(
  store: Store,
  actor: UserActor,
  command: CodeTry & { origin: CallOrigin },
): Promise<void> {
  const email = normaliseEmail(command.email);
  // Throw the refusal after the transaction, not within it: a failed try must count.
  const ownerId = await store.as(SYSTEM, (session) => tryCode(session, command, 'recovery-email'), {
    now: command.now,
  });
  if (ownerId !== actor.userId) throw wrongCode(command);
  await asProfileOwner(store, actor, command.origin, async (session, user) => {
    if (await isRecoveryEmailTaken(session, email, user.id)) {
      throw new Refusal('badRequest', 'This is already the recovery email of another account', {
        flags: { email: 'is the recovery email of another account' },
      });
    }
    await setRecoveryEmail(session, user, email);
  });
}

/** Removes the actor's recovery email. Codes that were sent to it stop working. */
export const removeRecoveryEmail = (store: Store, actor: UserActor, origin: CallOrigin): Promise<void> =>
  asProfileOwner(store, actor, origin, (session, user) => setRecoveryEmail(session, user, null));
