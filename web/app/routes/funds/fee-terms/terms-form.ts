import { calendarDateSchema } from '@tapeline/domain/dates/calendar-date.ts';
import { fieldLabel } from '@tapeline/domain/documents/field-labels.ts';
import { type FeeTerms, feeTermsSchema } from '@tapeline/domain/funds/fees.schema.ts';
import { classKeySchema } from '@tapeline/domain/funds/fund.schema.ts';
import { notNegativeSchema } from '@tapeline/domain/money/amount.schema.ts';
import { z } from 'zod';
import { optionalGroup } from '../../../components/forms/blank.ts';
import { describeForm } from '../../../components/forms/describe-form.ts';
import { versionField } from '../../../components/forms/version-field.ts';

const parts = feeTermsSchema.shape;
const management = parts.management.unwrap().unwrap();
const stepDown = management.shape.stepDown.unwrap().unwrap();

const terms = z.object({
  management: optionalGroup(
    management.extend({ stepDown: optionalGroup(stepDown), minimum: notNegativeSchema.optional() }),
  ),
  success: optionalGroup(parts.success.unwrap().unwrap()),
  transaction: optionalGroup(parts.transaction.unwrap().unwrap()),
  overallCap: notNegativeSchema.optional(),
  defaultInterest: optionalGroup(parts.defaultInterest.unwrap().unwrap()),
});

export const feeTermsForm = z.object({
  from: calendarDateSchema,
  Class: classKeySchema.optional(),
  terms,
  // Not called `version`, so that the error for a stale version appears at the top of the form.
  termsVersion: versionField,
});
export const feeTermsFormDescription = describeForm(feeTermsForm);

export const sideLetterForm = z.object({
  from: calendarDateSchema,
  title: z.string().trim().max(150, { message: 'At most 150 characters' }).optional(),
  /** The file that the letter has. */
  document: z.string().max(1000).optional(),
  /** Why a new file could not be stored. */
  refused: z.string().max(1000).optional(),
  terms,
  termsVersion: versionField,
});
export const sideLetterFormDescription = describeForm(sideLetterForm);

export const termsRemovalForm = z.object({ confirmed: z.literal('yes').optional(), termsVersion: versionField });

/** The terms without the parts that were left empty. */
export const termsOfForm = (form: z.output<typeof terms>): FeeTerms =>
  Object.fromEntries(Object.entries(form).filter(([, part]) => part != null));

const text = (value: number | string | null | undefined): string => (value == null ? '' : String(value));
const checked = (value: boolean | null | undefined): string => (value ? 'on' : '');

type Rates = Pick<
  NonNullable<FeeTerms['management']>,
  'committed' | 'invested' | 'interestIncome' | 'assets' | 'assetsBasis'
>;
const shownRates = (rates: Rates | null | undefined) => ({
  committed: text(rates?.committed),
  invested: text(rates?.invested),
  interestIncome: text(rates?.interestIncome),
  assets: text(rates?.assets),
  assetsBasis: rates?.assetsBasis === 'net' ? 'net' : '',
});

/** Terms as the fields of their form hold them. */
export const shownFeeTerms = ({ management: fee, success, transaction, overallCap, defaultInterest }: FeeTerms) => ({
  management: {
    ...shownRates(fee),
    minimum: text(fee?.minimum),
    offset: text(fee?.offset),
    waiver: text(fee?.waiver),
    stepDown: { from: text(fee?.stepDown?.from), ...shownRates(fee?.stepDown) },
  },
  success: {
    hurdle: text(success?.hurdle),
    rate: text(success?.rate),
    catchUp: text(success?.catchUp),
    interestShare: text(success?.interestShare),
    equityOnly: checked(success?.equityOnly),
    simple: checked(success?.simple),
    perTransaction: checked(success?.perTransaction),
    clawback: checked(success?.clawback),
  },
  transaction: { applied: checked(transaction?.applied), cap: text(transaction?.cap) },
  overallCap: text(overallCap),
  defaultInterest: {
    rate: text(defaultInterest?.rate),
    graceDays: text(defaultInterest?.graceDays),
    dayCount: text(defaultInterest?.dayCount),
  },
});
export type ShownFeeTerms = ReturnType<typeof shownFeeTerms>;

const LABELS: Readonly<Record<string, string>> = {
  from: 'From',
  Class: 'Class',
  title: 'Title',
  document: 'Document',
  management: 'Management fee',
  stepDown: 'Step-down',
  success: 'Success fee',
  transaction: 'Transaction fees',
  committed: 'On committed capital',
  invested: 'On invested capital',
  interestIncome: 'On interest income',
  assets: 'On assets',
  assetsBasis: 'Assets are',
  minimum: 'Minimum a year',
  offset: 'Offset',
  waiver: 'Waiver',
  hurdle: 'Hurdle',
  rate: 'Rate',
  catchUp: 'Catch-up',
  interestShare: 'Share of interest',
  cap: 'Cap',
  overallCap: 'Cap on all fees',
  defaultInterest: 'Default interest',
  graceDays: 'Days of grace',
  dayCount: 'Day count',
};

const lowered = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** "Then on invested capital" for `terms.management.stepDown.invested`: as the field is called in the form. */
export function termsLabel(name: string): string {
  const path = name.split('.').filter((part) => part !== 'terms');
  const parts = path.map((part) => LABELS[part] ?? fieldLabel(part));
  const last = parts.at(-1) ?? '';
  if (path.at(-2) === 'stepDown' && path.at(-1) === 'from') return 'Step-down from';
  if (last.startsWith('On ')) return `${path.includes('stepDown') ? 'Then' : parts[0]} ${lowered(last)}`;
  return parts.map((part, index) => (index === 0 ? part : lowered(part))).join(', ');
}
