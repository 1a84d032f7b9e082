import type { UserView } from '@tapeline/db/operations/users/users.ts';
import { USER_TYPE_LABELS } from '@tapeline/domain/people/actor.ts';

/** "Sent" while a magic link is valid; an invited user without one has to be invited again. */
export function invitationOf({ status, hasInvitation }: Pick<UserView, 'status' | 'hasInvitation'>): string {
  if (hasInvitation) return 'Sent';
  return status === 'Pending' ? 'Not sent' : 'None';
}

export const userRow = (user: UserView) => ({
  id: user.id,
  version: user.version,
  name: `${user.firstName} ${user.lastName}`,
  email: user.email,
  type: USER_TYPE_LABELS[user.type],
  organization: user.organization ?? 'All managers',
  roleTitle: user.roleTitle ?? 'No role',
  status: user.status,
  invitation: invitationOf(user),
  lastVisited: user.lastVisited?.toISOString() ?? null,
  code: user.code ?? null,
});
