import { COLLECTIONS } from '@tapeline/domain/collections/collections.ts';
import { IMPORTED_COLLECTIONS, type ImportKind } from '@tapeline/domain/importer/kinds.ts';
import { type Actor, can } from '@tapeline/domain/people/actor.ts';
import type { Import } from '../../entities/imports.ts';

/**
 * Whether somebody reads what an import was made from, and why it failed. Both may name any document that its author can
 * see, so they are for the author, and for others from whom nothing is hidden.
 */
export const seesContent = (
  actor: Actor,
  { userId, kind }: { readonly userId?: string | null | undefined; readonly kind: ImportKind },
): boolean =>
  actor.kind !== 'user' ||
  actor.type === 'admin' ||
  actor.userId === userId ||
  (actor.blockedDocuments.length === 0 && can(actor, COLLECTIONS[IMPORTED_COLLECTIONS[kind]].read));

/** Why nothing was imported, as the actor reads it; null if the import has not failed. */
export const failureFor = (actor: Actor, record: Pick<Import, 'userId' | 'kind' | 'failure'>): string | null =>
  record.failure && !seesContent(actor, record)
    ? 'Nothing was imported. Whoever started this import can see why'
    : (record.failure ?? null);
