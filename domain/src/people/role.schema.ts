import { z } from 'zod';
import { documentSchema, versionSchema } from '../documents/document.schema.ts';
import { idSchema } from '../documents/id.schema.ts';
import { nameSchema } from '../documents/text.schema.ts';
import { distinct, permissionKeySchema } from './access.ts';

/** 1 is the most privileged. */
export const ROLE_LEVELS = { highest: 1, lowest: 30 } as const;
export const MAX_PERMISSIONS = 200;

const LEVEL = `Enter a whole number from ${ROLE_LEVELS.highest} to ${ROLE_LEVELS.lowest}`;

const fields = {
  title: nameSchema(2, 30),
  level: z.int(LEVEL).min(ROLE_LEVELS.highest, { message: LEVEL }).max(ROLE_LEVELS.lowest, { message: LEVEL }),
  permissions: z
    .array(permissionKeySchema)
    .max(MAX_PERMISSIONS, { message: `At most ${MAX_PERMISSIONS} permissions` })
    .transform(distinct),
};

/** The body for creating a role. */
export const roleCreateSchema = z.object({
  ...fields,
  /** The manager that it belongs to; if omitted, the one that the caller acts for, or all managers for an admin. */
  manager: idSchema.optional(),
});
export type RoleCreate = z.infer<typeof roleCreateSchema>;

/** An update contains the role as a call returned it. */
export const roleUpdateSchema = z.object({ ...fields, version: versionSchema });
export type RoleUpdate = z.infer<typeof roleUpdateSchema>;

/** A role as the API returns it. */
export const roleSchema = documentSchema
  .extend({ title: z.string(), level: z.int(), permissions: z.array(z.string()) })
  .meta({ id: 'Role' });
