import { z } from 'zod';
import { idSchema } from '../documents/id.schema.ts';
import { REQUIRED } from '../errors/required.ts';

export const emailSchema = z
  .string(REQUIRED)
  .trim()
  .toLowerCase()
  .max(254, 'An email has at most 254 characters')
  .pipe(z.email('Enter an email address, for example ann@example.com'));

/** POST /auth/code, and the first sign-in form. */
export const codeRequestSchema = z.object({ email: emailSchema });

/** Six digits; twelve in an email that is sent while the account gets unusually many requests. */
export const CODE_PATTERN = /^\d{6}(\d{6})?$/;

/** POST /auth/code/verification, and the second form. Spaces between the digits are ignored. */
export const codeVerificationSchema = z.object({
  email: emailSchema,
  code: z
    .string(REQUIRED)
    .max(100, 'Enter the 6-digit code')
    .transform((code) => code.replace(/\s/g, ''))
    .pipe(z.string().regex(CODE_PATTERN, 'Enter the 6-digit code')),
});

const tokenSchema = z.string(REQUIRED).min(1, REQUIRED).max(200, 'is not a token');

/** POST /auth/signIn: exactly one way to sign in. */
export const signInSchema = z
  .object({
    ownershipToken: tokenSchema.optional(),
    magicToken: tokenSchema.optional(),
    /** A token of the configured OpenID Connect provider, and the email that it must have. */
    externalIdentity: z
      .object({
        idToken: z.string(REQUIRED).min(1, REQUIRED).max(10_000, 'is not a token'),
        email: emailSchema,
      })
      .optional(),
  })
  .superRefine((body, context) => {
    const [first = 'ownershipToken', second] = Object.entries(body).flatMap(([name, value]) =>
      value === undefined ? [] : [name],
    );
    if (second) {
      context.addIssue({ code: 'custom', path: [second], message: `cannot be combined with ${first}` });
    } else if (Object.values(body).every((value) => value === undefined)) {
      context.addIssue({ code: 'custom', path: [first], message: REQUIRED });
    }
  });

/** POST /auth/magicLink. */
export const magicLinkSchema = z.object({
  userId: idSchema,
  /** Replaces an invitation that is still valid. Otherwise it is refused. */
  resend: z.boolean().optional(),
});
