import { z } from 'zod';
import { associationSchema, documentSchema, versionSchema } from '../documents/document.schema.ts';
import { idSchema } from '../documents/id.schema.ts';
import { nameSchema } from '../documents/text.schema.ts';
import { emailSchema } from '../identity/sign-in.schema.ts';
import { distinct, resourcesSchema } from './access.ts';
import { USER_TYPES, type UserType } from './actor.ts';
import { USER_STATUSES } from './states.ts';

export const MAX_LPS = 100;
/** Maximum refresh tokens of one user; the oldest are dropped. */
export const MAX_REFRESH_TOKENS = 200;

export const PERSON_NAME = { least: 2, most: 30 } as const;
export const personNameSchema = nameSchema(PERSON_NAME.least, PERSON_NAME.most);

/** International: the country code and the number, digits only. */
export const phoneNumberSchema = z.string().regex(/^[0-9]{1,16}$/, { message: 'Invalid phone number' });

const LPS_LIMITS = `must have 1 to ${MAX_LPS} LPs`;
const lpsSchema = z
  .array(idSchema)
  .min(1, { message: LPS_LIMITS })
  .max(MAX_LPS, { message: LPS_LIMITS })
  .transform(distinct);

/** What a person may enter about themselves, and an administrator about anyone. */
export const userDetails = {
  firstName: personNameSchema,
  lastName: personNameSchema,
  recoveryEmail: emailSchema.nullish(),
  phoneNumber: phoneNumberSchema.nullish(),
};

const fields = {
  ...userDetails,
  email: emailSchema,
  role: idSchema.nullish(),
  LPs: lpsSchema.optional(),
  exclusiveResources: resourcesSchema.optional(),
  inclusiveResources: resourcesSchema.optional(),
};

/** The key of `assoc` for each user type. */
export const ASSOCIATION_OF_TYPE = {
  admin: 'admin',
  manager: 'manager',
  company: 'company',
  LP: 'LP',
  LPGroup: 'LPGroup',
} as const satisfies Record<UserType, string>;

/** The body for creating a user, who is Pending until they sign up. */
export const userCreateSchema = z
  .object({ ...fields, type: z.enum(USER_TYPES, { error: 'Choose a type' }), assoc: associationSchema })
  .refine(({ type, assoc }) => ASSOCIATION_OF_TYPE[type] in assoc, {
    path: ['assoc'],
    message: 'must have the key of the type: admin, manager, company, LP or LPGroup',
  });
export type UserCreate = z.infer<typeof userCreateSchema>;

/**
 * An update contains the user as a call returned it, or only the fields that change. The type of a user, and whom they
 * act for, cannot change. The email of a user who has signed up changes once it is confirmed from the new address.
 */
export const userUpdateSchema = z
  .object({
    ...fields,
    type: z.enum(USER_TYPES),
    assoc: associationSchema,
    status: z.enum(USER_STATUSES),
    /** The email that waits for its confirmation; null cancels the request. */
    pendingEmail: emailSchema.nullable(),
  })
  .partial()
  .extend({ version: versionSchema });
export type UserUpdate = z.infer<typeof userUpdateSchema>;

export const userBulkItemSchema = userUpdateSchema.extend({ id: idSchema });

/** A user as the API returns it. It contains no token and no other secret. */
export const userSchema = documentSchema
  .extend({
    status: z.enum(USER_STATUSES),
    firstName: z.string(),
    lastName: z.string(),
    email: z.string(),
    pendingEmail: z.string().nullable().meta({
      description: 'The email that replaces `email` once it is confirmed from that address',
    }),
    recoveryEmail: z.string().nullable(),
    role: z.string().nullable().meta({ description: 'Id of the role' }),
    type: z.enum(USER_TYPES),
    LPs: z.array(z.string()).optional().meta({ description: 'For users of the type LP' }),
    exclusiveResources: z.array(z.string()),
    inclusiveResources: z.array(z.string()),
    lastVisited: z.string().nullable(),
    isReadPrivacyAndTerms: z.boolean(),
    isConfirmedUserDetails: z.boolean(),
    phoneNumber: z.string().nullable(),
    magicLink: z.boolean().meta({ description: 'Whether the user has an invitation that can still be used' }),
  })
  .meta({ id: 'User' });
