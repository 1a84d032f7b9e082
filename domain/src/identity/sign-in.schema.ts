import { z } from 'zod';

export const emailSchema = z
  .string('is required')
  .trim()
  .toLowerCase()
  .max(254, 'An email has at most 254 characters')
  .pipe(z.email('Write an email address, for example ann@example.com'));

/** POST /auth/code, and the first sign-in form. */
export const codeRequestSchema = z.object({ email: emailSchema });

/** POST /auth/code/verification, and the second form. Blanks between the digits do not matter. */
export const codeVerificationSchema = z.object({
  email: emailSchema,
  code: z
    .string('is required')
    .transform((code) => code.replace(/\s/g, ''))
    .pipe(z.string().regex(/^\d{6}$/, 'The code has six digits')),
});

/** POST /auth/signIn. */
export const signInSchema = z.object({ ownershipToken: z.string('is required').min(1, 'is required').max(200) });
