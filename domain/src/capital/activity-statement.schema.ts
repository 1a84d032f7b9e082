import { z } from 'zod';
import { investorSchema } from '../commitments/investor.schema.ts';
import { wireAmountSchema } from '../money/amount.schema.ts';
import { CAPITAL_ACTIONS } from './capital-document.ts';

const entrySchema = z.object({
  date: z.string(),
  actionType: z.enum(CAPITAL_ACTIONS),
  title: z.string().nullable(),
  amount: wireAmountSchema,
  unfunded: wireAmountSchema.meta({ description: 'After the entry' }),
  netCapitalCalled: wireAmountSchema.meta({ description: 'After the entry' }),
});

const closingSchema = z.object({
  activeCommitment: wireAmountSchema,
  called: wireAmountSchema,
  distributed: wireAmountSchema,
  writtenOff: wireAmountSchema,
  unfunded: wireAmountSchema,
  netCapitalCalled: wireAmountSchema,
});

/** The activity statement of a commitment as the API returns it. */
export const activityStatementSchema = z
  .object({
    commitment: z.string(),
    fund: z.string(),
    Class: z.string().nullable(),
    investor: investorSchema,
    cutOffDate: z.string(),
    entries: z.array(entrySchema),
    closing: closingSchema,
  })
  .meta({ id: 'ActivityStatement' });

/** The activity statement of an investor over its commitments, as the API returns it: one for each currency. */
export const investorActivitySchema = z
  .object({
    investor: investorSchema,
    cutOffDate: z.string(),
    currencies: z.array(
      z.object({
        currency: z.string(),
        entries: z.array(
          entrySchema.extend({ commitment: z.string(), fund: z.string(), Class: z.string().nullable() }),
        ),
        closing: closingSchema,
      }),
    ),
  })
  .meta({ id: 'InvestorActivityStatement' });
