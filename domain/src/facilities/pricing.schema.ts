import { z } from 'zod';
import { calendarDateSchema } from '../dates/calendar-date.ts';
import { idSchema } from '../documents/id.schema.ts';
import {
  anyRateSchema,
  numberSchema,
  percentageSchema,
  percentRateSchema,
  zeroOrMoreSchema,
} from '../documents/number.schema.ts';
import { textSchema } from '../documents/text.schema.ts';
import { MONEY_LIMIT, TOO_MUCH } from '../money/amount.schema.ts';
import type { DecimalText } from '../money/decimal.ts';
import { DEFAULT_DAYS_AFTER_TEST } from './terms-labels.ts';

const MAX_REASON = 500;

const MAX_DAYS_AFTER_TEST = 365;
const MONEY_BOUND = Number(MONEY_LIMIT);

/** Months after the contract signing: a fee's own dates go further than any facility does. */
const MAX_MONTHS = 600;
export const minimumUsageSchema = percentageSchema.gt(0, 'must be more than 0').meta({
  description: 'Charged on what the average balance of an invoice period is below this percentage of the commitments',
});
export const onPrepaymentSchema = z.boolean().meta({
  description: 'Charged on principal that is repaid before it is due; the frequency does not count',
});
const monthsSchema = zeroOrMoreSchema.int('must be a whole number').max(MAX_MONTHS, `must be at most ${MAX_MONTHS}`);

/** From and to so many months after the contract signing; either end may be open. */
export const monthRangeSchema = z
  .object({ start: monthsSchema.nullish(), end: monthsSchema.nullish() })
  .refine(({ start, end }) => start == null || end == null || start < end, {
    path: ['start'],
    message: 'must be less than the last month',
  })
  .meta({ description: 'From and to so many months after the contract signing, instead of dates' });

interface FeeBasis {
  rate: number | { currency?: string | null | undefined; sum: DecimalText };
  frequency: string;
  feeType?: string | null | undefined;
  minimumUsage?: number | null | undefined;
  onPrepayment?: boolean | null | undefined;
  dateRangeType?: { start: string; end: string } | null | undefined;
  dateRange?: { start?: unknown; end?: unknown } | null | undefined;
  months?: { start?: number | null | undefined; end?: number | null | undefined } | null | undefined;
}

/**
 * A fee on a shortfall below a minimum usage accrues, and one on prepayments is charged with each: both are percentages of
 * zero or more, of nothing else. An end of a fee is a date or so many months after the signing, not both.
 */
export function requireFeeBasis(fee: FeeBasis, context: z.core.$RefinementCtx): void {
  const report = (path: (string | number)[], message: string) => context.addIssue({ code: 'custom', path, message });
  const isPriced = fee.minimumUsage != null || fee.onPrepayment === true;
  if (fee.minimumUsage != null && fee.onPrepayment) {
    report(['onPrepayment'], 'A fee is for a minimum usage or for prepayments, not both');
  }
  if (isPriced && fee.feeType) report(['feeType'], 'must be empty for a minimum usage and for prepayments');
  if (isPriced) {
    const percent = typeof fee.rate === 'number' ? fee.rate : fee.rate.currency ? null : Number(fee.rate.sum);
    if (percent === null) report(['rate'], 'must be a percentage');
    else if (percent < 0 || percent > 100) report(['rate'], 'must be from 0 to 100');
  }
  if (fee.minimumUsage != null && (fee.frequency === 'Beginning' || fee.frequency === 'Ending')) {
    report(['frequency'], 'must be Monthly, Quarterly or Annually for a minimum usage');
  }
  for (const side of ['start', 'end'] as const) {
    if (fee.months?.[side] == null || !(fee.dateRangeType || fee.dateRange?.[side])) continue;
    report(['months', side], 'Enter a date or a number of months, not both');
  }
}

const MAX_TIERS = 10;
/** Of a grid by utilization: from this percentage of the commitments on that is drawn. */
const drawnFromSchema = percentageSchema.gt(0, 'must be more than 0');
/** Of a grid by a covenant: from this figure on, in the unit of its test. */
const testedFromSchema = numberSchema.gt(-MONEY_BOUND, TOO_MUCH).lt(MONEY_BOUND, TOO_MUCH);

/** The rates follow the results of a covenant of the note instead of utilization. */
export const gridTestSchema = z
  .object({
    covenant: idSchema.meta({ description: 'A covenant of the note' }),
    daysAfter: zeroOrMoreSchema
      .int('must be a whole number')
      .max(MAX_DAYS_AFTER_TEST, `must be at most ${MAX_DAYS_AFTER_TEST}`)
      .nullish()
      .meta({
        description: `A result counts from so many days after its test date; ${DEFAULT_DAYS_AFTER_TEST} if omitted`,
      }),
  })
  .meta({ description: 'The rates follow the results of this covenant instead of utilization' });

const tiersOf = <Rate extends z.ZodType>(rate: Rate) =>
  z
    .array(z.object({ from: testedFromSchema, rate }))
    .min(1, { message: 'A pricing grid has at least one tier' })
    .max(MAX_TIERS, { message: `A pricing grid has at most ${MAX_TIERS} tiers` })
    .superRefine((tiers, context) => {
      for (const [index, { from }] of tiers.entries()) {
        if (index === 0 || from > tiers[index - 1]!.from) continue;
        context.addIssue({ code: 'custom', path: [index, 'from'], message: 'must be more than the tier before' });
      }
    });

/** A tier of a grid by utilization begins with a percentage. */
export function requireTierBasis(
  { test, tiers }: { test?: unknown; tiers: readonly { from: number }[] },
  context: z.core.$RefinementCtx,
): void {
  for (const [index, { from }] of test ? [] : tiers.entries()) {
    const [problem] = drawnFromSchema.safeParse(from).error?.issues ?? [];
    if (problem) context.addIssue({ code: 'custom', path: ['tiers', index, 'from'], message: problem.message });
  }
}

const gridOf = <Rate extends z.ZodType>(rate: Rate) =>
  z.object({ test: gridTestSchema.nullish(), tiers: tiersOf(rate) }).superRefine(requireTierBasis);
/** A pricing grid: its tiers, the lowest first. Below the first one, the rate of the terms itself applies. */
export const fixedGridSchema = gridOf(percentRateSchema).meta({
  description: 'The fixed rate from each percentage of utilization on, or from each figure of a covenant',
});
export const spreadGridSchema = gridOf(anyRateSchema).meta({
  description: 'The spread from each percentage of utilization on, or from each figure of a covenant',
});

export const defaultMarginSchema = percentRateSchema.meta({
  description: 'Percentage points added to the rate while an event of default lasts',
});

export const paidInKindSchema = percentRateSchema.gt(0, 'must be more than 0').meta({
  description:
    'Percentage points of the rate that are added to the principal at the end of each invoice period instead of being paid',
});

/** Days on which an event of default lasts. The first day counts, the last does not; without it, it goes on. */
export const defaultEventSchema = z
  .object({
    from: calendarDateSchema,
    to: calendarDateSchema.nullish(),
    reason: textSchema(1, MAX_REASON),
  })
  .refine(({ from, to }) => !to || from < to, { path: ['to'], message: 'must be after the first day' });

export const defaultEventsOf = <Event extends z.ZodType>(event: Event) =>
  z
    .array(event)
    .max(50, { message: 'Terms have at most 50 events of default' })
    .meta({ description: 'On the days of which the default margin of the interest is added' });

export type DefaultEvent = z.infer<typeof defaultEventSchema>;
export type PricingGrid = z.infer<typeof spreadGridSchema>;
