import {
  DUE_AFTER_PERIOD,
  invoiceCreateSchema,
  invoiceWithdrawalSchema,
  PERIOD_IN_ORDER,
  PERIOD_NOT_TOO_LONG,
} from '@tapeline/domain/invoices/invoice.schema.ts';
import { type InvoiceLineKind, WATERFALL_LABELS, type WaterfallOrder } from '@tapeline/domain/invoices/labels.ts';
import { notNegativeSchema } from '@tapeline/domain/money/amount.schema.ts';
import { z } from 'zod';
import { versionField } from '../../../components/forms/version-field.ts';

const { shape } = invoiceCreateSchema;
const ORDERS = Object.keys(WATERFALL_LABELS) as [WaterfallOrder, ...WaterfallOrder[]];

const waterfallField = z.enum(ORDERS, { error: 'Choose an order' });

/** The form of a new invoice: the period was chosen before. */
export const invoiceForm = z
  .object({
    transaction: shape.transaction,
    noteTitle: shape.noteTitle,
    currency: shape.currency,
    from: shape.from,
    to: shape.to,
    dueDate: shape.from,
    principal: notNegativeSchema.optional(),
    waterfall: waterfallField,
    description: shape.description,
  })
  .refine(...PERIOD_IN_ORDER)
  .refine(...PERIOD_NOT_TOO_LONG)
  .refine(...DUE_AFTER_PERIOD);

/** What the operation takes of it. */
export const invoiceOfForm = ({ principal, waterfall, ...form }: z.output<typeof invoiceForm>) => ({
  ...form,
  principal: principal === undefined ? null : { sum: principal, currency: null },
  waterfall: waterfall.split(',') as InvoiceLineKind[],
});

const seen = { seenVersion: versionField };

/** The form of a draft that changes. */
export const changeForm = z
  .object({
    ...seen,
    from: shape.from,
    to: shape.to,
    dueDate: shape.from,
    waterfall: waterfallField,
    description: shape.description,
  })
  .refine(...PERIOD_IN_ORDER)
  .refine(...PERIOD_NOT_TOO_LONG)
  .refine(...DUE_AFTER_PERIOD);

/** What the operation takes of it. */
export const changeOfForm = ({ seenVersion: version, waterfall, ...form }: z.output<typeof changeForm>) => ({
  ...form,
  version,
  waterfall: waterfall.split(',') as InvoiceLineKind[],
});

/** Issuing names the amount that the person saw. */
export const issueForm = z.object({ ...seen, amount: notNegativeSchema });
export const withdrawalForm = z.object({ ...seen, reason: invoiceWithdrawalSchema.shape.reason });
