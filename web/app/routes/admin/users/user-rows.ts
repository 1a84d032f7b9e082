import type { UserView } from '@tapeline/db/operations/users/users.ts';
import { USER_TYPE_LABELS } from '@tapeline/domain/people/actor.ts';
import type { GridColumn } from '../../../components/grid/grid-columns.ts';

/** The columns of the list of users, by the list's own fields. */
export const USER_COLUMNS: readonly GridColumn[] = [
  { path: 'name', label: 'Name', kind: 'text', shown: true, widthPx: 170 },
  { path: 'email', label: 'Email', kind: 'text', shown: true, widthPx: 230 },
  { path: 'type', label: 'Type', kind: 'text', shown: true, widthPx: 120 },
  { path: 'organization', label: 'Organization', kind: 'text', shown: true, widthPx: 220 },
  { path: 'roleTitle', label: 'Role', kind: 'text', shown: true, widthPx: 130 },
  { path: 'status', label: 'Status', kind: 'status', shown: true, widthPx: 100 },
  { path: 'invitation', label: 'Invitation', kind: 'text', shown: true, widthPx: 110 },
  { path: 'lastVisited', label: 'Last visit', kind: 'date', shown: true, widthPx: 120 },
  { path: 'code', label: 'Code', kind: 'number', shown: false, widthPx: 80 },
];

/** "Sent" while a magic link is valid; an invited user without one has to be invited again. */
export function invitationOf({ status, hasInvitation }: Pick<UserView, 'status' | 'hasInvitation'>): string {
  if (hasInvitation) return 'Sent';
  return status === 'Pending' ? 'Not sent' : 'None';
}

export const userRow = (user: UserView) => ({
  id: user.id,
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
