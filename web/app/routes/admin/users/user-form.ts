import { CHOSEN } from '@tapeline/domain/documents/chosen.ts';
import type { Association } from '@tapeline/domain/documents/document.schema.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { REQUIRED } from '@tapeline/domain/errors/required.ts';
import { emailSchema } from '@tapeline/domain/identity/sign-in.schema.ts';
import type { UserType } from '@tapeline/domain/people/actor.ts';
import { MAX_LPS, userDetails } from '@tapeline/domain/people/user.schema.ts';
import { z } from 'zod';
import { describeForm } from '../../../components/forms/describe-form.ts';
import { versionField } from '../../../components/forms/version-field.ts';

/** An organization as the form names it: `company/65f0…`. */
export const ORGANIZATION = /^(admin|(manager|company|LP|LPGroup)\/[0-9a-f]{24})$/;

const details = { ...userDetails, email: emailSchema };

/** The form for a new user. The organization decides the type. */
export const userFormSchema = z.object({
  organization: z
    .string(REQUIRED)
    .regex(ORGANIZATION, { message: 'must be one of the choices' })
    .register(CHOSEN, { is: 'organization' }),
  ...details,
  // Without a role, a user sees nothing.
  role: idSchema,
  invite: z.boolean().default(false),
});
export const userFormDescription = describeForm(userFormSchema);

/** The same for a stored user. The field is not called `version`, so that a stale one is reported at the top. */
export const userEditSchema = z.object({
  ...details,
  role: idSchema.optional(),
  LPs: z
    .array(idSchema)
    .max(MAX_LPS, { message: `At most ${MAX_LPS} investors` })
    .default([]),
  userVersion: versionField,
});
export const userEditDescription = describeForm(userEditSchema);

export const USER_LABELS = {
  organization: 'Organization',
  firstName: 'First name',
  lastName: 'Last name',
  email: 'Email',
  recoveryEmail: 'Recovery email',
  phoneNumber: 'Phone number',
  role: 'Role',
  LPs: 'Investors',
  invite: 'Send the invitation now',
} as const;

/** The type and the association of an organization as the form names it: `company/65f0…`. */
export function partyOf(organization: string): { type: UserType; assoc: Association } {
  const [type, id = ''] = organization.split('/') as [UserType, string?];
  return { type, assoc: (type === 'admin' ? { admin: true } : { [type]: { id } }) as Association };
}
