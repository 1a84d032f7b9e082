import type { PermissionKey, UserActor, UserType } from '@tapeline/domain/people/actor.ts';
import { Company, LP, Manager, Permission, Role, User } from '../../entities/people.ts';
import { type Session, type Store, SYSTEM } from '../../store.ts';

export interface RightsInput {
  userType: UserType;
  rolePermissions: readonly string[];
  /** Permission keys, or resources ("funds" means all of its keys), that the user may not use. */
  exclusiveResources: readonly string[];
  /** The same, given back; inclusive takes precedence. */
  inclusiveResources: readonly string[];
  permissions: readonly { key: PermissionKey; allowed: readonly UserType[] }[];
}

/** The rights that count: the role's, less the exclusive, plus the inclusive, within what the user type may ever hold. */
export function effectiveRights(input: RightsInput): PermissionKey[] {
  const names = (resources: readonly string[], key: string) =>
    resources.some((resource) => resource === key || `${resource}/read` === key || `${resource}/write` === key);
  return input.permissions
    .filter(({ key, allowed }) => {
      if (!allowed.includes(input.userType)) return false;
      if (names(input.inclusiveResources, key)) return true;
      return input.rolePermissions.includes(key) && !names(input.exclusiveResources, key);
    })
    .map(({ key }) => key);
}

const LEAST_LEVEL = 30;

async function readActor(session: Session, userId: string, managerId: string | null): Promise<UserActor | null> {
  const { em } = session;
  const user = await em.findOne(User, { id: userId, status: 'Active' });
  if (!user) return null;
  // Only an admin may choose; for everyone else the tenant is that of the association.
  const chosen = user.type === 'admin' ? managerId : user.managerId;
  const manager = chosen ? await em.findOne(Manager, { id: chosen, status: { $ne: 'Removed' } }) : null;
  if (chosen && !manager) return null;
  if (user.managerId && managerId && managerId !== user.managerId) return null;
  const role = user.roleId ? await em.findOne(Role, { id: user.roleId, status: 'Active' }) : null;
  const permissions = await em.find(Permission, { status: 'Active' });
  const company = user.companyId ? await em.findOne(Company, { id: user.companyId, status: { $ne: 'Removed' } }) : null;
  if (user.companyId && !company) return null;
  const lps = await lpsOf(session, user);
  return {
    kind: 'user',
    userId: user.id,
    email: user.email,
    firstName: user.firstName,
    lastName: user.lastName,
    type: user.type,
    roleTitle: role?.title ?? null,
    level: role?.level ?? LEAST_LEVEL,
    managerId: manager?.id ?? null,
    companyId: company?.id ?? null,
    lpIds: lps.map((lp) => lp.id),
    assocTitle: titleOf(user.type, { manager, company, lps }),
    permissions: effectiveRights({
      userType: user.type,
      rolePermissions: role?.permissions ?? [],
      exclusiveResources: user.exclusiveResources,
      inclusiveResources: user.inclusiveResources,
      permissions,
    }),
  };
}

/** One LP for an LP, its members (and none else of the tenant) for an LP group. */
async function lpsOf({ em }: Session, user: User): Promise<LP[]> {
  const { assoc } = user;
  const tenant = { managerId: user.managerId, status: { $ne: 'Removed' } };
  const inOrder = { orderBy: { id: 'asc' as const } };
  if (user.type === 'LP' && 'LP' in assoc) return em.find(LP, { ...tenant, id: assoc.LP.id }, inOrder);
  if (user.type === 'LPGroup' && 'LPGroup' in assoc) {
    return em.find(LP, { ...tenant, groupId: assoc.LPGroup.id }, inOrder);
  }
  return [];
}

function titleOf(
  type: UserType,
  of: {
    manager: { name: string } | null;
    company: { name: string } | null;
    lps: readonly LP[];
  },
): string | null {
  if (type === 'company') return of.company?.name ?? null;
  if (type === 'LP') return of.lps[0]?.title ?? null;
  if (type === 'LPGroup') return of.lps[0]?.groupTitle ?? null;
  return of.manager?.name ?? null;
}

/**
 * Who the user is now, with the rights that count. Null where the user, their tenant or their company is not active, or
 * where the manager asked for is not theirs.
 * @param choice.managerId the tenant the client has chosen (`X-Manager-Id`); only an admin may choose freely
 * @param choice.lpId the LP the client has chosen (`X-LP-Id`), to narrow an LP group's sight to one of its members
 */
export async function loadActor(
  store: Store,
  userId: string,
  choice: { managerId?: string | null; lpId?: string | null } = {},
): Promise<UserActor | null> {
  const actor = await store.as(SYSTEM, (session) => readActor(session, userId, choice.managerId ?? null));
  if (!actor || !choice.lpId || actor.lpIds.length === 0) return actor;
  if (!actor.lpIds.includes(choice.lpId)) return null;
  return { ...actor, lpIds: [choice.lpId] };
}
