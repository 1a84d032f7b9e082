import { z } from 'zod';
import { calendarDateSchema } from '../../dates/calendar-date.ts';
import { documentSchema, versionSchema } from '../../documents/document.schema.ts';
import { idSchema } from '../../documents/id.schema.ts';
import { textSchema } from '../../documents/text.schema.ts';
import { wireAmountSchema } from '../../money/amount.schema.ts';
import { COMPANY_ID } from '../payment-files/nacha.ts';
import { PAYABLE_KINDS, PAYMENT_FORMATS, PAYMENT_RUN_STATUSES, PAYMENT_STATES } from './kinds.ts';

export const MAX_PAYMENTS = 500;
export const MAX_REASON = 500;

export const payableSchema = z.object({ kind: z.enum(PAYABLE_KINDS), id: idSchema });
export type PayableKey = z.infer<typeof payableSchema>;

const originatorSchema = z
  .string()
  .trim()
  .toUpperCase()
  .regex(COMPANY_ID, 'Enter the ten letters or digits that the bank gave you')
  .meta({ description: 'What the bank calls you in NACHA files' });

export const payablesSchema = z
  .array(payableSchema)
  .min(1, 'Choose at least one payment')
  .max(MAX_PAYMENTS, `A run has at most ${MAX_PAYMENTS} payments`)
  .refine((payables) => new Set(payables.map(({ kind, id }) => `${kind} ${id}`)).size === payables.length, {
    message: 'must name each payment once',
  });

const paymentRunShape = {
  bankAccount: idSchema.meta({ description: 'Of yours, whose currency the payables have' }),
  executeOn: calendarDateSchema.meta({ description: 'The day on which the bank pays' }),
  format: z.enum(PAYMENT_FORMATS, { error: 'Choose the kind of file' }),
  originator: originatorSchema.nullish(),
};

const hasOriginator = ({ format, originator }: { format: string; originator?: string | null | undefined }): boolean =>
  format !== 'NACHA' || originator != null;
const originatorIssue = { path: ['originator'], message: 'Enter the ten letters or digits that the bank gave you' };

/** A run with its payments, as a form or a call sends them. */
export const runSchemaOf = <Payables extends z.ZodType<PayableKey[]>>(payables: Payables) =>
  z.object({ ...paymentRunShape, payables }).refine(hasOriginator, originatorIssue);

/** A run is prepared whole: what it pays, when, from which account and as which file. */
export const paymentRunCreateSchema = runSchemaOf(payablesSchema);
export type PaymentRunCreate = z.infer<typeof paymentRunCreateSchema>;

export const paymentRunStepSchema = z.object({ version: versionSchema });
const reasonSchema = textSchema(3, MAX_REASON);
/** A withdrawal, or a payment that came back. */
export const paymentRunReasonSchema = paymentRunStepSchema.extend({ reason: reasonSchema });

const personSchema = z.object({ id: z.string().nullable(), name: z.string(), at: z.string() });

export const paymentLineSchema = z
  .object({
    place: z.int().meta({ description: 'Of the payment in the run, from 0' }),
    kind: z.enum(PAYABLE_KINDS),
    id: z.string().meta({ description: 'Of the distribution or the draw' }),
    payee: z.string(),
    account: z.string().meta({ description: 'The last characters of its number' }),
    amount: wireAmountSchema,
    reference: z.string(),
    state: z.enum(PAYMENT_STATES),
    returnReason: z.string().nullable(),
  })
  .meta({ id: 'PaymentRunLine' });

/** A payment run as the API returns it. */
export const paymentRunSchema = documentSchema
  .extend({
    status: z.enum(PAYMENT_RUN_STATUSES),
    bankAccount: z.object({ id: z.string(), title: z.string() }),
    executeOn: z.string(),
    format: z.enum(PAYMENT_FORMATS),
    originator: z.string().nullable(),
    total: wireAmountSchema,
    count: z.int(),
    prepared: personSchema,
    needsTwo: z.boolean().meta({ description: 'Whether two people must release it' }),
    firstReleased: personSchema.nullable(),
    released: personSchema.nullable(),
    withdrawn: personSchema.extend({ reason: z.string() }).nullable(),
    file: z
      .object({
        name: z.string(),
        type: z.string(),
        size: z.int(),
        checksum: z.string().meta({ description: 'SHA-256 of its bytes, 64 hex digits' }),
        downloads: z.int(),
      })
      .nullable(),
    payments: z.array(paymentLineSchema),
  })
  .meta({ id: 'PaymentRun' });
