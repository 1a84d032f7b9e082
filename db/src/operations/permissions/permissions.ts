import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { type Actor, can, PERMISSION_KEYS, type PermissionKey } from '@tapeline/domain/people/actor.ts';
import type { PermissionCreate, PermissionUpdate } from '@tapeline/domain/people/permission.schema.ts';
import { staleRefusal } from '../../database-refusals.ts';
import { Permission } from '../../entities/people.ts';
import { newId } from '../../ids.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { defineListable } from '../listing/define-lists.ts';
import { getDocument, listDocuments, type Page } from '../listing/list-documents.ts';
import { createdMetadata, storeChange } from '../metadata.ts';
import { requirePermission } from '../permission.ts';

export const PERMISSIONS = defineListable(Permission, 'permissions', [
  ['title', 'Title', 'text', 't.title'],
  ['key', 'Key', 'text', 't.key'],
]);

export const listPermissions = (session: ReadSession, query: unknown = {}): Promise<Page<Permission>> =>
  listDocuments(session, PERMISSIONS, query);

/** @throws Refusal notFound */
export const getPermission = (session: Session, id: string): Promise<Permission> =>
  getDocument(session, PERMISSIONS, id);

/** Every permission that can be held, in the order in which they were created. */
export const activePermissions = (session: Session): Promise<Permission[]> =>
  session.em.find(Permission, { status: 'Active' }, { orderBy: { id: 'asc' } });

const isBuiltIn = (key: string): key is PermissionKey => (PERMISSION_KEYS as readonly string[]).includes(key);

/**
 * Whether the actor can give the permission to others. A permission that the product does not check belongs to the
 * installation's own programs; administrators give it.
 */
export const mayGrant = (actor: Actor, key: string): boolean =>
  isBuiltIn(key) ? can(actor, key) : actor.kind === 'system' || actor.type === 'admin';

/** Whether the actor acts for all managers, to whom the permissions and the shared roles belong. */
export const actsForAll = ({ actor }: Pick<Session, 'actor'>): boolean =>
  actor.kind === 'system' || (actor.type === 'admin' && actor.managerId === null);

function requireAll(session: Session): void {
  requirePermission(session, 'roles/write');
  if (actsForAll(session)) return;
  throw new Refusal(
    'forbidden',
    'Permissions belong to all managers. Only an administrator who acts for all of them can change them.',
  );
}

/**
 * Creates a permission for the installation's own programs, which read it from `GET /auth/me`.
 * @throws Refusal forbidden unless an administrator acts for all managers; badRequest if the key is taken
 */
export async function createPermission(session: Session, body: PermissionCreate): Promise<Permission> {
  requireAll(session);
  if ((await session.em.count(Permission, { key: body.key })) > 0)
    throw new Refusal('badRequest', 'A permission with this key already exists', {
      flags: { key: 'is the key of another permission' },
    });
  const permission = session.em.create(Permission, {
    id: newId(session.now),
    title: body.title,
    key: body.key,
    allowed: body.allowed,
    metadata: createdMetadata(session),
  });
  await session.em.flush();
  return permission;
}

/**
 * Changes the title of a permission and the user types that can hold it. Users of other types lose it at once.
 * @throws Refusal notFound; as `createPermission` does; badRequest if the version is stale or the key differs
 */
export async function updatePermission(
  session: Session,
  { id, body }: { id: string; body: PermissionUpdate },
): Promise<Permission> {
  requireAll(session);
  const permission = await getPermission(session, id);
  if (permission.version !== body.version) throw staleRefusal(permission, body.version);
  if (permission.key !== body.key)
    throw new Refusal('badRequest', 'The key of a permission cannot change', { flags: { key: 'cannot change' } });
  return storeChange(session, permission, { title: body.title, allowed: body.allowed });
}
