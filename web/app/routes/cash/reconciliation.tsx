import { redirect } from '@remix-run/node';
import { Link, useLoaderData } from '@remix-run/react';
import { listBankAccounts } from '@tapeline/db/operations/cash/bank-accounts.ts';
import { closeMonth, daysOfChange, reconcile } from '@tapeline/db/operations/cash/reconciliation.ts';
import { CLOSING_PROBLEM_TEXTS, OPEN_ITEM_LABELS } from '@tapeline/domain/cash/reconciliation.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { isCalendarMonth } from '@tapeline/domain/dates/calendar-month.ts';
import { formatInstant } from '@tapeline/domain/dates/instant.ts';
import { isZero } from '@tapeline/domain/money/decimal.ts';
import { writtenAmount } from '@tapeline/domain/money/format-figure.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { Landmark } from 'lucide-react';
import { z } from 'zod';
import { Money, Unknown } from '../../components/figures/figures.tsx';
import { formatCount, formatFigure } from '../../components/figures/format.ts';
import { ConfirmedAction } from '../../components/overlays/confirmed-action.tsx';
import { CountChips } from '../../components/page/count-chips.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { KeyFigures } from '../../components/page/key-figures.tsx';
import { MonthSteps, monthText } from '../../components/page/month-steps.tsx';
import { Notice } from '../../components/page/notice.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Columns } from '../../components/page/section.tsx';
import { TableSection } from '../../components/tables/data-table.tsx';
import { act, confirmedIntent, readScreen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { CashTabs } from './cash-tabs.tsx';

export const handle = { title: 'Reconciliation' };

export const loader = readScreen('payments/read', ({ actor, db, url: { searchParams } }) =>
  db(async (session) => {
    const { documents } = await listBankAccounts(session, { filter: { status: 'Active' }, sort: { code: 1 } });
    const accounts = documents.map(({ id, title, accountNumber }) => ({ id, title, ending: accountNumber.slice(-4) }));
    const wanted = searchParams.get('account');
    const chosen = wanted ?? accounts[0]?.id;
    const month = searchParams.get('month');
    const found = chosen
      ? await reconcile(session, chosen, { month: isCalendarMonth(month) ? month : undefined })
      : null;
    return {
      accounts,
      mayClose: can(actor, 'payments/write'),
      found: found && { ...found, days: daysOfChange(found.days).toReversed() },
    };
  }),
);

const closeForm = z.object({
  account: z.string(),
  month: z.string().refine(isCalendarMonth, { message: 'is not a month' }),
});

export const action = act({
  close: confirmedIntent({
    permission: 'payments/write',
    schema: closeForm,
    asks: 'close',
    async run({ account, month }, { db }) {
      await db((session) => closeMonth(session, account, { month }));
      return redirect(paths.reconciliation({ account, month }));
    },
  }),
});

type Found = NonNullable<ReturnType<typeof useLoaderData<typeof loader>>['found']>;
type Day = Found['days'][number];

function Figures({ found, day }: { found: Found; day: Day }) {
  const { currency } = found.account;
  const money = (sum: string) => <Money value={{ sum, currency }} zero="figure" />;
  const { bank, difference } = day;
  return (
    <KeyFigures
      label={`On ${formatCalendarDate(day.day)}`}
      figures={[
        {
          label: 'Bank',
          value: bank === null ? <Unknown reason="No statement reaches this day" /> : money(bank),
          unit: currency,
          note: formatCalendarDate(day.day),
        },
        { label: 'Book', value: money(day.book), unit: currency, note: 'what payments are allocated to' },
        {
          label: 'Open items',
          value: money(day.open),
          unit: currency,
          note: found.itemCount === 0 ? 'everything is matched' : formatCount(found.itemCount, 'payment'),
        },
        {
          label: 'Difference',
          value: difference === null ? <Unknown reason="The bank’s balance is not known" /> : money(difference),
          unit: currency,
          ...(difference === null
            ? {}
            : isZero(difference)
              ? { note: 'bank = book + open items', tone: 'good' as const }
              : { note: 'a statement is missing', tone: 'danger' as const }),
        },
      ]}
    />
  );
}

function Closing({ found, day, mayClose }: { found: Found; day: Day; mayClose: boolean }) {
  const { problem, month, account, closings } = found;
  const { currency } = account;
  if (problem === 'closed') {
    const own = closings.find((one) => one.month === month);
    return (
      <Notice tone="good">
        {own
          ? `${monthText(month)} was closed on ${formatInstant(own.closedAt)}${own.closedBy ? ` by ${own.closedBy}` : ''}. `
          : `${monthText(month)} was closed with a later month. `}
        Its payments stay as they are. What is matched later counts in the first open month.
      </Notice>
    );
  }
  if (problem === 'difference') {
    return (
      <Notice tone="warning">
        {CLOSING_PROBLEM_TEXTS.difference}. <Link to={paths.bankStatements()}>Statements</Link>
      </Notice>
    );
  }
  if (problem !== null) return <Notice tone="info">{CLOSING_PROBLEM_TEXTS[problem]}.</Notice>;
  if (!mayClose || day.bank === null) return null;
  const written = (sum: string) => writtenAmount({ sum, currency });
  return (
    <div className="mb-4">
      <ConfirmedAction
        asks="close"
        intent="close"
        values={{ account: account.id, month }}
        label={`Close ${monthText(month)}`}
        title={`Close ${monthText(month)} of ${account.title}?`}
        consequence={`The bank has ${written(day.bank)}, the book ${written(day.book)}, and ${formatCount(found.itemCount, 'payment is', 'payments are')} open with ${written(day.open)}. The payments of this month and of those before it can no longer change. This cannot be undone.`}
        confirm="Close month"
        tone="primary"
        buttonTone="primary"
      />
    </div>
  );
}

function Days({ found }: { found: Found }) {
  const { currency } = found.account;
  const money = (sum: string | null) => (sum === null ? null : { sum, currency });
  return (
    <TableSection
      title="Day by day"
      note={`${currency}, days on which something changed`}
      caption="Balances by day"
      narrow="list"
      rows={found.days}
      rowKey={({ day }) => day}
      columns={[
        { head: 'Day', date: ({ day }) => day },
        { head: 'Bank', money: ({ bank }) => money(bank), zero: 'figure', unknown: 'No statement reaches this day' },
        { head: 'Book', money: ({ book }) => money(book), zero: 'figure' },
        { head: 'Open items', money: ({ open }) => money(open) },
        {
          head: 'Difference',
          money: ({ difference }) => money(difference),
          unknown: 'The bank’s balance is not known',
        },
      ]}
    />
  );
}

function OpenItems({ found, day }: { found: Found; day: Day }) {
  const { items, itemCount, account } = found;
  return (
    <TableSection
      title="Open items"
      note={`on ${formatCalendarDate(day.day)}, ${account.currency}`}
      caption="Open items"
      narrow="cards"
      rows={items}
      rowKey={({ paymentId }) => paymentId}
      rowTo={({ paymentId }) => paths.payment(paymentId)}
      empty={<p className="p-3.5 text-sm text-ink-2">Every payment is matched.</p>}
      columns={[
        { head: 'Payment', name: ({ code, name }) => name ?? `Payment ${code}`, length: 30, card: 'name' },
        { head: 'Booked', date: ({ bookedOn }) => bookedOn, card: 'date' },
        { head: 'Why', wraps: true, cell: ({ kind }) => OPEN_ITEM_LABELS[kind], card: 'state' },
        { head: 'Amount', money: ({ amount }) => ({ sum: amount, currency: account.currency }), card: 'amount' },
      ]}
      below={
        itemCount > items.length ? (
          <p className="border-t border-line p-3 text-xs text-ink-2">
            The first {formatFigure(items.length)} of {formatFigure(itemCount)}. The others are under Payments.
          </p>
        ) : null
      }
    />
  );
}

function Month({ found, mayClose }: { found: Found; mayClose: boolean }) {
  const [day] = found.days;
  const { account, month, closedUntil } = found;
  return (
    <>
      <MonthSteps
        label="Months"
        month={month}
        to={(asked) => paths.reconciliation({ account: account.id, month: asked })}
      />
      {day ? (
        <>
          <Figures found={found} day={day} />
          <Closing found={found} day={day} mayClose={mayClose} />
          <Columns split="wide">
            <Days found={found} />
            <OpenItems found={found} day={day} />
          </Columns>
        </>
      ) : (
        <Notice tone="info">
          {`${monthText(month)} is ${month < account.openingDate.slice(0, 7) ? `before ${formatCalendarDate(account.openingDate)}, when the account was opened` : 'to come'}.`}
        </Notice>
      )}
      {closedUntil ? <p className="text-xs text-ink-3">Closed until {formatCalendarDate(closedUntil)}.</p> : null}
    </>
  );
}

export default function ReconciliationPage() {
  const { accounts, found, mayClose } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        title="Reconciliation"
        facts={found ? [found.account.title, 'the bank’s balance is the book’s balance with the open items'] : []}
      />
      <CashTabs current="reconciliation" mayReadPayments />
      {found ? (
        <>
          {accounts.length > 1 ? (
            <CountChips
              label="Bank accounts"
              chips={accounts.map(({ id, title, ending }) => ({
                label: title,
                count: `•••• ${ending}`,
                to: paths.reconciliation({ account: id }),
                isCurrent: id === found.account.id,
              }))}
            />
          ) : null}
          <Month found={found} mayClose={mayClose} />
        </>
      ) : (
        <EmptyState icon={Landmark} title="No bank accounts yet">
          Add an account and import its statements to compare them with the book.
        </EmptyState>
      )}
    </>
  );
}
