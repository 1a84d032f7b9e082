import type { Association } from '@tapeline/domain/documents/document.schema.ts';
import { atItem, eachItem, type OnRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import { USER_TRANSITIONS, type UserStatus } from '@tapeline/domain/people/states.ts';
import type { UserCreate, UserUpdate } from '@tapeline/domain/people/user.schema.ts';
import { emailTakenRefusal, staleRefusal } from '../../database-refusals.ts';
import { type Role, User } from '../../entities/people.ts';
import { newId } from '../../ids.ts';
import type { Session } from '../../store.ts';
import {
  announceAddressChanges,
  cancelEmailRequests,
  emailsInUse,
  openEmailRequests,
  type PendingAddressChange,
} from '../identity/address-changes.ts';
import { workingRecoveryEmail } from '../identity/recovery-email.ts';
import { changedMetadata, createdFrom } from '../metadata.ts';
import { requirePermission } from '../permission.ts';
import { lookupFor, readTenants, requireLPs, type TenantOfUser } from './tenants-of-users.ts';
import {
  type Access,
  accessOf,
  permissionsOf,
  requireGrantable,
  requireLevelOver,
  requireRightsOver,
} from './user-access.ts';
import { type UserView, userViews } from './users.ts';

/**
 * Creates a user, who is Pending until they sign up.
 * @throws Refusal forbidden without `users/write`, or for access that the actor does not have; badRequest for an email
 *   that is taken, or an organization, role or LP that does not exist
 */
export async function createUser(session: Session, body: UserCreate): Promise<UserView> {
  const [user] = await addUsers(session, [body], (refusal) => {
    throw refusal;
  });
  return (await userViews(session, [user!]))[0]!;
}

/** The access that a new user has. Unless the body says otherwise, what is blocked for the actor is blocked for them. */
const newAccess = ({ actor }: Session, body: UserCreate, { managerId }: Pick<TenantOfUser, 'managerId'>): Access => ({
  type: body.type,
  managerId,
  roleId: body.role ?? null,
  exclusiveResources: body.exclusiveResources ?? (actor.kind === 'user' ? actor.blockedDocuments : []),
  inclusiveResources: body.inclusiveResources ?? [],
});

/**
 * Creates users, as `createUser` does. With `onRefusal`, users who are refused are left out.
 * @returns a user for each body; null for one who was left out
 */
export async function addUsers(
  session: Session,
  bodies: readonly UserCreate[],
  onRefusal?: OnRefusal,
): Promise<(User | null)[]> {
  requirePermission(session, 'users/write');
  const tenantOf = await readTenants(
    session,
    bodies.map(({ assoc }) => assoc),
  );
  const planned = eachItem(
    bodies,
    (body) => {
      const tenant = tenantOf(body.assoc);
      return { tenant, access: newAccess(session, body, tenant) };
    },
    onRefusal,
  );
  const accesses = planned.flatMap((one) => one?.access ?? []);
  const lookup = await lookupFor(
    session,
    accesses,
    bodies.flatMap(({ LPs }) => LPs ?? []),
  );
  const held = await permissionsOf(session, accesses);
  const heldBy = new Map(accesses.map((access, index) => [access, held[index]!]));
  const created = eachItem(
    bodies,
    (body, index) => {
      const plan = planned[index];
      if (!plan) return null;
      const { tenant, access } = plan;
      requireLPs(body.LPs, access, lookup.tenantsOfLPs);
      const after = heldBy.get(access) ?? new Set();
      requireGrantable(session, { before: null, after: access, held: { before: new Set(), after } }, lookup);
      return session.em.create(User, {
        id: newId(session.now),
        status: 'Pending',
        firstName: body.firstName,
        lastName: body.lastName,
        email: body.email,
        recoveryEmail: body.recoveryEmail ?? null,
        phoneNumber: body.phoneNumber ?? null,
        roleId: access.roleId,
        type: body.type,
        ...tenant,
        LPs: body.LPs ?? [],
        exclusiveResources: [...access.exclusiveResources],
        inclusiveResources: [...access.inclusiveResources],
        metadata: createdFrom(session, body),
      });
    },
    onRefusal,
  );
  await session.em.flush();
  return created;
}

type Change = UserUpdate & { id: string };

const accessAfter = (user: User, change: Change): Access => ({
  ...accessOf(user),
  roleId: change.role === undefined ? (user.roleId ?? null) : change.role,
  exclusiveResources: change.exclusiveResources ?? user.exclusiveResources,
  inclusiveResources: change.inclusiveResources ?? user.inclusiveResources,
});

const same = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((entry) => other.includes(entry));

const targetOf = (assoc: Association): string => {
  const [[key, target] = []] = Object.entries(assoc) as [string, { id: string } | true][];
  return `${key}/${typeof target === 'object' ? target.id : ''}`;
};

/** The fields of the user's rights that the change alters. */
const changedRights = (user: User, change: Change) => ({
  role: change.role !== undefined && change.role !== (user.roleId ?? null),
  exclusiveResources:
    change.exclusiveResources !== undefined && !same(change.exclusiveResources, user.exclusiveResources),
  inclusiveResources:
    change.inclusiveResources !== undefined && !same(change.inclusiveResources, user.inclusiveResources),
});

/** Which fields the change alters that decide how the user signs in, and what they then can do. */
const decisiveFields = (user: User, change: Change): string[] =>
  Object.entries({
    email: change.email !== undefined && change.email !== user.email,
    pendingEmail: cancelsEmail(user, change),
    recoveryEmail: change.recoveryEmail !== undefined && change.recoveryEmail !== (user.recoveryEmail ?? null),
    ...changedRights(user, change),
  }).flatMap(([field, isChanged]) => (isChanged ? [field] : []));

/** Whether the change asks for another email. Asking again for the one that waits sends no more letters. */
const asksForEmail = (user: User, change: Change): boolean =>
  change.email !== undefined && change.email !== user.email && change.email !== user.pendingEmail;

const cancelsEmail = (user: User, change: Change): boolean =>
  change.pendingEmail === null && (user.pendingEmail ?? null) !== null && (change.email ?? user.email) === user.email;

/** Whether the request for another email ends: it was made for the rights from before. */
const endsEmailRequest = (user: User, change: Change): boolean =>
  (user.pendingEmail ?? null) !== null &&
  !asksForEmail(user, change) &&
  (cancelsEmail(user, change) || Object.values(changedRights(user, change)).includes(true));

/** Whether the change concerns more than the details that users may change themselves. */
const changesAccess = (user: User, change: Change): boolean =>
  (change.email !== undefined && change.email !== user.email) ||
  (change.status !== undefined && change.status !== user.status) ||
  (change.LPs !== undefined && !same(change.LPs, user.LPs)) ||
  Object.values(changedRights(user, change)).includes(true);

function requireUnchangedTenant(user: User, change: Change): void {
  if (change.type !== undefined && change.type !== user.type)
    throw new Refusal('badRequest', 'The type of a user cannot change. Remove the user and invite the person again.', {
      flags: { type: 'cannot change' },
    });
  if (change.assoc !== undefined && targetOf(change.assoc) !== targetOf(user.assoc))
    throw new Refusal(
      'badRequest',
      'The organization of a user cannot change. Remove the user and invite the person again.',
      { flags: { assoc: 'cannot change' } },
    );
}

function requireMayChange(session: Session, user: User, change: Change, roleBefore: Role | undefined): void {
  const isSelf = session.actor.kind === 'user' && session.actor.userId === user.id;
  if (isSelf && changesAccess(user, change))
    throw new Refusal('forbidden', 'You cannot change your own access. Ask another administrator.');
  if (!isSelf) requireLevelOver(session, roleBefore);
}

/**
 * The changes of addresses that follow. Nobody has used the account of an invited user, and the invitation proves the
 * address, so theirs changes at once.
 * @throws Refusal badRequest for a pending email that is not the stored one
 */
function applyAddresses(user: User, change: Change): PendingAddressChange[] {
  const { email, pendingEmail, recoveryEmail } = change;
  if (pendingEmail && pendingEmail !== user.pendingEmail)
    throw new Refusal('badRequest', 'A pending email cannot be entered. Change the email instead.', {
      flags: { pendingEmail: 'is not the email that waits for its confirmation' },
    });
  const changes: PendingAddressChange[] = [];
  if (email !== undefined && asksForEmail(user, change)) {
    if (user.status === 'Pending') user.email = email;
    else {
      user.pendingEmail = email;
      changes.push({ user, kind: 'email', from: user.email, next: email, isConfirmed: false });
    }
  } else if (endsEmailRequest(user, change)) user.pendingEmail = null;
  if (recoveryEmail !== undefined && recoveryEmail !== (user.recoveryEmail ?? null)) {
    const from = workingRecoveryEmail(user);
    user.recoveryEmail = recoveryEmail;
    // The owner has to confirm another one.
    const next = workingRecoveryEmail(user);
    if (from !== next) changes.push({ user, kind: 'recoveryEmail', from, next, isConfirmed: true });
  }
  return changes;
}

function apply(session: Session, user: User, change: Change, access: Access): PendingAddressChange[] {
  const addresses = applyAddresses(user, change);
  if (change.status !== undefined && change.status !== user.status) {
    USER_TRANSITIONS.require(user.status as UserStatus, change.status);
    user.status = change.status;
  }
  user.firstName = change.firstName ?? user.firstName;
  user.lastName = change.lastName ?? user.lastName;
  if (change.phoneNumber !== undefined) user.phoneNumber = change.phoneNumber;
  if (change.LPs !== undefined) user.LPs = change.LPs;
  user.roleId = access.roleId;
  user.exclusiveResources = [...access.exclusiveResources];
  user.inclusiveResources = [...access.inclusiveResources];
  user.metadata = changedMetadata(session, user.metadata);
  return addresses;
}

/** The stored users, in the order of the ids. @throws Refusal notFound for one that the actor cannot see */
async function storedUsers(session: Session, ids: readonly string[]): Promise<User[]> {
  const found = await session.em.find(User, { id: { $in: [...ids] }, status: { $ne: 'Removed' } });
  const byId = new Map(found.map((user) => [user.id, user]));
  return ids.map((id, index) => {
    const user = byId.get(id);
    if (!user) throw ids.length === 1 ? new Refusal('notFound') : atItem(new Refusal('notFound'), index);
    return user;
  });
}

/** Asking again for an email that was not confirmed in time is a new request, with new confirmation emails. */
async function forgetEndedRequests(
  session: Session,
  planned: readonly { readonly user: User; readonly change: Change }[],
): Promise<void> {
  const repeated = planned.filter(({ user, change }) => change.email && change.email === user.pendingEmail);
  if (repeated.length === 0) return;
  const open = await openEmailRequests(
    session,
    repeated.map(({ user }) => user.id),
  );
  for (const { user } of repeated) if (!open.has(user.id)) user.pendingEmail = null;
}

/** Checks and applies the changes, in a number of queries that does not depend on how many there are. */
async function applyAll(session: Session, changes: readonly Change[], nameItem: boolean): Promise<UserView[]> {
  requirePermission(session, 'users/write');
  const users = await storedUsers(
    session,
    changes.map(({ id }) => id),
  );
  const planned = changes.map((change, index) => {
    const user = users[index]!;
    return { user, change, before: accessOf(user), after: accessAfter(user, change) };
  });
  await forgetEndedRequests(session, planned);
  const lookup = await lookupFor(
    session,
    planned.flatMap(({ before, after }) => [before, after]),
    changes.flatMap(({ LPs }) => LPs ?? []),
  );
  const held = await permissionsOf(
    session,
    planned.flatMap(({ before, after }) => [before, after]),
  );
  const asked = planned.flatMap(({ user, change: { email } }) => (email && email !== user.email ? [email] : []));
  const taken = asked.length > 0 ? await emailsInUse(session, asked) : new Set<string>();
  const ended = planned.flatMap(({ user, change }) => (endsEmailRequest(user, change) ? [user.id] : []));
  const addresses: PendingAddressChange[] = [];
  for (const [index, { user, change, before, after }] of planned.entries()) {
    try {
      if (user.version !== change.version) throw staleRefusal(user, change.version);
      requireUnchangedTenant(user, change);
      requireMayChange(session, user, change, lookup.roles.get(before.roleId ?? ''));
      requireRightsOver(session, { held: held[2 * index]!, access: before }, decisiveFields(user, change));
      if (change.email !== undefined && change.email !== user.email && taken.has(change.email))
        throw emailTakenRefusal();
      requireLPs(change.LPs, after, lookup.tenantsOfLPs);
      const heldByUser = { before: held[2 * index]!, after: held[2 * index + 1]! };
      requireGrantable(session, { before, after, held: heldByUser }, lookup);
      addresses.push(...apply(session, user, change, after));
    } catch (error) {
      throw nameItem ? atItem(error, index, `${user.firstName} ${user.lastName}`) : error;
    }
  }
  await session.em.flush();
  if (ended.length > 0) await cancelEmailRequests(session, ended);
  await announceAddressChanges(session, addresses);
  return userViews(session, users);
}

/**
 * Changes a user. Disabling or removing one ends their sessions at once. A new email of a user who has signed up waits
 * until it is confirmed from that address.
 * @throws Refusal notFound; forbidden without `users/write`, for a user of a higher level, for one's own access, for
 *   access that the actor does not have, or for the email, recovery email or access of a user who has permissions or
 *   sees documents that the actor does not; tooMany for the emails about addresses; badRequest if the version is stale, for a transition that the states do not
 *   have, and as `createUser` does. The last active administrator stays.
 */
export async function updateUser(session: Session, { id, body }: { id: string; body: UserUpdate }): Promise<UserView> {
  return (await applyAll(session, [{ ...body, id }], false))[0]!;
}

/** Changes many users, all or none. @throws Refusal as `updateUser` does, naming the item */
export const updateUsers = (session: Session, items: readonly Change[]): Promise<UserView[]> =>
  applyAll(session, items, true);

/** Removes users, all or none. Their emails can be invited again. @throws Refusal as `updateUser` does */
export async function removeUsers(session: Session, ids: readonly string[]): Promise<void> {
  requirePermission(session, 'users/write');
  const users = await storedUsers(session, ids);
  const changes = users.map(({ id, version }): Change => ({ id, version, status: 'Removed' }));
  await applyAll(session, changes, ids.length > 1);
}
