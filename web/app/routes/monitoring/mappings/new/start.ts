import { attachmentSchema } from '@tapeline/domain/tapes/tape.schema.ts';
import { z } from 'zod';
import { describeForm } from '../../../../components/forms/describe-form.ts';

export const startSchema = z.object({
  companyId: z.string({ error: 'Choose a borrower' }).min(1, 'Choose a borrower'),
  refused: z
    .array(z.string())
    .max(0, { error: (issue) => (issue.input as string[]).join('\n') })
    .optional(),
  attachments: z
    .array(attachmentSchema, { error: 'Choose a tape' })
    .min(1, 'Choose a tape')
    .max(1, 'Choose one tape only'),
});
export const startDescription = describeForm(startSchema);
