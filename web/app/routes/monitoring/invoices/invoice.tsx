import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData, useSearchParams } from '@remix-run/react';
import { listObligations } from '@tapeline/db/operations/cash/obligations.ts';
import {
  changeInvoice,
  currentLines,
  getInvoice,
  issueInvoice,
  issueProblem,
  withdrawInvoice,
} from '@tapeline/db/operations/invoices/invoices.ts';
import { wiresOfInvoices } from '@tapeline/db/operations/invoices/print-invoice.ts';
import { whoIsToldOfInvoice } from '@tapeline/db/operations/invoices/tell-invoices.ts';
import { todayOf } from '@tapeline/db/today.ts';
import { wireFacts } from '@tapeline/domain/capital/notice-parts.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { WATERFALL_LABELS, waterfallOrderOf } from '@tapeline/domain/invoices/labels.ts';
import { invoiceTotal, paidInKind } from '@tapeline/domain/invoices/lines.ts';
import { INVOICE_TRANSITIONS } from '@tapeline/domain/invoices/states.ts';
import { isZero } from '@tapeline/domain/money/decimal.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { documentHistory } from '../../../commands/history.server.ts';
import { DateText, Money, Mono } from '../../../components/figures/figures.tsx';
import { formatCount, writtenAmount } from '../../../components/figures/format.ts';
import { ActionProblems } from '../../../components/forms/action-problems.tsx';
import { LinkButton } from '../../../components/forms/button.tsx';
import { IntentForm } from '../../../components/forms/intent-form.tsx';
import { HistorySection } from '../../../components/history/action-list.tsx';
import { ConfirmedAction, QuestionFacts } from '../../../components/overlays/confirmed-action.tsx';
import { StatusChip } from '../../../components/page/chip.tsx';
import { KeyFigures } from '../../../components/page/key-figures.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { named } from '../../../components/page/page-name.ts';
import { Facts, PanelSection } from '../../../components/page/section.tsx';
import { type ActionAnswer, act, confirmedIntent, intent, readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { ObligationChip, shownObligation } from '../../cash/owed-table.tsx';
import { mayOpenObligations } from '../../cash/paid.server.ts';
import { DESCRIPTION, DUE_DATE, ORDER } from './invoice-fields.ts';
import { changeForm, changeOfForm, issueForm, withdrawalForm } from './invoice-form.ts';
import { InvoiceLines } from './invoice-lines.tsx';

export const handle = named<typeof loader>(({ number, transactionId, transactionTitle }) => [
  [transactionTitle, paths.transaction(transactionId, { view: 'draws' })],
  `Invoice ${number}`,
]);

export const loader = readScreen('repayments/read', ({ db, params, url, actor }) =>
  db(async (session) => {
    const invoice = await getInvoice(session, params.id ?? '');
    const mayWrite = can(actor, 'repayments/write') && actor.type !== 'company';
    const isDraft = invoice.status === 'Draft';
    // What was drawn, repaid or agreed since it was prepared counts.
    const lines = isDraft ? await currentLines(session, invoice) : invoice.lines;
    const { obligations } = await listObligations(session, { documents: [invoice.id] });
    const today = todayOf(session);
    return {
      ...pick(
        invoice,
        'id',
        'version',
        'status',
        'number',
        'reference',
        'currency',
        'periodFrom',
        'periodTo',
        'dueDate',
      ),
      ...pick(invoice, 'transactionId', 'transactionTitle', 'noteId', 'noteTitle', 'companyName', 'waterfall'),
      description: invoice.description ?? null,
      removalReason: invoice.removalReason ?? null,
      lines,
      amount: invoiceTotal(lines),
      inKind: paidInKind(lines),
      problem: isDraft
        ? (issueProblem(lines) ??
          (invoice.periodTo > today
            ? `The period ends on ${formatCalendarDate(invoice.periodTo)}. You can issue the invoice when it is over`
            : null))
        : null,
      owed: obligations[0] ? shownObligation(obligations[0]) : null,
      mayOpen: mayOpenObligations(actor),
      wire: invoice.status === 'Removed' ? null : ((await wiresOfInvoices(session, [invoice])).get(invoice.id) ?? null),
      told: isDraft && mayWrite ? await whoIsToldOfInvoice(session, invoice) : [],
      isPast: invoice.dueDate < today,
      mayWithdraw: mayWrite && INVOICE_TRANSITIONS.allows(invoice.status, 'Removed'),
      mayIssue: mayWrite && isDraft,
      history: await documentHistory(session, [{ resource: 'invoices', ids: [invoice.id] }], url.searchParams),
    };
  }),
);

export const action = act({
  change: intent({
    permission: 'repayments/write',
    schema: changeForm,
    async run(form, { db, params: { id = '' } }) {
      await db((session) => changeInvoice(session, { id, body: changeOfForm(form) }));
      return redirect(paths.invoice(id));
    },
  }),
  issue: confirmedIntent({
    permission: 'repayments/write',
    schema: issueForm,
    asks: 'issue',
    async run({ seenVersion: version, amount }, { db, params: { id = '' } }) {
      await db((session) => issueInvoice(session, { id, version, amount: { sum: amount, currency: null } }));
      return redirect(paths.invoice(id));
    },
  }),
  withdraw: intent({
    permission: 'repayments/write',
    schema: withdrawalForm,
    async run({ seenVersion: version, reason }, { db, params: { id = '' } }) {
      await db((session) => withdrawInvoice(session, { id, version, reason }));
      return redirect(paths.invoice(id));
    },
  }),
});

type Page = ReturnType<typeof useLoaderData<typeof loader>>;

/** Who hears of the invoice, as its confirmation says. */
function toldText({ told, isPast, companyName }: Page): string {
  if (isPast) return 'No one, because the due date has passed';
  if (told.length === 0) return `No one: ${companyName} has no user who can read it`;
  const names = told.flatMap(({ name }) => name ?? []);
  return names.length === told.length
    ? names.join(', ')
    : formatCount(told.length, `user of ${companyName}`, `users of ${companyName}`);
}

function Buttons({ page }: { page: Page }) {
  const { id, version, amount, currency, dueDate, companyName, number } = page;
  const total = amount === null ? null : writtenAmount({ sum: amount, currency });
  return (
    <>
      <LinkButton to={paths.invoiceFile(id)} reloadDocument>
        Download PDF
      </LinkButton>
      {page.mayIssue ? (
        <LinkButton to={paths.invoice(id, { ask: 'change' })} preventScrollReset>
          Change
        </LinkButton>
      ) : null}
      {page.mayWithdraw ? (
        <LinkButton to={paths.invoice(id, { ask: 'withdraw' })} preventScrollReset>
          {page.status === 'Draft' ? 'Discard' : 'Withdraw'}
        </LinkButton>
      ) : null}
      {page.mayIssue && page.problem === null && total ? (
        <ConfirmedAction
          asks="issue"
          intent="issue"
          values={{ seenVersion: String(version), amount: amount ?? '' }}
          label="Issue"
          title={`Issue invoice ${number} of ${total}?`}
          consequence={
            <QuestionFacts
              lines={[
                ['Borrower', companyName],
                ['Amount', total],
                ...(isZero(page.inKind)
                  ? []
                  : ([['Added to the principal', writtenAmount({ sum: page.inKind, currency })]] as const)),
                ['Due date', formatCalendarDate(dueDate)],
                ['Notified', toldText(page)],
              ]}
            />
          }
          confirm={`Issue ${total}`}
          tone="primary"
          buttonTone="primary"
        />
      ) : null}
    </>
  );
}

function PayTo({ page: { wire, reference } }: { page: Page }) {
  return (
    <PanelSection title="Pay to" padded>
      {wire ? (
        <Facts
          items={wireFacts(wire, reference).map(({ label, value, isCode }) => ({
            label,
            value: isCode ? <Mono>{value}</Mono> : value,
          }))}
        />
      ) : (
        <p className="text-sm text-ink-2">The lender has no bank account on record. Ask where to pay.</p>
      )}
    </PanelSection>
  );
}

/** Of a draft: its period, its due date and what is written on it. The lines follow. */
function ChangeDraft({ page: { id, version, periodFrom, periodTo, dueDate, waterfall, description } }: { page: Page }) {
  return (
    <PanelSection title="Change" note="Interest and fees are calculated again" padded className="max-w-2xl">
      <IntentForm
        intent="change"
        sent={{ seenVersion: version }}
        values={{
          from: periodFrom,
          to: periodTo,
          dueDate,
          waterfall: waterfallOrderOf(waterfall),
          description: description ?? '',
        }}
        className="grid gap-4 sm:grid-cols-2"
        lines={[
          { name: 'from', label: 'First day', type: 'date' },
          { name: 'to', label: 'Day after the last', type: 'date' },
          DUE_DATE,
          ORDER,
          DESCRIPTION,
        ]}
        submit="Save draft"
        submitting="Saving"
        cancelTo={paths.invoice(id)}
      />
    </PanelSection>
  );
}

export default function InvoiceScreen() {
  const page = useLoaderData<typeof loader>();
  const answer = useActionData<ActionAnswer>();
  const [search] = useSearchParams();
  const { id, status, number, transactionTitle, noteTitle, currency, amount, owed, periodFrom, periodTo, dueDate } =
    page;
  const isDraft = status === 'Draft';
  const money = (sum: string) => <Money value={{ sum, currency }} zero="figure" />;
  return (
    <>
      <PageHeader
        title={`Invoice ${number}`}
        // What is issued is upcoming, overdue or paid.
        chip={owed ? <ObligationChip {...owed} /> : <StatusChip dot status={status} />}
        facts={[
          `${transactionTitle}, ${noteTitle}`,
          <>
            <DateText value={periodFrom} /> to <DateText value={periodTo} />
          </>,
          page.reference,
        ]}
        actions={<Buttons page={page} />}
      />
      <ActionProblems answer={answer} ofForms={['change', 'withdraw']} />
      {page.problem ? <Notice tone="warning">{page.problem}.</Notice> : null}
      {page.removalReason ? <Notice tone="warning">Withdrawn: {page.removalReason}</Notice> : null}
      {search.get('ask') === 'change' && page.mayIssue ? <ChangeDraft page={page} /> : null}
      {search.get('ask') === 'withdraw' && page.mayWithdraw ? (
        <PanelSection
          title={isDraft ? 'Discard' : 'Withdraw'}
          note={
            isDraft
              ? 'The borrower has not seen it'
              : 'Payments become a credit. The repayments that followed are removed, and interest added to the principal is reversed'
          }
          padded
          className="max-w-2xl"
        >
          <IntentForm
            intent="withdraw"
            sent={{ seenVersion: page.version }}
            lines={[{ name: 'reason', label: 'Reason', maxLength: 500, autoComplete: 'off' }]}
            submit={isDraft ? 'Discard invoice' : 'Withdraw invoice'}
            submitting={isDraft ? 'Discarding' : 'Withdrawing'}
            tone="danger"
            cancelTo={paths.invoice(id)}
          />
        </PanelSection>
      ) : null}
      <KeyFigures
        figures={[
          {
            label: 'Amount',
            value: <Money value={amount && { sum: amount, currency }} zero="figure" unknown="A line is unknown" />,
            unit: currency,
          },
          ...(owed
            ? [
                { label: 'Received', value: money(owed.allocated), unit: currency },
                { label: 'Open', value: money(owed.open), unit: currency },
              ]
            : []),
          { label: 'Due', value: <DateText value={dueDate} /> },
        ]}
      />
      <InvoiceLines lines={page.lines} currency={currency} />
      <PanelSection title="Payment" padded>
        <Facts
          items={[
            { label: 'A payment is applied to', value: WATERFALL_LABELS[waterfallOrderOf(page.waterfall)] },
            ...(page.description ? [{ label: 'Text on the invoice', value: page.description }] : []),
          ]}
        />
        {page.mayOpen && owed ? (
          <p className="mt-3">
            <LinkButton to={paths.obligation(id, { currency })}>Show payments</LinkButton>
          </p>
        ) : null}
      </PanelSection>
      {status === 'Removed' ? null : <PayTo page={page} />}
      {page.history ? <HistorySection history={page.history} all={{ resource: 'invoices', id }} /> : null}
    </>
  );
}
