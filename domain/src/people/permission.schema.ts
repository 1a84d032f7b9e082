import { z } from 'zod';
import { associationSchema, documentSchema, versionSchema } from '../documents/document.schema.ts';
import { idSchema } from '../documents/id.schema.ts';
import { nameSchema } from '../documents/text.schema.ts';
import { distinct, permissionKeySchema } from './access.ts';
import { isOutsider, USER_TYPES, type UserType } from './actor.ts';

const fields = {
  title: nameSchema(2, 20),
  key: permissionKeySchema,
  /** The user types that can ever hold it. */
  allowed: z.array(z.enum(USER_TYPES)).min(1, { message: 'Choose at least one user type' }).max(50).transform(distinct),
  /** Permissions belong to all managers. */
  assoc: associationSchema.refine((assoc) => 'admin' in assoc, { message: 'must be admin' }).optional(),
};

/** The history shows what others did, so companies and investors can never read it. */
export const historyStaysInside = ({ key, allowed }: { key: string; allowed: readonly UserType[] }) =>
  key !== 'history/read' || !allowed.some(isOutsider);
export const historyIssue = { path: ['allowed'], message: 'Borrowers and investors cannot hold history/read' };

/** The body for creating a permission. */
export const permissionCreateSchema = z.object(fields).refine(historyStaysInside, historyIssue);
export type PermissionCreate = z.infer<typeof permissionCreateSchema>;

/** An update contains the permission as a call returned it. The key of a permission cannot change. */
export const permissionUpdateSchema = z
  .object({ ...fields, id: idSchema, version: versionSchema })
  .refine(historyStaysInside, historyIssue);
export type PermissionUpdate = z.infer<typeof permissionUpdateSchema>;

/** A permission as the API returns it. */
export const permissionSchema = documentSchema
  .extend({ title: z.string(), key: z.string(), allowed: z.array(z.enum(USER_TYPES)) })
  .meta({ id: 'Permission' });
