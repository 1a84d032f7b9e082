import { z } from 'zod';
import { calendarDateSchema } from '../dates/calendar-date.ts';
import { listSchema, nameSchema, textSchema } from '../documents/text.schema.ts';
import { DAY_COUNTS, DEFAULT_INTEREST_DAY_COUNT } from '../facilities/terms-labels.ts';
import { notNegativeSchema } from '../money/amount.schema.ts';

const rate = z.number().min(0, 'must be at least 0').max(100, 'must be at most 100').nullish();

/** Which NAV a fee on assets is charged on. */
export const ASSETS_BASES = ['gross', 'net'] as const;

/** What a management fee is charged on, each at its own rate. The gross NAV unless `assetsBasis` is net. */
const management = {
  committed: rate,
  invested: rate,
  interestIncome: rate,
  assets: rate,
  assetsBasis: z.enum(ASSETS_BASES, { error: 'must be gross or net' }).nullish(),
};
const success = { hurdle: rate, rate, catchUp: rate, equityOnly: z.boolean().nullish(), interestShare: rate };

/** Fields of the fees, with what a sum of money is written as. */
const feesOf = <Sum extends z.ZodType>(sum: Sum) => ({
  /** Rates on what is committed, invested, earned as interest, and held: the gross NAV unless `assetsBasis` is net. */
  management: z.object(management).nullish(),
  success: z.object(success).nullish(),
  /** Fees paid by borrowers, which reach the investor up to `cap` percent of the active commitment. */
  transaction: z.object({ applied: z.boolean().nullish(), cap: rate }).nullish(),
  overallCap: sum.nullish(),
});

/** What an investor pays a fund. Rates are percent; the overall cap is in the currency of the commitment. */
export const commitmentFeesSchema = z.object(feesOf(notNegativeSchema));
/** The fees as the API returns them. */
export const wireCommitmentFeesSchema = z.object(feesOf(z.number()));
export type CommitmentFees = z.infer<typeof commitmentFeesSchema>;

/** Most days of grace of default interest. */
const MAX_GRACE_DAYS = 365;

/** Most terms that a fund, or an investor by side letters, has over time. */
const MAX_TERMS = 100;

const stepDownSchema = z.object({ from: calendarDateSchema.nullish(), ...management }).meta({
  description: 'The rates and bases from a day on; without the day, from the end of the investment period on',
});

/** Fields of the fee terms: the fees of a commitment, and what a fund agrees beyond them. */
const termsOf = <Sum extends z.ZodType>(sum: Sum) => ({
  ...feesOf(sum),
  management: z
    .object({
      ...management,
      stepDown: stepDownSchema.nullish(),
      minimum: sum.nullish().meta({ description: 'The least that an investor pays in a year' }),
      offset: rate.meta({ description: 'Percent of its share of the fees of borrowers that reduces the fee' }),
      waiver: rate.meta({ description: 'Percent of the fee that is not charged' }),
    })
    .nullish(),
  success: z
    .object({
      ...success,
      simple: z.boolean().nullish().meta({ description: 'The preferred return does not compound' }),
      perTransaction: z.boolean().nullish().meta({ description: 'American: by facility, not over the whole fund' }),
      clawback: z.boolean().nullish(),
    })
    .nullish(),
  defaultInterest: z
    .object({
      rate,
      graceDays: z.number().int('must be a whole number').min(0).max(MAX_GRACE_DAYS).nullish(),
      dayCount: z.enum(DAY_COUNTS).nullish(),
    })
    .nullish()
    .meta({
      description: `What is charged on calls that are overdue: percent a year after some days of grace, ${DEFAULT_INTEREST_DAY_COUNT} if no day count is named. The terms of the due date hold`,
    }),
});

/** The terms of fees that a fund or a side letter agrees. A part that is left out is agreed elsewhere. */
export const feeTermsSchema = z.object(termsOf(notNegativeSchema));
const wireFeeTermsSchema = z.object(termsOf(z.number()));
export type FeeTerms = z.infer<typeof feeTermsSchema>;

const ofFund = { Class: nameSchema(1, 100).nullish(), from: calendarDateSchema };
const ofSideLetter = { from: calendarDateSchema, title: nameSchema(1, 150).nullish() };

const isDistinct =
  <Entry>(keyOf: (entry: Entry) => string) =>
  (entries: readonly Entry[]): boolean =>
    new Set(entries.map(keyOf)).size === entries.length;

/** The fee terms of a fund: of one class, or of all, each until the next of the same class. */
const fundFeeTermsSchema = z.object({ ...ofFund, terms: feeTermsSchema });
export type FundFeeTerms = z.output<typeof fundFeeTermsSchema>;
export const feeTermsOfFundSchema = listSchema(fundFeeTermsSchema, MAX_TERMS, 'fee terms').refine(
  isDistinct<FundFeeTerms>(({ Class, from }) => JSON.stringify([Class ?? null, from])),
  { message: 'Two fee terms of the same class begin on the same day' },
);
export const wireFundFeeTermsSchema = z.object({ ...ofFund, terms: wireFeeTermsSchema });

/** What an investor has agreed of its own, from a day on, with the file of the letter. */
const sideLetterSchema = z.object({ ...ofSideLetter, document: textSchema(1, 1000).nullish(), terms: feeTermsSchema });
export type SideLetter = z.output<typeof sideLetterSchema>;
export const sideLettersSchema = listSchema(sideLetterSchema, MAX_TERMS, 'side letters').refine(
  isDistinct<SideLetter>(({ from }) => from),
  { message: 'Two side letters begin on the same day' },
);
export const wireSideLetterSchema = z.object({
  ...ofSideLetter,
  document: z.string().nullish(),
  terms: wireFeeTermsSchema,
});

const sourceSchema = z
  .object({
    kind: z.enum(['fund', 'class', 'commitment', 'sideLetter']),
    from: z.string().nullable(),
    title: z.string().nullish(),
    document: z.string().nullish(),
  })
  .nullable();

/** The terms that hold for an investor on a day, and where each part of them is agreed. */
export const wireInvestorTermsSchema = z
  .object({
    commitment: z.string(),
    title: z.string(),
    Class: z.string().nullable(),
    terms: wireFeeTermsSchema,
    sources: z.object({
      management: sourceSchema,
      success: sourceSchema,
      transaction: sourceSchema,
      overallCap: sourceSchema,
      defaultInterest: sourceSchema,
    }),
  })
  .meta({ id: 'InvestorFeeTerms' });
