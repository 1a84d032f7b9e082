import { firstFew } from '@tapeline/domain/errors/first-few.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { Actor, UserType } from '@tapeline/domain/people/actor.ts';
import { ROLE_LEVELS, type RoleCreate, type RoleUpdate } from '@tapeline/domain/people/role.schema.ts';
import { staleRefusal } from '../../database-refusals.ts';
import { type Permission, Role } from '../../entities/people.ts';
import { newId } from '../../ids.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { listOf } from '../listing/define-lists.ts';
import { getDocument, listDocuments, type Page } from '../listing/list-documents.ts';
import { createdMetadata, storeChange } from '../metadata.ts';
import { requirePermission, tenantOf } from '../permission.ts';
import { activePermissions, actsForAll, mayGrant } from '../permissions/permissions.ts';

export const ROLES = listOf('roles', {});

/** The roles that every tenant has, and those of the actor's tenant. */
export const listRoles = (session: ReadSession, query: unknown = {}): Promise<Page<Role>> =>
  listDocuments(session, ROLES, query);

export const getRole = (session: Session, id: string): Promise<Role> => getDocument(session, ROLES, id);

/** The number of visible users who have each of these roles, by role id. */
export async function usersPerRole(
  session: ReadSession,
  roleIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await session.query<{ id: string; users: number }>(
    `select role_id as id, count(*)::int as users from users
     where role_id = any ($1) and status <> 'Removed' group by role_id`,
    [[...roleIds]],
  );
  return new Map(rows.map(({ id, users }) => [id, users]));
}

/** 1 is the most privileged. */
export const levelOf = (actor: Actor): number => (actor.kind === 'system' ? ROLE_LEVELS.highest : actor.level);

/** The titles of what is missing, as a message lists them: at most five, and how many more. */
export const listed = (keys: readonly string[]): string => firstFew(keys, { most: 5 });

/** @throws Refusal badRequest (flag on `permissions`) for a key that is no permission */
function requireKnown(keys: readonly string[], permissions: readonly Permission[]): void {
  const known = new Set<string>(permissions.map(({ key }) => key));
  const unknown = keys.filter((key) => !known.has(key));
  if (unknown.length > 0)
    throw new Refusal('badRequest', `There is no permission ${listed(unknown)}`, {
      flags: { permissions: `has ${listed(unknown)}, which is not a permission` },
    });
}

/** @throws Refusal forbidden for a level above the actor's own, or a permission that the actor cannot give */
function requireGrantable({ actor }: Session, level: number, added: readonly string[]): void {
  if (level < levelOf(actor))
    throw new Refusal('forbidden', `You cannot give a role a higher level than your own (${levelOf(actor)})`, {
      flags: { level: `must be ${levelOf(actor)} or a larger number` },
    });
  const withheld = added.filter((key) => !mayGrant(actor, key));
  if (withheld.length > 0)
    throw new Refusal('forbidden', `You cannot give permissions that you do not have: ${listed(withheld)}`, {
      flags: { permissions: `has ${listed(withheld)}, which you do not have` },
    });
}

async function requireFreeTitle(session: Session, managerId: string | null, title: string, id: string | null) {
  const [taken] = await session.query(
    `select 1 from roles where manager_id is not distinct from $1 and lower(title) = lower($2) and id is distinct from $3`,
    [managerId, title, id],
  );
  if (taken)
    throw new Refusal('badRequest', 'There is already a role with this title', {
      flags: { title: 'is the title of another role' },
    });
}

/**
 * Creates a role of the actor's manager, or of all managers if an administrator acts for all.
 * @throws Refusal forbidden without `roles/write`, for a higher level than the actor's, or for a permission that the
 *   actor does not have; badRequest for a title that is taken
 */
export async function createRole(session: Session, body: RoleCreate): Promise<Role> {
  requirePermission(session, 'roles/write');
  const managerId = actsForAll(session) && body.manager === undefined ? null : await tenantOf(session, body.manager);
  requireKnown(body.permissions, await activePermissions(session));
  requireGrantable(session, body.level, body.permissions);
  await requireFreeTitle(session, managerId, body.title, null);
  const role = session.em.create(Role, {
    id: newId(session.now),
    managerId,
    title: body.title,
    level: body.level,
    permissions: body.permissions,
    metadata: createdMetadata(session),
  });
  await session.em.flush();
  return role;
}

/** @throws Refusal badRequest if users of some type have the role and cannot hold an added permission */
async function requireHoldable(
  session: Session,
  role: Role,
  added: readonly string[],
  permissions: readonly Permission[],
): Promise<void> {
  if (added.length === 0) return;
  const types = await session.query<{ type: UserType }>(
    `select distinct type from users where role_id = $1 and status <> 'Removed'`,
    [role.id],
  );
  for (const { type } of types) {
    const impossible = permissions.filter(({ key, allowed }) => added.includes(key) && !allowed.includes(type));
    if (impossible.length === 0) continue;
    const keys = listed(impossible.map(({ key }) => key));
    throw new Refusal('badRequest', `Users of the type ${type} have this role and cannot hold ${keys}`, {
      flags: { permissions: `has ${keys}, which users of the type ${type} cannot hold` },
    });
  }
}

/**
 * A change of a role's permissions or level changes the rights of everyone who has it. So it needs what a change of their
 * accounts needs: every permission that the role has.
 * @throws Refusal forbidden, with a flag on each field
 */
function requireRightsOverRole({ actor }: Session, role: Role, body: RoleUpdate): void {
  const same =
    body.permissions.length === role.permissions.length &&
    body.permissions.every((key) => role.permissions.includes(key));
  const fields = [...(same ? [] : ['permissions']), ...(body.level === role.level ? [] : ['level'])];
  if (fields.length === 0) return;
  const beyond = role.permissions.filter(
    (key) => !mayGrant(actor, key) && !(actor.kind === 'user' && actor.permissions.some((own) => own === key)),
  );
  if (beyond.length === 0) return;
  throw new Refusal(
    'forbidden',
    `You cannot change what this role may do, because it has permissions that you do not have: ${listed(beyond)}`,
    {
      flags: Object.fromEntries(
        fields.map((field) => [field, 'belongs to a role with permissions that you do not have']),
      ),
    },
  );
}

/**
 * Changes a role, for everyone who has it.
 * @throws Refusal notFound; as `createRole` does; forbidden for a role of a higher level, for the permissions or the level
 *   of a role with permissions that the actor does not have, or a shared role unless an
 *   administrator acts for all managers; badRequest if the version is stale, or its users cannot hold a permission
 */
export async function updateRole(session: Session, { id, body }: { id: string; body: RoleUpdate }): Promise<Role> {
  requirePermission(session, 'roles/write');
  const role = await getRole(session, id);
  if (role.version !== body.version) throw staleRefusal(role, body.version);
  if (!role.managerId && !actsForAll(session))
    throw new Refusal(
      'forbidden',
      'All managers share this role. Only an administrator who acts for all of them can change it. Create a role of your own instead.',
    );
  if (role.level < levelOf(session.actor))
    throw new Refusal('forbidden', 'You cannot change a role of a higher level than your own');
  const permissions = await activePermissions(session);
  const added = body.permissions.filter((key) => !role.permissions.includes(key));
  requireKnown(added, permissions);
  requireGrantable(session, body.level, added);
  requireRightsOverRole(session, role, body);
  await requireHoldable(session, role, added, permissions);
  await requireFreeTitle(session, role.managerId ?? null, body.title, role.id);
  return storeChange(session, role, { title: body.title, level: body.level, permissions: body.permissions });
}
