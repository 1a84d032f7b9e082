import { optionalTextSchema } from '@tapeline/domain/documents/text.schema.ts';
import { z } from 'zod';

/** The forms of a call's or distribution's page. The stamp tells whether anything changed since it was shown. */
export const stampSchema = z.string().regex(/^\d{1,9}-\d{1,15}$/, { message: 'is not known. Reload the page' });

export const stepForm = z.object({ stamp: stampSchema, confirmed: z.literal('yes').optional() });
export const removalForm = z.object({ stamp: stampSchema, reason: optionalTextSchema(500) });
