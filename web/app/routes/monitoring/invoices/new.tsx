import { redirect } from '@remix-run/node';
import { Form, useLoaderData } from '@remix-run/react';
import { createInvoice, proposeInvoice } from '@tapeline/db/operations/invoices/invoices.ts';
import { getTransaction } from '@tapeline/db/operations/transactions/transactions.ts';
import { isCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { DEFAULT_WATERFALL, waterfallOrderOf } from '@tapeline/domain/invoices/labels.ts';
import { Name } from '../../../components/figures/figures.tsx';
import { Button } from '../../../components/forms/button.tsx';
import { inputClass, Select } from '../../../components/forms/fields.tsx';
import { IntentForm } from '../../../components/forms/intent-form.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { named } from '../../../components/page/page-name.ts';
import { Panel, PanelSection } from '../../../components/page/section.tsx';
import { act, intent, readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { DESCRIPTION, DUE_DATE, ORDER } from './invoice-fields.ts';
import { invoiceForm, invoiceOfForm } from './invoice-form.ts';
import { InvoiceLines } from './invoice-lines.tsx';

const dayOf = (text: string | null): string | null => (text && isCalendarDate(text) ? text : null);

export const loader = readScreen('repayments/write', ({ db, url: { searchParams }, actor }) => {
  if (actor.type === 'company') throw new Refusal('forbidden', 'The lender prepares invoices');
  return db(async (session) => {
    const { id, title, notes } = await getTransaction(session, searchParams.get('transaction') ?? '');
    const note = notes.find((one) => one.id === searchParams.get('note')) ?? notes[0];
    if (!note) throw new Refusal('notFound');
    const proposal = await proposeInvoice(session, {
      transaction: id,
      note: note.id,
      currency: searchParams.get('currency'),
      from: dayOf(searchParams.get('from')),
      to: dayOf(searchParams.get('to')),
    });
    return { transaction: id, title, note: { id: note.id, title: note.title }, proposal };
  });
});

export const handle = named<typeof loader>(({ transaction, title, note }) => [
  [title, paths.transaction(transaction, { note: note.id, view: 'draws' })],
  'New invoice',
]);

export const action = act({
  prepare: intent({
    permission: 'repayments/write',
    schema: invoiceForm,
    async run(form, { db }) {
      const { id } = await db((session) => createInvoice(session, invoiceOfForm(form)));
      return redirect(paths.invoice(id));
    },
  }),
});

type Page = ReturnType<typeof useLoaderData<typeof loader>>;

/** What is calculated: it is chosen first, and the lines follow. */
function ChoosePeriod({ page: { transaction, note, proposal } }: { page: Page }) {
  const { currencies, currency, from, to } = proposal;
  const day = (name: 'from' | 'to', label: string, value: string | null) => (
    <label className="text-xs font-medium text-ink-2" htmlFor={name}>
      {label}
      <input
        id={name}
        type="date"
        name={name}
        key={value}
        defaultValue={value ?? ''}
        required
        className={inputClass('mt-1 w-40 font-normal')}
      />
    </label>
  );
  return (
    <Form method="get" preventScrollReset className="mb-6 flex flex-wrap items-end gap-3">
      <input type="hidden" name="transaction" value={transaction} />
      <input type="hidden" name="note" value={note.id} />
      {currencies.length > 1 ? (
        <label className="text-xs font-medium text-ink-2" htmlFor="currency">
          Currency
          <Select
            id="currency"
            name="currency"
            defaultValue={currency}
            className="mt-1 w-28 font-normal"
            choices={currencies.map((value) => ({ value, label: value }))}
          />
        </label>
      ) : null}
      {day('from', 'First day', from)}
      {day('to', 'Day after the last', to)}
      <Button type="submit">Calculate</Button>
    </Form>
  );
}

export default function NewInvoice() {
  const page = useLoaderData<typeof loader>();
  const { transaction, title, note, proposal } = page;
  const { currency, from, to, dueDate, lines } = proposal;
  return (
    <>
      <PageHeader title="New invoice" facts={[<Name key="note" length={80}>{`${title}, ${note.title}`}</Name>]} />
      <ChoosePeriod page={page} />
      {lines.length === 0 ? (
        <Panel>
          <EmptyState title="Nothing accrues in this period">
            Choose another period, or ask for principal below.
          </EmptyState>
        </Panel>
      ) : (
        <InvoiceLines lines={lines} currency={currency} />
      )}
      {from && to ? (
        <PanelSection title="Invoice" note="You review it before the borrower sees it" padded className="max-w-2xl">
          <IntentForm
            key={`${currency} ${from} ${to}`}
            intent="prepare"
            sent={{ transaction, noteTitle: note.title, currency, from, to }}
            values={{ dueDate, waterfall: waterfallOrderOf(DEFAULT_WATERFALL) }}
            className="grid gap-4 sm:grid-cols-2"
            lines={[
              DUE_DATE,
              {
                name: 'principal',
                label: 'Scheduled principal (optional)',
                optional: true,
                inputMode: 'decimal',
                unit: currency,
                autoComplete: 'off',
              },
              ORDER,
              DESCRIPTION,
            ]}
            submit="Prepare invoice"
            submitting="Preparing"
            cancelTo={paths.transaction(transaction, { note: note.id, view: 'draws' })}
          />
        </PanelSection>
      ) : null}
    </>
  );
}
