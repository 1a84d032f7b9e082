import { z } from 'zod';
import { secondPersonSchema } from '../approvals/second-person.ts';
import { documentSchema, versionSchema } from '../documents/document.schema.ts';
import { domainsSchema, entityReferenceSchema, entitySchema } from '../entities/entity.schema.ts';
import { SESSION_LIMITS } from '../identity/session-limits.ts';
import { MANAGER_STATUSES } from './states.ts';

const endsIdleSessionsSchema = z.boolean().meta({
  description: `Whether its users are signed out after ${SESSION_LIMITS.idleMinutes} minutes without a request`,
});

/** The body for creating a fund manager, which is a tenant of its own with an empty register. */
export const managerCreateSchema = z.object({
  entity: entityReferenceSchema,
  /** Email domains of its people: inviting an address of another domain shows a warning. */
  domains: domainsSchema.default([]),
  endsIdleSessions: endsIdleSessionsSchema.default(false),
});
export type ManagerCreate = z.infer<typeof managerCreateSchema>;

/** An update contains the manager as a call returned it. */
export const managerUpdateSchema = z.object({
  entity: entityReferenceSchema,
  domains: domainsSchema,
  endsIdleSessions: endsIdleSessionsSchema.optional(),
  /** Rules that ask for a second person less often are proposed, until another person sends the same. */
  secondPerson: secondPersonSchema.optional(),
  status: z.enum(MANAGER_STATUSES).optional(),
  version: versionSchema,
});
export type ManagerUpdate = z.infer<typeof managerUpdateSchema>;

/** A manager as the API returns it, with its entity embedded. */
export const managerSchema = documentSchema
  .extend({
    entity: entitySchema,
    domains: domainsSchema,
    endsIdleSessions: endsIdleSessionsSchema,
    secondPerson: secondPersonSchema,
    secondPersonProposal: z
      .object({ rules: secondPersonSchema, by: z.string().nullable(), name: z.string(), at: z.string() })
      .nullable()
      .meta({ description: 'Rules that ask less often for a second person, until another person confirms them' }),
  })
  .meta({ id: 'Manager' });
