import { useActionData, useLoaderData } from '@remix-run/react';
import { listObligations, owedBy } from '@tapeline/db/operations/cash/obligations.ts';
import { listCredits } from '@tapeline/db/operations/cash/payments.ts';
import { overdueToRemind, remindersOf } from '@tapeline/db/operations/cash/reminders.ts';
import { fundChoices } from '@tapeline/db/operations/funds/funds.ts';
import { todayOf } from '@tapeline/db/today.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { isZero, sum } from '@tapeline/domain/money/decimal.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { Upload, Wallet } from 'lucide-react';
import { classNames } from '../../components/class-names.ts';
import { Money } from '../../components/figures/figures.tsx';
import { formatCount, formatFigure } from '../../components/figures/format.ts';
import { ActionProblems } from '../../components/forms/action-problems.tsx';
import { LinkButton } from '../../components/forms/button.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { type KeyFigure, KeyFigures } from '../../components/page/key-figures.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import type { PageHandle } from '../../components/page/page-name.ts';
import { Pagination } from '../../components/page/pagination.tsx';
import { Panel, PanelSection } from '../../components/page/section.tsx';
import { skipOf } from '../../components/page/skip.ts';
import { DataTable, TableSection } from '../../components/tables/data-table.tsx';
import { act, readScreen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { Ageing } from './ageing.tsx';
import { activeAccounts } from './cash-choices.server.ts';
import { CashTabs } from './cash-tabs.tsx';
import { FundMenu } from './fund-menu.tsx';
import { MatchedNotice } from './match-actions.tsx';
import { doneIn, MATCH_INTENTS } from './match-intents.server.ts';
import { owedLines, owedName, partyWord, sumsOf } from './owed-lines.ts';
import { shownObligation } from './owed-table.tsx';
import { PartiesTable } from './parties-table.tsx';
import { suggestedKey, toMatchOf, withoutSuggested } from './to-match.server.ts';
import { ToMatchPanel } from './to-match-panel.tsx';

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
  const { managerId } = actor;
  const fund = searchParams.get('fund') || undefined;
  const query = { direction: isPayable ? ('out' as const) : ('in' as const), fund };
  const skip = skipOf(searchParams);
  return db(async (session) => {
    const { activities, ages } = await owedBy(session, query);
    const [wanted, currency] = [searchParams.get('activity'), searchParams.get('currency')];
    const chosen = activities.find((one) => one.id === wanted && (currency === null || one.currency === currency));
    const shown =
      chosen ??
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
            activity: shown.id,
          });
    // Where a fund is chosen, all of it is of that fund, which the menu names for those who may read funds.
    const withSource = <Line extends { readonly sourceTitle: string | null }>(line: Line): Line =>
      fund ? { ...line, sourceTitle: null } : line;
    const lines = owedLines(activities, { shown: chosen ?? null, apart: fund ? 3 : 1 });
    const toMatch = mayReadPayments && managerId !== null ? await toMatchOf(session, query) : null;
    const reminders = await remindersOf(
      session,
      ofShown.obligations.map(({ documentId }) => documentId),
    );
    const toRemind =
      can(actor, 'payments/write') && !isPayable
        ? withoutSuggested(await overdueToRemind(session, { fund }), toMatch?.suggested)
        : [];
    const accounts = mayReadPayments ? await activeAccounts(session, { fund }) : [];
    const funds =
      managerId === null || !can(actor, 'funds/read')
        ? null
        : await fundChoices(session, managerId, { search: searchParams.get('findFund'), chosen: fund });
    return {
      isPayable,
      fund: fund ?? null,
      funds: funds && {
        choices: funds.choices.map(({ id, name }) => ({ id, name })),
        search: funds.search,
        hasMore: funds.total > funds.choices.length,
      },
      ...doneIn(searchParams),
      today: todayOf(session),
      mayReadPayments,
      mayRecord: can(actor, 'payments/write'),
      count: activities.length,
      hasCallsOnly: !isPayable && activities.every(({ kind }) => kind === 'contribution'),
      open: activities.filter(({ open }) => !isZero(open)).length,
      lines: lines.slice(skip, skip + PAGE_LENGTH).map(withSource),
      lineCount: lines.length,
      totals:
        new Set(activities.map((one) => one.currency)).size === 1
          ? { currency: activities[0]!.currency, ...sumsOf(activities) }
          : null,
      ages,
      shown: shown && { ...withSource(shown), name: owedName(shown) },
      rows: ofShown.obligations.map((one) => ({
        ...shownObligation(one),
        isSuggested: toMatch?.suggested.has(suggestedKey(one)) ?? false,
        reminders: reminders.get(one.documentId) ?? null,
      })),
      parties: ofShown.total,
      toRemind: new Set(toRemind.map(({ party }) => party?.id)).size,
      credits: mayReadPayments && !isPayable ? await listCredits(session, { direction: 'in', fund }) : [],
      toMatch: toMatch && {
        ...pick(toMatch, 'rows', 'count', 'total', 'isCompared'),
      },
      late: toMatch?.late ?? [],
      accounts: accounts.map(({ id, title, accountNumber, balance, currency: own, bankName, fundTitle, statedTo }) => ({
        id,
        title,
        balance,
        currency: own,
        ending: accountNumber.slice(-4),
        bankName,
        statedTo,
        fundTitle: fund ? null : fundTitle,
        toMatch: toMatch ? (toMatch.counts.get(id) ?? 0) : null,
      })),
    };
  });
});

export const action = act(MATCH_INTENTS);

type Page = ReturnType<typeof useLoaderData<typeof loader>>;

export const handle: PageHandle<Page> = {
  title: 'Cash',
  crumbs: ({ fund, funds }) => {
    const chosen = funds?.choices.find(({ id }) => id === fund);
    return chosen ? [{ label: chosen.name }] : [];
  },
};

const accountFigure = (
  { id, title, ending, balance, currency, fundTitle, toMatch, statedTo }: Page['accounts'][number],
  { mayRecord }: Page,
): KeyFigure => ({
  label: title,
  aside: `•••• ${ending}`,
  value: <Money value={{ sum: balance, currency }} zero="figure" />,
  unit: currency,
  note: (
    <>
      {toMatch === null ? (
        fundTitle
      ) : toMatch > 0 ? (
        <span className="text-warning">{`${formatCount(toMatch, 'line')} to match`}</span>
      ) : (
        'all matched'
      )}
      {statedTo ? `, close of ${formatCalendarDate(statedTo)}` : ''}
    </>
  ),
  to: mayRecord ? paths.bankAccount(id) : undefined,
});

/** What several accounts hold in each currency. Nothing is added across currencies. */
const sumFigures = (accounts: Page['accounts']): KeyFigure[] => {
  const byCurrency = [...Map.groupBy(accounts, ({ currency }) => currency)].filter(([, own]) => own.length > 1);
  return byCurrency.map(([currency, own]) => {
    const banks = new Set(own.map(({ bankName }) => bankName));
    return {
      label: own.length === accounts.length ? 'All accounts' : `All accounts, ${currency}`,
      value: <Money value={{ sum: sum(own.map(({ balance }) => balance)), currency }} zero="figure" />,
      unit: currency,
      note: banks.size === 1 ? own[0]!.bankName : formatCount(own.length, 'account'),
    };
  });
};

/** How much of a line is paid, and how much is late. */
function PaidBar({
  line: { amount, allocated, overdue },
  isCrowded,
}: {
  line: Page['lines'][number];
  /** Whether it gives way to names where two columns are narrow. */
  isCrowded: boolean;
}) {
  const shareOf = (part: string) => `${isZero(amount) ? 0 : Math.min(1, Number(part) / Number(amount)) * 100}%`;
  return (
    <span
      aria-hidden="true"
      className={classNames(
        'flex h-1.5 w-10 justify-between overflow-hidden rounded-full bg-line-strong min-[1400px]:w-14',
        isCrowded && 'xl:max-[1399px]:hidden',
      )}
    >
      <i className="bg-accent" style={{ width: shareOf(allocated) }} />
      <i className="bg-danger" style={{ width: shareOf(overdue) }} />
    </span>
  );
}

/** A date stays on one line. */
const Due = ({ children }: { children: string }) => (
  <span className={classNames('text-ink-2 max-sm:text-ink-3', !children.includes(' to ') && 'whitespace-nowrap')}>
    {children}
  </span>
);

function OwedLines({ page }: { page: Page }) {
  const { isPayable, fund, lines, totals, shown } = page;
  const totalOf = (key: 'amount' | 'allocated' | 'open') =>
    totals ? { sum: totals[key], currency: totals.currency } : undefined;
  return (
    <>
      <DataTable
        narrow="cards"
        caption={isPayable ? 'Payables' : 'Receivables'}
        rows={lines}
        rowKey={({ id, currency }) => `${id}/${currency}`}
        rowTo={({ id: activity, currency }) =>
          paths.cash({ view: isPayable ? 'payables' : undefined, fund: fund ?? undefined, activity, currency })
        }
        isShown={({ id, currency, name }) => id === shown?.id && currency === shown.currency && name === shown.name}
        empty={
          <EmptyState icon={Wallet} title={isPayable ? 'Nothing to pay' : 'Nothing to receive'}>
            {isPayable
              ? 'Issued distributions and approved draws appear here.'
              : 'Issued capital calls appear here, with what was received.'}
          </EmptyState>
        }
        columns={[
          {
            head: page.hasCallsOnly ? 'Call' : 'For',
            card: 'name',
            cell: ({ name, sourceTitle }) => (
              <>
                <span className="font-medium">{name}</span>
                {sourceTitle ? (
                  <span className="block text-xs text-ink-2 max-sm:inline max-sm:before:content-[',_']">
                    {sourceTitle}
                  </span>
                ) : null}
              </>
            ),
            total: totals
              ? formatCount(page.count, isPayable ? 'payable' : page.hasCallsOnly ? 'call' : 'receivable')
              : undefined,
          },
          { head: 'Due', card: 'date', cell: ({ due }) => <Due>{due}</Due> },
          {
            head: isPayable ? 'To pay' : lines.some(({ netted }) => !isZero(netted)) ? 'Called, net' : 'Called',
            card: null,
            money: ({ amount, currency }) => ({ sum: amount, currency }),
            withCurrency: totals === null,
            total: totalOf('amount'),
          },
          {
            head: isPayable ? 'Paid' : 'Received',
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
            total: totals ? <Money value={{ sum: totals.overdue, currency: totals.currency }} /> : undefined,
          },
          {
            head: <span className="sr-only">Share that is paid</span>,
            card: null,
            cell: (line) => <PaidBar line={line} isCrowded={fund === null} />,
          },
        ]}
      />
      <Pagination total={page.lineCount} limit={PAGE_LENGTH} noun={isPayable ? 'payables' : 'calls'} />
    </>
  );
}

export default function Cash() {
  const page = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { isPayable, ages, shown, rows, accounts, credits, funds, fund, toMatch, toRemind } = page;
  const currencies = [...new Set(ages.map(({ currency }) => currency))];
  return (
    <>
      <PageHeader
        title="Cash"
        chip={funds ? <FundMenu funds={funds} fund={fund} isPayable={isPayable} /> : null}
        facts={[
          formatCalendarDate(page.today),
          ...(accounts.length > MAX_ACCOUNTS
            ? [`${MAX_ACCOUNTS} of ${formatFigure(accounts.length)} bank accounts are shown`]
            : []),
        ]}
        actions={
          page.mayRecord ? (
            <>
              <LinkButton to={paths.importStatements()} icon={Upload}>
                Import bank file
              </LinkButton>
              {toRemind > 0 ? <LinkButton to={paths.newPayment()}>Record a payment</LinkButton> : null}
            </>
          ) : null
        }
        primary={
          toRemind > 0
            ? { label: `Remind ${formatCount(toRemind, 'investor')}`, to: paths.remind({ fund: fund ?? undefined }) }
            : page.mayRecord
              ? { label: 'Record a payment', to: paths.newPayment() }
              : null
        }
      />
      {accounts.length === 0 ? null : (
        <KeyFigures
          label="Bank accounts"
          figures={[
            ...accounts.slice(0, MAX_ACCOUNTS).map((account) => accountFigure(account, page)),
            ...sumFigures(accounts),
          ]}
        />
      )}
      <CashTabs
        current={isPayable ? 'payables' : 'receivables'}
        mayReadPayments={page.mayReadPayments}
        fund={fund ?? undefined}
        counts={{
          [isPayable ? 'payables' : 'receivables']: page.open > 0 ? `${formatFigure(page.open)} open` : null,
          match: toMatch?.total,
          accounts: fund === null ? accounts.length : null,
        }}
      />
      <MatchedNotice done={page.done} marked={page.marked} />
      <ActionProblems answer={answer} />
      <div className="grid grid-cols-1 gap-x-5 xl:grid-cols-[minmax(0,1fr)_18rem] min-[1400px]:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="min-w-0">
          <Panel className="mb-6">
            {currencies.map((currency) => (
              <Ageing key={currency} ages={ages} late={page.late} currency={currency} />
            ))}
            <OwedLines page={page} />
          </Panel>
          {shown === null ? null : (
            <PanelSection
              title={`${shown.name} by ${partyWord(shown).toLowerCase()}`}
              note={`due ${formatCalendarDate(shown.dueDate)}, ${shown.currency}, open first`}
              more={
                <a
                  href={paths.owedFile('xlsx', { activity: shown.id, currency: shown.currency })}
                  className="tap-text no-print hover:underline"
                >
                  Export
                </a>
              }
            >
              <PartiesTable
                rows={rows}
                totals={shown}
                caption={shown.name}
                party={partyWord(shown)}
                paid={isPayable ? 'Paid' : 'Received'}
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
        </div>
        {toMatch ? <ToMatchPanel toMatch={toMatch} mayMatch={page.mayRecord} today={page.today} /> : null}
      </div>
    </>
  );
}
