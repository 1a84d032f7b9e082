import { z } from 'zod';
import { describeAccepted } from '../documents/accepted-shape.ts';
import { REQUIRED } from '../errors/required.ts';
import { userCreateSchema, userDetails } from '../people/user.schema.ts';

const { firstName, lastName, phoneNumber } = userDetails;

/** What people enter about themselves: on signing up, on confirming their details, and on their account page. */
export const userDetailsSchema = z.object({ firstName, lastName, phoneNumber });
export type UserDetails = z.infer<typeof userDetailsSchema>;

const createUserSchema = z.object(userDetailsSchema.shape);
describeAccepted(createUserSchema, z.object(userCreateSchema.shape).partial().meta({ id: 'SignedUpUser' }));

/** POST /auth/signUp. Type, association, role and LPs come from the invitation. */
export const signUpSchema = z.object({
  ownershipToken: z.string(REQUIRED).min(1, REQUIRED).max(200, 'is not a token'),
  createUser: createUserSchema,
});

/** PUT /auth/privacyAndTerms. The body can be empty: the call itself is the acceptance. */
export const privacyAndTermsSchema = z.object({
  isReadPrivacyAndTerms: z.literal(true, 'must be true').optional(),
});

/** PUT /auth/confirmUserDetails. Details that are left out are confirmed as they are. */
export const confirmUserDetailsSchema = userDetailsSchema.partial();
