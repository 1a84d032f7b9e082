import { openEmailRequests } from '@tapeline/db/operations/identity/address-changes.ts';
import { levelOf } from '@tapeline/db/operations/roles/roles.ts';
import { unusualDomainOf } from '@tapeline/db/operations/users/organizations.ts';
import { getUser } from '@tapeline/db/operations/users/users.ts';
import { can, type UserActor } from '@tapeline/domain/people/actor.ts';
import { ROLE_LEVELS } from '@tapeline/domain/people/role.schema.ts';
import { USER_TRANSITIONS, type UserStatus } from '@tapeline/domain/people/states.ts';
import { documentHistory } from '../../../commands/history.server.ts';
import type { Screen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { invitationOf } from './user-rows.ts';

/** The page of the organization that a user acts for; null for who may not read it, and for administrators. */
function organizationPage(actor: UserActor, { assoc }: { assoc: object }): string | null {
  for (const [kind, permission, page] of [
    ['manager', 'managers/read', paths.manager],
    ['company', 'companies/read', paths.company],
    ['LP', 'LPs/read', paths.investor],
    ['LPGroup', 'LPs/read', paths.investorGroup],
  ] as const) {
    const of: unknown = Object.hasOwn(assoc, kind) ? (assoc as Record<string, unknown>)[kind] : null;
    if (typeof of === 'object' && of !== null && 'id' in of && can(actor, permission)) return page(String(of.id));
  }
  return null;
}

/** A user with what the viewer may do, and, for viewers who may read it, the history. */
export const viewUser = ({ db, params, actor, url }: Screen) =>
  db(async (session) => {
    const user = await getUser(session, params.id ?? '');
    const status = user.status as UserStatus;
    const isSelf = user.id === actor.userId;
    const mayChange = can(actor, 'users/write') && !isSelf && (user.roleLevel ?? ROLE_LEVELS.lowest) >= levelOf(actor);
    return {
      id: user.id,
      code: user.code,
      name: `${user.firstName} ${user.lastName}`,
      email: user.email,
      status,
      type: user.type,
      organization: user.organization,
      organizationPage: organizationPage(actor, user),
      role: user.roleId ? { id: user.roleId, title: user.roleTitle ?? '', level: user.roleLevel } : null,
      pendingEmail: user.pendingEmail ?? null,
      /** Null once it cannot be confirmed any more. */
      confirmableUntil: user.pendingEmail
        ? ((await openEmailRequests(session, [user.id])).get(user.id)?.toISOString() ?? null)
        : null,
      recoveryEmail: user.recoveryEmail ?? null,
      phoneNumber: user.phoneNumber ?? null,
      investors: user.LPs.length,
      invitation: invitationOf(user),
      hasInvitation: user.hasInvitation,
      lastVisited: user.lastVisited?.toISOString() ?? null,
      createdAt: user.metadata.iat,
      hasAcceptedTerms: user.isReadPrivacyAndTerms,
      hasConfirmedDetails: user.isConfirmedUserDetails,
      blocked: user.exclusiveResources.length,
      added: user.inclusiveResources.length,
      unusualDomain: await unusualDomainOf(session, user),
      isSelf,
      mayEdit: can(actor, 'users/write') && (isSelf || mayChange),
      mayInvite: mayChange && (status === 'Pending' || status === 'Active'),
      transitions: mayChange
        ? USER_TRANSITIONS.states.filter((to) => to !== 'Removed' && USER_TRANSITIONS.allows(status, to))
        : [],
      mayRemove: mayChange,
      mayReadRoles: can(actor, 'roles/read'),
      history: await documentHistory(session, [{ resource: 'users', ids: [user.id] }], url.searchParams),
    };
  });

export type UserPage = Awaited<ReturnType<typeof viewUser>>;
