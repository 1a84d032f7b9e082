import type { FieldMetadata } from '@conform-to/react';
import { useActionData, useLoaderData } from '@remix-run/react';
import type { Bank } from '@tapeline/domain/entities/bank.schema.ts';
import { Mono } from '../figures/figures.tsx';
import { ActionForm } from '../forms/action-form.tsx';
import { CURRENCY_CHOICES } from '../forms/currency-choices.ts';
import { SelectField, TextareaField } from '../forms/fields.tsx';
import { FORM_GRID } from '../forms/form-layout.ts';
import { FormPage } from '../forms/form-page.tsx';
import { StoredFileField } from '../forms/stored-file-field.tsx';
import { PanelSection } from '../page/section.tsx';
import type { accountRequestAction, accountRequestLoader } from './account-request.server.ts';
import { accountRequestDescription } from './account-request-form.ts';
import { BankFields } from './bank-fields.tsx';
import { bankFieldLabel } from './entity-form.ts';

const LABELS: Readonly<Record<string, string>> = {
  currency: 'Payment currency',
  comment: 'Comment',
  letter: 'Bank letter',
};
const labelOf = (name: string): string => LABELS[name] ?? bankFieldLabel(name.replace(/^bank\./, ''));

type Loader = ReturnType<typeof accountRequestLoader>;
type Action = ReturnType<typeof accountRequestAction>;

/** The form of an investor or a borrower that wants to be paid to another account. */
export function AccountRequestPage() {
  const { name, waiting, cancelTo } = useLoaderData<Loader>();
  return (
    <FormPage
      noun="request"
      stored={null}
      title="Request a different account"
      facts={[
        name,
        'Payments keep going to your current account until your manager has called you back and accepted the new one',
      ]}
      description={accountRequestDescription}
      answer={useActionData<Action>()}
      labels={labelOf}
      submit="Send request"
      submitting="Sending"
      cancelTo={cancelTo}
      encType="multipart/form-data"
      above={waiting.map(({ id, currency, account, ending }) => (
        <PanelSection key={id} title={`Your ${currency} request is pending`} padded className="max-w-[46rem]">
          <p className="mb-3 text-sm">
            {account} <Mono>…{ending}</Mono>. Withdraw it to request a different account in {currency}.
          </p>
          <ActionForm intent="withdraw" values={{ request: id }}>
            Withdraw request
          </ActionForm>
        </PanelSection>
      ))}
    >
      {(fields) => (
        <>
          <PanelSection title="New account" className={FORM_GRID}>
            <SelectField
              field={fields.currency as FieldMetadata<string>}
              label="Payment currency"
              choices={CURRENCY_CHOICES}
              empty="Choose a currency"
            />
            <BankFields bank={fields.bank as FieldMetadata<Bank>} />
          </PanelSection>
          <PanelSection title="Reason for the change" className={FORM_GRID}>
            <TextareaField
              field={fields.comment as FieldMetadata<string>}
              label="Comment"
              rows={2}
              hint="For example “We have moved our accounts”"
              className="sm:col-span-2"
            />
            <StoredFileField
              name="bankLetter"
              label="Bank letter"
              stored={{ name: 'letter', value: String((fields.letter as FieldMetadata<string>).initialValue ?? '') }}
            />
          </PanelSection>
        </>
      )}
    </FormPage>
  );
}
