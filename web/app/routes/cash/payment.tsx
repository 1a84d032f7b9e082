import { redirect } from '@remix-run/node';
import { Link, useActionData, useLoaderData } from '@remix-run/react';
import { returnableCredits, returnCredits } from '@tapeline/db/operations/cash/credit-returns.ts';
import { listObligations } from '@tapeline/db/operations/cash/obligations.ts';
import { setOwnItems } from '@tapeline/db/operations/cash/own-items.ts';
import {
  allocatePayment,
  getPayment,
  removePayments,
  reverseAllocation,
} from '@tapeline/db/operations/cash/payments.ts';
import { MAX_CHOICES } from '@tapeline/db/operations/listing/choices.ts';
import { ALLOCATION_KIND_LABELS, DIRECTION_LABELS, OWN_ITEM_LABELS } from '@tapeline/domain/cash/labels.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { formatInstant } from '@tapeline/domain/dates/instant.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { flagsAt } from '@tapeline/domain/errors/refusal.ts';
import { isZero, min } from '@tapeline/domain/money/decimal.ts';
import { writtenAmount } from '@tapeline/domain/money/format-figure.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { documentHistory } from '../../commands/history.server.ts';
import { DateText, Money, Name } from '../../components/figures/figures.tsx';
import { ActionForm } from '../../components/forms/action-form.tsx';
import { ActionProblems } from '../../components/forms/action-problems.tsx';
import { LinkButton } from '../../components/forms/button.tsx';
import { IntentForm } from '../../components/forms/intent-form.tsx';
import { HistorySection } from '../../components/history/action-list.tsx';
import { Chip, StatusChip } from '../../components/page/chip.tsx';
import { KeyFigures } from '../../components/page/key-figures.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { named } from '../../components/page/page-name.ts';
import { Facts, PanelSection } from '../../components/page/section.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { type ActionAnswer, act, intent, readScreen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { openChoices } from './cash-choices.server.ts';
import {
  allocateForm,
  obligationOfForm,
  ownItemForm,
  removePaymentForm,
  returnForm,
  reverseForm,
} from './cash-forms.ts';
import { OpenSearch } from './cash-searches.tsx';

export const handle = named<typeof loader>(({ code }) => [['Payments', paths.payments()], `Payment ${code}`]);

export const loader = readScreen('payments/read', ({ actor, db, params, url }) =>
  db(async (session) => {
    const payment = await getPayment(session, params.id ?? '');
    const mayWrite = can(actor, 'payments/write') && payment.status === 'Active';
    const { currency, direction, party } = payment;
    return {
      ...pick(payment, 'id', 'code', 'version', 'status'),
      direction,
      currency,
      amount: payment.amount,
      allocated: payment.allocated,
      credit: payment.credit,
      charges: payment.charges ?? null,
      bookedOn: payment.bookedOn,
      valuedOn: payment.valuedOn,
      account: { id: payment.bankAccountId, title: payment.accountTitle },
      party: party?.title ?? null,
      counterpartyName: payment.counterpartyName ?? null,
      counterpartyAccount: payment.counterpartyAccount ?? null,
      remittance: payment.remittance,
      bankReference: payment.bankReference ?? null,
      note: payment.note ?? null,
      removalReason: payment.removalReason ?? null,
      isReported: payment.statementLine !== null && payment.statementLine !== undefined,
      allocations: payment.allocations,
      ownItem: payment.ownItem ?? null,
      mayEdit: can(actor, 'payments/write'),
      mayWrite,
      open:
        mayWrite && !isZero(payment.credit)
          ? await openChoices(session, { url }, { direction, currency, party: party?.id, accountFund: payment.fundId })
          : null,
      credits:
        mayWrite && !isZero(payment.credit)
          ? (await returnableCredits(session, payment, MAX_CHOICES)).map(({ id, code, party: of, bookedOn, left }) => ({
              value: id,
              label: `${of.title ?? 'Not visible to you'}, payment ${code} of ${formatCalendarDate(bookedOn)}, ${writtenAmount({ sum: left, currency })} left`,
            }))
          : [],
      reversing: mayWrite ? url.searchParams.get('reverse') : null,
      isRemoving: mayWrite && url.searchParams.has('remove'),
      history: await documentHistory(session, [{ resource: 'payments', ids: [payment.id] }], url.searchParams),
    };
  }),
);

export const action = act({
  allocate: intent({
    permission: 'payments/write',
    schema: allocateForm,
    async run({ obligation, part, paymentVersion }, { db, params: { id = '' } }) {
      const pays = obligationOfForm(obligation)!;
      const work = db(async (session) => {
        const payment = await getPayment(session, id);
        const { obligations } = await listObligations(session, { documents: [pays.document] });
        const open = obligations.find(({ currency }) => currency === payment.currency)?.open ?? payment.credit;
        const amount = { sum: part ?? min(open, payment.credit), currency: null };
        return allocatePayment(session, id, { version: paymentVersion, allocations: [{ ...pays, amount }] });
      });
      await flagsAt(work, (path) =>
        path.replace(/^allocations\.0\.amount$/, 'part').replace(/^allocations\.0\.\w+$/, 'obligation'),
      );
      return redirect(paths.payment(id));
    },
  }),
  returnCredit: intent({
    permission: 'payments/write',
    schema: returnForm,
    async run({ credit, part, paymentVersion: version }, { db, params: { id = '' } }) {
      const work = db(async (session) => {
        const [own, other] = [await getPayment(session, id), await getPayment(session, credit)];
        const amount = { sum: part ?? min(own.credit, other.credit), currency: null };
        return returnCredits(session, id, { version, returns: [{ payment: credit, amount }] });
      });
      await flagsAt(work, (path) => (path.endsWith('.amount') ? 'part' : path.endsWith('.payment') ? 'credit' : path));
      return redirect(paths.payment(id));
    },
  }),
  reverse: intent({
    permission: 'payments/write',
    schema: reverseForm,
    async run(form, { db, params: { id = '' } }) {
      await db((session) => reverseAllocation(session, id, form));
      return redirect(paths.payment(id));
    },
  }),
  own: intent({
    permission: 'payments/write',
    schema: ownItemForm,
    async run({ ownItem, paymentVersion: version }, { db, params: { id = '' } }) {
      await db((session) => setOwnItems(session, [{ id, version, ownItem: ownItem ?? null }]));
      return redirect(paths.payment(id));
    },
  }),
  remove: intent({
    permission: 'payments/write',
    schema: removePaymentForm,
    async run({ paymentVersion, removalReason }, { db, params: { id = '' } }) {
      const removal = { id, version: paymentVersion, status: 'Removed' as const, removalReason };
      await db((session) => removePayments(session, [removal]));
      return redirect(paths.payments());
    },
  }),
});

type Page = ReturnType<typeof useLoaderData<typeof loader>>;

function Allocations({ page }: { page: Page }) {
  const { id, allocations, mayWrite, currency } = page;
  return (
    <DataTable
      narrow="list"
      caption="What it pays"
      rows={allocations}
      empty={<p className="p-3.5 text-sm text-ink-2">Nothing is allocated yet.</p>}
      columns={[
        {
          head: 'Party',
          cell: ({ kind, documentId, party }) => (
            <Link
              className="tap-text hover:text-accent hover:underline"
              to={kind === 'credit' ? paths.payment(documentId) : paths.obligation(documentId, { currency })}
            >
              <Name length={40}>{party?.title ?? 'Not visible to you'}</Name>
            </Link>
          ),
        },
        {
          head: 'For',
          cell: ({ kind, number }) =>
            `${ALLOCATION_KIND_LABELS[kind]}${kind === 'credit' ? ', payment' : ''} ${number ?? ''}`,
        },
        { head: `Amount (${currency})`, money: ({ amount }) => ({ sum: amount, currency }) },
        {
          head: 'Allocated',
          quiet: true,
          cell: ({ createdAt, createdBy }) => `${formatInstant(createdAt)}${createdBy ? `, ${createdBy}` : ''}`,
        },
        {
          head: 'State',
          cell: ({ id: allocation, reversedAt, reversalReason }) => {
            if (reversedAt) return <span className="text-ink-2">{`Reversed: ${reversalReason}`}</span>;
            return mayWrite ? (
              <Link className="tap-text text-accent hover:underline" to={paths.payment(id, { reverse: allocation })}>
                Reverse
              </Link>
            ) : (
              <Chip tone="good">Allocated</Chip>
            );
          },
        },
      ]}
    />
  );
}

export default function PaymentPage() {
  const page = useLoaderData<typeof loader>();
  const answer = useActionData<ActionAnswer>();
  const { id, code, currency, credit, open, reversing, history, status, ownItem } = page;
  const money = (sum: string) => <Money value={{ sum, currency }} zero="figure" />;
  const mayRemove = page.mayWrite && !page.isReported && isZero(page.allocated);
  return (
    <>
      <PageHeader
        title={`Payment ${code}`}
        chip={<StatusChip dot status={status} />}
        facts={[
          DIRECTION_LABELS[page.direction],
          page.party ?? page.counterpartyName ?? (ownItem ? null : 'not known yet'),
          ownItem ? `not ours: ${OWN_ITEM_LABELS[ownItem].toLowerCase()}` : null,
        ].filter((fact) => fact !== null)}
        actions={mayRemove ? <LinkButton to={paths.payment(id, { remove: 'yes' })}>Remove</LinkButton> : null}
      />
      <ActionProblems answer={answer} ofForms={['allocate', 'returnCredit', 'reverse', 'remove']} />
      <KeyFigures
        figures={[
          { label: 'Amount', value: money(page.amount), unit: currency },
          { label: 'Allocated', value: money(page.allocated), unit: currency },
          { label: 'Credit', value: money(credit), unit: currency },
          { label: 'Booked', value: <DateText value={page.bookedOn} /> },
        ]}
      />
      {page.isRemoving && mayRemove ? (
        <PanelSection title="Remove this payment?" note="its history is kept" padded>
          <IntentForm
            intent="remove"
            sent={{ paymentVersion: page.version }}
            lines={[{ name: 'removalReason', label: 'Reason', rows: 2, maxLength: 500 }]}
            submit="Remove"
            submitting="Removing"
            tone="danger"
            cancelTo={paths.payment(id)}
          />
        </PanelSection>
      ) : null}
      {reversing ? (
        <PanelSection title="Reverse this allocation?" note="reopens the amount or the credit" padded>
          <IntentForm
            intent="reverse"
            sent={{ allocation: reversing }}
            lines={[{ name: 'reason', label: 'Reason', rows: 2, maxLength: 500 }]}
            submit="Reverse"
            submitting="Reversing"
            tone="danger"
            cancelTo={paths.payment(id)}
          />
        </PanelSection>
      ) : null}
      {ownItem ? null : (
        <PanelSection title="What it pays">
          <Allocations page={page} />
        </PanelSection>
      )}
      {ownItem && page.mayWrite ? (
        <PanelSection title="Not ours" note="no investor or borrower owes it or is owed it" padded>
          <p className="mb-3 text-sm">{`${OWN_ITEM_LABELS[ownItem]}. This payment does not need to be matched.`}</p>
          <ActionForm intent="own" values={{ paymentVersion: String(page.version) }}>
            Put back in “To match”
          </ActionForm>
        </PanelSection>
      ) : null}
      {open ? (
        <PanelSection title="Allocate" note="what is left stays a credit" padded>
          <OpenSearch counts={open.counts} />
          {open.counts.total === 0 ? (
            <p className="text-sm text-ink-2">{`Nothing is open in ${currency}${page.party ? ` of ${page.party}` : ''}.`}</p>
          ) : (
            <IntentForm
              intent="allocate"
              sent={{ paymentVersion: page.version }}
              lines={[
                { name: 'obligation', label: 'What it pays', choices: open.choices, empty: 'Choose' },
                {
                  name: 'part',
                  label: 'Amount (optional)',
                  hint: 'As much as is open and left if empty',
                  inputMode: 'decimal',
                  optional: true,
                  unit: currency,
                },
              ]}
              submit="Allocate"
              submitting="Allocating"
            />
          )}
        </PanelSection>
      ) : null}
      {page.credits.length > 0 ? (
        <PanelSection
          title={page.direction === 'out' ? 'Return a credit' : 'Match a refund'}
          note="reduces what is left of both payments"
          padded
        >
          <IntentForm
            intent="returnCredit"
            sent={{ paymentVersion: page.version }}
            lines={[
              { name: 'credit', label: 'Credit', choices: page.credits, empty: 'Choose a credit' },
              {
                name: 'part',
                label: 'Amount (optional)',
                hint: 'Leave blank for the smaller of the two remaining amounts',
                inputMode: 'decimal',
                optional: true,
                unit: currency,
              },
            ]}
            submit="Return"
            submitting="Returning"
          />
        </PanelSection>
      ) : null}
      <PanelSection title="As the bank shows it" padded>
        <Facts
          items={[
            {
              label: 'Bank account',
              value: page.mayEdit ? (
                <Link to={paths.bankAccount(page.account.id)}>{page.account.title}</Link>
              ) : (
                page.account.title
              ),
            },
            { label: 'Value date', value: <DateText value={page.valuedOn} /> },
            { label: 'Name', value: page.counterpartyName ?? '–' },
            { label: 'Account', value: page.counterpartyAccount ?? '–' },
            { label: 'Text', value: page.remittance || '–' },
            { label: 'Charges', value: page.charges ? money(page.charges) : '–' },
            { label: 'Bank reference', value: page.bankReference ?? '–' },
            { label: 'Note', value: page.note ?? '–' },
            ...(page.removalReason ? [{ label: 'Removed because', value: page.removalReason }] : []),
          ]}
        />
      </PanelSection>
      {history ? <HistorySection history={history} all={{ resource: 'payments', id }} /> : null}
    </>
  );
}
