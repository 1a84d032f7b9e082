import { transactionTrancheSchema } from '@tapeline/domain/facilities/transaction.schema.ts';
import { z } from 'zod';
import { transactionVersion } from './note-form.ts';
import { trancheTermsForm } from './terms-form.ts';

const { sequence, title, type, description, condition } = transactionTrancheSchema.shape;

/** A tranche and its terms. It becomes active on a page of its own. */
export const trancheEditSchema = z.object({
  sequence,
  title,
  type,
  isDiscretional: z.boolean().default(false),
  description,
  condition,
  terms: trancheTermsForm,
  transactionVersion,
});
