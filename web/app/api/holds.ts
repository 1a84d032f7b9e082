import { decideHeld, endHold, listHeldItems, listHolds } from '@tapeline/db/operations/holds/holds.ts';
import { listQuerySchema } from '@tapeline/domain/filters/list-query.schema.ts';
import { decideHeldSchema, heldItemSchema, holdSchema } from '@tapeline/domain/holds/hold.schema.ts';
import { z } from 'zod';
import { idParamsSchema } from './documents.ts';
import { type Endpoint, endpoint } from './endpoint.ts';

const pageSchema = listQuerySchema.pick({ skip: true, limit: true });

/** What a restored backup would do again, for administrators. */
export const holdEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/crud/holds',
    access: 'managers/read',
    summary: 'List the holds after restores, the latest first. Only for administrators',
    response: z.array(holdSchema),
    handle: async ({ db }) => {
      const holds = await db(listHolds);
      return { body: holds, count: holds.length };
    },
  }),
  endpoint({
    method: 'PUT',
    path: '/crud/holds/{id}',
    access: 'managers/write',
    summary:
      'End a hold, once everything that it holds is released or dropped. What jobs do is then no longer held. Only for administrators',
    params: idParamsSchema,
    body: z.strictObject({ ended: z.literal(true) }),
    response: z.object({ ids: z.array(z.string()) }),
    handle: async ({ params, db }) => {
      await db((session) => endHold(session, params));
      return { body: { ids: [params.id] } };
    },
  }),
  endpoint({
    method: 'GET',
    path: '/crud/heldItems',
    access: 'managers/read',
    summary: 'List what is held after a restore, the oldest first. Only for administrators',
    query: pageSchema,
    response: z.array(heldItemSchema),
    handle: async ({ query, db }) => {
      const { rows, total } = await db((session) => listHeldItems(session, query));
      return { body: rows, count: total };
    },
  }),
  endpoint({
    method: 'PUT',
    path: '/crud/heldItems',
    access: 'managers/write',
    summary:
      'Release or drop what is held after a restore: the named items (1 to 500), or all. A released email is sent to whoever may still see its document; a dropped one is never sent. Only for administrators',
    body: decideHeldSchema,
    response: z.object({ decided: z.int().meta({ description: 'How many items were still held' }) }),
    handle: async ({ body, db }) => ({ body: { decided: await db((session) => decideHeld(session, body)) } }),
  }),
];
