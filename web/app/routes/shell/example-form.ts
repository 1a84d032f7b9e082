import { z } from 'zod';
import { describeForm } from '../../components/forms/describe-form.ts';

export const exampleSchema = z.object({
  title: z.string({ error: 'Enter a title' }).min(2, 'At least 2 characters').max(150),
  company: z.string({ error: 'Choose a borrower' }),
  advanceRatePercent: z.coerce.number({ error: 'Write a number' }).min(0).max(100, 'At most 100%'),
  cutOffDate: z.iso.date({ error: 'Choose a date' }).optional(),
  note: z.string().optional(),
  calculate: z.boolean().optional(),
  files: z.any().optional(),
});
export const exampleDescription = describeForm(exampleSchema);
