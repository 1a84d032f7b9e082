import { z } from 'zod';
import { documentSchema, versionSchema, warningsShape } from '../documents/document.schema.ts';
import { externalCodeSchema } from '../documents/external-code.ts';
import { idSchema } from '../documents/id.schema.ts';
import { domainsSchema, entityReferenceSchema, entitySchema } from '../entities/entity.schema.ts';
import { COMPANY_STATUSES } from './states.ts';

/** The body for creating a company (borrower or originator). */
export const companyCreateSchema = z.object({
  entity: entityReferenceSchema,
  /** Email domains of its people: inviting an address of another domain shows a warning. */
  domains: domainsSchema.default([]),
  externalCode: externalCodeSchema,
  /** The manager that it belongs to; if omitted, the one that the caller acts for. */
  manager: idSchema.optional(),
});
export type CompanyCreate = z.infer<typeof companyCreateSchema>;

/** An update contains the company as a call returned it. The manager of a company cannot change. */
export const companyUpdateSchema = z.object({
  entity: entityReferenceSchema,
  domains: domainsSchema,
  externalCode: externalCodeSchema,
  status: z.enum(COMPANY_STATUSES).optional(),
  version: versionSchema,
});
export type CompanyUpdate = z.infer<typeof companyUpdateSchema>;

/** A company as the API returns it, with its entity embedded. */
export const companySchema = documentSchema
  .extend({
    entity: entitySchema,
    domains: domainsSchema,
    externalCode: z.string().nullable(),
    ...warningsShape,
  })
  .meta({ id: 'Company' });
