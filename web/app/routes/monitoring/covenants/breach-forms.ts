import { cureSchema, waiverSchema } from '@tapeline/domain/covenants/breach.schema.ts';
import { z } from 'zod';
import { describeForms } from '../../../components/forms/describe-form.ts';

const file = {
  document: z.string().max(1000).optional(),
  /** Why the file could not be stored. */
  refused: z.string().max(1000).optional(),
};

export const waiverForm = waiverSchema.extend(file);
export const cureForm = cureSchema.extend(file);
export const BREACH_FORMS = describeForms({ waiver: waiverForm, cure: cureForm });
