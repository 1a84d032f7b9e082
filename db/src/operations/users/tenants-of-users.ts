import type { Association } from '@tapeline/domain/documents/document.schema.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { USER_TYPE_LABELS } from '@tapeline/domain/people/actor.ts';
import { Company, LP, LPGroup, Manager, Role } from '../../entities/people.ts';
import type { Session } from '../../store.ts';
import { activePermissions, actsForAll } from '../permissions/permissions.ts';
import { type Access, type AccessLookup, tenantsOfDocuments } from './user-access.ts';

/** Whom a new user acts for. */
export interface TenantOfUser {
  assoc: Association;
  managerId: string | null;
  companyId: string | null;
}

const refuseAssoc = (what: string): never => {
  throw new Refusal('badRequest', `This ${what} does not exist`, {
    flags: { assoc: `is not the id of ${what === 'investor' || what === 'investor group' ? 'an' : 'a'} ${what}` },
  });
};

const idIn = (assoc: Association, kind: 'manager' | 'company' | 'LP' | 'LPGroup'): string[] => {
  const target = (assoc as Partial<Record<typeof kind, { id: string }>>)[kind];
  return target ? [target.id] : [];
};

/**
 * Reads the organizations of associations, once for all of them.
 * @returns the tenant of each association; it throws Refusal badRequest (flag on `assoc`) for an organization that does
 *   not exist or is not visible, and forbidden for an administrator, unless one who acts for all managers creates it
 */
export async function readTenants(
  session: Session,
  assocs: readonly Association[],
): Promise<(assoc: Association) => TenantOfUser> {
  const { em } = session;
  const where = (kind: Parameters<typeof idIn>[1]) => ({
    id: { $in: [...new Set(assocs.flatMap((assoc) => idIn(assoc, kind)))] },
    status: { $ne: 'Removed' },
  });
  const among = async <Found extends { id: string; status: string }>(
    kind: Parameters<typeof idIn>[1],
    read: (condition: ReturnType<typeof where>) => Promise<Found[]>,
  ): Promise<(assoc: Association) => Found> => {
    const condition = where(kind);
    const found = condition.id.$in.length === 0 ? [] : await read(condition);
    const byId = new Map(found.map((one) => [one.id, one]));
    const noun = USER_TYPE_LABELS[kind].toLowerCase();
    return (assoc) => {
      const one = byId.get(idIn(assoc, kind)[0] ?? '') ?? refuseAssoc(noun);
      if (one.status !== 'Active') {
        throw new Refusal(
          'badRequest',
          `This ${noun} is ${one.status}. Set it to Active first, and then add its users`,
          {
            flags: { assoc: `names ${noun.startsWith('investor') ? 'an' : 'a'} ${noun} that is ${one.status}` },
          },
        );
      }
      return one;
    };
  };
  const managerOf = await among('manager', (condition) => em.find(Manager, condition));
  const companyOf = await among('company', (condition) => em.find(Company, condition));
  const lpOf = await among('LP', (condition) => em.find(LP, condition));
  const groupOf = await among('LPGroup', (condition) => em.find(LPGroup, condition));
  return (assoc) => {
    if ('admin' in assoc) {
      if (!actsForAll(session))
        throw new Refusal('forbidden', 'Only an administrator who acts for all managers can create administrators');
      return { assoc: { admin: true }, managerId: null, companyId: null };
    }
    if ('manager' in assoc) {
      const { id, name: title } = managerOf(assoc);
      return { assoc: { manager: { id, title } }, managerId: id, companyId: null };
    }
    if ('company' in assoc) {
      const { id, name: title, managerId } = companyOf(assoc);
      return { assoc: { company: { id, title } }, managerId, companyId: id };
    }
    if ('LP' in assoc) {
      const { id, title, managerId } = lpOf(assoc);
      return { assoc: { LP: { id, title } }, managerId, companyId: null };
    }
    if ('LPGroup' in assoc) {
      const { id, title, managerId } = groupOf(assoc);
      return { assoc: { LPGroup: { id, title } }, managerId, companyId: null };
    }
    return refuseAssoc('party that users act for');
  };
}

/** Everything that the checks of these changes look up, in a fixed number of queries. */
export async function lookupFor(
  session: Session,
  accesses: readonly Access[],
  lpIds: readonly string[],
): Promise<AccessLookup & { tenantsOfLPs: ReadonlyMap<string, string> }> {
  const roleIds = new Set(accesses.flatMap(({ roleId }) => (roleId === null ? [] : [roleId])));
  const roles = await session.em.find(Role, { id: { $in: [...roleIds] } });
  const lps = lpIds.length > 0 ? await session.em.find(LP, { id: { $in: [...new Set(lpIds)] } }) : [];
  return {
    permissions: await activePermissions(session),
    roles: new Map(roles.map((role) => [role.id, role])),
    tenantsOfDocuments: await tenantsOfDocuments(
      session,
      accesses.flatMap(({ exclusiveResources, inclusiveResources }) => [...exclusiveResources, ...inclusiveResources]),
    ),
    tenantsOfLPs: new Map(
      lps.flatMap(({ id, managerId, status }) => (status === 'Removed' ? [] : [[id, managerId] as const])),
    ),
  };
}

/** @throws Refusal badRequest (flag on `LPs`) unless the user is an LP and they are of the same manager */
export function requireLPs(
  lpIds: readonly string[] | undefined,
  { type, managerId }: Access,
  tenantsOfLPs: ReadonlyMap<string, string>,
): void {
  if (!lpIds) return;
  if (type !== 'LP')
    throw new Refusal('badRequest', 'Only users of the type LP have LPs', {
      flags: { LPs: 'is only for users of the type LP' },
    });
  const unknown = lpIds.find((id) => tenantsOfLPs.get(id) !== managerId);
  if (unknown)
    throw new Refusal('badRequest', `There is no LP ${unknown}`, {
      flags: { LPs: `has ${unknown}, which is not the id of an LP` },
    });
}
