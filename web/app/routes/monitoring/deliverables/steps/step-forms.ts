import { itemReasonSchema } from '@tapeline/domain/deliverables/deliverable.schema.ts';
import { optionalTextSchema } from '@tapeline/domain/documents/text.schema.ts';
import { z } from 'zod';
import { describeForms } from '../../../../components/forms/describe-form.ts';

export const sendForm = z.object({
  remark: optionalTextSchema(500),
  document: z.string().max(1000).optional(),
  /** Why the file could not be stored. */
  refused: z.string().max(1000).optional(),
});
export const reasonForm = itemReasonSchema;
export const STEP_FORMS = describeForms({ send: sendForm, reason: reasonForm });
