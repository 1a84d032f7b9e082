import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { z } from 'zod';

/** A user and the version that the list showed: `65f0…/3`. */
const chosenUser = z
  .string()
  .regex(/^[0-9a-f]{24}\/[1-9][0-9]{0,8}$/, { message: 'Reload the page and choose again' })
  .transform((text) => {
    const [id = '', version] = text.split('/');
    return { id, version: Number(version) };
  });

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
