import { z } from 'zod';
import { CAPITAL_STATUSES, capitalChangeShape, newStatusSchema } from '../capital/capital-document.ts';
import { calendarDateSchema } from '../dates/calendar-date.ts';
import { documentSchema, versionSchema, warningsShape } from '../documents/document.schema.ts';
import { idSchema } from '../documents/id.schema.ts';
import { listSchema, nameSchema } from '../documents/text.schema.ts';
import type { InputRule } from '../errors/rule.ts';
import {
  commitmentFeesSchema,
  sideLettersSchema,
  wireCommitmentFeesSchema,
  wireSideLetterSchema,
} from '../funds/fees.schema.ts';
import { classKeySchema } from '../funds/fund.schema.ts';
import { documentSumSchema, moneySchema, signedDocumentSumSchema, wireAmountSchema } from '../money/amount.schema.ts';
import { compare, type DecimalText, isZero } from '../money/decimal.ts';
import { investorReferenceSchema, investorSchema } from './investor.schema.ts';

/** Maximum changes of one commitment. */
const MAX_DELTAS = 500;

/** A change of the active commitment from a date on: a later closing, or a transfer. Negative reduces it. */
export const commitmentDeltaSchema = z.object({
  date: calendarDateSchema,
  amount: moneySchema.refine((amount) => !isZero(amount), { message: 'must not be 0' }),
  title: nameSchema(1, 150).nullish(),
  /** Links the two changes of a transfer. Only a transfer sets it. */
  transfer: idSchema.nullish(),
});

export type CommitmentDelta = z.output<typeof commitmentDeltaSchema>;

/** A change in a body. Its amount is a number, or an amount in the currency of the fund. */
export interface BodyDelta extends CommitmentDelta {
  currency?: string | null;
}

const bodyDeltaSchema = commitmentDeltaSchema
  .extend({ amount: signedDocumentSumSchema.refine(({ sum }) => !isZero(sum), { message: 'must not be 0' }) })
  .transform(({ amount, ...delta }): BodyDelta => ({ ...delta, amount: amount.sum, currency: amount.currency }));

const deltasSchema = listSchema(bodyDeltaSchema, MAX_DELTAS, 'changes');

const shape = {
  closingDate: calendarDateSchema,
  maxCommitment: documentSumSchema,
  activeCommitment: documentSumSchema.nullish(),
  deltas: deltasSchema.default([]),
  fees: commitmentFeesSchema.default({}).meta({
    description:
      'What overrides the fee terms of the fund from the closing on. A part that is left out is that of the fund',
  }),
  sideLetters: sideLettersSchema.optional().meta({
    description:
      'What overrides the fees and the fee terms of the fund from a day on, with the id or key of an uploaded file. Left out, it stays as it is',
  }),
};

type Sum = DecimalText | { readonly sum: DecimalText };
const textOf = (sum: Sum): DecimalText => (typeof sum === 'string' ? sum : sum.sum);

export const ACTIVE_WITHIN_MAXIMUM: InputRule<{ maxCommitment: Sum; activeCommitment?: Sum | null | undefined }> = [
  ({ maxCommitment, activeCommitment }) =>
    activeCommitment == null || compare(textOf(activeCommitment), textOf(maxCommitment)) <= 0,
  { path: ['activeCommitment'], message: 'must be at most the maximum commitment' },
];

/** The body for committing an investor to a fund, or to one class of it. Sums are in the fund's currency. */
export const commitmentCreateSchema = z
  .object({
    fund: idSchema,
    investor: investorReferenceSchema,
    /** The `uniqueKey` of the class; omitted for a fund without classes. */
    Class: classKeySchema.nullish(),
    status: newStatusSchema,
    ...shape,
  })
  .refine(...ACTIVE_WITHIN_MAXIMUM);

export type CommitmentCreate = z.output<typeof commitmentCreateSchema>;

/** An update of a commitment. Its fund, class and investor cannot change. */
export const commitmentUpdateSchema = z
  .object({ ...shape, status: z.enum(CAPITAL_STATUSES).optional(), version: versionSchema })
  .refine(...ACTIVE_WITHIN_MAXIMUM);

export type CommitmentUpdate = z.output<typeof commitmentUpdateSchema>;

/** One commitment of a bulk update, with the fields to change. */
export const commitmentChangeSchema = z.object({
  ...capitalChangeShape,
  closingDate: calendarDateSchema.optional(),
  maxCommitment: documentSumSchema.optional(),
  activeCommitment: documentSumSchema.optional(),
  deltas: deltasSchema.optional(),
  fees: commitmentFeesSchema.optional(),
  sideLetters: sideLettersSchema.optional(),
});

export type CommitmentChange = z.output<typeof commitmentChangeSchema>;

/** Without `deleteAllContent`, a commitment that has calls or other documents cannot be removed. */
export const commitmentRemovalSchema = z.object({
  isDeleteAll: z.boolean().default(false).meta({
    description: "Remove the investor's commitments in all classes of the fund",
  }),
  deleteAllContent: z.boolean().default(false).meta({
    description: 'Also remove their calls, distributions, NAVs, write-offs and statements',
  }),
});

/** A figure after each change of it. */
const seriesSchema = z.array(z.object({ date: z.string(), amount: wireAmountSchema }));

/** A commitment as the API returns it. */
export const commitmentSchema = documentSchema
  .extend({
    fund: z.string(),
    investor: investorSchema,
    Class: z.string().nullable(),
    closingDate: z.string(),
    maxCommitment: wireAmountSchema,
    activeCommitment: wireAmountSchema,
    fees: wireCommitmentFeesSchema,
    sideLetters: z.array(wireSideLetterSchema).optional(),
    deltas: z
      .array(
        z.object({
          date: z.string(),
          amount: z.number(),
          title: z.string().nullable(),
          transfer: z.string().nullish().meta({ description: 'The same for both changes of a transfer' }),
        }),
      )
      .optional(),
    percentage: z.number().nullish().meta({ description: 'Percent of the active commitments to the fund or class' }),
    irr: z.number().nullish().meta({ description: "The investor's net internal rate of return in percent" }),
    netCapitalCalled: seriesSchema.optional(),
    recallableCapital: seriesSchema.optional(),
    ...warningsShape,
  })
  .meta({ id: 'LPCommitment' });
