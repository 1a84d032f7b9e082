import { type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { createBankAccount, getBankAccount, updateBankAccount } from '@tapeline/db/operations/cash/bank-accounts.ts';
import { fundChoices } from '@tapeline/db/operations/funds/funds.ts';
import { tenantOf } from '@tapeline/db/operations/permission.ts';
import type { Session } from '@tapeline/db/store.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { ChoiceSearch, countsOf } from '../../components/forms/choice-search.tsx';
import { CURRENCY_CHOICES } from '../../components/forms/currency-choices.ts';
import { SelectField, TextField } from '../../components/forms/fields.tsx';
import { FORM_GRID } from '../../components/forms/form-layout.ts';
import { FormPage } from '../../components/forms/form-page.tsx';
import { MoreDetails } from '../../components/forms/more-details.tsx';
import { named } from '../../components/page/page-name.ts';
import { PanelSection } from '../../components/page/section.tsx';
import { act, intent, readScreen, readScreenOfManager, type Screen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import {
  accountEditForm,
  accountEditFormDescription,
  accountForm,
  accountFormDescription,
  accountOfForm,
} from './cash-forms.ts';

export const handle = named<typeof loader>(({ stored }) => [
  ['Bank accounts', paths.bankAccounts()],
  stored?.values.title ?? 'New bank account',
]);

const LABELS = {
  title: 'Title',
  fund: 'Fund',
  bankName: 'Bank',
  accountNumber: 'IBAN or account number',
  BIC: 'BIC',
  currency: 'Currency',
  openingDate: 'Opening date',
  openingBalance: 'Opening balance',
  tolerance: 'Tolerance',
} as const;

async function fundsOf(
  session: Session,
  { url }: Screen,
  { managerId, chosen }: { managerId: string; chosen: string | null },
) {
  const found = await fundChoices(session, managerId, { chosen, search: url.searchParams.get('findFund') });
  return { choices: found.choices.map(({ id, name }) => ({ value: id, label: name })), counts: countsOf(found) };
}

const readNew = readScreenOfManager('payments/write', (screen) =>
  screen.db(async (session) => ({
    stored: null,
    funds: await fundsOf(session, screen, { managerId: await tenantOf(session), chosen: null }),
  })),
);
const readStored = readScreen('payments/write', (screen) =>
  screen.db(async (session) => {
    const account = await getBankAccount(session, screen.params.id ?? '');
    return {
      funds: await fundsOf(session, screen, { managerId: account.managerId, chosen: account.fundId ?? null }),
      stored: {
        values: {
          title: account.title,
          fund: account.fundId ?? undefined,
          bankName: account.bankName,
          accountNumber: account.accountNumber,
          BIC: account.bic ?? undefined,
          ...pick(account, 'currency', 'openingDate', 'openingBalance', 'tolerance'),
          accountVersion: String(account.version),
        },
      },
    };
  }),
);
export const loader = (args: LoaderFunctionArgs) => (args.params.id ? readStored(args) : readNew(args));

export const action = act({
  create: intent({
    permission: 'payments/write',
    schema: accountForm,
    async run(form, { db }) {
      await db((session) => createBankAccount(session, accountOfForm(form)));
      return redirect(paths.bankAccounts());
    },
  }),
  save: intent({
    permission: 'payments/write',
    schema: accountEditForm,
    async run({ accountVersion: version, ...form }, { db, params: { id = '' } }) {
      await db((session) => updateBankAccount(session, { id, body: { ...accountOfForm(form), version } }));
      return redirect(paths.bankAccounts());
    },
  }),
});

const optional = { required: false, marksOptional: false } as const;

export default function BankAccountForm() {
  const { stored, funds } = useLoaderData<typeof loader>();
  return (
    <FormPage
      noun="bank account"
      stored={stored?.values.title ?? null}
      description={stored ? accountEditFormDescription : accountFormDescription}
      answer={useActionData<typeof action>()}
      {...(stored ? { values: stored.values, sentBack: ['accountVersion'] } : { values: { currency: 'USD' } })}
      labels={LABELS}
      above={<ChoiceSearch id="find-fund" name="findFund" noun={['fund', 'funds']} counts={funds.counts} />}
      cancelTo={paths.bankAccounts()}
    >
      {(fields) => (
        <PanelSection title="Account" className={FORM_GRID}>
          <TextField field={fields.title} label={LABELS.title} hint="For example Pay-in account" />
          <SelectField
            field={fields.fund}
            label={LABELS.fund}
            choices={funds.choices}
            empty="No fund"
            required={false}
          />
          <TextField field={fields.bankName} label={LABELS.bankName} />
          <TextField field={fields.accountNumber} label={LABELS.accountNumber} autoComplete="off" />
          <SelectField field={fields.currency} label={LABELS.currency} choices={CURRENCY_CHOICES} />
          <TextField field={fields.openingDate} label={LABELS.openingDate} type="date" />
          <div className="sm:col-span-2">
            <MoreDetails names={['BIC', 'openingBalance', 'tolerance']} isFilled={stored !== null}>
              <div className={FORM_GRID}>
                <TextField field={fields.BIC} label={LABELS.BIC} {...optional} />
                <TextField
                  field={fields.openingBalance}
                  label={LABELS.openingBalance}
                  inputMode="decimal"
                  {...optional}
                />
                <TextField
                  field={fields.tolerance}
                  label={LABELS.tolerance}
                  hint="The most that a payment may be short and still be proposed, 50.00 if empty"
                  inputMode="decimal"
                  {...optional}
                />
              </div>
            </MoreDetails>
          </div>
        </PanelSection>
      )}
    </FormPage>
  );
}
