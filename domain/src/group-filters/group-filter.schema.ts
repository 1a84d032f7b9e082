import { z } from 'zod';
import { documentSchema, versionSchema } from '../documents/document.schema.ts';
import { idSchema } from '../documents/id.schema.ts';
import { listSchema, nameSchema } from '../documents/text.schema.ts';

/** Maximum funds, and maximum investors, of one filter. */
export const MAX_IDS = 1_000;
/** Filters that a user may save for one manager. */
export const MAX_FILTERS = 200;
const idsOf = (what: string) => listSchema(idSchema, MAX_IDS, what).default([]);

const shape = {
  title: nameSchema(2, 150),
  filters: z
    .object({ funds: idsOf('funds'), investors: idsOf('investors') })
    .refine(({ funds, investors }) => funds.length + investors.length > 0, {
      message: 'One of the fields must be defined and should contain at least one',
    }),
};

/** A selection of funds and investors that a user saves for dashboards and lists. */
export const groupFilterCreateSchema = z.object(shape);
export type GroupFilterCreate = z.infer<typeof groupFilterCreateSchema>;
export const groupFilterUpdateSchema = z.object({ ...shape, version: versionSchema });
export type GroupFilterUpdate = z.infer<typeof groupFilterUpdateSchema>;

/** A saved filter as the API returns it. Only its user can see it. */
export const groupFilterSchema = documentSchema
  .extend({
    title: z.string(),
    user: z.string(),
    filters: z.object({ funds: z.array(z.string()), investors: z.array(z.string()) }),
  })
  .meta({ id: 'GroupFilter' });
