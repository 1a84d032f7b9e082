import { redirect } from '@remix-run/node';
import { Link, useLoaderData } from '@remix-run/react';
import { defaultInterestOf } from '@tapeline/db/operations/cash/default-interest.ts';
import { recordOfObligation } from '@tapeline/db/operations/cash/obligation-record.ts';
import { closeWithDifference, listObligations, reverseDifference } from '@tapeline/db/operations/cash/obligations.ts';
import { reminderProblemOf } from '@tapeline/db/operations/cash/reminders.ts';
import { deliveriesOf, type Deliveries as Sent } from '@tapeline/db/operations/outbox/deliveries.ts';
import type { Session } from '@tapeline/db/store.ts';
import { DIFFERENCE_LABELS, OBLIGATION_KIND_LABELS } from '@tapeline/domain/cash/labels.ts';
import { formatInstant } from '@tapeline/domain/dates/instant.ts';
import { choicesOf } from '@tapeline/domain/documents/labels.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { isZero } from '@tapeline/domain/money/decimal.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { DateText, Money } from '../../components/figures/figures.tsx';
import { LinkButton } from '../../components/forms/button.tsx';
import { IntentForm } from '../../components/forms/intent-form.tsx';
import { KeyFigures } from '../../components/page/key-figures.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { named } from '../../components/page/page-name.ts';
import { PanelSection } from '../../components/page/section.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { act, intent, readScreen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { Deliveries } from '../capital/who-is-told.tsx';
import { closeForm, reopenForm } from './cash-forms.ts';
import { InterestPieces } from './default-interest.tsx';
import { ObligationChip, shownObligation } from './owed-table.tsx';
import { mayOpenObligations } from './paid.server.ts';

export const handle = named<typeof loader>(({ owed, direction }) => [
  direction === 'in' ? ['Receivables', paths.cash()] : ['Payables', paths.cash({ view: 'payables' })],
  owed.reference,
]);

/** What one party owes or is owed of a call, distribution, draw or invoice, with all that was said about it. */
export const loader = readScreen(null, ({ actor, db, params, url }) => {
  if (!mayOpenObligations(actor)) throw new Refusal('notFound');
  return db(async (session) => {
    const { obligations } = await listObligations(session, { documents: [params.document ?? ''] });
    const currency = url.searchParams.get('currency');
    const found = obligations.find((one) => currency === null || one.currency === currency);
    if (!found) throw new Refusal('notFound');
    const { payments, differences } = await recordOfObligation(session, found);
    const { kind, direction, number, fund, facility, activityId, documentId } = found;
    return {
      owed: shownObligation(found),
      kind,
      direction,
      number,
      of: fund?.title ?? facility?.title ?? null,
      document:
        kind === 'contribution' && activityId
          ? paths.capitalCall(activityId)
          : kind === 'distribution' && activityId
            ? paths.distribution(activityId)
            : kind === 'draw'
              ? paths.draw(documentId)
              : kind === 'invoice'
                ? paths.invoice(documentId)
                : null,
      payments,
      differences,
      late: (await defaultInterestOf(session, { documents: kind === 'contribution' ? [documentId] : [] }))[0] ?? null,
      reminders: kind === 'contribution' ? await remindersSent(session, documentId) : null,
      mayRemind:
        can(actor, 'payments/write') && kind === 'contribution' && (await reminderProblemOf(session, found)) === null,
      mayWrite: can(actor, 'payments/write'),
      mayRead: can(actor, 'payments/read'),
      reopening: differences.find(({ id, reversedAt }) => id === url.searchParams.get('reopen') && !reversedAt) ?? null,
    };
  });
});

export const action = act({
  close: intent({
    permission: 'payments/write',
    schema: closeForm,
    async run({ amount, ...form }, { db, params: { document = '' } }) {
      await db((session) =>
        closeWithDifference(session, document, { ...form, amount: { sum: amount, currency: null } }),
      );
      return redirect(paths.obligation(document, { currency: form.currency }));
    },
  }),
  reopen: intent({
    permission: 'payments/write',
    schema: reopenForm,
    async run(form, { db, params: { document = '' } }) {
      const { currency } = await db((session) => reverseDifference(session, document, form));
      return redirect(paths.obligation(document, { currency }));
    },
  }),
});

/** The emails that reminded of a call, also those that were not sent because it was paid first. */
async function remindersSent(session: Session, document: string): Promise<Sent> {
  const { rows } = await deliveriesOf(session, 'contributions', [document]);
  const reminders = rows.filter(({ reminder }) => reminder !== null);
  const failed = reminders.filter(({ status }) => status === 'Failed').length;
  return { rows: reminders, total: reminders.length, failed, told: reminders.length };
}

type Page = ReturnType<typeof useLoaderData<typeof loader>>;

const madeBy = ({ createdAt, createdBy }: { createdAt: string; createdBy: string | null }) =>
  [formatInstant(createdAt), createdBy].filter(Boolean).join(', ');

const Reversed = ({ by, reason }: { by: string | null; reason: string | null }) => (
  <span className="text-ink-2">{`Reversed${by ? ` by ${by}` : ''}: ${reason}`}</span>
);

function Payments({ page: { payments, owed, mayRead, direction } }: { page: Page }) {
  const { currency } = owed;
  return (
    <PanelSection title="Payments">
      <DataTable
        narrow="list"
        caption="Payments"
        rows={payments}
        empty={<p className="p-3.5 text-sm text-ink-2">Nothing was {direction === 'in' ? 'received' : 'paid'} yet.</p>}
        columns={[
          {
            head: 'Payment',
            cell: ({ paymentId, paymentCode }) =>
              mayRead && paymentCode !== null ? (
                <Link className="tap-text text-accent hover:underline" to={paths.payment(paymentId)}>
                  {`Payment ${paymentCode}`}
                </Link>
              ) : (
                'Payment'
              ),
          },
          { head: 'Value date', date: ({ paidOn }) => paidOn },
          { head: `Amount (${currency})`, money: ({ amount }) => ({ sum: amount, currency }) },
          { head: 'Allocated', quiet: true, cell: madeBy },
          {
            head: 'State',
            cell: ({ reversedAt, reversedBy, reversalReason }) =>
              reversedAt ? <Reversed by={reversedBy} reason={reversalReason} /> : 'Allocated',
          },
        ]}
      />
    </PanelSection>
  );
}

function Differences({ page: { differences, owed, mayWrite } }: { page: Page }) {
  const { currency, documentId } = owed;
  if (differences.length === 0) return null;
  return (
    <PanelSection title="Closed without a payment">
      <DataTable
        narrow="list"
        caption="Closed without a payment"
        rows={differences}
        columns={[
          { head: 'Reason', cell: ({ reason }) => DIFFERENCE_LABELS[reason] },
          { head: `Amount (${currency})`, money: ({ amount }) => ({ sum: amount, currency }) },
          { head: 'Note', wraps: true, cell: ({ note }) => note ?? '–' },
          { head: 'Closed', quiet: true, cell: madeBy },
          {
            head: 'State',
            cell: ({ id, reversedAt, reversedBy, reversalReason }) =>
              reversedAt ? (
                <Reversed by={reversedBy} reason={reversalReason} />
              ) : mayWrite ? (
                <Link
                  className="tap-text text-accent hover:underline"
                  to={paths.obligation(documentId, { currency, reopen: id })}
                  preventScrollReset
                >
                  Reverse
                </Link>
              ) : (
                'Closed'
              ),
          },
        ]}
      />
    </PanelSection>
  );
}

function Close({ owed: { currency, open } }: Pick<Page, 'owed'>) {
  return (
    <PanelSection title="Close without a payment" note="for what will not be paid; you can reverse it" padded>
      <IntentForm
        intent="close"
        sent={{ currency }}
        values={{ amount: open }}
        className="grid max-w-3xl gap-4 sm:grid-cols-3"
        lines={[
          { name: 'amount', label: 'Amount', inputMode: 'decimal', unit: currency, autoComplete: 'off' },
          { name: 'reason', label: 'Reason', choices: choicesOf(DIFFERENCE_LABELS), empty: 'Choose a reason' },
          { name: 'note', label: 'Note (optional)', optional: true, maxLength: 1000, autoComplete: 'off' },
        ]}
        submit="Close"
        submitting="Closing"
      />
    </PanelSection>
  );
}

export default function ObligationPage() {
  const page = useLoaderData<typeof loader>();
  const { owed, kind, number, of, direction, document, mayWrite, reopening, reminders, mayRemind } = page;
  const { currency, documentId } = owed;
  const money = (sum: string) => <Money value={{ sum, currency }} zero="figure" />;
  const isOpen = !isZero(owed.open);
  const what = `${OBLIGATION_KIND_LABELS[kind]} ${number ?? ''}`.trim();
  return (
    <>
      <PageHeader
        title={`${owed.party}, ${what.charAt(0).toLowerCase()}${what.slice(1)}`}
        chip={<ObligationChip {...owed} />}
        facts={[
          ...(document
            ? [
                <Link key="document" to={document} className="text-accent hover:underline">
                  {[what, of].filter(Boolean).join(', ')}
                </Link>,
              ]
            : []),
          owed.reference,
        ]}
        actions={
          mayRemind ? (
            <LinkButton to={paths.remind({ document: documentId, currency })}>Send a reminder</LinkButton>
          ) : null
        }
        primary={
          mayWrite && isOpen
            ? { label: 'Record a payment', to: paths.newPayment({ obligation: documentId, currency }) }
            : null
        }
      />
      <KeyFigures
        figures={[
          ...(isZero(owed.netted)
            ? []
            : [{ label: 'Netted', value: money(owed.netted), unit: currency, note: 'settled without a payment' }]),
          { label: direction === 'in' ? 'Expected' : 'To pay', value: money(owed.amount), unit: currency },
          { label: direction === 'in' ? 'Received' : 'Paid', value: money(owed.allocated), unit: currency },
          { label: 'Closed without a payment', value: money(owed.difference), unit: currency },
          { label: 'Open', value: money(owed.open), unit: currency },
          { label: 'Due', value: <DateText value={owed.dueDate} /> },
        ]}
      />
      {reopening && mayWrite ? (
        <PanelSection
          title="Reverse this?"
          note={`${DIFFERENCE_LABELS[reopening.reason]}: the amount is open again`}
          padded
        >
          <IntentForm
            intent="reopen"
            sent={{ difference: reopening.id }}
            lines={[{ name: 'reason', label: 'Reason', rows: 2, maxLength: 500 }]}
            submit="Reverse"
            submitting="Reversing"
            tone="danger"
            cancelTo={paths.obligation(documentId, { currency })}
          />
        </PanelSection>
      ) : null}
      <Payments page={page} />
      {reminders && reminders.total > 0 ? (
        <Deliveries deliveries={reminders} maySendAgain={false} title="Reminders" />
      ) : null}
      <Differences page={page} />
      {page.late ? <InterestPieces late={page.late} /> : null}
      {mayWrite && isOpen && !reopening ? <Close owed={owed} /> : null}
    </>
  );
}
