import { Link, useLoaderData } from '@remix-run/react';
import { listObligations, type OwedActivity, owedBy } from '@tapeline/db/operations/cash/obligations.ts';
import { listCredits } from '@tapeline/db/operations/cash/payments.ts';
import { AGE_LABELS, AGES, OBLIGATION_KIND_LABELS } from '@tapeline/domain/cash/labels.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { add, isZero, subtract, sum } from '@tapeline/domain/money/decimal.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { Wallet } from 'lucide-react';
import { classNames } from '../../components/class-names.ts';
import { Money } from '../../components/figures/figures.tsx';
import { formatCount, formatFigure } from '../../components/figures/format.ts';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { KeyFigures } from '../../components/page/key-figures.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Pagination } from '../../components/page/pagination.tsx';
import { Panel, PanelSection } from '../../components/page/section.tsx';
import { skipOf } from '../../components/page/skip.ts';
import { DataTable, TableSection } from '../../components/tables/data-table.tsx';
import { readScreen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { activeAccounts } from './cash-choices.server.ts';
import { CashTabs } from './cash-tabs.tsx';
import { OwedTable, shownObligation } from './owed-table.tsx';

export const handle = { title: 'Cash' };

const PAGE_LENGTH = 50;
/** The second list of the page. */
const PARTIES = 'parties';
const MAX_ACCOUNTS = 6;

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
    const [wanted, currency] = [searchParams.get('activity'), searchParams.get('currency')];
    const shown =
      activities.find((one) => one.id === wanted && (currency === null || one.currency === currency)) ??
      activities.find(({ overdue }) => !isZero(overdue)) ??
      activities.find(({ open }) => !isZero(open)) ??
      activities[0] ??
      null;
    const ofShown =
      shown === null
        ? { obligations: [], total: 0 }
        : await listObligations(session, {
            ...query,
            currency: shown.currency,
            isOpenFirst: true,
            skip: skipOf(searchParams, PARTIES),
            limit: PAGE_LENGTH,
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
      totals: new Set(activities.map(({ currency }) => currency)).size === 1 ? totalsOf(activities) : null,
      ages,
      shown,
      rows: ofShown.obligations.map(shownObligation),
      parties: ofShown.total,
      credits: mayReadPayments && !isPayable ? await listCredits(session, { direction: 'in' }) : [],
      accounts: mayReadPayments
        ? (await activeAccounts(session, { fund })).map(
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

/** The sums of activities in one currency. */
const totalsOf = (activities: readonly OwedActivity[]) => ({
  currency: activities[0]!.currency,
  amount: sum(activities.map(({ amount }) => amount)),
  allocated: sum(activities.map(({ allocated }) => allocated)),
  open: sum(activities.map(({ open }) => open)),
  overdue: sum(activities.map(({ overdue }) => overdue)),
});

type Shown = ReturnType<typeof useLoaderData<typeof loader>>;

const COLOURS = {
  notDue: 'bg-line',
  to30: 'bg-warning',
  to60: 'bg-warning',
  to90: 'bg-danger',
  over90: 'bg-danger',
  untracked: 'bg-line',
} as const satisfies Record<(typeof AGES)[number], string>;

/** What is open in one currency by how late it is, as a bar and as figures. */
function Ageing({ ages, currency }: { ages: Shown['ages']; currency: string }) {
  const own = ages.filter((one) => one.currency === currency);
  const openAt = (age: string) => own.find((one) => one.age === age)?.open ?? '0';
  const total = sum(own.map(({ open }) => open));
  // Most funds have an account since their first call.
  const shown = AGES.filter((age) => age !== 'untracked' || !isZero(openAt(age)));
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
        {shown.map((age) => (
          <i
            key={age}
            className={COLOURS[age]}
            style={{ width: `${!isZero(total) ? (Number(openAt(age)) / Number(total)) * 100 : 0}%` }}
          />
        ))}
      </div>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-1 text-xs sm:auto-cols-fr sm:grid-flow-col sm:grid-cols-none">
        {shown.map((age) => (
          <div key={age}>
            <dt className="flex items-center gap-1.5 text-ink-2">
              <i aria-hidden="true" className={classNames('size-2 flex-none rounded-xs', COLOURS[age])} />
              {AGE_LABELS[age]}
            </dt>
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
  const { isPayable, activities, totals, ages, shown, rows, accounts, credits, fund } = page;
  const currencies = [...new Set(ages.map(({ currency }) => currency))];
  const paid = isPayable ? 'Paid' : 'Received';
  const toActivity = ({ id: activity, currency }: (typeof activities)[number]) =>
    paths.cash({ ...(isPayable ? { view: 'payables' as const } : {}), ...(fund ? { fund } : {}), activity, currency });
  const totalOf = (key: 'amount' | 'allocated' | 'open' | 'overdue') =>
    totals ? { sum: totals[key], currency: totals.currency } : undefined;
  return (
    <>
      <PageHeader
        title="Cash"
        facts={[
          formatCalendarDate(page.today),
          ...(accounts.length > MAX_ACCOUNTS
            ? [`${MAX_ACCOUNTS} of ${formatFigure(accounts.length)} bank accounts are shown`]
            : []),
        ]}
        primary={page.mayRecord ? { label: 'Record a payment', to: paths.newPayment() } : null}
      />
      {accounts.length === 0 ? null : (
        <KeyFigures
          label="Bank accounts"
          figures={accounts.slice(0, MAX_ACCOUNTS).map(({ id, title, balance, currency, ending, fundTitle }) => ({
            label: `${title} •••• ${ending}`,
            value: <Money value={{ sum: balance, currency }} zero="figure" />,
            unit: currency,
            note: fundTitle,
            to: page.mayRecord ? paths.bankAccount(id) : undefined,
          }))}
        />
      )}
      <CashTabs current={isPayable ? 'payables' : 'receivables'} mayReadPayments={page.mayReadPayments} />
      <Panel className="mb-6">
        {currencies.map((currency) => (
          <Ageing key={currency} ages={ages} currency={currency} />
        ))}
        <DataTable
          narrow="cards"
          caption={isPayable ? 'Payables' : 'Receivables'}
          rows={activities}
          rowKey={({ id, currency }) => `${id}/${currency}`}
          rowTo={toActivity}
          isShown={({ id, currency }) => id === shown?.id && currency === shown.currency}
          empty={
            <EmptyState icon={Wallet} title={isPayable ? 'Nothing to pay' : 'Nothing to receive'}>
              {isPayable
                ? 'Issued distributions and approved draws appear here.'
                : 'Issued capital calls appear here, with what was received.'}
            </EmptyState>
          }
          columns={[
            {
              head: isPayable ? 'For' : 'Call',
              card: 'name',
              cell: (row) => (
                <>
                  {nameOf(row)}
                  {row.fundTitle ? <span className="font-normal text-ink-2 sm:hidden">, {row.fundTitle}</span> : null}
                </>
              ),
              total: totals ? formatCount(page.count, isPayable ? 'payable' : 'call') : undefined,
            },
            { head: 'Fund', card: null, name: ({ fundTitle }) => fundTitle ?? '–', length: 30 },
            { head: 'Due', card: 'date', date: ({ dueDate }) => dueDate },
            {
              head: isPayable ? 'To pay' : 'Called',
              card: null,
              money: ({ amount, currency }) => ({ sum: amount, currency }),
              withCurrency: true,
              total: totalOf('amount'),
            },
            {
              head: paid,
              card: null,
              money: ({ allocated, currency }) => ({ sum: allocated, currency }),
              total: totalOf('allocated'),
            },
            {
              head: 'Short',
              card: 'amount',
              money: ({ open, currency }) => ({ sum: open, currency }),
              total: totalOf('open'),
            },
            {
              head: 'Overdue',
              numeric: true,
              card: 'state',
              cell: ({ overdue, currency }) => (
                <span className={isZero(overdue) ? undefined : 'text-danger'}>
                  <span className="sm:hidden">Overdue </span>
                  <Money value={{ sum: overdue, currency }} />
                </span>
              ),
              total: totals ? <Money value={totalOf('overdue')} /> : undefined,
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
            rows={rows}
            totals={shown}
            mayOpen
            caption={nameOf(shown)}
            paid={paid}
            {...(page.mayRecord
              ? {
                  action: (row) =>
                    !isZero(row.open) ? (
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
          <Pagination total={page.parties} limit={PAGE_LENGTH} noun="amounts" name={PARTIES} />
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
