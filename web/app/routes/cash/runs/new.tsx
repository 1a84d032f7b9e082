import { redirect } from '@remix-run/node';
import { Form, Link, useActionData, useLoaderData } from '@remix-run/react';
import { blockText, payablesOf, payingAccounts } from '@tapeline/db/operations/cash/payables.ts';
import { lastOriginator, preparePaymentRun } from '@tapeline/db/operations/cash/payment-runs.ts';
import { todayOf } from '@tapeline/db/today.ts';
import { PAYMENT_FORMAT_LABELS } from '@tapeline/domain/cash/payment-files/payment-order.ts';
import { PAYABLE_BLOCK_LABELS, PAYABLE_KIND_LABELS } from '@tapeline/domain/cash/payment-runs/kinds.ts';
import { choicesOf, labelOf } from '@tapeline/domain/documents/labels.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { Mono } from '../../../components/figures/figures.tsx';
import { formatCount } from '../../../components/figures/format.ts';
import { Button } from '../../../components/forms/button.tsx';
import { Select, SelectField, TextField } from '../../../components/forms/fields.tsx';
import { FormActions, ScreenForm } from '../../../components/forms/screen-form.tsx';
import { useShortForm } from '../../../components/forms/use-short-form.ts';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { named } from '../../../components/page/page-name.ts';
import { Panel, PanelSection } from '../../../components/page/section.tsx';
import { DataTable } from '../../../components/tables/data-table.tsx';
import { act, intent, readScreenOfManager } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { runFormSchema } from './run-form.ts';

export const handle = named('Prepare payments');

export const loader = readScreenOfManager('payments/write', ({ db, url }) =>
  db(async (session) => {
    const accounts = await payingAccounts(session);
    const asked = url.searchParams.get('account');
    const account = accounts.find(({ id }) => id === asked) ?? (accounts.length === 1 ? accounts[0] : undefined);
    const payables = account ? await payablesOf(session, account) : [];
    return {
      today: todayOf(session),
      accounts: accounts.map(({ id, title, currency }) => ({ value: id, label: `${title}, ${currency}` })),
      account: account ? pick(account, 'id', 'currency', 'format') : null,
      mayChoose: can(session.actor, 'companies/write'),
      originator: account ? await lastOriginator(session, account.id) : null,
      payables: payables.map((payable) => ({
        ...pick(payable, 'kind', 'id', 'payee', 'amount', 'dueDate', 'purpose', 'ending', 'block', 'run', 'companyId'),
        why: payable.block ? blockText(payable) : null,
      })),
    };
  }),
);

export const action = act({
  prepare: intent({
    permission: 'payments/write',
    schema: runFormSchema,
    async run(body, { db }) {
      const { id } = await db((session) => preparePaymentRun(session, body));
      return redirect(paths.paymentRun(id));
    },
  }),
});

type Page = ReturnType<typeof useLoaderData<typeof loader>>;

function ChooseAccount({ accounts, account }: Pick<Page, 'accounts' | 'account'>) {
  return (
    <Form
      method="get"
      className="mb-6 flex flex-wrap items-end gap-3"
      onChange={(event) => {
        if ((event.target as EventTarget) instanceof HTMLSelectElement) event.currentTarget.requestSubmit();
      }}
    >
      <label className="text-xs font-medium text-ink-2" htmlFor="account">
        Pay from
        <Select
          id="account"
          name="account"
          key={account?.id}
          defaultValue={account?.id ?? ''}
          className="mt-1 w-80 max-w-full font-normal"
          choices={accounts}
          empty="Choose a bank account"
        />
      </label>
      <Button type="submit">Show what is owed</Button>
    </Form>
  );
}

const LABELS = {
  executeOn: 'Payment date',
  format: 'File',
  originator: 'Originator ID',
  payables: 'Payments',
};

function Choose({ page, account }: { page: Page; account: NonNullable<Page['account']> }) {
  const answer = useActionData<typeof action>();
  const [form, fields] = useShortForm<Record<keyof typeof LABELS, string>>('run', {
    lastResult: answer?.lastResult,
    required: ['executeOn'],
    chosen: ['format'],
    defaultValue: { executeOn: page.today, format: account.format, originator: page.originator ?? '' },
  });
  const free = page.payables.filter(({ block }) => block === null);
  const { payables } = fields;
  return (
    <ScreenForm form={form} intent="prepare" labels={LABELS}>
      <input type="hidden" name="bankAccount" value={account.id} />
      <PanelSection title="Payment" className="grid max-w-4xl gap-4 p-4 sm:grid-cols-3">
        <TextField field={fields.executeOn} label="Payment date" type="date" hint="On which the bank pays" />
        <SelectField field={fields.format} label="File" choices={choicesOf(PAYMENT_FORMAT_LABELS)} />
        <TextField
          field={fields.originator}
          label="Originator ID"
          required={false}
          maxLength={10}
          autoComplete="off"
          hint="Ten characters from your bank, for NACHA files only"
        />
      </PanelSection>
      <fieldset id={payables.id} className="mb-4 min-w-0" aria-describedby={payables.errorId}>
        <legend className="sr-only">Payments</legend>
        {payables.errors ? (
          <p id={payables.errorId} className="mb-2 text-xs text-danger">
            {payables.errors.join('. ')}
          </p>
        ) : null}
        <Panel>
          <DataTable
            narrow="list"
            caption="What is owed"
            rows={page.payables}
            rowKey={({ kind, id }) => `${kind}/${id}`}
            empty={
              <EmptyState title="Nothing is owed">Issued distributions in {account.currency} appear here.</EmptyState>
            }
            columns={[
              {
                head: 'Payee',
                cell: ({ kind, id, payee, block, why }) => (
                  <label className="flex items-center gap-2 whitespace-normal max-sm:min-h-10">
                    <input
                      type="checkbox"
                      name="payables"
                      value={`${kind}/${id}`}
                      defaultChecked={block === null}
                      disabled={block !== null}
                      title={why ?? undefined}
                      className="size-4 shrink-0 accent-accent"
                    />
                    {payee}
                  </label>
                ),
              },
              { head: 'For', name: ({ purpose }) => purpose, length: 50 },
              { head: 'Kind', quiet: true, wideOnly: true, cell: ({ kind }) => PAYABLE_KIND_LABELS[kind] },
              { head: 'Due', date: ({ dueDate }) => dueDate },
              {
                head: 'Account',
                cell: ({ ending, block, run, companyId }) =>
                  block === null ? (
                    <Mono>•••• {ending}</Mono>
                  ) : block === 'noAccount' && companyId !== null && page.mayChoose ? (
                    <Link
                      to={paths.payeeAccount(companyId, { currency: account.currency, from: account.id })}
                      className="tap-text text-accent hover:underline"
                    >
                      Choose account
                    </Link>
                  ) : (
                    <span className="text-warning">
                      {block === 'inRun' && run ? `In run ${run.code}` : labelOf(PAYABLE_BLOCK_LABELS, block)}
                    </span>
                  ),
              },
              {
                head: 'Amount',
                money: ({ amount }) => ({ sum: amount, currency: account.currency }),
                withCurrency: true,
              },
            ]}
          />
        </Panel>
      </fieldset>
      {free.length > 0 ? (
        <FormActions submit="Prepare run" submitting="Preparing" cancelTo={paths.paymentRuns()} />
      ) : null}
    </ScreenForm>
  );
}

export default function NewPaymentRun() {
  const page = useLoaderData<typeof loader>();
  const { account, accounts, payables } = page;
  const held = payables.filter(({ block }) => block !== null).length;
  return (
    <>
      <PageHeader
        title="Prepare payments"
        facts={
          account
            ? [
                formatCount(payables.length, 'payment is', 'payments are').replace(/ (is|are)$/, ' owed'),
                ...(held > 0 ? [`${held} cannot be chosen`] : []),
              ]
            : ['Choose the account that pays']
        }
      />
      {accounts.length === 0 ? (
        <Panel>
          <EmptyState title="No bank accounts">Add one under Cash, so that it can pay.</EmptyState>
        </Panel>
      ) : (
        <ChooseAccount accounts={accounts} account={account} />
      )}
      {account ? <Choose key={account.id} page={page} account={account} /> : null}
    </>
  );
}
