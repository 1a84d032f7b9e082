import { deleteManyPermanently } from '@tapeline/db/operations/history/permanent-delete.ts';
import type { Session } from '@tapeline/db/store.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { z } from 'zod';
import { type Access, type Endpoint, endpoint, LARGE_BODY_BYTES } from './endpoint.ts';

/** Maximum number of items in one bulk call, unless the specification says otherwise. */
const MAX_ITEMS = 500;

/** A list of 1 to `most` items. */
export const itemsOf = <Item extends z.ZodType>(item: Item, most = MAX_ITEMS) => {
  const limits = `must have 1 to ${most} items`;
  return z.array(item).min(1, limits).max(most, limits);
};

/** One item, or a list of 1 to `most`. */
export const oneOrMany = <Item extends z.ZodType>(item: Item, most = MAX_ITEMS) => z.union([item, itemsOf(item, most)]);

const hasDistinctIds = <Item extends { id: string }>(items: readonly Item[]): boolean =>
  new Set(items.map(({ id }) => id)).size === items.length;

/**
 * PUT of a list of `{ id, version, ...changed fields }`. Applies all changes in one transaction, or none of them.
 * Returns the documents.
 */
export function bulkUpdate<Item extends z.ZodType<{ id: string; version: number }>, Shown>(definition: {
  path: string;
  access: Access;
  summary: string;
  item: Item;
  most?: number;
  response: z.ZodType;
  run: (session: Session, items: z.output<Item>[]) => Promise<Shown[]>;
  toBody: (document: Shown) => unknown;
}): Endpoint {
  const { path, access, summary, item, most, response, run, toBody } = definition;
  return endpoint({
    method: 'PUT',
    path,
    access,
    summary,
    body: itemsOf(item, most).refine(hasDistinctIds, { message: 'must name each document once' }),
    maxBodyBytes: LARGE_BODY_BYTES,
    response: z.array(response),
    handle: ({ body, db }) => db(async (session) => ({ body: (await run(session, body)).map(toBody) })),
  });
}

/** Repeated `ids` of a query string, 1 to `most`, deduplicated and in lower case. */
export const idsQuerySchema = (most = MAX_ITEMS) => {
  const limits = `must name 1 to ${most} documents`;
  return z.object({
    ids: z
      .union([z.array(z.string()), z.string().transform((id) => [id])])
      .pipe(z.array(idSchema).min(1, limits).max(most, limits))
      .transform((ids) => [...new Set(ids)]),
    permanent: z.enum(['true', 'false'], { error: 'must be true or false' }).optional().meta({
      description:
        'For admins: with true, deletes documents that are already Removed and that nothing refers to. Their history is kept.',
    }),
  });
};

export const removedSchema = z.object({ ids: z.array(z.string()) });

/**
 * DELETE by repeated `ids`. Deletes all of them in one transaction, or none of them. Returns `{ ids }`. With
 * `permanent=true`, an admin deletes documents that are already Removed for good.
 */
export function bulkRemove(definition: {
  path: string;
  access: Access;
  summary: string;
  most?: number;
  /** The collection's name in the history. Default: the last part of the path. */
  collection?: string;
  run: (session: Session, ids: string[]) => Promise<unknown>;
}): Endpoint {
  const { path, access, summary, most, run } = definition;
  const { collection = path.slice(path.lastIndexOf('/') + 1) } = definition;
  return endpoint({
    method: 'DELETE',
    path,
    access,
    summary,
    query: idsQuerySchema(most),
    response: removedSchema,
    handle: ({ query, db }) =>
      db(async (session) => {
        const { ids } = query;
        if (query.permanent === 'true') await deleteManyPermanently(session, { resource: collection, ids });
        else await run(session, ids);
        return { body: { ids } };
      }),
  });
}
