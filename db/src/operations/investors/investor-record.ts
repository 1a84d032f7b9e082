import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { requireRule } from '@tapeline/domain/errors/rule.ts';
import { type InvestorRecord, KYC_RULES, type KYCStatus } from '@tapeline/domain/investors/investor-record.schema.ts';
import type { LP } from '../../entities/people.ts';
import type { LegalEntity } from '../../entities/register.ts';
import type { Session } from '../../store.ts';
import { uploadedFiles } from '../files/files.ts';
import { choosePayoutAccounts, shownPayout } from './payout-accounts.ts';

/** The fields of an investor that are its record. */
export type StoredRecord = Pick<LP, keyof InvestorRecord>;

/** Where the files of tax forms are. */
const TAX_FORM_BUCKET = 'capitalAccounts';

/**
 * The record of an investor after a body: what the body leaves out stays, and what is null is removed.
 * @param banks of the investor's entity
 * @throws Refusal badRequest for a check that breaks a rule, a form without its file, or an account that the entity lacks
 */
export async function recordOf(
  session: Session,
  body: InvestorRecord,
  banks: LegalEntity['banks'],
  before?: StoredRecord,
): Promise<StoredRecord> {
  const kept = <Field extends keyof StoredRecord & keyof InvestorRecord>(field: Field) =>
    body[field] === undefined ? (before?.[field] ?? null) : body[field];
  const kyc = {
    kycStatus: body.kycStatus ?? before?.kycStatus ?? ('notStarted' as const),
    kycDate: kept('kycDate'),
    kycExpiresOn: kept('kycExpiresOn'),
    kycReason: kept('kycReason') || null,
  };
  for (const rule of KYC_RULES) requireRule(rule, kyc, 'The check of the investor is not complete');
  const wanted = body.payoutAccounts ?? (before?.payoutAccounts ?? []).filter(({ account }) => isOneOf(banks, account));
  return {
    ...kyc,
    type: kept('type'),
    taxId: kept('taxId') || null,
    taxResidence: kept('taxResidence') || null,
    lei: kept('lei') || null,
    taxForms: body.taxForms ? await taxFormsOf(session, body.taxForms) : (before?.taxForms ?? []),
    payoutAccounts: choosePayoutAccounts(session, banks, wanted, before?.payoutAccounts),
  };
}

/** With another entity, accounts that it does not have are no longer paid. */
const isOneOf = (banks: LegalEntity['banks'], account: string): boolean =>
  banks.filter(({ title }) => title === account).length === 1;

async function taxFormsOf(
  session: Session,
  forms: NonNullable<InvestorRecord['taxForms']>,
): Promise<StoredRecord['taxForms']> {
  const keysOrIds = forms.flatMap(({ file }) => file || []);
  const files = await uploadedFiles(session, { bucket: TAX_FORM_BUCKET, keysOrIds });
  return forms.map(({ form, signedOn, validUntil, file }, index) => {
    const stored = file ? files.get(file) : null;
    if (stored === undefined) {
      throw new Refusal('badRequest', 'Upload the file of the tax form, then send its key', {
        flags: { [`taxForms.${index}.file`]: 'is not an uploaded file' },
      });
    }
    return { form, signedOn, validUntil: validUntil ?? null, file: stored?.id ?? null };
  });
}

/** The files of tax forms belong to their investor, whose users may read them. */
export async function ownTaxForms(session: Session, investors: readonly LP[]): Promise<void> {
  const owned = investors.flatMap(({ id, taxForms }) => taxForms.flatMap(({ file }) => (file ? [{ id, file }] : [])));
  if (owned.length === 0) return;
  await session.query(
    `update files set lp_id = owned.id from unnest($1::text[], $2::text[]) as owned (id, file)
     where files.id = owned.file and files.lp_id is null`,
    [owned.map(({ id }) => id), owned.map(({ file }) => file)],
  );
}

/** A record as calls and screens show it: what is not known is null, and accounts are without their fingerprints. */
export const shownRecord = (record: StoredRecord) => ({
  type: record.type ?? null,
  taxId: record.taxId ?? null,
  taxResidence: record.taxResidence ?? null,
  lei: record.lei ?? null,
  kycStatus: record.kycStatus as KYCStatus,
  kycDate: record.kycDate ?? null,
  kycExpiresOn: record.kycExpiresOn ?? null,
  kycReason: record.kycReason ?? null,
  taxForms: record.taxForms.map(({ form, signedOn, validUntil, file }) => ({
    form,
    signedOn,
    validUntil: validUntil ?? null,
    file: file ?? null,
  })),
  payoutAccounts: record.payoutAccounts.map(shownPayout),
});
