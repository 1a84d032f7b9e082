import { z } from 'zod';
import { issueStateSchema } from '../approvals/second-person.ts';
import { investorReferenceSchema, investorSchema } from '../commitments/investor.schema.ts';
import { calendarDateSchema } from '../dates/calendar-date.ts';
import { documentSchema, warningsShape } from '../documents/document.schema.ts';
import { idSchema } from '../documents/id.schema.ts';
import { classKeySchema } from '../funds/fund.schema.ts';
import { amountOf, positiveSchema, wireAmountSchema } from '../money/amount.schema.ts';
import { capitalChangeShape, newStatusSchema } from './capital-document.ts';

const writtenOffSchema = amountOf(positiveSchema);

/** A write-off: split over the investors of the fund, or for one of them. */
export const writeOffCreateSchema = z.object({
  fund: idSchema,
  Class: classKeySchema.nullish(),
  investor: investorReferenceSchema.nullish(),
  cutOffDate: calendarDateSchema,
  amount: writtenOffSchema,
  status: newStatusSchema,
});
export type WriteOffCreate = z.output<typeof writeOffCreateSchema>;

/** One write-off of a bulk update, with the fields to change. */
export const writeOffChangeSchema = z.object({
  ...capitalChangeShape,
  cutOffDate: calendarDateSchema.optional(),
  amount: writtenOffSchema.optional(),
});
export type WriteOffChange = z.output<typeof writeOffChangeSchema>;

/** A write-off as the API returns it. */
export const writeOffSchema = documentSchema
  .extend({
    fund: z.string(),
    investor: investorSchema,
    Class: z.string().nullable(),
    cutOffDate: z.string(),
    amount: wireAmountSchema,
    secondPerson: issueStateSchema.nullable(),
    ...warningsShape,
  })
  .meta({ id: 'WriteOff' });

export const writeOffTotalsSchema = z.array(z.object({ totalWriteOffs: z.number(), currency: z.string() }));
