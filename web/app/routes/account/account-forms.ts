import { versionSchema } from '@tapeline/domain/documents/document.schema.ts';
import { codeVerificationSchema, emailSchema } from '@tapeline/domain/identity/sign-in.schema.ts';
import { userDetailsSchema } from '@tapeline/domain/identity/user-details.schema.ts';
import { z } from 'zod';

export const profileSchema = userDetailsSchema.extend({ version: versionSchema });
export const recoverySchema = z.object({ email: emailSchema });
export const recoveryCodeSchema = codeVerificationSchema;
