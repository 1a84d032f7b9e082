import { z } from 'zod';
import { calendarDateSchema } from '../dates/calendar-date.ts';
import { idSchema } from '../documents/id.schema.ts';
import { zeroOrMoreSchema } from '../documents/number.schema.ts';
import { nameSchema, optionalTextSchema } from '../documents/text.schema.ts';
import type { InputRule } from '../errors/rule.ts';
import { DEBT_ONLY_DATES, type TransactionTerms, transactionTermsSchema } from '../facilities/terms.schema.ts';

/** Amendments of one note. */
export const MAX_AMENDMENTS_PER_NOTE = 100;
const MAX_REMARK = 2000;

/** A date of the timeline that an amendment can change: a signing stays what it was. */
export type AmendedDate = (typeof DEBT_ONLY_DATES)[number];

const { commitments, interest, fees, drawLimits, maxBaseAgeDays } = transactionTermsSchema.shape;

/** The terms that an amendment changes. Each replaces the one before as a whole, a date by itself; null removes it. */
export const amendedTermsSchema = z.object({
  commitments: commitments.optional(),
  interest,
  fees: fees.unwrap().optional(),
  drawLimits,
  maxBaseAgeDays,
  timeline: z
    .object(
      Object.fromEntries(DEBT_ONLY_DATES.map((date) => [date, calendarDateSchema.nullish()])) as Record<
        AmendedDate,
        z.ZodOptional<z.ZodNullable<typeof calendarDateSchema>>
      >,
    )
    .optional(),
});
export type AmendedTerms = z.output<typeof amendedTermsSchema>;
/** The terms without the dates. */
export const AMENDED_TERMS = [
  'commitments',
  'interest',
  'fees',
  'drawLimits',
  'maxBaseAgeDays',
] as const satisfies (keyof AmendedTerms & keyof TransactionTerms)[];

export const CHANGES_SOMETHING: InputRule<{ readonly terms: AmendedTerms }> = [
  ({ terms }) =>
    AMENDED_TERMS.some((key) => terms[key] !== undefined) ||
    Object.values(terms.timeline ?? {}).some((date) => date !== undefined),
  { path: ['terms'], message: 'Change at least one term' },
];

/** The body for amending the terms of a note from a day on. */
export const amendmentCreateSchema = z
  .object({
    transaction: idSchema,
    note: idSchema,
    title: nameSchema(2, 120),
    effectiveDate: calendarDateSchema.meta({ description: 'The first day on which the changed terms apply' }),
    /** Whose terms change. */
    tranche: zeroOrMoreSchema
      .int('must be a whole number')
      .nullish()
      .meta({ description: "The sequence of the tranche whose terms change; null for the note's own terms" }),
    terms: amendedTermsSchema.meta({
      description: 'Only the terms that change. Each replaces the one before; null removes it',
    }),
    document: z.string().max(1000).nullish().meta({ description: 'Id or key of the uploaded agreement' }),
    remark: optionalTextSchema(MAX_REMARK),
  })
  .refine(...CHANGES_SOMETHING);
export type AmendmentCreate = z.output<typeof amendmentCreateSchema>;
