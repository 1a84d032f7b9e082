import { z } from 'zod';
import { investorReferenceSchema, investorSchema } from '../commitments/investor.schema.ts';
import { type CalendarDate, calendarDateSchema } from '../dates/calendar-date.ts';
import { documentSchema } from '../documents/document.schema.ts';
import { idSchema } from '../documents/id.schema.ts';
import { valuesOf } from '../documents/labels.ts';
import { NUMBER_KINDS } from '../documents/number.schema.ts';
import { MAX_TEXT, nameSchema, optionalTextSchema, timezoneOffsetSchema } from '../documents/text.schema.ts';
import { reason, textOf } from '../errors/reason.ts';
import { REQUIRED } from '../errors/required.ts';
import type { InputRule } from '../errors/rule.ts';
import { classKeySchema } from '../funds/fund.schema.ts';
import { amountOf, notNegativeSchema, positiveSchema, wireAmountSchema } from '../money/amount.schema.ts';
import { add, compare, type DecimalText, subtract } from '../money/decimal.ts';
import { MAX_LINES, newStatusSchema, noticeChangeShape, noticeShape } from './capital-document.ts';
import { CALL_PURPOSE_LABELS } from './kinds.ts';
import {
  callAmountsSchema,
  feeDaysShape,
  isSummed,
  PURPOSE_SPLIT_RULES,
  purposeSplitSchema,
  refuseUnknownTitles,
  type SplitTerms,
  wireBasisSchema,
} from './own-amounts.schema.ts';

export const CALL_PURPOSE_KINDS = valuesOf(CALL_PURPOSE_LABELS);

export const purposeShape = { title: nameSchema(1, 150), kind: z.enum(CALL_PURPOSE_KINDS) };
const purposeSchema = z.object({ ...purposeShape, amount: notNegativeSchema });
/** A purpose of a stored call: one of a closing has interest, which comes on top of its amount. */
const calledPurposeSchema = purposeSchema.extend({ interest: notNegativeSchema.optional() });
export type CallPurpose = z.output<typeof calledPurposeSchema>;
/** What the money is for. A call needs at least one purpose; a distribution can have none. */
const purposesOf = <Purpose extends z.ZodType>(purpose: Purpose) =>
  z.array(purpose, REQUIRED).max(MAX_LINES, { message: `At most ${MAX_LINES} purposes` });
export const purposesSchema = purposesOf(purposeSchema);
/** @param purpose what a form or a call enters for each purpose */
export const callPurposesOf = <Purpose extends z.ZodType>(purpose: Purpose) =>
  purposesOf(purpose).min(1, { message: 'Enter at least one purpose' });
/** A purpose of a new call, with the rule by which it is divided over the investors. */
export const dividedPurposeShape = { ...purposeShape, split: purposeSplitSchema, ...feeDaysShape };
/** Refines a purpose with what must hold for its rule. */
export const withPurposeRules = <Schema extends z.ZodType<SplitTerms & { kind: string }>>(schema: Schema): Schema =>
  PURPOSE_SPLIT_RULES.reduce((refined, rule) => refined.refine(...rule) as Schema, schema);
export const dividedPurposeSchema = withPurposeRules(
  z.object({ ...dividedPurposeShape, amount: notNegativeSchema.nullish() }),
);
export type DividedPurpose = z.output<typeof dividedPurposeSchema>;
export const wirePurposesSchema = z.array(z.object({ ...purposeShape, amount: z.number() }));

/** A call as a percentage of the active commitments. */
export const callPercentageSchema = z
  .number()
  .gt(0, { message: textOf(reason('aboveZero')) })
  .max(100, { message: 'must be at most 100' })
  .register(NUMBER_KINDS, { kind: 'percent' });

export const DUE_AFTER_CUT_OFF: InputRule<{ cutOffDate: CalendarDate; dueDate: CalendarDate }> = [
  ({ cutOffDate, dueDate }) => dueDate >= cutOffDate,
  { path: ['dueDate'], message: 'must not be before the cut-off date' },
];

/** What the notice shows: with `fundLevel`, also the totals of the fund. */
const callOptionsSchema = z.object({
  fundLevel: z.boolean().default(false),
  /** Where each amount comes from. */
  basis: z.boolean().optional(),
});
export type CallOptions = z.output<typeof callOptionsSchema>;

/** Number of a call or distribution, unique within its fund. */
export const callNumberSchema = nameSchema(1, 100);

const totalOf = (purposes: readonly { amount?: DecimalText | null | undefined }[]): DecimalText =>
  purposes.reduce<DecimalText>((total, { amount }) => add(total, amount ?? '0'), '0');

/** Whether every purpose has an amount, so that the call has a total before it is divided. */
const hasTotal = (purposes: readonly DividedPurpose[]): boolean => purposes.every(({ amount }) => amount != null);

/**
 * The body of a capital call: a total, or a percentage of the active commitments, split over the investors. With
 * `investor`, it concerns that investor alone.
 */
export const contributionCreateSchema = z
  .object({
    fund: idSchema,
    Class: classKeySchema.nullish(),
    investor: investorReferenceSchema.nullish(),
    cutOffDate: calendarDateSchema,
    dueDate: calendarDateSchema,
    callNumber: callNumberSchema,
    amount: amountOf(positiveSchema).nullish(),
    percentage: callPercentageSchema.nullish(),
    callPurposes: callPurposesOf(dividedPurposeSchema).meta({
      description: 'A purpose by terms, or as entered, needs no amount: it is what the investors’ parts add up to',
    }),
    amounts: callAmountsSchema.default([]),
    trailingDescription: optionalTextSchema(MAX_TEXT),
    pdfOptions: callOptionsSchema.optional(),
    timezoneOffset: timezoneOffsetSchema,
    status: newStatusSchema,
    /** Returns the split without saving it. */
    dryRun: z.boolean().default(false),
  })
  .refine(
    ({ amount, percentage, callPurposes }) =>
      hasTotal(callPurposes) ? (amount == null) !== (percentage == null) : percentage == null,
    { path: ['amount'], message: 'Enter an amount or a percentage' },
  )
  .refine(...DUE_AFTER_CUT_OFF)
  .superRefine(({ callPurposes, amounts }, context) => {
    refuseUnknownTitles(amounts, 'purposes', callPurposes, context);
    for (const [index, purpose] of callPurposes.entries()) {
      if (purpose.amount != null || isSummed(purpose)) continue;
      context.addIssue({ code: 'custom', path: ['callPurposes', index, 'amount'], message: REQUIRED });
    }
  })
  .superRefine(({ amount, callPurposes }, context) => {
    if (!amount || !hasTotal(callPurposes)) return;
    const total = totalOf(callPurposes);
    if (compare(total, amount.sum) === 0) return;
    const difference = subtract(amount.sum, total);
    context.addIssue({
      code: 'custom',
      path: ['callPurposes'],
      message: `The purposes add up to ${total}, not ${amount.sum} (difference ${difference})`,
    });
  });

export type ContributionCreate = z.output<typeof contributionCreateSchema>;

/** One contribution of a bulk update, with the fields to change. Only drafts change otherwise than in status. */
export const contributionChangeSchema = z.object({
  ...noticeChangeShape,
  cutOffDate: calendarDateSchema.optional(),
  dueDate: calendarDateSchema.optional(),
  callNumber: callNumberSchema.optional(),
  callPurposes: callPurposesOf(calledPurposeSchema).optional(),
  trailingDescription: optionalTextSchema(MAX_TEXT),
  pdfOptions: callOptionsSchema.optional(),
});

export type ContributionChange = z.output<typeof contributionChangeSchema>;

/** A contribution as the API returns it: one investor's part of a capital call. A dry run has no id. */
export const contributionSchema = documentSchema
  .extend({
    id: z.string().optional(),
    fund: z.string(),
    investor: investorSchema,
    Class: z.string().nullable(),
    cutOffDate: z.string(),
    dueDate: z.string(),
    callNumber: z.string(),
    amount: wireAmountSchema,
    callPurposes: z.array(z.object({ ...purposeShape, amount: z.number(), interest: z.number().optional() })),
    interest: wireAmountSchema
      .optional()
      .meta({ description: 'To be paid on top: for having closed later, or default interest' }),
    basis: z.array(wireBasisSchema).meta({
      description: 'Where the amount of each purpose comes from; empty where that is not recorded, or not shown',
    }),
    excuse: z.object({ reason: z.string(), document: z.string().nullable() }).nullable(),
    aggregateAmount: wireAmountSchema.meta({ description: 'Issued to this investor up to and including this call' }),
    aggregateAmountPercent: z.number().nullable(),
    LPCurrentHoldingPercentage: z.number().nullable(),
    unfunded: z.object({ before: wireAmountSchema, after: wireAmountSchema }),
    trailingDescription: z.string().nullable(),
    ...noticeShape,
    pdfOptions: callOptionsSchema,
    warnings: z.array(z.string()).optional(),
  })
  .meta({ id: 'Contribution' });
