import { uninvitedUsers } from '@tapeline/db/operations/importer/created.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { sendInvitation } from '../../commands/invitations.server.ts';
import type { Screen } from '../../http/screen.server.ts';

/** Invitations of one request: each is an email. */
const MAX_AT_ONCE = 100;

/**
 * Invites the users of an import who were not invited yet, until all are or a limit is reached.
 * @returns how many were sent, how many are left, and why
 */
export async function inviteImported(
  { db, context, actor }: Pick<Screen, 'db' | 'context' | 'actor'>,
  importId: string,
): Promise<{ sent: number; left: number; reason: string | null }> {
  const users = await db((session) => uninvitedUsers(session, importId));
  let sent = 0;
  for (const { id, name } of users.slice(0, MAX_AT_ONCE)) {
    try {
      await sendInvitation(context, actor, { userId: id });
      sent += 1;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return { sent, left: users.length - sent, reason: `${name}: ${error.message}` };
    }
  }
  const left = users.length - sent;
  return { sent, left, reason: left > 0 ? 'invite them with another click.' : null };
}
