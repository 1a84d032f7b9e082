import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { optionalTextSchema } from '@tapeline/domain/documents/text.schema.ts';
import { z } from 'zod';
import { versionField } from '../../components/forms/version-field.ts';

/** What `otherValue` writes. */
export const otherSchema = z
  .string({ message: 'is required' })
  .regex(/^[0-9a-f]{24}\/\d{1,9}$/, { message: 'is not known. Reload the page' })
  .transform((text) => {
    const [id = '', version = ''] = text.split('/');
    return { id: idSchema.parse(id), version: Number(version) };
  });

// The forms of a call's or distribution's page.

/** `other` is what it is netted with: then both are issued. */
export const stepForm = z.object({
  headerVersion: versionField,
  confirmed: z.literal('yes').optional(),
  other: otherSchema.optional(),
});
/** The same: then both are withdrawn. */
export const headerRemovalForm = z.object({
  headerVersion: versionField,
  reason: optionalTextSchema(500),
  other: otherSchema.optional(),
});
export const pairForm = z.object({ headerVersion: versionField, other: otherSchema });
