import { REQUIRED } from '@tapeline/domain/errors/required.ts';
import { roleCreateSchema } from '@tapeline/domain/people/role.schema.ts';
import { z } from 'zod';
import { describeForm } from '../../../components/forms/describe-form.ts';
import { versionField } from '../../../components/forms/version-field.ts';

const { title, level, permissions } = roleCreateSchema.shape;

/** The form for a role. */
export const roleFormSchema = z.object({
  title,
  level: z.coerce.number(REQUIRED).pipe(level),
  permissions: permissions.default([]),
});

/** The same for an administrator who acts for all managers, and so says whose role it is. An empty one is everyone's. */
export const roleOfFormSchema = roleFormSchema.extend({ manager: roleCreateSchema.shape.manager });
export const roleOfFormDescription = describeForm(roleOfFormSchema);

/** The same for a stored role, in the version that the form showed. */
export const roleEditSchema = roleFormSchema.extend({ roleVersion: versionField });
export const roleEditDescription = describeForm(roleEditSchema);

export const ROLE_LABELS = { title: 'Title', level: 'Level', permissions: 'Permissions', manager: 'Manager' } as const;
