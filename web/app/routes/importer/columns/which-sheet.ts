import { z } from 'zod';
import { describeForm } from '../../../components/forms/describe-form.ts';

export const whichSheetForm = z.object({
  version: z.coerce.number().int(),
  sheetName: z.string().max(250).optional(),
  headerRow: z.coerce
    .number({ message: 'must be a whole number' })
    .int('must be a whole number')
    .min(1, { message: 'must be at least 1' })
    .max(1_048_576, { message: 'must be at most 1048576' }),
});
export const whichSheetDescription = describeForm(whichSheetForm);
