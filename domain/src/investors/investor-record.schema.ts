import { z } from 'zod';
import { calendarDateSchema, formatCalendarDate } from '../dates/calendar-date.ts';
import { CHOSEN } from '../documents/chosen.ts';
import { idSchema } from '../documents/id.schema.ts';
import { valuesOf } from '../documents/labels.ts';
import {
  listSchema,
  MAX_TITLE,
  nameSchema,
  optionalNameSchema,
  optionalTextSchema,
  textSchema,
} from '../documents/text.schema.ts';
import type { InputRule } from '../errors/rule.ts';
import { currencySchema } from '../money/amount.schema.ts';
import { INVESTOR_TYPE_LABELS, KYC_STATUS_LABELS } from './kinds.ts';
import { isLEI } from './lei.ts';
import { PAYOUT_STATE_LABELS, TAX_FORM_LABELS } from './record-labels.ts';

export const INVESTOR_TYPES = valuesOf(INVESTOR_TYPE_LABELS);
export type InvestorType = (typeof INVESTOR_TYPES)[number];

export const KYC_STATUSES = valuesOf(KYC_STATUS_LABELS);
export type KYCStatus = (typeof KYC_STATUSES)[number];

const TAX_FORMS = valuesOf(TAX_FORM_LABELS);

export const MAX_TAX_FORMS = 20;
export const MAX_PAYOUT_ACCOUNTS = 20;

const optionalDate = calendarDateSchema.nullish();

const VALID_AFTER_SIGNED: InputRule<{ signedOn: string; validUntil?: string | null | undefined }> = [
  ({ signedOn, validUntil }) => !validUntil || validUntil >= signedOn,
  { path: ['validUntil'], message: 'must not be before the day it was signed' },
];

const taxFormShape = z.object({
  form: z.enum(TAX_FORMS, { error: 'Choose a form' }),
  signedOn: calendarDateSchema,
  /** Null for a form without an end, such as a W-9. */
  validUntil: optionalDate,
  /** The id or the key of its file, uploaded to the bucket `capitalAccounts`. */
  file: z.string().trim().max(700).nullish(),
});
export const taxFormSchema = taxFormShape.refine(...VALID_AFTER_SIGNED);
export type TaxForm = z.output<typeof taxFormShape>;

/** The account that distributions in a currency are paid to: one of the entity, by its title. */
export const payoutAccountSchema = z.object({ currency: currencySchema, account: nameSchema(2, MAX_TITLE) });

const CURRENCY_ONCE: InputRule<readonly { currency: string }[]> = [
  (accounts) => new Set(accounts.map(({ currency }) => currency)).size === accounts.length,
  { path: [], message: 'Choose one account for each currency' },
];

/** What a manager keeps about an investor. A field that is left out of an update keeps its value; null removes it. */
export const investorRecordShape = {
  type: z.enum(INVESTOR_TYPES, { error: 'Choose a type of investor' }).nullish(),
  taxId: optionalNameSchema(50),
  /** The country that taxes the investor: a name or a two-letter code. */
  taxResidence: nameSchema(2, 30).register(CHOSEN, { is: 'country' }).nullish(),
  /** The legal entity identifier of ISO 17442. */
  lei: z
    .string()
    .trim()
    .max(30, { message: 'At most 30 characters', abort: true })
    .overwrite((written) => written.replaceAll(/[\s-]/g, '').toUpperCase())
    .refine((code) => code === '' || isLEI(code), {
      message: 'Enter a LEI of 20 characters. Check its digits: the last two do not match',
    })
    .nullish(),
  kycStatus: z.enum(KYC_STATUSES, { error: 'Choose a status' }).optional(),
  /** The day of the decision. */
  kycDate: optionalDate,
  kycExpiresOn: optionalDate,
  /** Why the investor was refused. Only the manager's people read it. */
  kycReason: optionalTextSchema(500),
  taxForms: listSchema(taxFormSchema, MAX_TAX_FORMS, 'tax forms').optional(),
  payoutAccounts: listSchema(payoutAccountSchema, MAX_PAYOUT_ACCOUNTS, 'pay-out accounts')
    .refine(...CURRENCY_ONCE)
    .optional(),
};

export type InvestorRecord = z.output<z.ZodObject<typeof investorRecordShape>>;

type KYC = Pick<InvestorRecord, 'kycStatus' | 'kycDate' | 'kycExpiresOn' | 'kycReason'>;

/** What must hold between the fields of a KYC check. */
export const KYC_RULES: readonly InputRule<KYC>[] = [
  [
    ({ kycStatus, kycReason }) => kycStatus !== 'refused' || Boolean(kycReason),
    { path: ['kycReason'], message: 'is required where the investor was refused' },
  ],
  [
    ({ kycStatus, kycDate }) => (kycStatus !== 'passed' && kycStatus !== 'refused') || Boolean(kycDate),
    { path: ['kycDate'], message: 'is required once the check has passed or was refused' },
  ],
  [
    ({ kycDate, kycExpiresOn }) => !kycDate || !kycExpiresOn || kycExpiresOn > kycDate,
    { path: ['kycExpiresOn'], message: 'must be after the date of the check' },
  ],
];

/** An account as it was chosen, without its numbers: those are in the entity. */
export interface PayoutAccount {
  readonly id: string;
  readonly currency: string;
  /** The title of the entity's account. */
  readonly account: string;
  /** The last characters of its number. */
  readonly ending: string;
  /** Of all fields of the account: one that was changed since is not the one that was confirmed. */
  readonly fingerprint: string;
  /** Who chose the account, or changed it last. */
  readonly chosenBy: PayoutPerson;
  /** ISO instant. */
  readonly chosenAt: string;
  readonly confirmedBy: PayoutPerson | null;
  readonly confirmedAt: string | null;
  /** A text for those that were confirmed before the steps were recorded. */
  readonly check: AccountCheck | string | null;
}

export interface PayoutPerson {
  readonly id: string;
  readonly name: string;
}

const PAYOUT_STATES = valuesOf(PAYOUT_STATE_LABELS);
export type PayoutState = (typeof PAYOUT_STATES)[number];

/** The rest of an account number that stays readable. */
const shownAccount = z.string().meta({ description: 'The last characters of the account number' });

/** Pay-out accounts as the API returns them. */
export const shownPayoutsSchema = z.array(
  payoutAccountSchema.extend({
    id: idSchema,
    state: z.enum(PAYOUT_STATES),
    ending: shownAccount,
    chosenBy: z.string().meta({ description: 'Who chose the account, or changed it last' }),
    confirmedBy: z.string().nullable(),
    check: z.string().nullable().meta({ description: 'How the second person checked it' }),
  }),
);

/** The record as the API returns it. */
export const shownRecordShape = {
  type: z.enum(INVESTOR_TYPES).nullable(),
  taxId: z.string().nullable(),
  taxResidence: z.string().nullable(),
  lei: z.string().nullable(),
  kycStatus: z.enum(KYC_STATUSES),
  kycDate: z.string().nullable(),
  kycExpiresOn: z.string().nullable(),
  kycReason: z.string().nullable().meta({ description: 'Null for users who are not of the manager' }),
  taxForms: z.array(taxFormShape.extend({ validUntil: z.string().nullable(), file: z.string().nullable() })),
  payoutAccounts: shownPayoutsSchema,
};

const READ_BACK = 'Ask them to read out the last four digits';

/** How a second person checked an account: the three steps of a call back. */
export const accountCheckSchema = z.object({
  number: textSchema(5, 250).meta({
    description: 'The number that was called, and where it is from: one that was known before the request',
  }),
  contact: nameSchema(2, 250).meta({ description: 'Who answered' }),
  calledOn: calendarDateSchema.meta({
    description: 'The day of the call: not before the request, and not in the future',
  }),
  readBack: z
    .boolean({ error: READ_BACK })
    .refine((isRead) => isRead, { message: READ_BACK })
    .meta({ description: 'Whether the contact read out the last four digits of the account. It must be true' }),
});
export type AccountCheck = z.output<typeof accountCheckSchema>;
export const payoutCheckSchema = z.object({ check: accountCheckSchema });

/** "Called Ann Berg on 5 Nov 2026 on +44 20 7946 0018, subscription agreement; they read out the last four digits". */
export const accountCheckText = (check: PayoutAccount['check']): string | null =>
  check === null || typeof check === 'string'
    ? check
    : `Called ${check.contact} on ${formatCalendarDate(check.calledOn)} on ${check.number}; they read out the last four digits`;

/** The body that confirms the pay-out account of a currency. */
export const payoutConfirmationSchema = payoutCheckSchema.extend({ currency: currencySchema });

/** Something of a record that ends: a tax form or the KYC check. */
export interface Expiry {
  readonly what: string;
  readonly day: string;
}

/** What of a record ends, the earliest first. Of each form, the one that is valid longest counts. */
export function expiriesOf({
  kycStatus,
  kycExpiresOn,
  taxForms,
}: {
  readonly kycStatus: KYCStatus;
  readonly kycExpiresOn?: string | null | undefined;
  readonly taxForms: readonly Pick<TaxForm, 'form' | 'validUntil'>[];
}): Expiry[] {
  const forms = [...Map.groupBy(taxForms, ({ form }) => form)].flatMap(([form, signed]): Expiry[] => {
    const ends = signed.map(({ validUntil }) => validUntil);
    const last = ends.every((day) => typeof day === 'string') ? ends.toSorted().at(-1) : null;
    return last ? [{ what: TAX_FORM_LABELS[form], day: last }] : [];
  });
  const check = kycStatus === 'passed' && kycExpiresOn ? [{ what: 'KYC', day: kycExpiresOn }] : [];
  return [...check, ...forms].sort((one, other) => (one.day < other.day ? -1 : one.day > other.day ? 1 : 0));
}
