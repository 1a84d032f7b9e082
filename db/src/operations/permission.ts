import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { can, type PermissionKey } from '@tapeline/domain/people/actor.ts';
import type { Session } from '../store.ts';

/**
 * Refuses an actor without the permission. Routes check it first; an operation that changes the terms of a facility
 * checks it again, since within a tenant no policy of the database tells one person from another.
 * @throws Refusal forbidden
 */
export function requirePermission({ actor }: Pick<Session, 'actor'>, key: PermissionKey): void {
  if (!can(actor, key)) {
    throw new Refusal('forbidden', 'You do not have enough permissions to perform this action');
  }
}
