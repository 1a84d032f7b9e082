import { groupDocuments, type Listable, type Page } from '@tapeline/db/operations/listing/list-documents.ts';
import type { Session } from '@tapeline/db/store.ts';
import { z } from 'zod';
import { groupBodies, groupBodySchema, idParamsSchema, listParamsSchema } from './documents.ts';
import { type Access, type Endpoint, endpoint } from './endpoint.ts';

/** A collection's list: the list vocabulary, X-Docs-Count, and groups where `groupBy` asks for them. */
export function listEndpoint<Entity extends { id: string }, Shown = Entity>(definition: {
  path: string;
  access: Access;
  summary: string;
  listable: Listable<Entity>;
  list: (session: Session, query: unknown) => Promise<Page<Shown>>;
  toBody: (document: Shown) => unknown;
  response: z.ZodType;
}): Endpoint {
  return endpoint({
    method: 'GET',
    path: definition.path,
    access: definition.access,
    summary: definition.summary,
    query: listParamsSchema,
    response: z.union([z.array(definition.response), z.array(groupBodySchema)]),
    handle: ({ query, actor, context }) =>
      context.store.as(actor, async (session) => {
        if (query.groupBy) {
          const found = await groupDocuments(session, definition.listable, query);
          return { body: groupBodies(found), count: found.total };
        }
        const { documents, total } = await definition.list(session, query);
        return { body: documents.map(definition.toBody), count: total };
      }),
  });
}

/** One document of a collection by its id; 404 for one that is not there or out of sight. */
export function oneEndpoint<Shown>(definition: {
  path: string;
  access: Access;
  summary: string;
  get: (session: Session, id: string) => Promise<Shown>;
  toBody: (document: Shown) => unknown;
  response: z.ZodType;
}): Endpoint {
  return endpoint({
    method: 'GET',
    path: definition.path,
    access: definition.access,
    summary: definition.summary,
    params: idParamsSchema,
    response: definition.response,
    handle: ({ params, actor, context }) =>
      context.store.as(actor, async (session) => ({
        body: definition.toBody(await definition.get(session, params.id)),
      })),
  });
}
