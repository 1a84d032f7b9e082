import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { companyChoices } from '@tapeline/db/operations/companies/company-choices.ts';
import { createTransaction } from '@tapeline/db/operations/transactions/transactions.ts';
import { LOAN_TYPES, transactionSchema } from '@tapeline/domain/facilities/transaction.schema.ts';
import { CURRENCIES } from '@tapeline/domain/money/currencies.ts';
import { LinkButton } from '../../../components/forms/button.tsx';
import { CompanySearch } from '../../../components/forms/company-picker.tsx';
import { SelectField, TextField } from '../../../components/forms/fields.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../../components/forms/screen-form.tsx';
import { quickCompany } from '../../../components/organizations/quick-company.server.ts';
import {
  mayCreateCompany,
  QUICK_COMPANY_LABELS,
  type QuickAnswer,
} from '../../../components/organizations/quick-company.ts';
import { QuickCompanyFields, withCreated } from '../../../components/organizations/quick-company-fields.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { Panel } from '../../../components/page/section.tsx';
import { documentOfForm } from '../../../http/form-document.ts';
import { act, intent, readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { facilityFieldOf, facilityOf, facilitySchema } from './facility-form.ts';

export const meta: MetaFunction = () => [{ title: 'New transaction · Tapeline' }];
export const handle = { crumbs: () => [{ label: 'New transaction' }] };

const LABELS = {
  title: 'Title',
  company: 'Company',
  loanType: 'Type',
  industry: 'Industry',
  noteTitle: 'Note title',
  currency: 'Main currency',
  commitment: 'Commitment',
  contractSigning: 'Contract signing date',
  maturity: 'Maturity date',
  ...QUICK_COMPANY_LABELS,
};

export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'transactions/write', ({ db, url, actor }) =>
    db(async (session) => ({
      mayCreateCompany: mayCreateCompany(actor),
      picker: await companyChoices(session, {
        search: url.searchParams.get('find'),
        chosen: url.searchParams.get('company'),
      }),
    })),
  );

export const action = (args: ActionFunctionArgs) =>
  act(args, {
    ...quickCompany('create', 'company'),
    create: intent({
      permission: 'transactions/write',
      schema: facilitySchema,
      async run(value, { db }) {
        const document = documentOfForm(transactionSchema, facilityOf(value), facilityFieldOf);
        const made = await db((session) => createTransaction(session, document));
        return redirect(paths.transaction(made.id));
      },
    }),
  });

/** The smallest possible facility: one note with one active tranche. All other terms are added later. */
export default function NewTransaction() {
  const { picker, mayCreateCompany } = useLoaderData<typeof loader>();
  const answer = useActionData() as QuickAnswer | undefined;
  const created = answer?.company;
  const [only] = picker.choices;
  const [form, fields] = useScreenForm('transaction', facilitySchema, {
    lastResult: answer?.lastResult,
    defaultValue: {
      loanType: LOAN_TYPES[0],
      noteTitle: 'Senior',
      currency: 'USD',
      ...(picker.total === 1 ? { company: only?.id } : {}),
    },
  });
  if (picker.total === 0 && !mayCreateCompany) {
    return <EmptyState title="No company yet">Transactions need a company. You don’t have access to any.</EmptyState>;
  }
  return (
    <>
      <PageHeader title="New transaction" facts={['Starts with one note', 'add its contract next']} />
      <CompanySearch id="transaction-find" picker={picker} />
      <ScreenForm form={form} intent="create" labels={LABELS}>
        <Panel className="grid max-w-[46rem] gap-4 p-4 sm:grid-cols-2">
          <TextField field={fields.title} label={LABELS.title} className="sm:col-span-2" />
          <SelectField
            key={created?.id}
            field={fields.company}
            label={LABELS.company}
            choices={withCreated(
              picker.choices.map(({ id, name }) => ({ value: id, label: name })),
              created,
            )}
            {...(created ? { defaultValue: created.id } : {})}
            empty="Choose a company"
          />
          <SelectField
            field={fields.loanType}
            label={LABELS.loanType}
            choices={LOAN_TYPES.map((type) => ({ value: type, label: type }))}
          />
          <TextField field={fields.industry} label={LABELS.industry} hint="For example Consumer Lending" />
          <TextField field={fields.noteTitle} label={LABELS.noteTitle} hint="For example Senior, Mezz or Junior" />
          <TextField field={fields.commitment} label={LABELS.commitment} inputMode="decimal" />
          <SelectField
            field={fields.currency}
            label={LABELS.currency}
            choices={CURRENCIES.map(({ code, name }) => ({ value: code, label: `${code}, ${name}` }))}
          />
          <TextField field={fields.contractSigning} label={LABELS.contractSigning} type="date" />
          <TextField field={fields.maturity} label={LABELS.maturity} type="date" />
          {mayCreateCompany ? (
            <div className="sm:col-span-2">
              <QuickCompanyFields key={created?.id} />
            </div>
          ) : null}
        </Panel>
        <FormActions submit="Create transaction" submitting="Creating">
          <LinkButton to={paths.transactions()} tone="quiet">
            Cancel
          </LinkButton>
        </FormActions>
      </ScreenForm>
    </>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../../components/page/error-screen.tsx';
