import { z } from 'zod';
import { EVERY_COLLECTION, type NameWith } from '../collections/collections.ts';
import { REQUIRED } from '../errors/required.ts';

export type DocumentCollection = NameWith<{ canBeBlocked: true }>;

/**
 * Collections whose documents can be blocked or allowed for one user. An entity is shown with its company, investor,
 * fund or manager, so that one is blocked instead, and the entity is hidden with it.
 */
export const DOCUMENT_COLLECTIONS = EVERY_COLLECTION.flatMap(([name, { canBeBlocked }]) =>
  canBeBlocked ? [name as DocumentCollection] : [],
);

/** Maximum entries of `exclusiveResources` and of `inclusiveResources`. */
export const MAX_RESOURCES = 200;

const KEY = /^[A-Za-z]+(\/[A-Za-z]+)*\/(read|write)$/;
const DOCUMENT = new RegExp(`^(${DOCUMENT_COLLECTIONS.join('|')})/([0-9a-f]{24})$`);

/** The key of a permission: a resource, then /read or /write. */
export const permissionKeySchema = z
  .string(REQUIRED)
  .trim()
  .min(1, { message: REQUIRED })
  .max(60, { message: 'At most 60 characters' })
  .regex(KEY, { message: 'Enter a resource followed by /read or /write, for example funds/read' });

export const distinct = <Item>(items: readonly Item[]): Item[] => [...new Set(items)];

export const resourcesSchema = z
  .array(
    z
      .string()
      .trim()
      .max(60, { message: 'At most 60 characters' })
      .refine((entry) => KEY.test(entry) || DOCUMENT.test(entry), {
        message:
          'Enter a permission key, or a collection and the id of a document, for example funds/read or companies/65f0c2a1b3d4e5f601234567',
      }),
  )
  .max(MAX_RESOURCES, { message: `At most ${MAX_RESOURCES} entries` })
  .transform(distinct);

/** One document that a user's entry names. */
export interface NamedDocument {
  readonly collection: DocumentCollection;
  readonly id: string;
}

/** The document that an entry names; null for a permission key. */
export function documentOf(entry: string): NamedDocument | null {
  const [, collection, id] = DOCUMENT.exec(entry) ?? [];
  return collection && id ? { collection: collection as DocumentCollection, id } : null;
}

/**
 * The documents among a user's entries that are blocked and allowed. Inclusive takes precedence: a document that is in
 * both lists is allowed.
 */
export function documentAccess(lists: {
  readonly exclusiveResources: readonly string[];
  readonly inclusiveResources: readonly string[];
}): { blocked: string[]; allowed: string[] } {
  const allowed = lists.inclusiveResources.filter((entry) => documentOf(entry) !== null);
  const blocked = lists.exclusiveResources.filter((entry) => documentOf(entry) !== null && !allowed.includes(entry));
  return { blocked, allowed };
}
