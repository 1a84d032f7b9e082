import type { SignedIn } from '@tapeline/db/operations/identity/sessions.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import type { RequestContext } from './context.ts';

export type SignInMethod = 'email code' | 'ownership token' | 'magic link' | 'external identity' | 'sign-up';

/** A sign-in, or the step before it. */
type Entered = SignedIn | { readonly ownershipToken: string };

/**
 * Logs whether a sign-in succeeded, with who signed in and from where. Emails, codes and tokens are never logged.
 */
export async function logSignIn<Result extends Entered>(
  { log, clientAddress: address }: Pick<RequestContext, 'log' | 'clientAddress'>,
  method: SignInMethod,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    const result = await work();
    const entered: Entered = result;
    if ('userId' in entered) {
      const { userId, familyId } = entered;
      log.info({ event: 'signed in', method, userId, session: familyId, address }, 'signed in');
    }
    return result;
  } catch (error) {
    if (isRefusal(error)) {
      log.warn({ event: 'sign-in refused', method, reason: error.message, address }, 'sign-in refused');
    }
    throw error;
  }
}

type SessionEvent =
  | 'signed out'
  | 'signed out everywhere'
  | 'session ended'
  | 'refresh token reused'
  | 'email confirmed'
  | 'change of address stopped';

/** Logs the end of sign-ins, and changes of the addresses that open an account. A reused refresh token means that it was copied, and is a warning. */
export function logSessionEvent(
  { log, clientAddress: address }: Pick<RequestContext, 'log' | 'clientAddress'>,
  event: SessionEvent,
  person: { userId: string; familyId?: string },
): void {
  const line = { event, userId: person.userId, session: person.familyId, address };
  if (event === 'refresh token reused') log.warn(line, event);
  else log.info(line, event);
}
