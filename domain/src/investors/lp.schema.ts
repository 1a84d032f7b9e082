import { z } from 'zod';
import { documentSchema, versionSchema, warningsShape } from '../documents/document.schema.ts';
import { externalCodeSchema } from '../documents/external-code.ts';
import { idSchema } from '../documents/id.schema.ts';
import { nameSchema } from '../documents/text.schema.ts';
import { domainsSchema, entityReferenceSchema, entitySchema } from '../entities/entity.schema.ts';
import { investorRecordShape, shownRecordShape } from './investor-record.schema.ts';
import { LP_STATUSES } from './states.ts';

export const lpTitleSchema = nameSchema(2, 250);

/**
 * The group of an investor in a body. `{ title }` names a group, which is created if the manager has none of that title;
 * `{ id }` joins one, and a title next to the id must be the group's.
 */
const lpGroupReferenceSchema = z.union(
  [z.object({ id: idSchema, title: z.string().max(250).optional() }), z.object({ title: lpTitleSchema })],
  {
    error: 'Give the title of a group, or the id of an existing one',
  },
);
export type LPGroupReference = z.infer<typeof lpGroupReferenceSchema>;

const fields = {
  /** The name that lists and documents show. */
  title: lpTitleSchema,
  group: lpGroupReferenceSchema.nullish(),
  externalCode: externalCodeSchema,
  ...investorRecordShape,
};

/** The body for creating an investor (a limited partner). */
export const lpCreateSchema = z.object({
  ...fields,
  entity: entityReferenceSchema,
  /** Email domains of its people: inviting an address of another domain shows a warning. */
  domains: domainsSchema.default([]),
  /** The manager that it belongs to; if omitted, the one that the caller acts for. */
  manager: idSchema.optional(),
});
export type LPCreate = z.infer<typeof lpCreateSchema>;

/** An update contains the investor as a call returned it. The manager of an investor cannot change. */
export const lpUpdateSchema = z.object({
  ...fields,
  entity: entityReferenceSchema,
  domains: domainsSchema,
  status: z.enum(LP_STATUSES).optional(),
  version: versionSchema,
});
export type LPUpdate = z.infer<typeof lpUpdateSchema>;

/** The body for renaming a group of investors. */
export const lpGroupUpdateSchema = z.object({ title: lpTitleSchema, version: versionSchema });
export type LPGroupUpdate = z.infer<typeof lpGroupUpdateSchema>;

/** An investor as the API returns it, with its entity embedded. */
export const lpSchema = documentSchema
  .extend({
    title: z.string(),
    group: z.object({ id: z.string(), title: z.string() }).nullable(),
    entity: entitySchema,
    domains: domainsSchema,
    externalCode: z.string().nullable(),
    ...shownRecordShape,
    ...warningsShape,
    lastVisitedStats: z
      .object({ loggedInCount: z.int(), totalUsers: z.int() })
      .meta({ description: 'Users who act for the investor, and how many of them have signed in' }),
  })
  .meta({ id: 'LP' });
