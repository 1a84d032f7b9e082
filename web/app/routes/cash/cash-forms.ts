import {
  bankAccountCreateSchema,
  differenceCreateSchema,
  differenceReversalSchema,
  paymentCreateSchema,
  paymentRemovalSchema,
  reversalSchema,
} from '@tapeline/domain/cash/cash.schema.ts';
import { OWN_ITEMS } from '@tapeline/domain/cash/labels.ts';
import { PARTY_KINDS } from '@tapeline/domain/cash/party.ts';
import { calendarDateSchema } from '@tapeline/domain/dates/calendar-date.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { moneySchema, notNegativeSchema, positiveSchema } from '@tapeline/domain/money/amount.schema.ts';
import { z } from 'zod';
import { describeForm } from '../../components/forms/describe-form.ts';
import { versionField } from '../../components/forms/version-field.ts';

const account = bankAccountCreateSchema.shape;
const payment = paymentCreateSchema.shape;

export const accountForm = z.object({
  title: account.title,
  fund: idSchema.optional(),
  ...pick(account, 'bankName', 'accountNumber', 'BIC', 'currency'),
  openingDate: calendarDateSchema,
  openingBalance: moneySchema.optional(),
  tolerance: notNegativeSchema.optional(),
});
export const accountFormDescription = describeForm(accountForm);
export const accountEditForm = accountForm.extend({ accountVersion: versionField });
export const accountEditFormDescription = describeForm(accountEditForm);

/** What the operations take of an entered account. */
export const accountOfForm = (form: z.output<typeof accountForm>) => ({
  ...form,
  fund: form.fund ?? null,
  openingBalance: { sum: form.openingBalance ?? '0', currency: null },
  tolerance: { sum: form.tolerance ?? '50', currency: null },
});

const PARTY = new RegExp(`^(${PARTY_KINDS.join('|')})/([0-9a-f]{24})$`);
const OBLIGATION = /^(contribution|distribution|draw|invoice)\/([0-9a-f]{24})$/;

export const paymentForm = z.object({
  bankAccount: payment.bankAccount,
  direction: payment.direction,
  amount: positiveSchema,
  bookedOn: calendarDateSchema,
  obligation: z.string().regex(OBLIGATION, 'is not one of the choices').optional(),
  party: z.string().regex(PARTY, 'is not one of the choices').optional(),
  counterpartyName: payment.counterpartyName,
  counterpartyAccount: payment.counterpartyAccount,
  remittance: payment.remittance,
  valuedOn: calendarDateSchema.optional(),
  charges: notNegativeSchema.optional(),
  bankReference: payment.bankReference,
  note: payment.note,
});
export const paymentFormDescription = describeForm(paymentForm);

const sum = (text: string) => ({ sum: text, currency: null });

export function partyOfForm(value: string | undefined) {
  const [, kind, id] = PARTY.exec(value ?? '') ?? [];
  return kind && id ? { kind: kind as (typeof PARTY_KINDS)[number], id } : null;
}

/** What an entered obligation is: its kind and document. */
export function obligationOfForm(value: string | undefined) {
  const [, kind, document] = OBLIGATION.exec(value ?? '') ?? [];
  return kind && document ? { kind: kind as 'contribution' | 'distribution' | 'draw' | 'invoice', document } : null;
}

/** What the operation takes of an entered payment, besides what it pays. */
export const paymentOfForm = ({ obligation: _, party, amount, charges, ...form }: z.output<typeof paymentForm>) => ({
  ...form,
  amount: sum(amount),
  charges: charges === undefined ? null : sum(charges),
  party: partyOfForm(party),
});

export const allocateForm = z.object({
  paymentVersion: versionField,
  obligation: z.string('Choose what it pays').regex(OBLIGATION, 'Choose what it pays'),
  part: positiveSchema.optional(),
});
export const returnForm = z.object({
  paymentVersion: versionField,
  credit: idSchema,
  part: positiveSchema.optional(),
});
export const reverseForm = reversalSchema;
export const removePaymentForm = z.object({
  paymentVersion: versionField,
  removalReason: paymentRemovalSchema.shape.removalReason,
});
/** Without a reason, it is taken back. */
export const ownItemForm = z.object({ paymentVersion: versionField, ownItem: z.enum(OWN_ITEMS).optional() });
export const closeForm = differenceCreateSchema.extend({ amount: positiveSchema });
export const reopenForm = differenceReversalSchema;
