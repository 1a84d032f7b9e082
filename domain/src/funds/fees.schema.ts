import { z } from 'zod';
import { notNegativeSchema } from '../money/amount.schema.ts';

const rate = z.number().min(0, 'must be at least 0').max(100, 'must be at most 100').nullish();

/** Which NAV a fee on assets is charged on. */
export const ASSETS_BASES = ['gross', 'net'] as const;

/** Fields of the fees, with what a sum of money is written as. */
const feesOf = <Sum extends z.ZodType>(sum: Sum) => ({
  /** Rates on what is committed, invested, earned as interest, and held: the gross NAV unless `assetsBasis` is net. */
  management: z
    .object({
      committed: rate,
      invested: rate,
      interestIncome: rate,
      assets: rate,
      assetsBasis: z.enum(ASSETS_BASES, { error: 'must be gross or net' }).nullish(),
    })
    .nullish(),
  success: z
    .object({ hurdle: rate, rate, catchUp: rate, equityOnly: z.boolean().nullish(), interestShare: rate })
    .nullish(),
  /** Fees paid by borrowers, which reach the investor up to `cap` percent of the active commitment. */
  transaction: z.object({ applied: z.boolean().nullish(), cap: rate }).nullish(),
  overallCap: sum.nullish(),
});

/** What an investor pays a fund. Rates are percent; the overall cap is in the currency of the commitment. */
export const commitmentFeesSchema = z.object(feesOf(notNegativeSchema));
/** The fees as the API returns them. */
export const wireCommitmentFeesSchema = z.object(feesOf(z.number()));
export type CommitmentFees = z.infer<typeof commitmentFeesSchema>;
