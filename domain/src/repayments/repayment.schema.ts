import { z } from 'zod';
import { calendarDateSchema } from '../dates/calendar-date.ts';
import { documentSchema, versionSchema } from '../documents/document.schema.ts';
import { idSchema } from '../documents/id.schema.ts';
import { valuesOf } from '../documents/labels.ts';
import { MAX_TEXT, nameSchema, optionalTextSchema } from '../documents/text.schema.ts';
import { REQUIRED } from '../errors/required.ts';
import { type Amount, amountOf, positiveSchema, wireAmountSchema } from '../money/amount.schema.ts';
import { REPAYMENT_KIND_LABELS } from './kinds.ts';

/** What a repayment pays. Only principal reduces the balance. */
export const REPAYMENT_KINDS = valuesOf(REPAYMENT_KIND_LABELS);
export const REPAYMENT_STATUSES = ['Active', 'Removed'] as const;
const MAX_PARTS = 100;

const scheduled = {
  description:
    'Whether the principal was due, so that it is no prepayment. Principal that pays an invoice was due in any case',
};

/** The body for recording a repayment of a note. */
export const repaymentCreateSchema = z.object({
  transaction: idSchema,
  noteTitle: nameSchema(1, 250),
  cutOffDate: calendarDateSchema,
  scheduled: z.boolean().optional().meta(scheduled),
  repayments: z
    .array(z.object({ kind: z.enum(REPAYMENT_KINDS), amount: amountOf(positiveSchema) }), REQUIRED)
    .min(1, { message: 'Enter at least one amount' })
    .max(MAX_PARTS, { message: `At most ${MAX_PARTS} amounts` }),
});

export interface RepaymentPart {
  kind: (typeof REPAYMENT_KINDS)[number];
  amount: Amount;
}

export type RepaymentCreate = z.infer<typeof repaymentCreateSchema>;

/** One repayment of a bulk update of statuses. */
export const repaymentChangeSchema = z.object({
  id: idSchema,
  version: versionSchema,
  status: z.enum(REPAYMENT_STATUSES),
  removalReason: optionalTextSchema(MAX_TEXT).meta({ description: 'Why the repayment is removed' }),
});
export type RepaymentChange = z.infer<typeof repaymentChangeSchema>;

/** A repayment as the API returns it. */
export const repaymentSchema = documentSchema
  .extend({
    status: z.enum(REPAYMENT_STATUSES),
    transaction: z.object({ id: z.string(), title: z.string() }),
    noteTitle: z.string(),
    cutOffDate: z.string(),
    scheduled: z.boolean().meta(scheduled),
    inKind: z.boolean().meta({
      description:
        'Whether it pays the interest of an invoice by adding it to the principal, whose amount is negative here',
    }),
    repayments: z.array(z.object({ kind: z.enum(REPAYMENT_KINDS), amount: wireAmountSchema })),
    valueInUsd: z.number().nullable(),
    amountInMainCurrency: wireAmountSchema.nullable(),
    removalReason: z.string().nullable(),
  })
  .meta({ id: 'Repayment' });
