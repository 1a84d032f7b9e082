import { MAX_TEXT, textSchema } from '@tapeline/domain/documents/text.schema.ts';
import { z } from 'zod';

/** The version that a form was shown with. It is not named `version`, so that a stale one is reported for the whole form. */
export const versionedSchema = z.object({ drawVersion: z.coerce.number().int() });
const at = versionedSchema.extend({ index: z.coerce.number().int().min(0) });

export const skipSchema = at.extend({ reason: textSchema(1, MAX_TEXT) });
export const undoSchema = at;
export const rejectSchema = versionedSchema.extend({ rejectionMessage: textSchema(1, MAX_TEXT) });
