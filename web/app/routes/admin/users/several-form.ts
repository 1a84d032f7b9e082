import { idSchema, isId } from '@tapeline/domain/documents/id.schema.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { z } from 'zod';
import { describeForm } from '../../../components/forms/describe-form.ts';
import { MAX_CHOSEN_USERS } from './max-chosen-users.ts';

/** A user and the version that the list showed: `65f0…/3`. */
const chosenUser = z
  .string()
  .regex(/^[0-9a-f]{24}\/[1-9][0-9]{0,8}$/, { message: 'Reload the page and choose again' })
  .transform((text) => {
    const [id = '', version] = text.split('/');
    return { id, version: Number(version) };
  });

/** The users that an address names: `?users=<id>&users=<id>`. Empty if it names none. @throws Refusal badRequest */
export function namedUsers(search: URLSearchParams): string[] {
  const ids = [...new Set(search.getAll('users'))];
  if (ids.length > MAX_CHOSEN_USERS || !ids.every(isId)) throw new Refusal('badRequest');
  return ids;
}

/** What happens to the chosen users. A role or a status that is left out does not change. */
export const severalUsersSchema = z
  .object({
    users: z
      .array(chosenUser, { error: 'Choose at least one user' })
      .min(1, { message: 'Choose at least one user' })
      .max(500, { message: 'At most 500 users' }),
    role: idSchema.optional(),
    status: z.enum(['Active', 'Disabled']).optional(),
  })
  .refine(({ role, status }) => role !== undefined || status !== undefined, {
    path: ['role'],
    message: 'Choose a role or a status',
  });
export const severalUsersDescription = describeForm(severalUsersSchema);
