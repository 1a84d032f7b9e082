import { adjustmentSchema } from '@tapeline/domain/borrowing-base/adjustment.schema.ts';
import { z } from 'zod';
import { describeForm } from '../../../../components/forms/describe-form.ts';

export const adjustmentForm = adjustmentSchema.extend({
  document: z.string().max(1000).optional(),
  /** Why the file could not be stored. */
  refused: z.string().max(1000).optional(),
});
export const adjustmentFormDescription = describeForm(adjustmentForm);
