import { z } from 'zod';
import { calendarDateSchema } from '../dates/calendar-date.ts';
import { documentSchema, versionSchema } from '../documents/document.schema.ts';
import { idSchema } from '../documents/id.schema.ts';
import { nameSchema, optionalNameSchema, optionalTextSchema, textSchema } from '../documents/text.schema.ts';
import { bicSchema } from '../entities/bic.schema.ts';
import { because, reason } from '../errors/reason.ts';
import {
  currencySchema,
  documentSumSchema,
  requireMinorUnits,
  signedDocumentSumSchema,
  wireAmountSchema,
} from '../money/amount.schema.ts';
import { isZero } from '../money/decimal.ts';
import {
  ALLOCATION_KINDS,
  DIFFERENCE_REASONS,
  OBLIGATION_KINDS,
  OBLIGATION_STATES,
  OWN_ITEMS,
  PAYMENT_DIRECTIONS,
} from './labels.ts';
import { PARTY_KINDS } from './party.ts';

const MAX_REFERENCE = 250;
const MAX_REMITTANCE = 2000;
const MAX_NOTE = 1000;
const MAX_REASON = 500;
/** Parts of one payment that are allocated together. */
export const MAX_ALLOCATIONS = 200;

const positiveSumSchema = documentSumSchema.refine(({ sum }) => !isZero(sum), because(reason('aboveZero')));

const account = {
  title: nameSchema(2, 150),
  bankName: nameSchema(2, 150),
  /** IBAN or another number. */
  accountNumber: nameSchema(2, 250),
  BIC: bicSchema,
  currency: currencySchema,
  openingDate: calendarDateSchema,
};
const accountSums = {
  openingBalance: signedDocumentSumSchema.default({ sum: '0', currency: null }),
  /** The most that a payment may be short and still be proposed. */
  tolerance: documentSumSchema.default({ sum: '50', currency: null }),
};
const isMinor = (
  {
    currency,
    openingBalance,
    tolerance,
  }: { currency: string; openingBalance: { sum: string }; tolerance: { sum: string } },
  context: z.core.$RefinementCtx,
) => requireMinorUnits(context, currency, { openingBalance: openingBalance.sum, tolerance: tolerance.sum });

/** The body for creating an account of the manager, or of one of its funds. */
export const bankAccountCreateSchema = z
  .object({
    ...account,
    ...accountSums,
    fund: idSchema.nullish(),
    /** The manager that it belongs to; if omitted, the one that the caller acts for. */
    manager: idSchema.optional(),
  })
  .superRefine(isMinor);
export type BankAccountCreate = z.infer<typeof bankAccountCreateSchema>;

export const bankAccountUpdateSchema = z
  .object({ ...account, ...accountSums, fund: idSchema.nullish(), version: versionSchema })
  .superRefine(isMinor);
export type BankAccountUpdate = z.infer<typeof bankAccountUpdateSchema>;

export const bankAccountSchema = documentSchema
  .extend({
    title: z.string(),
    bankName: z.string(),
    accountNumber: z.string(),
    BIC: z.string().nullable(),
    currency: z.string(),
    fund: z.string().nullable(),
    openingDate: z.string(),
    openingBalance: wireAmountSchema,
    tolerance: wireAmountSchema,
    balance: wireAmountSchema.meta({ description: 'The opening balance with all payments since' }),
    statedTo: z.string().nullable().meta({ description: 'The last day that a bank statement reaches' }),
  })
  .meta({ id: 'BankAccount' });

/** A part of a payment that pays an obligation. */
export const allocationCreateSchema = z.object({
  kind: z.enum(OBLIGATION_KINDS),
  /** The contribution, distribution or draw. */
  document: idSchema,
  amount: positiveSumSchema,
});
export type AllocationCreate = z.infer<typeof allocationCreateSchema>;
const allocationsSchema = z
  .array(allocationCreateSchema)
  .max(MAX_ALLOCATIONS, { message: `At most ${MAX_ALLOCATIONS} at once` });

const payment = {
  bankAccount: idSchema,
  direction: z.enum(PAYMENT_DIRECTIONS),
  amount: positiveSumSchema,
  bookedOn: calendarDateSchema,
  valuedOn: calendarDateSchema,
  counterpartyName: optionalNameSchema(MAX_REFERENCE),
  counterpartyAccount: optionalNameSchema(MAX_REFERENCE),
  remittance: optionalTextSchema(MAX_REMITTANCE),
  /** What a bank kept on the way. */
  charges: documentSumSchema.nullish(),
  bankReference: optionalNameSchema(MAX_REFERENCE),
  party: z.object({ kind: z.enum(PARTY_KINDS), id: idSchema }).nullish(),
  note: optionalTextSchema(MAX_NOTE),
};

/** The body for recording a payment by hand. */
export const paymentCreateSchema = z.object({
  ...payment,
  valuedOn: calendarDateSchema.optional().meta({ description: 'The booking date if omitted' }),
  allocations: allocationsSchema.default([]),
});
export type PaymentCreate = z.infer<typeof paymentCreateSchema>;

export const paymentUpdateSchema = z.object({ ...payment, version: versionSchema });
export type PaymentUpdate = z.infer<typeof paymentUpdateSchema>;

export const paymentRemovalSchema = z.object({
  id: idSchema,
  version: versionSchema,
  status: z.literal('Removed'),
  removalReason: textSchema(1, MAX_REASON),
});
export type PaymentRemoval = z.infer<typeof paymentRemovalSchema>;

export const allocateSchema = z.object({
  version: versionSchema,
  allocations: allocationsSchema.min(1, { message: 'Allocate at least one amount' }),
});
export type Allocate = z.infer<typeof allocateSchema>;

/** The body for giving credits back with a payment that went the other way. */
export const creditReturnSchema = z.object({
  version: versionSchema,
  returns: z
    .array(z.object({ payment: idSchema, amount: positiveSumSchema }))
    .min(1, { message: 'Name at least one payment whose credit is returned' })
    .max(MAX_ALLOCATIONS, { message: `At most ${MAX_ALLOCATIONS} at once` }),
});
export type CreditReturn = z.infer<typeof creditReturnSchema>;

export const reversalReasonSchema = textSchema(1, MAX_REASON);
export const reversalSchema = z.object({ allocation: idSchema, reason: reversalReasonSchema });

const partySchema = z.object({ kind: z.enum(PARTY_KINDS), id: z.string(), title: z.string().nullable() });
const reversedSchema = {
  reversedAt: z.string().nullable(),
  reversalReason: z.string().nullable(),
};

export const paymentSchema = documentSchema
  .extend({
    status: z.enum(['Active', 'Removed']),
    bankAccount: z.string(),
    fund: z.string().nullable(),
    direction: z.enum(PAYMENT_DIRECTIONS),
    amount: wireAmountSchema,
    bookedOn: z.string(),
    valuedOn: z.string(),
    counterpartyName: z.string().nullable(),
    counterpartyAccount: z.string().nullable(),
    remittance: z.string(),
    charges: wireAmountSchema.nullable(),
    bankReference: z.string().nullable(),
    statementLine: z.string().nullable(),
    party: partySchema.nullable(),
    ownItem: z.enum(OWN_ITEMS).nullable().meta({
      description: 'Why it is with no investor or borrower: a fee or interest of the bank, a transfer, or another item',
    }),
    note: z.string().nullable(),
    removalReason: z.string().nullable(),
    allocated: wireAmountSchema,
    credit: wireAmountSchema.meta({ description: 'What is left of it: a credit of the party' }),
    allocations: z.array(
      z.object({
        id: z.string(),
        kind: z.enum(ALLOCATION_KINDS),
        document: z.string().meta({ description: 'What it pays; of a returned credit, the other payment' }),
        number: z.string().nullable(),
        party: partySchema.nullable(),
        amount: wireAmountSchema,
        createdAt: z.string(),
        ...reversedSchema,
      }),
    ),
  })
  .meta({ id: 'Payment' });

/** The body for closing what is open of an obligation, or a part of it, although it will not be paid. */
export const differenceCreateSchema = z.object({
  currency: currencySchema,
  amount: positiveSumSchema,
  reason: z.enum(DIFFERENCE_REASONS),
  note: optionalTextSchema(MAX_NOTE),
});
export type DifferenceCreate = z.infer<typeof differenceCreateSchema>;

export const differenceReversalSchema = z.object({ difference: idSchema, reason: reversalReasonSchema });

/** The body for reminding an investor of what is open of its call. */
export const reminderCreateSchema = z.object({ currency: currencySchema });

export const obligationQuerySchema = z.object({
  kind: z.enum(OBLIGATION_KINDS).optional(),
  direction: z.enum(PAYMENT_DIRECTIONS).optional(),
  fund: idSchema.optional(),
  document: idSchema.optional(),
  /** The capital call or the distribution. */
  activity: idSchema.optional(),
  party: idSchema.optional(),
  currency: currencySchema.optional(),
  /** Only what is open, or only what is not. */
  open: z.enum(['true', 'false']).optional(),
  skip: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});

export const obligationSchema = z
  .object({
    kind: z.enum(OBLIGATION_KINDS),
    document: z.string(),
    direction: z.enum(PAYMENT_DIRECTIONS),
    fund: z.object({ id: z.string(), title: z.string().nullable() }).nullable(),
    facility: z.object({ id: z.string(), title: z.string().nullable() }).nullable(),
    party: partySchema.nullable(),
    activity: z.string().nullable().meta({ description: 'The capital call or distribution that it is a part of' }),
    number: z.string().nullable(),
    reference: z.string().meta({ description: 'What whoever pays states' }),
    dueDate: z.string(),
    amount: wireAmountSchema.meta({ description: 'What is to be paid: of what is netted, the net amount' }),
    netted: wireAmountSchema.meta({
      description: 'What is settled with the netted call or distribution without a payment, on top of the amount',
    }),
    allocated: wireAmountSchema,
    difference: wireAmountSchema.meta({ description: 'What was closed without a payment, with a reason' }),
    open: wireAmountSchema,
    paidOn: z.string().nullable().meta({ description: 'The value date of the latest payment' }),
    state: z.enum(OBLIGATION_STATES),
    daysLate: z.int(),
    differences: z.array(
      z.object({
        id: z.string(),
        amount: wireAmountSchema,
        reason: z.enum(DIFFERENCE_REASONS),
        note: z.string().nullable(),
        ...reversedSchema,
      }),
    ),
  })
  .meta({ id: 'Obligation' });
