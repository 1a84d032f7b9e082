import { type FieldMetadata, useField } from '@conform-to/react';
import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { getLP, updateLP } from '@tapeline/db/operations/investors/investors.ts';
import { choicesOf } from '@tapeline/domain/documents/labels.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { maxBytesOf } from '@tapeline/domain/files/buckets.ts';
import { typeOfFile } from '@tapeline/domain/files/file-types.ts';
import { MAX_PAYOUT_ACCOUNTS, MAX_TAX_FORMS, type TaxForm } from '@tapeline/domain/investors/investor-record.schema.ts';
import { INVESTOR_TYPE_LABELS, KYC_STATUS_LABELS } from '@tapeline/domain/investors/kinds.ts';
import { TAX_FORM_LABELS } from '@tapeline/domain/investors/record-labels.ts';
import { storeFormFiles } from '../../commands/form-files.server.ts';
import { SelectField, TextareaField, TextField } from '../../components/forms/fields.tsx';
import { FORM_GRID } from '../../components/forms/form-layout.ts';
import { FormPage } from '../../components/forms/form-page.tsx';
import { ListRows } from '../../components/forms/list-rows.tsx';
import { MoreDetails } from '../../components/forms/more-details.tsx';
import { StoredFileField } from '../../components/forms/stored-file-field.tsx';
import { CountryField, CurrencyField } from '../../components/organizations/country-field.tsx';
import { sameEntity } from '../../components/organizations/organization-page.server.ts';
import { named } from '../../components/page/page-name.ts';
import { PanelSection } from '../../components/page/section.tsx';
import { act, intent, readScreen, type Screen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { recordForm, recordFormDescription, recordLabel } from './record-form.ts';

export const handle = named<typeof loader>(({ id, title }) => [[title, paths.investor(id)], 'Record']);

export const loader = readScreen('LPs/write', ({ db, params }) =>
  db(async (session) => {
    const investor = await getLP(session, params.id ?? '');
    const { id, title, version, entity, taxForms, payoutAccounts } = investor;
    return {
      id,
      title,
      accounts: entity.banks.map((bank) => bank.title),
      values: {
        type: investor.type ?? '',
        taxId: investor.taxId ?? '',
        taxResidence: investor.taxResidence ?? '',
        lei: investor.lei ?? '',
        kycStatus: investor.kycStatus,
        kycDate: investor.kycDate ?? '',
        kycExpiresOn: investor.kycExpiresOn ?? '',
        kycReason: investor.kycReason ?? '',
        taxForms: taxForms.map(({ form, signedOn, validUntil, file }) => ({
          form,
          signedOn,
          validUntil: validUntil ?? '',
          file: file ?? '',
        })),
        payoutAccounts: payoutAccounts.map(({ currency, account }) => ({ currency, account })),
        partyVersion: String(version),
      },
    };
  }),
);

const PLACE = { bucket: 'capitalAccounts' } as const;
const UPLOAD = /^(taxForms\[\d{1,2}\])\.upload$/;
const MAX_NEW_FILES = 5;

/** Stores the files of tax forms. A new one replaces the one that the form has. */
const storeTaxForms = (screen: Screen): Promise<Request> =>
  storeFormFiles(screen, {
    maxBytes: MAX_NEW_FILES * maxBytesOf(PLACE),
    to: ({ field, name, type }) => (UPLOAD.test(field) ? { ...PLACE, type: typeOfFile(name, type) } : null),
    write(form, stored, refused) {
      for (const { field, key } of stored) form.set(field.replace(UPLOAD, '$1.file'), key);
      for (const [index, { name, refusal }] of refused.entries()) {
        form.append(`refused[${index}]`, `${name}: ${refusal.message}`);
      }
    },
  });

export const action = act(
  {
    save: intent({
      permission: 'LPs/write',
      schema: recordForm,
      async run({ partyVersion: version, refused, ...form }, { db, params }) {
        if (refused.length > 0) throw new Refusal('badRequest', refused.join('\n'));
        const id = await db(async (session) => {
          const { id, title, domains, groupId, entityId } = await getLP(session, params.id ?? '');
          const { type = null, taxId = null, taxResidence = null, lei = null } = form;
          const { kycDate = null, kycExpiresOn = null, kycReason = null } = form;
          const cleared = { type, taxId, taxResidence, lei, kycDate, kycExpiresOn, kycReason };
          const group = groupId ? { id: groupId } : null;
          const body = { title, domains, group, entity: sameEntity(entityId), ...form, ...cleared, version };
          await updateLP(session, { id, body });
          return id;
        });
        return redirect(paths.investor(id, { view: 'details' }));
      },
    }),
  },
  { lists: ['taxForms', 'payoutAccounts'], files: { permission: 'LPs/write', store: storeTaxForms } },
);

/** The file is sent back by its id, so that it stays. */
function TaxFormFields({ item }: { item: FieldMetadata<TaxForm> }) {
  const fields = item.getFieldset();
  const file = fields.file.initialValue ? String(fields.file.initialValue) : '';
  return (
    <>
      <SelectField field={fields.form} label="Form" choices={choicesOf(TAX_FORM_LABELS)} empty="Choose a form" />
      <TextField field={fields.signedOn} label="Signed on" type="date" />
      <TextField field={fields.validUntil} label="Valid until" type="date" hint="Blank for a form without an end" />
      <StoredFileField name={`${item.name}.upload`} label="File" stored={{ name: fields.file.name, value: file }} />
    </>
  );
}

function PayoutFields({
  item,
  accounts,
}: {
  item: FieldMetadata<{ currency: string; account: string }>;
  accounts: readonly string[];
}) {
  const fields = item.getFieldset();
  return (
    <>
      <CurrencyField field={fields.currency} />
      <SelectField
        field={fields.account}
        label="Bank account"
        choices={[...new Set(accounts)].map((title) => ({ value: title, label: title }))}
        empty="Choose an account"
      />
    </>
  );
}

function Lists({ accounts }: { accounts: readonly string[] }) {
  const [taxForms] = useField<TaxForm[]>('taxForms');
  const [payouts] = useField<{ currency: string; account: string }[]>('payoutAccounts');
  return (
    <MoreDetails names={['taxForms', 'payoutAccounts']}>
      <PanelSection title="Tax forms" className="max-w-[46rem] p-4">
        <ListRows field={taxForms} one="Tax form" most={MAX_TAX_FORMS}>
          {(item) => <TaxFormFields item={item} />}
        </ListRows>
      </PanelSection>
      <PanelSection title="Pay-out accounts" className="max-w-[46rem] p-4">
        {accounts.length === 0 ? (
          <p className="text-sm text-ink-2">
            The investor’s entity has no bank account. Add one under Edit to choose where distributions are paid.
          </p>
        ) : (
          <ListRows
            field={payouts}
            one="Pay-out account"
            most={MAX_PAYOUT_ACCOUNTS}
            hint="Where distributions in a currency are paid. A new or changed account waits until a second person confirms it."
          >
            {(item) => <PayoutFields item={item} accounts={accounts} />}
          </ListRows>
        )}
      </PanelSection>
    </MoreDetails>
  );
}

export default function InvestorRecord() {
  const { id, title, values, accounts } = useLoaderData<typeof loader>();
  return (
    <FormPage
      noun="record"
      stored={title}
      title={`Record of ${title}`}
      facts={['Type, tax, checks and pay-out accounts']}
      description={recordFormDescription}
      answer={useActionData<typeof action>()}
      values={values}
      sentBack={['partyVersion']}
      labels={recordLabel}
      encType="multipart/form-data"
      shouldValidate="onSubmit"
      cancelTo={paths.investor(id, { view: 'details' })}
    >
      {(fields) => (
        <>
          <PanelSection title="Investor" className={FORM_GRID}>
            <SelectField
              field={fields.type}
              label="Type of investor (optional)"
              choices={choicesOf(INVESTOR_TYPE_LABELS)}
              empty="Not given"
            />
            <TextField field={fields.lei} label="LEI" hint="20 characters, with two check digits" autoComplete="off" />
            <TextField field={fields.taxId} label="Tax id" autoComplete="off" />
            <CountryField
              field={fields.taxResidence as FieldMetadata<string>}
              label="Tax residence (optional)"
              empty="Not given"
            />
          </PanelSection>
          <PanelSection title="KYC" note="The check of who the investor is" className={FORM_GRID}>
            <SelectField field={fields.kycStatus} label="KYC status" choices={choicesOf(KYC_STATUS_LABELS)} />
            <TextField field={fields.kycDate} label="KYC date" type="date" hint="When it passed or was refused" />
            <TextField field={fields.kycExpiresOn} label="KYC expiry" type="date" hint="When it has to be done again" />
            <TextareaField
              field={fields.kycReason}
              label="Reason of the refusal"
              hint="Only your own people read it"
              rows={2}
            />
          </PanelSection>
          <Lists accounts={accounts} />
        </>
      )}
    </FormPage>
  );
}
