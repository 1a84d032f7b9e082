import { USER_TYPES } from '@tapeline/domain/people/actor.ts';
import { historyIssue, historyStaysInside, permissionCreateSchema } from '@tapeline/domain/people/permission.schema.ts';
import { z } from 'zod';
import { describeForm } from '../../../components/forms/describe-form.ts';
import { versionField } from '../../../components/forms/version-field.ts';

const { title, key } = permissionCreateSchema.shape;
const allowed = z
  .array(z.enum(USER_TYPES), { error: 'Choose at least one user type' })
  .min(1, { message: 'Choose at least one user type' });

/** The form for a permission of an installation's own programs. */
export const permissionFormSchema = z.object({ title, key, allowed }).refine(historyStaysInside, historyIssue);
export const permissionFormDescription = describeForm(permissionFormSchema);

/** The same for a stored permission, whose key cannot change. */
export const permissionEditSchema = z.object({ title, allowed, permissionVersion: versionField });
export const permissionEditDescription = describeForm(permissionEditSchema);

export const PERMISSION_LABELS = { title: 'Title', key: 'Key', allowed: 'User types' } as const;
