import { departureSchema, MAX_DEPARTED } from '@tapeline/domain/pools/departure.schema.ts';
import { z } from 'zod';
import { describeForm } from '../../../../components/forms/describe-form.ts';

const { kind, reason, assetIds } = departureSchema.shape;

/** Longest text of a field with ids: one in each line. */
const MAX_TEXT = MAX_DEPARTED * 100;

export const departureForm = z.object({
  kind,
  reason,
  /** One id in each line. */
  ids: z
    .string()
    .max(MAX_TEXT)
    .transform((text) => text.split(/\r?\n/).flatMap((line) => line.trim() || []))
    .pipe(assetIds),
  document: z.string().max(1000).optional(),
  /** Why the file could not be stored. */
  refused: z.string().max(1000).optional(),
});
export const departureFormDescription = describeForm(departureForm);
