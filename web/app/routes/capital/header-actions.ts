import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { optionalTextSchema } from '@tapeline/domain/documents/text.schema.ts';
import { z } from 'zod';

/** The forms of a call's or distribution's page. The version tells whether anything changed since it was shown. */
export const headerVersionSchema = z.coerce
  .number({ message: 'is not known. Reload the page' })
  .int({ message: 'is not known. Reload the page' });

/** Names what a call or distribution is netted with, and the version that was shown: "65f0…/3". */
export const otherValue = ({ id, version }: { readonly id: string; readonly version: number }): string =>
  `${id}/${version}`;

export const otherSchema = z
  .string({ message: 'is required' })
  .regex(/^[0-9a-f]{24}\/\d{1,9}$/, { message: 'is not known. Reload the page' })
  .transform((text) => {
    const [id = '', version = ''] = text.split('/');
    return { id: idSchema.parse(id), version: Number(version) };
  });

/** `other` is what it is netted with: then both are issued. */
export const stepForm = z.object({
  headerVersion: headerVersionSchema,
  confirmed: z.literal('yes').optional(),
  other: otherSchema.optional(),
});
/** The same: then both are withdrawn. */
export const headerRemovalForm = z.object({
  headerVersion: headerVersionSchema,
  reason: optionalTextSchema(500),
  other: otherSchema.optional(),
});
export const pairForm = z.object({ headerVersion: headerVersionSchema, other: otherSchema });

/** A call or distribution whose status changes. */
export interface Stepped {
  /** "call" or "distribution". */
  noun: string;
  label: string;
  version: number;
  drafts: number;
  issued: number;
  investors: number;
  /** What it is netted with: "distribution 4". */
  netted: { readonly id: string; readonly version: number; readonly name: string } | null;
}
