import { z } from 'zod';
import { calendarDateSchema } from '../dates/calendar-date.ts';
import { documentSchema, versionSchema } from '../documents/document.schema.ts';
import { idSchema } from '../documents/id.schema.ts';
import { nameSchema, optionalTextSchema } from '../documents/text.schema.ts';
import { currencySchema, documentSumSchema, wireAmountSchema } from '../money/amount.schema.ts';
import { FUND_STRATEGIES, FUND_TYPES, nonRecyclableSchema, refuseOtherCurrencies } from './fund.schema.ts';
import { MAX_MEMBERS } from './main-fund-limits.ts';

const members = z
  .array(idSchema)
  .max(MAX_MEMBERS, { message: `At most ${MAX_MEMBERS} funds` })
  .refine((ids) => new Set(ids).size === ids.length, { message: 'Each fund can be a member once' });

const shape = {
  title: nameSchema(2, 150),
  type: z.enum(FUND_TYPES),
  strategy: z.enum(FUND_STRATEGIES),
  targetSize: documentSumSchema,
  hardCap: documentSumSchema,
  closingDate: calendarDateSchema.nullish(),
  nonRecyclable: nonRecyclableSchema.nullish(),
  description: optionalTextSchema(100),
};

/** The body for creating a main fund, which groups funds of one currency. */
export const mainFundCreateSchema = z
  .object({ ...shape, currency: currencySchema, classMembers: members.default([]) })
  .superRefine(refuseOtherCurrencies);
export const mainFundUpdateSchema = z.object({ ...shape, version: versionSchema });
export type MainFundCreate = z.output<typeof mainFundCreateSchema>;
export type MainFundUpdate = z.output<typeof mainFundUpdateSchema>;

export const mainFundMembersSchema = z.object({ classMembers: members });

/** A main fund as the API returns it. */
export const mainFundSchema = documentSchema
  .extend({
    title: z.string(),
    type: z.enum(FUND_TYPES),
    strategy: z.enum(FUND_STRATEGIES),
    currency: z.string(),
    targetSize: wireAmountSchema,
    hardCap: wireAmountSchema,
    closingDate: z.string().nullable(),
    nonRecyclable: nonRecyclableSchema.nullable(),
    description: z.string().nullable(),
    classMembers: z.array(z.object({ id: z.string(), title: z.string() })),
  })
  .meta({ id: 'MainFund' });
