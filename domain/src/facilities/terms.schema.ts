import { z } from 'zod';
import { calendarDateSchema, isCalendarDate } from '../dates/calendar-date.ts';
import { idSchema } from '../documents/id.schema.ts';
import {
  anyRateSchema,
  choiceSchema,
  numberSchema,
  percentageSchema,
  percentRateSchema,
  zeroOrMoreSchema,
} from '../documents/number.schema.ts';
import { MAX_TEXT, MAX_TITLE, nameSchema, optionalNameSchema, optionalTextSchema } from '../documents/text.schema.ts';
import { REQUIRED } from '../errors/required.ts';
import {
  amountOf,
  amountRangeSchema,
  currencySchema,
  moneySchema,
  notNegativeSchema,
  requireMinorUnits,
} from '../money/amount.schema.ts';
import type { DecimalText } from '../money/decimal.ts';
import { isNegative } from '../money/decimal.ts';
import {
  defaultEventSchema,
  defaultEventsOf,
  defaultMarginSchema,
  fixedGridSchema,
  minimumUsageSchema,
  monthRangeSchema,
  onPrepaymentSchema,
  paidInKindSchema,
  requireFeeBasis,
  spreadGridSchema,
} from './pricing.schema.ts';
import {
  BASE_RATES,
  DATE_RANGE_TYPES,
  DAY_COUNTS,
  DEFAULT_DAY_COUNT,
  DEFAULT_MAX_BASE_AGE_DAYS,
} from './terms-labels.ts';

export const FEE_FREQUENCIES = ['Beginning', 'Ending', 'Monthly', 'Quarterly', 'Annually'] as const;
export const FEE_TYPES = ['Commitment Amount', 'Drawn Amount', 'Undrawn Amount'] as const;
/** 'Annualy' is the wire's spelling. */
export const DRAW_FREQUENCIES = ['Daily', 'Weekly', 'Monthly', 'Quarterly', 'Annualy'] as const;
export const TRANCHE_TYPES = ['ROFR', 'ROFO'] as const;
export {
  BASE_RATES,
  DATE_RANGE_LABELS,
  DATE_RANGE_TYPES,
  DAY_COUNTS,
  DEBT_ONLY_DATES,
  DEBT_TIMELINE_KEYS,
  DEFAULT_DAY_COUNT,
  DEFAULT_MAX_BASE_AGE_DAYS,
  TIMELINE_KEYS,
} from './terms-labels.ts';

const required = nameSchema(1, MAX_TITLE);
const optionalDate = calendarDateSchema.nullish();

const numberRangeSchema = z.object({ min: z.number(), max: z.number() }).refine((range) => range.max > range.min, {
  path: ['min'],
  message: 'min should be less then max ',
});

/** The least and the most of an interest rate, in per cent. */
export const rateRangeSchema = numberRangeSchema.refine(
  ({ min, max }) => anyRateSchema.safeParse(min).success && anyRateSchema.safeParse(max).success,
  { path: ['max'], message: 'must be from -1000 to 1000' },
);

/** Either end may be open; `end` is after `start`. */
export const dateRangeSchema = z
  .object({ start: optionalDate, end: optionalDate })
  .refine((range) => !range.start || !range.end || range.start < range.end, {
    path: ['start'],
    message: 'Start date must be before end date',
  });

/**
 * An amount whose currency may be omitted. Without a currency, or as a plain number, it is per cent. A rebate is
 * negative.
 */
const feeRateSchema = z
  .union([z.number(), z.object({ sum: moneySchema, currency: currencySchema.nullish() })], {
    error: 'Enter a number for a percentage, or an amount with its currency',
  })
  .superRefine(requireFeeRate);

/** Reports a percentage that is out of bounds, or an amount with more decimals than its currency has. */
export function requireFeeRate(
  rate: number | { sum: DecimalText; currency?: string | null | undefined },
  context: z.core.$RefinementCtx,
): void {
  if (typeof rate === 'object' && rate.currency) {
    requireMinorUnits(context, rate.currency, { sum: rate.sum });
    return;
  }
  const percent = anyRateSchema.safeParse(typeof rate === 'object' ? Number(rate.sum) : rate);
  if (!percent.success) context.addIssue({ code: 'custom', message: percent.error.issues[0]!.message });
}

/** An end of a fee's period that is another date than those of the timeline has that date. */
export function requireCustomDates(
  fee: {
    dateRangeType?: { start: string; end: string } | null | undefined;
    dateRange?: { start?: unknown; end?: unknown } | null | undefined;
  },
  context: z.core.$RefinementCtx,
): void {
  for (const side of ['start', 'end'] as const) {
    if (fee.dateRangeType?.[side] === 'custom' && !fee.dateRange?.[side]) {
      context.addIssue({ code: 'custom', path: ['dateRange', side], message: REQUIRED });
    }
  }
}

export const transactionFeeSchema = z
  .object({
    rate: feeRateSchema,
    title: required,
    kind: required,
    frequency: choiceSchema(FEE_FREQUENCIES),
    /** The payee: an entity of the system, or a name. */
    payee: z.union([z.object({ entity: idSchema }), z.object({ name: required })]).nullish(),
    dateRangeType: z.object({ start: choiceSchema(DATE_RANGE_TYPES), end: choiceSchema(DATE_RANGE_TYPES) }).nullish(),
    dateRange: dateRangeSchema.nullish(),
    feeType: z.enum(FEE_TYPES).nullish(),
    months: monthRangeSchema.nullish(),
    minimumUsage: minimumUsageSchema.nullish(),
    onPrepayment: onPrepaymentSchema.nullish(),
  })
  .superRefine(requireCustomDates)
  .superRefine(requireFeeBasis);

/** Whether a fund charges transaction fees, and their cap in per cent. */
export const transactionFeesSchema = z.object({ applied: z.boolean(), cap: percentRateSchema });

const dayCount = z
  .enum(DAY_COUNTS)
  .nullish()
  .meta({ description: `Day count; ${DEFAULT_DAY_COUNT} if omitted` });

/** Rates are in percentage points a year. */
export const transactionInterestSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('fix'),
    value: percentRateSchema,
    dayCount,
    pricingGrid: fixedGridSchema.nullish(),
    defaultMargin: defaultMarginSchema.nullish(),
    paidInKind: paidInKindSchema.nullish(),
  }),
  z.object({
    kind: z.literal('variable'),
    baseRate: choiceSchema(BASE_RATES),
    spread: anyRateSchema,
    minimumInterest: percentRateSchema,
    numberRange: rateRangeSchema.nullish(),
    dayCount,
    pricingGrid: spreadGridSchema.nullish(),
    defaultMargin: defaultMarginSchema.nullish(),
    paidInKind: paidInKindSchema.nullish(),
  }),
]);

/**
 * Every transaction is signed. Only debt has a maturity, which `transactionSchema` requires since it knows the type.
 */
export const timelineSchema = z
  .object({
    approval: optionalDate,
    termsheetSigning: optionalDate,
    contractSigning: calendarDateSchema,
    revolvingStart: optionalDate,
    revolvingEnd: optionalDate,
    gracePeriod: optionalDate,
    firstPrincipalRepayment: optionalDate,
    termination: optionalDate,
    maturity: optionalDate,
  })
  .refine(
    (timeline) => !timeline.revolvingStart || !timeline.revolvingEnd || timeline.revolvingStart < timeline.revolvingEnd,
    {
      path: ['revolvingStart'],
      message: 'Start date must be before end date',
    },
  )
  .refine(
    ({ contractSigning, maturity }) => !maturity || !isCalendarDate(contractSigning) || maturity > contractSigning,
    {
      path: ['maturity'],
      message: 'must be after the contract signing',
    },
  );

const allocationSchema = z.union([
  z.object({ kind: z.literal('future'), percentage: percentageSchema }),
  z.object({ kind: z.literal('actual'), actual: z.boolean() }),
]);

const notNegativeAmount = amountOf(notNegativeSchema);

export const warrantSchema = z.object({
  outstandingIssuedValue: notNegativeAmount.nullish(),
  totalExercisePrice: notNegativeAmount.nullish(),
  holdingValue: notNegativeAmount.nullish(),
  unallocatedShares: zeroOrMoreSchema.nullish(),
  shareClass: optionalNameSchema(MAX_TITLE),
  acquisitionDate: optionalDate,
  expirationDate: optionalDate,
  description: optionalTextSchema(MAX_TEXT),
  allocationMethod: optionalNameSchema(MAX_TITLE),
  /** A future warrant by percentage, or an actual one. */
  actual: allocationSchema.nullish(),
});

/** As the terms list it. A form extends `warrantSchema`, which an object with a check cannot be. */
export const listedWarrantSchema = warrantSchema.refine(
  ({ acquisitionDate, expirationDate }) => !acquisitionDate || !expirationDate || acquisitionDate <= expirationDate,
  { path: ['expirationDate'], message: 'must not be before the acquisition date' },
);

const frequencySchema = z.object({
  limit: numberSchema.int('must be a whole number').min(1, 'must be at least 1'),
  interval: choiceSchema(DRAW_FREQUENCIES),
});
const days = zeroOrMoreSchema.int('must be a whole number');
const dueDateLimitSchema = z
  .object({ min: days, max: days })
  .refine((range) => range.max > range.min, { path: ['min'], message: 'min should be less then max ' });

const limitShape = {
  amountRange: amountRangeSchema
    .refine(({ min }) => !isNegative(min), { path: ['min'], message: 'must be at least 0' })
    .nullish(),
  frequency: frequencySchema.nullish(),
  /** Days between the request's cutOffDate and its dueDate. */
  dueDateLimit: dueDateLimitSchema.nullish(),
};

export const drawLimitsSchema = z.object({
  draw: z.object(limitShape).nullish(),
  prefunding: z
    .object({
      ...limitShape,
      maxPercentage: percentageSchema.nullish(),
      defaultAmount: notNegativeAmount.nullish(),
      maxAmount: notNegativeAmount.nullish(),
    })
    .nullish(),
  recycling: z
    .object({
      ...limitShape,
      maxPercentage: percentageSchema.nullish(),
      maxCollectionAccount: notNegativeAmount.nullish(),
      maxAmount: notNegativeAmount.nullish(),
    })
    .nullish(),
});

/** The committed sum: exact, zero or more. */
export const commitmentSumSchema = moneySchema
  .refine((sum) => !isNegative(sum), { message: 'A commitment cannot be negative' })
  .meta({ type: 'number' });

export const facilityCommitmentSchema = z.object({
  amount: amountOf(commitmentSumSchema),
  /** Other currencies that the commitment may be drawn in. */
  additionalCurrencies: z.array(currencySchema).max(200).nullish(),
});

/** @param commitment what a form or a call enters for each commitment */
export const commitmentsOf = <Commitment extends z.ZodType>(commitment: Commitment) =>
  z
    .array(commitment, 'At least one commitment is required')
    .min(1, { message: 'At least one commitment is required' })
    .max(200, { message: 'Terms have at most 200 commitments' });

export const transactionTermsSchema = z.object({
  commitments: commitmentsOf(facilityCommitmentSchema),
  interest: transactionInterestSchema.nullish(),
  fees: z.array(transactionFeeSchema).max(50, { message: 'Terms have at most 50 fees' }).default([]),
  warrants: z.array(listedWarrantSchema).max(100, { message: 'Terms have at most 100 warrants' }).nullish(),
  timeline: timelineSchema,
  drawLimits: drawLimitsSchema.nullish(),
  defaultEvents: defaultEventsOf(defaultEventSchema).nullish(),
  maxBaseAgeDays: days.nullish().meta({
    description: `How many days before a draw's due date the cut-off date of its borrowing base may be; ${DEFAULT_MAX_BASE_AGE_DAYS} if omitted`,
  }),
});

/** Terms of a note: defaults that its tranches may override, so nothing is required. */
export const noteTermsSchema = transactionTermsSchema.partial();

export type TransactionTerms = z.infer<typeof transactionTermsSchema>;
export type NoteTerms = z.infer<typeof noteTermsSchema>;
export type DrawLimits = z.infer<typeof drawLimitsSchema>;
export type TransactionFee = z.infer<typeof transactionFeeSchema>;
export type TransactionInterest = z.infer<typeof transactionInterestSchema>;
export type Warrant = z.infer<typeof warrantSchema>;
