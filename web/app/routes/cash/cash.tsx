import { Link, useLoaderData } from '@remix-run/react';
import { listBankAccounts } from '@tapeline/db/operations/cash/bank-accounts.ts';
import { listObligations, owedBy } from '@tapeline/db/operations/cash/obligations.ts';
import { listCredits } from '@tapeline/db/operations/cash/payments.ts';
import { AGE_LABELS, AGES, OBLIGATION_KIND_LABELS } from '@tapeline/domain/cash/labels.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { add, subtract, sum } from '@tapeline/domain/money/decimal.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { Wallet } from 'lucide-react';
import { Money } from '../../components/figures/figures.tsx';
import { formatCount } from '../../components/figures/format.ts';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { KeyFigures } from '../../components/page/key-figures.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Pagination } from '../../components/page/pagination.tsx';
import { Panel, PanelSection } from '../../components/page/section.tsx';
import { skipOf } from '../../components/page/skip.ts';
import { DataTable, TableSection } from '../../components/tables/data-table.tsx';
import { readScreen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { CashTabs } from './cash-tabs.tsx';
import { OwedTable, shownObligation } from './owed-table.tsx';

export const handle = { title: 'Cash' };

const PAGE_LENGTH = 50;

/** What is owed to the funds and by them. Investors and borrowers have lists of their own. */
export const loader = readScreen('contributions/read', ({ actor, db, url }) => {
  if (actor.lpIds.length > 0) throw new Refusal('notFound');
  const { searchParams } = url;
  const isPayable = searchParams.get('view') === 'payables';
  const mayReadPayments = can(actor, 'payments/read');
  const fund = searchParams.get('fund') ?? undefined;
  const query = { direction: isPayable ? ('out' as const) : ('in' as const), fund };
  const skip = skipOf(searchParams);
  return db(async (session) => {
    const { activities, ages } = await owedBy(session, query);
    const wanted = searchParams.get('activity');
    const shown =
      activities.find(({ id }) => id === wanted) ??
      activities.find(({ overdue }) => Number(overdue) > 0) ??
      activities.find(({ open }) => Number(open) > 0) ??
      activities[0] ??
      null;
    const ofShown =
      shown === null
        ? { obligations: [] }
        : await listObligations(session, {
            ...query,
            ...(shown.kind === 'draw' ? { documents: [shown.id] } : { activity: shown.id }),
          });
    return {
      isPayable,
      fund: fund ?? null,
      today: session.now.toISOString().slice(0, 10),
      mayReadPayments,
      mayRecord: can(actor, 'payments/write'),
      count: activities.length,
      activities: activities.slice(skip, skip + PAGE_LENGTH),
      ages,
      shown,
      rows: ofShown.obligations.map(shownObligation),
      credits: mayReadPayments && !isPayable ? await listCredits(session, { direction: 'in' }) : [],
      accounts: mayReadPayments
        ? (await listBankAccounts(session, { filter: { status: 'Active' }, sort: { code: 1 } })).documents.map(
            ({ id, title, accountNumber, balance, currency, fundTitle }) => ({
              id,
              title,
              balance,
              currency,
              ending: accountNumber.slice(-4),
              fundTitle,
            }),
          )
        : [],
    };
  });
});

type Shown = ReturnType<typeof useLoaderData<typeof loader>>;

const COLOURS = ['bg-line', 'bg-warning', 'bg-warning', 'bg-danger', 'bg-danger', 'bg-line'] as const;

/** What is open in one currency by how late it is, as a bar and as figures. */
function Ageing({ ages, currency }: { ages: Shown['ages']; currency: string }) {
  const own = ages.filter((one) => one.currency === currency);
  const openAt = (age: string) => own.find((one) => one.age === age)?.open ?? '0';
  const total = sum(own.map(({ open }) => open));
  return (
    <div className="border-b border-line p-3.5 last:border-b-0">
      <p className="mb-2 text-sm">
        {'Overdue '}
        <b className="text-lg text-danger">
          <Money value={{ sum: subtract(total, add(openAt('notDue'), openAt('untracked'))), currency }} zero="figure" />
        </b>{' '}
        <small className="text-ink-2">{currency}</small>
      </p>
      <div aria-hidden="true" className="mb-2 flex h-2 gap-px overflow-hidden rounded-full bg-line">
        {AGES.map((age, index) => (
          <i
            key={age}
            className={COLOURS[index]}
            style={{ width: `${Number(total) > 0 ? (Number(openAt(age)) / Number(total)) * 100 : 0}%` }}
          />
        ))}
      </div>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-1 text-xs sm:grid-cols-5">
        {AGES.map((age) => (
          <div key={age}>
            <dt className="text-ink-2">{AGE_LABELS[age]}</dt>
            <dd className="font-medium">
              <Money value={{ sum: openAt(age), currency }} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

const nameOf = ({ kind, number }: { kind: keyof typeof OBLIGATION_KIND_LABELS; number: string | null }) =>
  `${kind === 'contribution' ? 'Call' : OBLIGATION_KIND_LABELS[kind]} ${number ?? ''}`;

export default function Cash() {
  const page = useLoaderData<typeof loader>();
  const { isPayable, activities, ages, shown, rows, accounts, credits, fund } = page;
  const currencies = [...new Set(ages.map(({ currency }) => currency))];
  const paid = isPayable ? 'Paid' : 'Received';
  const toActivity = (activity: string) =>
    paths.cash({ ...(isPayable ? { view: 'payables' as const } : {}), ...(fund ? { fund } : {}), activity });
  return (
    <>
      <PageHeader
        title="Cash"
        facts={[formatCalendarDate(page.today), 'what is issued and approved']}
        primary={page.mayRecord ? { label: 'Record a payment', to: paths.newPayment() } : null}
      />
      {accounts.length === 0 ? null : (
        <KeyFigures
          label="Bank accounts"
          figures={accounts.slice(0, 6).map(({ id, title, balance, currency, ending, fundTitle }) => ({
            label: `${title} •••• ${ending}`,
            value: <Money value={{ sum: balance, currency }} zero="figure" />,
            unit: currency,
            note: fundTitle,
            to: paths.bankAccount(id),
          }))}
        />
      )}
      <CashTabs current={isPayable ? 'payables' : 'receivables'} mayReadPayments={page.mayReadPayments} />
      <Panel className="mb-6">
        {currencies.map((currency) => (
          <Ageing key={currency} ages={ages} currency={currency} />
        ))}
        <DataTable
          narrow="list"
          caption={isPayable ? 'Payables' : 'Receivables'}
          rows={activities}
          rowKey={({ id, currency }) => `${id}/${currency}`}
          rowTo={({ id }) => toActivity(id)}
          isShown={({ id }) => id === shown?.id}
          empty={
            <EmptyState icon={Wallet} title={isPayable ? 'Nothing to pay' : 'Nothing to receive'}>
              {isPayable
                ? 'Issued distributions and approved draws appear here.'
                : 'Issued capital calls appear here, with what was received.'}
            </EmptyState>
          }
          columns={[
            { head: isPayable ? 'For' : 'Call', name: nameOf, length: 24 },
            { head: 'Fund', name: ({ fundTitle }) => fundTitle ?? '–', length: 30 },
            { head: 'Due', date: ({ dueDate }) => dueDate },
            {
              head: isPayable ? 'To pay' : 'Called',
              money: ({ amount, currency }) => ({ sum: amount, currency }),
              withCurrency: true,
            },
            { head: paid, money: ({ allocated, currency }) => ({ sum: allocated, currency }) },
            {
              head: 'Short',
              money: ({ amount, allocated, currency }) => ({ sum: subtract(amount, allocated), currency }),
            },
            {
              head: 'Overdue',
              numeric: true,
              cell: ({ overdue, currency }) => (
                <Money value={{ sum: overdue, currency }} className={Number(overdue) > 0 ? 'text-danger' : ''} />
              ),
            },
          ]}
        />
        <Pagination total={page.count} limit={PAGE_LENGTH} noun={isPayable ? 'payables' : 'calls'} />
      </Panel>
      {shown === null ? null : (
        <PanelSection
          title={`${nameOf(shown)} by ${shown.kind === 'draw' ? 'borrower' : 'investor'}`}
          note={`due ${formatCalendarDate(shown.dueDate)}, ${shown.currency}`}
        >
          <OwedTable
            rows={[...rows].sort((a, b) => Number(b.open) - Number(a.open))}
            caption={nameOf(shown)}
            paid={paid}
            {...(page.mayRecord
              ? {
                  action: (row) =>
                    Number(row.open) > 0 ? (
                      <Link
                        className="tap-text text-accent hover:underline"
                        to={paths.newPayment({ obligation: row.documentId, currency: row.currency })}
                      >
                        Record
                      </Link>
                    ) : (
                      '–'
                    ),
                }
              : {})}
          />
        </PanelSection>
      )}
      {credits.length === 0 ? null : (
        <TableSection
          title="Credits"
          note={`${formatCount(credits.length, 'party', 'parties')} paid more than was allocated`}
          narrow="list"
          rows={credits}
          rowKey={({ party, currency }) => `${party.id}/${currency}`}
          columns={[
            { head: 'Party', name: ({ party }) => party.title ?? 'Not visible to you', length: 40 },
            { head: 'Credit', money: ({ amount, currency }) => ({ sum: amount, currency }), withCurrency: true },
          ]}
        />
      )}
    </>
  );
}
