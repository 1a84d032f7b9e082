import { z } from 'zod';
import { wireAmountSchema } from '../money/amount.schema.ts';

const amount = wireAmountSchema.nullable();
/** A multiple with six decimals. */
const multiple = z.number().nullable();

/** How much of a total is known. */
const coverageSchema = z.object({ known: z.int(), of: z.int(), missing: z.array(z.string()) }).meta({
  id: 'Coverage',
  description:
    'How many funds have a net asset value, or investors if only one fund is selected, and the ids of the others. If one is missing, the total is null.',
});

/** Capital figures of funds as of a date. Unknown figures are null. */
export const netCapitalCalledSchema = z
  .object({
    netCapitalCalled: amount,
    called: amount,
    recallableCapital: amount,
    writtenOff: amount,
    unfunded: amount,
    distributed: amount,
    nav: amount,
    navDate: z.string().nullable().meta({ description: 'Earliest date of the NAVs used' }),
    dpi: multiple,
    rvpi: multiple,
    tvpi: multiple,
    cutOffDate: z.string(),
    ratesDate: z.string().nullable().meta({ description: 'Day of the rates; null if nothing was converted' }),
    coverage: coverageSchema,
  })
  .meta({ id: 'CapitalFigures' });

export const calledAgainstCommitmentsSchema = z.array(
  z.object({ id: z.string(), title: z.string(), netCapitalCalled: amount, commitments: amount }),
);

/** Funds or investors with their share, in descending order. */
export const rankingSchema = z.array(
  z.object({ id: z.string(), title: z.string(), amount: wireAmountSchema, percentage: z.number() }),
);

/** Internal rates of return in percent, 12.5 for 12.5%. Null with a reason if there is none. */
export const irrSchema = z
  .object({
    gross: z.number().nullable(),
    net: z.number().nullable(),
    cutOffDate: z.string(),
    navSum: z.number().nullable(),
    currency: z.string(),
    reason: z.string().optional(),
    coverage: coverageSchema,
    items: z.array(z.object({ when: z.string(), amount: z.number() })).optional(),
  })
  .meta({ id: 'IRR' });

const classes = z.array(z.object({ name: z.string(), uniqueKey: z.string() }));
const titled = z.object({ id: z.string(), title: z.string() });

export const fundClassesSchema = z.array(z.object({ fund: z.string(), title: z.string(), classes }));
export const fundGroupsSchema = z.array(
  z.object({ mainFund: z.string().nullable(), title: z.string(), funds: z.array(titled) }),
);
export const fundInvestorsSchema = z.array(
  z.object({
    id: z.string(),
    kind: z.enum(['fund', 'LP']),
    title: z.string(),
    formalName: z.string().nullable(),
    code: z.int().nullable(),
    funds: z.array(z.string()),
  }),
);
