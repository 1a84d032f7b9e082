import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { REQUIRED } from '@tapeline/domain/errors/required.ts';
import { can, type PermissionKey } from '@tapeline/domain/people/actor.ts';
import { Manager } from '../entities/people.ts';
import type { Session } from '../store.ts';

/**
 * Refuses an actor without the permission. Routes check it first. Operations that change the terms of a facility check
 * it again, because within a tenant no database policy distinguishes one user from another.
 * @throws Refusal forbidden
 */
export function requirePermission({ actor }: Pick<Session, 'actor'>, key: PermissionKey): void {
  if (!can(actor, key)) {
    throw new Refusal('forbidden', 'You do not have enough permissions to perform this action');
  }
}

/** Whether the actor is a borrower. Borrowers cannot change what is published, whatever their role permits. */
export const isBorrower = ({ actor }: Pick<Session, 'actor'>): boolean =>
  actor.kind === 'user' && actor.type === 'company';

/** @throws Refusal forbidden for a borrower, with the message */
export function refuseBorrower(session: Pick<Session, 'actor'>, message: string): void {
  if (isBorrower(session)) throw new Refusal('forbidden', message);
}

/**
 * The manager that a new document belongs to: the one that the actor acts for.
 * @param named the manager in the body, if an admin specifies one
 * @throws Refusal badRequest (flag on `manager`) if there is none, or the actor does not act for the specified one
 */
export async function tenantOf({ actor, em }: Pick<Session, 'actor' | 'em'>, named?: string): Promise<string> {
  const own = actor.kind === 'user' ? actor.managerId : null;
  const refuse = (message: string, flag: string): never => {
    throw new Refusal('badRequest', message, { flags: { manager: flag } });
  };
  if (own !== null) {
    return named === undefined || named === own
      ? own
      : refuse('You act for another manager', 'is not the one you act for');
  }
  if (named === undefined) return refuse('Choose the manager that this belongs to', REQUIRED);
  const found = await em.count(Manager, { id: named, status: { $ne: 'Removed' } });
  return found > 0 ? named : refuse('This manager does not exist', 'is not the id of a manager');
}
