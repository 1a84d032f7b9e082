import { z } from 'zod';
import { describeForm } from '../../../components/forms/describe-form.ts';

export const mappingForm = z.looseObject({
  version: z.coerce.number().int(),
  dates: z.enum(['dayFirst', 'monthFirst']).optional(),
  numbers: z.enum(['point', 'comma']).optional(),
});
export const mappingFormDescription = describeForm(mappingForm);
