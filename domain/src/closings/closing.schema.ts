import { z } from 'zod';
import { newStatusSchema } from '../capital/capital-document.ts';
import { callNumberSchema } from '../capital/contribution.schema.ts';
import { investorReferenceSchema, investorSchema } from '../commitments/investor.schema.ts';
import { type CalendarDate, calendarDateSchema } from '../dates/calendar-date.ts';
import { idSchema } from '../documents/id.schema.ts';
import { MAX_TEXT, nameSchema, optionalTextSchema } from '../documents/text.schema.ts';
import type { InputRule } from '../errors/rule.ts';
import { commitmentFeesSchema } from '../funds/fees.schema.ts';
import { classKeySchema } from '../funds/fund.schema.ts';
import { positiveSchema, wireAmountSchema } from '../money/amount.schema.ts';
import { equalizationTermsSchema } from './equalization-terms.schema.ts';

/** Most investors of one closing. */
const MAX_ENTRANTS = 100;

export const DUE_FROM_CLOSING: InputRule<{ closingDate: CalendarDate; dueDate: CalendarDate }> = [
  ({ closingDate, dueDate }) => dueDate >= closingDate,
  { path: ['dueDate'], message: 'must not be before the closing date' },
];

/** What a closing is entered with, besides its fund and investors. */
export const closingShape = {
  title: nameSchema(2, 150),
  closingDate: calendarDateSchema,
  dueDate: calendarDateSchema,
  callNumber: callNumberSchema,
  distributionNumber: callNumberSchema,
  trailingDescription: optionalTextSchema(MAX_TEXT),
};

/** The body of a later closing: new investors, and increases of commitments, in the currency of the fund. */
export const closingCreateSchema = z
  .object({
    fund: idSchema,
    ...closingShape,
    investors: z
      .array(
        z.object({
          investor: investorReferenceSchema,
          Class: classKeySchema.nullish(),
          amount: positiveSchema.meta({ description: 'What it commits at this closing, in the currency of the fund' }),
          fees: commitmentFeesSchema.optional().meta({ description: 'Of a new commitment' }),
        }),
      )
      .min(1, { message: 'Enter at least one investor' })
      .max(MAX_ENTRANTS, { message: `At most ${MAX_ENTRANTS} investors` }),
    status: newStatusSchema.meta({
      description: 'Active issues both notices at once; Draft leaves them to be issued as any call and distribution',
    }),
    /** Returns the closing without saving it. */
    dryRun: z.boolean().default(false),
  })
  .refine(...DUE_FROM_CLOSING);

export type ClosingCreate = z.output<typeof closingCreateSchema>;

const sides = z.object({ capital: wireAmountSchema, interest: wireAmountSchema });
const part = z.object({ commitment: z.string().nullable(), amount: wireAmountSchema, interest: wireAmountSchema });

/** A closing as the API returns it. A dry run has no id. */
export const closingSchema = z
  .object({
    id: z.string().optional(),
    fund: z.string(),
    title: z.string(),
    closingDate: z.string(),
    dueDate: z.string(),
    firstClosing: z.string().nullable(),
    callNumber: z.string().nullable(),
    distributionNumber: z.string().nullable(),
    call: z.string().nullable().meta({ description: 'The bundleId of its contributions; null if nothing is paid in' }),
    distribution: z.string().nullable().meta({ description: 'The bundleId of its distributions' }),
    terms: equalizationTermsSchema,
    commitments: z.object({ before: wireAmountSchema, after: wireAmountSchema }),
    lines: z.array(
      z.object({
        call: z.string(),
        callNumber: z.string(),
        title: z.string(),
        kind: z.string(),
        dueDate: z.string(),
        days: z.int(),
        called: wireAmountSchema,
        paysIn: z.array(part),
        returned: z.array(part),
        toManager: z.object({ amount: wireAmountSchema, interest: wireAmountSchema }),
      }),
    ),
    investors: z.array(
      z.object({
        investor: investorSchema,
        Class: z.string().nullable(),
        commitment: z.string().nullable().meta({ description: 'Null for a new commitment of a dry run' }),
        isNew: z.boolean(),
        added: wireAmountSchema,
        committed: wireAmountSchema,
        paysIn: sides,
        receives: sides,
        net: wireAmountSchema,
        unfunded: z.object({ before: wireAmountSchema, after: wireAmountSchema }),
        paidPercent: z.number().nullable().meta({ description: 'Of its commitment, interest apart' }),
      }),
    ),
    paidIn: sides,
    returned: sides,
    toManager: sides,
    difference: wireAmountSchema.meta({ description: 'What is paid in less what is paid out: zero' }),
    isEqualized: z.boolean().meta({ description: 'Whether everyone has paid the same part of its commitment' }),
    warnings: z.array(z.string()).optional(),
  })
  .meta({ id: 'Closing' });
