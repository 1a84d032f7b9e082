import { newStatusSchema } from '@tapeline/domain/capital/capital-document.ts';
import { calendarDateSchema } from '@tapeline/domain/dates/calendar-date.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { classKeySchema } from '@tapeline/domain/funds/fund.schema.ts';
import { positiveSchema } from '@tapeline/domain/money/amount.schema.ts';
import { z } from 'zod';
import { describeForm } from '../../../components/forms/describe-form.ts';

export const writeOffForm = z.object({
  fund: idSchema,
  Class: classKeySchema.optional(),
  /** Of the one investor that it concerns; none for all of them. */
  commitment: idSchema.optional(),
  cutOffDate: calendarDateSchema,
  amount: positiveSchema,
  status: newStatusSchema,
});
export const writeOffFormDescription = describeForm(writeOffForm);
