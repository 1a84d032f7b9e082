import { z } from 'zod';
import { describeForm } from '../../components/forms/describe-form.ts';

export const valuesForm = z.looseObject({ version: z.coerce.number().int() });
export const valuesFormDescription = describeForm(valuesForm);
