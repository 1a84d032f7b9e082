import { investorRecordShape, KYC_RULES } from '@tapeline/domain/investors/investor-record.schema.ts';
import { z } from 'zod';
import { describeForm } from '../../components/forms/describe-form.ts';
import { versionField } from '../../components/forms/version-field.ts';

const { type, taxId, taxResidence, lei, kycStatus, kycDate, kycExpiresOn, kycReason, taxForms, payoutAccounts } =
  investorRecordShape;

const fields = z.object({
  type,
  taxId,
  taxResidence,
  lei,
  kycStatus: kycStatus.unwrap(),
  kycDate,
  kycExpiresOn,
  kycReason,
  taxForms: taxForms.unwrap().default([]),
  payoutAccounts: payoutAccounts.unwrap().default([]),
  partyVersion: versionField,
  /** Files that could not be stored. */
  refused: z.array(z.string().max(1000)).default([]),
});

/** The form of an investor's record: every field is sent, and an empty one is removed. */
export const recordForm = KYC_RULES.reduce((form, rule) => form.refine(...rule), fields);
export const recordFormDescription = describeForm(recordForm);

const LABELS: Readonly<Record<string, string>> = {
  type: 'Type of investor',
  taxId: 'Tax id',
  taxResidence: 'Tax residence',
  lei: 'LEI',
  kycStatus: 'KYC status',
  kycDate: 'KYC date',
  kycExpiresOn: 'KYC expiry',
  kycReason: 'Reason of the refusal',
  taxForms: 'Tax forms',
  payoutAccounts: 'Pay-out accounts',
};
const ITEM_LABELS: Readonly<Record<string, string>> = {
  form: 'Form',
  signedOn: 'Signed on',
  validUntil: 'Valid until',
  file: 'File',
  currency: 'Currency',
  account: 'Bank account',
};

/** "Tax form 2, valid until" for `taxForms[1].validUntil`. */
export function recordLabel(name: string): string {
  const [, list, index, field = ''] = /^(taxForms|payoutAccounts)\[(\d+)\]\.(\w+)$/.exec(name) ?? [];
  if (!list) return LABELS[name] ?? name;
  const one = list === 'taxForms' ? 'Tax form' : 'Pay-out account';
  return `${one} ${Number(index) + 1}, ${(ITEM_LABELS[field] ?? field).toLowerCase()}`;
}
