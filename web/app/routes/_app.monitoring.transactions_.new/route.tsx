import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { listCompanies } from '@tapeline/db/operations/people/people.ts';
import { createTransaction } from '@tapeline/db/operations/transactions/transactions.ts';
import { LOAN_TYPES, transactionSchema } from '@tapeline/domain/facilities/transaction.schema.ts';
import { CURRENCIES } from '@tapeline/domain/money/currencies.ts';
import { LinkButton } from '../../components/forms/button.tsx';
import { SelectField, TextField } from '../../components/forms/fields.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../components/forms/screen-form.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Panel } from '../../components/page/section.tsx';
import { paths } from '../../paths.ts';
import { act, intent, readScreen } from '../../screen.server.ts';
import { facilityOf, facilitySchema } from '../../transactions/facility-form.ts';

export const meta: MetaFunction = () => [{ title: 'New transaction · Tapeline' }];
export const handle = { crumbs: () => [{ label: 'New transaction' }] };

const LABELS = {
  title: 'Title',
  company: 'Company',
  loanType: 'Type',
  industry: 'Industry',
  noteTitle: 'Note',
  currency: 'Main currency',
  commitment: 'Commitment',
  contractSigning: 'Contract signing',
  maturity: 'Maturity',
};

export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'transactions/write', ({ db }) =>
    db(async (session) => {
      const { documents } = await listCompanies(session, { sort: { 'entity.name': 1 }, limit: 500 });
      return { companies: documents.map(({ id, entity }) => ({ value: id, label: entity.name })) };
    }),
  );

export const action = (args: ActionFunctionArgs) =>
  act(args, {
    create: intent({
      permission: 'transactions/write',
      schema: facilitySchema,
      async run(value, { db }) {
        const document = transactionSchema.parse(facilityOf(value));
        const made = await db((session) => createTransaction(session, document));
        return redirect(paths.transaction(made.id));
      },
    }),
  });

/** The smallest facility there is: one note with one active tranche. Everything else of its terms comes later. */
export default function NewTransaction() {
  const { companies } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const [only] = companies;
  const [form, fields] = useScreenForm('transaction', facilitySchema, {
    lastResult: answer?.lastResult,
    defaultValue: {
      loanType: LOAN_TYPES[0],
      noteTitle: 'Senior',
      currency: 'USD',
      ...(companies.length === 1 ? { company: only?.value } : {}),
    },
  });
  if (companies.length === 0) {
    return (
      <EmptyState title="No company yet">A transaction is made with a company; there is none in your sight.</EmptyState>
    );
  }
  return (
    <>
      <PageHeader title="New transaction" facts={['One note to begin with', 'its contract comes next']} />
      <ScreenForm form={form} intent="create" labels={LABELS}>
        <Panel className="grid max-w-[46rem] gap-4 p-4 sm:grid-cols-2">
          <TextField field={fields.title} label={LABELS.title} className="sm:col-span-2" />
          <SelectField field={fields.company} label={LABELS.company} choices={companies} empty="Choose a company" />
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
        </Panel>
        <FormActions submit="Make the transaction" submitting="Making it">
          <LinkButton to={paths.transactions()} tone="quiet">
            Cancel
          </LinkButton>
        </FormActions>
      </ScreenForm>
    </>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../components/page/error-screen.tsx';
