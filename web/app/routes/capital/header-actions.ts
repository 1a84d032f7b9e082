import { optionalTextSchema } from '@tapeline/domain/documents/text.schema.ts';
import { z } from 'zod';

/** The forms of a call's or distribution's page. The version tells whether anything changed since it was shown. */
export const headerVersionSchema = z.coerce
  .number({ message: 'is not known. Reload the page' })
  .int({ message: 'is not known. Reload the page' });

export const stepForm = z.object({ headerVersion: headerVersionSchema, confirmed: z.literal('yes').optional() });
export const headerRemovalForm = z.object({ headerVersion: headerVersionSchema, reason: optionalTextSchema(500) });

/** A call or distribution whose status changes. */
export interface Stepped {
  /** "call" or "distribution". */
  noun: string;
  label: string;
  version: number;
  drafts: number;
  issued: number;
  investors: number;
}
