import { z } from 'zod';
import { investorSchema } from '../commitments/investor.schema.ts';
import { wireAmountSchema } from '../money/amount.schema.ts';
import { CAPITAL_ACTIONS } from './capital-document.ts';

/** An activity statement as the API returns it. */
export const activityStatementSchema = z
  .object({
    commitment: z.string(),
    fund: z.string(),
    Class: z.string().nullable(),
    investor: investorSchema,
    cutOffDate: z.string(),
    entries: z.array(
      z.object({
        date: z.string(),
        actionType: z.enum(CAPITAL_ACTIONS),
        title: z.string().nullable(),
        amount: wireAmountSchema,
        unfunded: wireAmountSchema.meta({ description: 'After the entry' }),
        netCapitalCalled: wireAmountSchema.meta({ description: 'After the entry' }),
      }),
    ),
    closing: z.object({
      activeCommitment: wireAmountSchema,
      called: wireAmountSchema,
      distributed: wireAmountSchema,
      writtenOff: wireAmountSchema,
      unfunded: wireAmountSchema,
      netCapitalCalled: wireAmountSchema,
    }),
  })
  .meta({ id: 'ActivityStatement' });
