import { z } from 'zod';
import { calendarDateSchema, daysBetween } from '../dates/calendar-date.ts';
import { documentSchema, versionSchema } from '../documents/document.schema.ts';
import { idSchema } from '../documents/id.schema.ts';
import { nameSchema, optionalTextSchema, textSchema } from '../documents/text.schema.ts';
import type { InputRule } from '../errors/rule.ts';
import { DAY_COUNTS, FEE_TYPES } from '../facilities/terms.schema.ts';
import { currencySchema, documentSumSchema, wireAmountSchema } from '../money/amount.schema.ts';
import {
  CORRECTION_LABELS,
  type CorrectionReason,
  DEFAULT_WATERFALL,
  INVOICE_LINE_KINDS,
  INVOICE_RULE_LABELS,
  type InvoiceRule,
  MAX_PERIOD_DAYS,
} from './labels.ts';

export const MAX_INVOICE_NOTE = 2000;
const MAX_REASON = 500;
const CORRECTION_REASONS = Object.keys(CORRECTION_LABELS) as [CorrectionReason, ...CorrectionReason[]];
const RULES = Object.keys(INVOICE_RULE_LABELS) as [InvoiceRule, ...InvoiceRule[]];

type Days = { readonly from: string; readonly to: string };

export const PERIOD_IN_ORDER: InputRule<Days> = [
  ({ from, to }) => to > from,
  { path: ['to'], message: 'must be after the first day' },
];
export const PERIOD_NOT_TOO_LONG: InputRule<Days> = [
  ({ from, to }) => to <= from || daysBetween(from, to) <= MAX_PERIOD_DAYS,
  { path: ['to'], message: `must be at most ${MAX_PERIOD_DAYS} days after the first day` },
];
export const DUE_AFTER_PERIOD: InputRule<{ readonly to: string; readonly dueDate?: string | null | undefined }> = [
  ({ to, dueDate }) => !dueDate || dueDate >= to,
  { path: ['dueDate'], message: 'must not be before the end of the period' },
];

const period = {
  currency: currencySchema,
  from: calendarDateSchema.meta({ description: 'The first day of the period' }),
  to: calendarDateSchema.meta({ description: 'The day after the last one of the period' }),
};

/** Fees, interest and principal in the order in which a payment pays them. */
export const waterfallSchema = z
  .array(z.enum(INVOICE_LINE_KINDS))
  .length(INVOICE_LINE_KINDS.length, `must name ${INVOICE_LINE_KINDS.join(', ')} once each`)
  .refine((order) => new Set(order).size === INVOICE_LINE_KINDS.length, {
    message: `must name ${INVOICE_LINE_KINDS.join(', ')} once each`,
  })
  .meta({ description: 'What a payment pays first, second and last' });

/** The body for preparing an invoice of a note. Its interest and fees follow from the terms. */
export const invoiceCreateSchema = z
  .object({
    transaction: idSchema,
    noteTitle: nameSchema(1, 250),
    ...period,
    dueDate: calendarDateSchema.nullish().meta({ description: '30 days after today if omitted' }),
    principal: documentSumSchema.nullish().meta({ description: 'A scheduled repayment: at most the balance' }),
    waterfall: waterfallSchema.default([...DEFAULT_WATERFALL]),
    description: optionalTextSchema(MAX_INVOICE_NOTE),
  })
  .refine(...PERIOD_IN_ORDER)
  .refine(...PERIOD_NOT_TOO_LONG)
  .refine(...DUE_AFTER_PERIOD);
export type InvoiceCreate = z.infer<typeof invoiceCreateSchema>;

/** The body for changing a draft. Its interest and fees are calculated again; the principal stays as entered. */
export const invoiceUpdateSchema = z
  .object({
    version: versionSchema,
    from: period.from,
    to: period.to,
    dueDate: calendarDateSchema,
    waterfall: waterfallSchema.optional(),
    description: optionalTextSchema(MAX_INVOICE_NOTE),
  })
  .refine(...PERIOD_IN_ORDER)
  .refine(...PERIOD_NOT_TOO_LONG)
  .refine(...DUE_AFTER_PERIOD);
export type InvoiceUpdate = z.infer<typeof invoiceUpdateSchema>;

/** Issuing names the amount that the person saw: what accrued may have changed since. */
export const invoiceIssueSchema = z.object({ version: versionSchema, amount: documentSumSchema });
export type InvoiceIssue = z.infer<typeof invoiceIssueSchema>;

export const invoiceWithdrawalSchema = z.object({ version: versionSchema, reason: textSchema(1, MAX_REASON) });
export type InvoiceWithdrawal = z.infer<typeof invoiceWithdrawalSchema>;

const exact = z.string().meta({ description: 'An exact decimal' });
const linesSchema = z.array(
  z.object({
    kind: z.enum(INVOICE_LINE_KINDS),
    title: z.string(),
    amount: wireAmountSchema.nullable(),
    rule: z.enum(RULES).meta({ description: 'How it was calculated' }),
    basis: z.enum(FEE_TYPES).nullable(),
    dayCount: z.enum(DAY_COUNTS).nullable(),
    unknown: z.string().nullable().meta({ description: 'Why it has no amount' }),
    corrects: z
      .object({
        number: z.int(),
        from: z.string(),
        to: z.string(),
        fee: z.string().nullable().meta({ description: 'The title of the fee; null for interest' }),
        accrued: wireAmountSchema.meta({ description: 'The interest or the fee of its period as it accrues now' }),
        invoiced: wireAmountSchema.meta({ description: 'What was invoiced for its period before' }),
        why: z.array(z.enum(CORRECTION_REASONS)),
      })
      .nullable()
      .meta({ description: 'The invoice whose interest or fee it corrects' }),
    pieces: z.array(
      z.object({
        from: z.string(),
        to: z.string(),
        days: z.int().nullable(),
        basis: exact,
        rate: exact,
        amount: exact,
        dayCount: z.enum(DAY_COUNTS).optional().meta({
          description:
            'Where an amendment changed the day count: that of these days. Omitted if it is that of the line',
        }),
        tier: z.string().optional().meta({
          description:
            'Of interest by a pricing grid: the utilization or figure from which its rate applies, base below the first tier, or unknown for the highest rate',
        }),
        tested: exact.nullable().optional().meta({
          description: 'Of interest by a covenant: the result that counted, null if there was none',
        }),
        defaultMargin: exact.optional().meta({
          description: 'Of interest while an event of default lasts: the percentage points that the rate has of it',
        }),
        inKind: exact.optional().meta({
          description: 'Of interest: the percentage points of the rate that are paid in kind',
        }),
      }),
    ),
  }),
);

/** The note to propose an invoice of, and what was chosen instead of the next period. */
export const invoiceProposalQuerySchema = z.object({
  transaction: idSchema,
  note: idSchema,
  currency: currencySchema.optional(),
  from: calendarDateSchema.optional(),
  to: calendarDateSchema.optional(),
});
export const invoiceProposalSchema = z
  .object({
    currencies: z.array(z.string()),
    currency: z.string(),
    from: z.string().nullable(),
    to: z.string().nullable(),
    dueDate: z.string(),
    lines: linesSchema,
  })
  .meta({ id: 'InvoiceProposal' });

export const invoiceSchema = documentSchema
  .extend({
    status: z.enum(['Draft', 'Active', 'Removed']),
    transaction: z.object({ id: z.string(), title: z.string() }),
    noteTitle: z.string(),
    number: z.int().meta({ description: 'Of the invoice among those of the facility' }),
    reference: z.string().meta({ description: 'What the borrower states with its payment' }),
    currency: z.string(),
    from: z.string(),
    to: z.string(),
    dueDate: z.string(),
    amount: wireAmountSchema.nullable().meta({ description: 'Null while a line is unknown' }),
    received: wireAmountSchema,
    open: wireAmountSchema.nullable().meta({ description: 'Null unless it is issued' }),
    waterfall: waterfallSchema,
    lines: linesSchema,
    issuedOn: z.string().nullable(),
    description: z.string().nullable(),
    removalReason: z.string().nullable(),
  })
  .meta({ id: 'Invoice' });
