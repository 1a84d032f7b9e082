import { z } from 'zod';
import { documentSchema, versionSchema } from '../documents/document.schema.ts';
import { idSchema } from '../documents/id.schema.ts';
import { listSchema, MAX_TEXT, nameSchema, optionalTextSchema } from '../documents/text.schema.ts';
import { entityReferenceSchema, entitySchema } from '../entities/entity.schema.ts';
import { MAX_ENTITIES } from './service-provider.collection.ts';

const fields = {
  title: nameSchema(2, 40),
  description: optionalTextSchema(MAX_TEXT),
  /** Its role for funds, as text: "Administrator", "Auditor". */
  type: nameSchema(1, 100),
};
const listOfEntities = <Item extends z.ZodType>(item: Item) => listSchema(item, MAX_ENTITIES, 'entities');

/** The body for creating an administrator, auditor, custodian or similar provider of a manager's funds. */
export const serviceProviderCreateSchema = z.object({
  ...fields,
  entities: listOfEntities(entityReferenceSchema).default([]),
  /** The manager that it belongs to; if omitted, the one that the caller acts for. */
  manager: idSchema.optional(),
});
export type ServiceProviderCreate = z.infer<typeof serviceProviderCreateSchema>;

/** An update contains the service provider as a call returned it. */
export const serviceProviderUpdateSchema = z.object({
  ...fields,
  entities: listOfEntities(entityReferenceSchema),
  version: versionSchema,
});
export type ServiceProviderUpdate = z.infer<typeof serviceProviderUpdateSchema>;

/** A service provider as the API returns it, with its entities embedded. */
export const serviceProviderSchema = documentSchema
  .extend({
    ...fields,
    entities: listOfEntities(entitySchema),
  })
  .meta({ id: 'ServiceProvider' });
