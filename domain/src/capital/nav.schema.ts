import { z } from 'zod';
import { issueStateSchema } from '../approvals/second-person.ts';
import { investorReferenceSchema, investorSchema } from '../commitments/investor.schema.ts';
import { calendarDateSchema } from '../dates/calendar-date.ts';
import { documentSchema, warningsShape } from '../documents/document.schema.ts';
import { idSchema } from '../documents/id.schema.ts';
import { classKeySchema } from '../funds/fund.schema.ts';
import { currencySchema, moneySchema, requireMinorUnits } from '../money/amount.schema.ts';
import { capitalChangeShape, newStatusSchema } from './capital-document.ts';

/** The net asset value of one investor in a fund at a date. It can be negative. */
export const navCreateSchema = z
  .object({
    fund: idSchema,
    investor: investorReferenceSchema,
    Class: classKeySchema.nullish(),
    cutOffDate: calendarDateSchema,
    gross: moneySchema,
    net: moneySchema,
    currency: currencySchema,
    status: newStatusSchema,
  })
  .superRefine(({ currency, gross, net }, context) => requireMinorUnits(context, currency, { gross, net }));
export type NavCreate = z.output<typeof navCreateSchema>;

/** One NAV of a bulk update, with the fields to change. */
export const navChangeSchema = z.object({
  ...capitalChangeShape,
  cutOffDate: calendarDateSchema.optional(),
  gross: moneySchema.optional(),
  net: moneySchema.optional(),
});
export type NavChange = z.output<typeof navChangeSchema>;

/** A NAV as the API returns it. */
export const navSchema = documentSchema
  .extend({
    fund: z.string(),
    investor: investorSchema,
    Class: z.string().nullable(),
    cutOffDate: z.string(),
    gross: z.number(),
    net: z.number(),
    currency: z.string(),
    secondPerson: issueStateSchema.nullable(),
    ...warningsShape,
  })
  .meta({ id: 'Nav' });
