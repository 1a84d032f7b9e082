import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { documentAccess, documentOf } from '@tapeline/domain/people/access.ts';
import type { UserType } from '@tapeline/domain/people/actor.ts';
import type { Permission, Role, User } from '../../entities/people.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { mayGrant } from '../permissions/permissions.ts';
import { levelOf, listed } from '../roles/roles.ts';
import { DOCUMENTS } from './named-documents.ts';

/** What decides a user's rights. */
export interface Access {
  readonly type: UserType;
  readonly managerId: string | null;
  readonly roleId: string | null;
  readonly exclusiveResources: readonly string[];
  readonly inclusiveResources: readonly string[];
}

export const accessOf = (user: User): Access => ({
  type: user.type,
  managerId: user.managerId ?? null,
  roleId: user.roleId ?? null,
  exclusiveResources: user.exclusiveResources,
  inclusiveResources: user.inclusiveResources,
});

/** The permissions that each access gives, in the same order, in one query. */
export async function permissionsOf(
  session: Pick<ReadSession, 'query'>,
  accesses: readonly Access[],
): Promise<Set<string>[]> {
  const rows = await session.query<{ keys: string[] | null }>(
    `select (select array_agg(r.key) from rights_of(one.type, one.role,
         array(select jsonb_array_elements_text(one.exclusive)), array(select jsonb_array_elements_text(one.inclusive))) as r
       where r.held) as keys
     from jsonb_to_recordset($1) as one (at int, type text, role text, exclusive jsonb, inclusive jsonb) order by one.at`,
    [
      JSON.stringify(
        accesses.map((access, at) => ({
          at,
          type: access.type,
          role: access.roleId,
          exclusive: access.exclusiveResources,
          inclusive: access.inclusiveResources,
        })),
      ),
    ],
  );
  return rows.map(({ keys }) => new Set(keys ?? []));
}

/** The tenant of each document that the actor can see, by entry (`funds/65f0…`), in one query for each collection. */
export async function tenantsOfDocuments(
  session: ReadSession,
  entries: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const idsByCollection = new Map<keyof typeof DOCUMENTS, string[]>();
  for (const entry of new Set(entries)) {
    const named = documentOf(entry);
    if (named) idsByCollection.set(named.collection, [...(idsByCollection.get(named.collection) ?? []), named.id]);
  }
  const found = new Map<string, string>();
  for (const [collection, ids] of idsByCollection) {
    const rows = await session.query<{ id: string; managerId: string }>(
      `select id, manager_id as "managerId" from ${DOCUMENTS[collection].table} where id = any ($1) and status <> 'Removed'`,
      [ids],
    );
    for (const { id, managerId } of rows) found.set(`${collection}/${id}`, managerId);
  }
  return found;
}

/** What the checks of a change look up; loaded once for all users of a call. */
export interface AccessLookup {
  readonly permissions: readonly Permission[];
  readonly roles: ReadonlyMap<string, Role>;
  readonly tenantsOfDocuments: ReadonlyMap<string, string>;
}

/** Whether a document that is blocked for the actor is not blocked for a person with this access. */
function seesBeyond({ actor }: Pick<Session, 'actor'>, access: Access): boolean {
  const blocked = new Set(documentAccess(access).blocked);
  return actor.kind === 'user' && actor.blockedDocuments.some((entry) => !blocked.has(entry));
}

/** Those of another person's rights that the actor neither has nor can give. Blocked documents are not named. */
const rightsBeyond = (session: Pick<Session, 'actor'>, held: Iterable<string>, access: Access): string[] => {
  const { actor } = session;
  const keys = [...held].filter(
    (key) => !mayGrant(actor, key) && !(actor.kind === 'user' && actor.permissions.some((own) => own === key)),
  );
  return seesBeyond(session, access) ? [...keys, 'documents that are blocked for you'] : keys;
};

/** The rights of a user that the actor neither has nor can give, so that they cannot change how this user signs in. */
export async function rightsOfUserBeyond(
  session: Pick<Session, 'actor'> & Pick<ReadSession, 'query'>,
  user: User,
): Promise<string[]> {
  const access = accessOf(user);
  const [held] = await permissionsOf(session, [access]);
  return rightsBeyond(session, held ?? [], access);
}

/**
 * Checks a change of how another person signs in, or of what they may do: whoever makes it could sign in as this person,
 * or first take away what keeps them from it.
 * @param user what the user holds before the change
 * @throws Refusal forbidden unless the actor has every permission that the user has, and sees every document that the
 *   user sees, with a flag on each field
 */
export function requireRightsOver(
  session: Session,
  user: { held: ReadonlySet<string>; access: Access },
  fields: readonly string[],
): void {
  const beyond = rightsBeyond(session, user.held, user.access);
  if (fields.length === 0 || beyond.length === 0) return;
  throw new Refusal(
    'forbidden',
    `You cannot change how this user signs in, or their access, because they have permissions that you do not have: ${listed(beyond)}`,
    {
      flags: Object.fromEntries(
        fields.map((field) => [field, 'belongs to a user with permissions that you do not have']),
      ),
    },
  );
}

/** @throws Refusal forbidden if the user has a higher level than the actor */
export function requireLevelOver(session: Session, role: Role | undefined): void {
  if (role && role.status === 'Active' && role.level < levelOf(session.actor))
    throw new Refusal('forbidden', 'You cannot change a user of a higher level than your own');
}

/**
 * Checks a role that a user is given: the tenant has it, its level is not above the actor's, the actor has its
 * permissions, and users of the type can hold them.
 * @throws Refusal badRequest or forbidden, with a flag on `role`
 */
function requireRole({ actor }: Session, { type, managerId, roleId }: Access, lookup: AccessLookup): void {
  if (roleId === null) return;
  const refuse = (code: 'badRequest' | 'forbidden', message: string, flag: string): Refusal =>
    new Refusal(code, message, { flags: { role: flag } });
  const role = lookup.roles.get(roleId);
  if (role?.status !== 'Active' || (role.managerId && role.managerId !== managerId))
    throw refuse('badRequest', "There is no such role among the tenant's", 'is not the id of a role');
  if (role.level < levelOf(actor))
    throw refuse(
      'forbidden',
      `You cannot give a role of a higher level than your own`,
      'has a higher level than yours',
    );
  const withheld = role.permissions.filter((key) => !mayGrant(actor, key));
  if (withheld.length > 0)
    throw refuse(
      'forbidden',
      `You cannot give the role ${role.title}, because it has permissions that you do not have: ${listed(withheld)}`,
      'has permissions that you do not have',
    );
  const impossible = lookup.permissions.filter(
    ({ key, allowed }) => role.permissions.includes(key) && !allowed.includes(type),
  );
  if (impossible.length > 0)
    throw refuse(
      'badRequest',
      `Users of the type ${type} cannot have the role ${role.title}, because they cannot hold ${listed(impossible.map(({ key }) => key))}`,
      `has permissions that users of the type ${type} cannot hold`,
    );
}

type ResourceField = 'exclusiveResources' | 'inclusiveResources';

function requireEntries(
  { actor }: Session,
  field: ResourceField,
  entries: readonly string[],
  { type, managerId }: Access,
  lookup: AccessLookup,
): void {
  const refuse = (code: 'badRequest' | 'forbidden', message: string, flag: string): Refusal =>
    new Refusal(code, message, { flags: { [field]: flag } });
  for (const entry of entries) {
    if (documentOf(entry)) {
      // They do not see it, and must block it for whom they invite.
      if (field === 'exclusiveResources' && actor.kind === 'user' && actor.blockedDocuments.includes(entry)) continue;
      const tenant = lookup.tenantsOfDocuments.get(entry);
      if (tenant === undefined)
        throw refuse('badRequest', `There is no document ${entry}`, `has ${entry}, which does not exist`);
      if (field === 'inclusiveResources' && managerId !== null && tenant !== managerId)
        throw refuse(
          'badRequest',
          `${entry} belongs to another manager`,
          `has ${entry}, which belongs to another manager`,
        );
      continue;
    }
    const permission = lookup.permissions.find(({ key }) => key === entry);
    if (!permission)
      throw refuse('badRequest', `There is no permission ${entry}`, `has ${entry}, which is not a permission`);
    if (field === 'exclusiveResources') continue;
    if (!permission.allowed.includes(type))
      throw refuse(
        'badRequest',
        `Users of the type ${type} cannot hold ${entry}`,
        `has ${entry}, which users of the type ${type} cannot hold`,
      );
    if (!mayGrant(actor, entry))
      throw refuse(
        'forbidden',
        `You cannot give ${entry}, which you do not have`,
        `has ${entry}, which you do not have`,
      );
  }
}

const added = (before: readonly string[], after: readonly string[]) => after.filter((entry) => !before.includes(entry));

/**
 * Checks a change of access: nobody gives a role, a permission or a document that they do not have themselves, neither
 * directly nor by no longer blocking it.
 * @param before null for a new user
 * @param held the permissions before and after the change, by `rights_of`
 * @throws Refusal badRequest or forbidden, with a flag on the field
 */
export function requireGrantable(
  session: Session,
  change: { before: Access | null; after: Access; held: { before: ReadonlySet<string>; after: ReadonlySet<string> } },
  lookup: AccessLookup,
): void {
  const { before, after, held } = change;
  if (after.roleId !== (before?.roleId ?? null)) requireRole(session, after, lookup);
  for (const field of ['exclusiveResources', 'inclusiveResources'] as const)
    requireEntries(session, field, added(before?.[field] ?? [], after[field]), after, lookup);
  const gained = [...held.after].filter((key) => !held.before.has(key) && !mayGrant(session.actor, key));
  if (gained.length > 0)
    throw new Refusal('forbidden', `You cannot give permissions that you do not have: ${listed(gained)}`, {
      flags: { exclusiveResources: `must keep ${listed(gained)}, which you do not have` },
    });
  if (before === null && seesBeyond(session, after))
    throw new Refusal(
      'forbidden',
      'You cannot give access to documents that are blocked for you. Block them as well.',
      {
        flags: { exclusiveResources: 'must have the documents that are blocked for you' },
      },
    );
  const unblocked = added(after.exclusiveResources, before?.exclusiveResources ?? []).filter(
    (entry) => documentOf(entry) && !lookup.tenantsOfDocuments.has(entry),
  );
  if (unblocked.length > 0)
    throw new Refusal('forbidden', `You cannot allow documents that you do not see: ${listed(unblocked)}`, {
      flags: { exclusiveResources: `must keep ${listed(unblocked)}, which you do not see` },
    });
}
