import { Link, useLoaderData } from '@remix-run/react';
import { activityOf, seesActivity } from '@tapeline/db/operations/capital/activity.ts';
import { returnsOfPurchase } from '@tapeline/db/operations/capital/commitment-details.ts';
import { commitmentOverTime } from '@tapeline/db/operations/commitments/fund-commitments.ts';
import { transferDocuments } from '@tapeline/db/operations/commitments/transfers.ts';
import { agreementsOf } from '@tapeline/db/operations/funds/fee-terms.ts';
import { shownProposal } from '@tapeline/db/operations/funds/terms-approval.ts';
import { todayOf } from '@tapeline/db/today.ts';
import { activeCommitmentAt } from '@tapeline/domain/commitments/active-commitment.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { agreedTerms } from '@tapeline/domain/funds/fee-terms.ts';
import { subtract } from '@tapeline/domain/money/decimal.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { documentHistory } from '../../../commands/history.server.ts';
import { StepChart } from '../../../components/charts/step-chart.tsx';
import { DateText, Figure, Money, Name, Percent, ShareBar, Unknown } from '../../../components/figures/figures.tsx';
import { LinkButton } from '../../../components/forms/button.tsx';
import { HistorySection } from '../../../components/history/action-list.tsx';
import { Chip, StatusChip } from '../../../components/page/chip.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { type KeyFigure, KeyFigures } from '../../../components/page/key-figures.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { Columns, PanelSection } from '../../../components/page/section.tsx';
import { activityColumns } from '../../../components/tables/activity-columns.tsx';
import { TableSection } from '../../../components/tables/data-table.tsx';
import { readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { ProposedTerms } from '../fee-terms/proposed-terms.tsx';
import { TermsText } from '../fee-terms/terms-tables.tsx';
import { NOT_ISSUED } from '../fund/commitment-table.tsx';
import { readCommitment } from './commitment-page.server.ts';
import { commitmentCrumbs } from './crumbs.ts';

export const handle = commitmentCrumbs(undefined, ({ title, fund }) => `${title}, ${fund.title}`);

/** Steps of the share that the page lists. The note says how many there are. */
const MAX_SHARES = 100;
/** Entries of the activity that the page lists. The files have all of them. */
const MAX_ENTRIES = 200;

export const loader = readScreen('LPs/commitments/read', (screen) =>
  screen.db(async (session) => {
    const { fund, commitment, title, className } = await readCommitment(session, screen);
    const { id, code, status, closingDate, deltas, sideLetters, maxCommitment, activeCommitment, investorKind } =
      commitment;
    const today = todayOf(session);
    const found = await commitmentOverTime(session, { fundId: fund.id, id, at: today });
    const agreed = agreedTerms((await agreementsOf(session, [id])).get(id)!);
    const isInvestor = screen.actor.lpIds.length > 0;
    const documents = await transferDocuments(session, id);
    const mayReadActivity = seesActivity(screen.actor);
    const activity = mayReadActivity ? (await activityOf(session, { id })).statement.entries.toReversed() : null;
    // When others committed is not for an investor to see.
    const shares = isInvestor ? [] : found.shares.toReversed();
    return {
      id,
      code,
      title,
      className,
      fund,
      status,
      today,
      investorKind,
      investorId: commitment.investorLPId ?? commitment.investorFundId ?? null,
      closingDate,
      maxCommitment,
      held: { terms: agreed.on(today), sources: agreed.sourcesOn(today) },
      sideLetters,
      proposal: can(screen.actor, 'LPs/commitments/write') ? await shownProposal(session, 'LPCommitments', id) : null,
      active: found.commitment.active,
      percentage: found.commitment.percentage,
      isInvestor,
      steps: [{ date: closingDate, amount: activeCommitment, title: 'First closing' }, ...deltas]
        .toSorted((a, b) => a.date.localeCompare(b.date))
        .map((step, index) => ({
          key: `${index}`,
          date: step.date,
          amount: step.amount,
          title: step.title ?? null,
          document: ('transfer' in step && step.transfer ? documents.get(step.transfer) : null) ?? null,
          after: activeCommitmentAt(commitment, step.date),
        })),
      activity: activity?.slice(0, MAX_ENTRIES) ?? null,
      entryCount: activity?.length ?? 0,
      purchase: mayReadActivity ? await returnsOfPurchase(session, id) : null,
      shares: shares.slice(0, MAX_SHARES),
      shareCount: shares.length,
      mayWrite: can(screen.actor, 'LPs/commitments/write'),
      history: await documentHistory(session, [{ resource: 'LPCommitments', ids: [id] }], screen.url.searchParams),
    };
  }),
);

type Page = ReturnType<typeof useLoaderData<typeof loader>>;

/** The strip of key figures of a commitment. Further groups of figures are added here. */
function commitmentFigures({ active, percentage, maxCommitment, fund, steps, purchase }: Page): KeyFigure[] {
  const { currency } = fund;
  return [
    {
      label: 'Active commitment',
      value: <Money value={active} zero="figure" unknown={NOT_ISSUED} />,
      unit: currency,
      note: 'today',
    },
    {
      label: 'Share of the fund',
      value: <Percent value={percentage} digits={4} unknown={NOT_ISSUED} />,
      note: percentage === null ? null : <ShareBar fraction={Number(percentage) / 100} width="w-24" />,
    },
    {
      label: 'Maximum commitment',
      value: <Money value={maxCommitment} zero="figure" />,
      unit: currency,
      note:
        active === null ? null : (
          <>
            <Money value={subtract(maxCommitment, active)} zero="figure" /> not in force
          </>
        ),
    },
    {
      label: 'Closing date',
      value: <DateText value={steps[0]?.date ?? null} />,
      note: steps.length > 1 ? `${steps.length - 1} later` : 'no later changes',
    },
    ...(purchase
      ? [
          {
            label: 'Net IRR of the interest',
            value: <Percent value={purchase.interest.percent} digits={2} unknown={purchase.interest.reason ?? ''} />,
            note: (
              <>
                <Percent value={purchase.price.percent} digits={2} unknown={purchase.price.reason ?? ''} /> on the price
              </>
            ),
          },
        ]
      : []),
  ];
}

function Changes({ page }: { page: Page }) {
  return (
    <TableSection
      title="Closings and changes"
      note={page.fund.currency}
      rows={page.steps}
      rowKey={(row) => row.key}
      columns={[
        { head: 'Date', date: (row) => row.date },
        {
          head: 'Title',
          cell: (row) => (
            <>
              {row.title ? <Name length={40}>{row.title}</Name> : <Unknown reason="Not given" />}
              {row.document ? (
                <a href={paths.download(row.document)} className="tap-text block text-accent hover:underline">
                  Document
                </a>
              ) : null}
            </>
          ),
        },
        { head: 'Amount', money: (row) => row.amount },
        { head: 'Active after', money: (row) => row.after },
      ]}
    />
  );
}

function Shares({ page }: { page: Page }) {
  const { shares, shareCount, fund } = page;
  if (page.isInvestor) return null;
  return (
    <TableSection
      title="Share of the fund by date"
      note={shares.length < shareCount ? `the latest ${shares.length} of ${shareCount} changes` : 'latest first'}
      rows={shares}
      rowKey={(row) => row.date}
      empty={<EmptyState title="No share yet">{NOT_ISSUED}</EmptyState>}
      columns={[
        { head: 'From', date: (row) => row.date },
        { head: `Active commitment (${fund.currency})`, money: (row) => row.active },
        {
          head: 'Share (%)',
          numeric: true,
          cell: (row) => (
            <>
              <ShareBar fraction={Number(row.percentage ?? 0) / 100} />{' '}
              <Figure
                value={row.percentage}
                digits={8}
                unknown="Nothing is committed"
                className="inline-block min-w-24"
              />
            </>
          ),
        },
      ]}
    />
  );
}

function Activity({ page }: { page: Page }) {
  const { id, fund, activity, entryCount } = page;
  if (activity === null) return null;
  return (
    <TableSection
      title="Activity statement"
      note={`${fund.currency}, ${activity.length < entryCount ? `the latest ${activity.length} of ${entryCount} entries` : 'latest first'}`}
      more={
        <span className="flex gap-2">
          <LinkButton external to={paths.activityStatement(fund.id, id, 'pdf')}>
            PDF
          </LinkButton>
          <LinkButton external to={paths.activityStatement(fund.id, id, 'xlsx')}>
            Excel
          </LinkButton>
        </span>
      }
      rows={activity.map((entry, index) => ({ ...entry, key: `${index}` }))}
      rowKey={(row) => row.key}
      empty={<EmptyState title="No activity yet">Nothing has happened up to today.</EmptyState>}
      columns={activityColumns()}
    />
  );
}

/** What the investor pays today, where each part of that is agreed, and its side letters. */
function Fees({ page }: { page: Page }) {
  const { id, fund, held, sideLetters, className, mayWrite, today } = page;
  const add = mayWrite ? <LinkButton to={paths.sideLetter(fund.id, id)}>Add a side letter</LinkButton> : null;
  return (
    <div id="fees" className="scroll-mt-4">
      <ProposedTerms proposal={page.proposal} to={paths.approval('investorTerms', id)} />
      <PanelSection title="Fees" note={`on ${formatCalendarDate(today)}; rates are per year`} padded>
        <TermsText terms={held.terms} sources={held.sources} currency={fund.currency} className={className} />
      </PanelSection>
      <TableSection
        title="Side letters"
        note="each in force until a later one replaces it"
        more={sideLetters.length > 0 ? add : null}
        rows={sideLetters}
        rowKey={({ from }) => from}
        rowTo={({ from }) => (mayWrite ? paths.sideLetter(fund.id, id, { from }) : null)}
        empty={
          <EmptyState title="No side letter" action={add}>
            The terms of the commitment and of the fund apply.
          </EmptyState>
        }
        columns={[
          { head: 'From', date: ({ from }) => from },
          { head: 'Title', cell: ({ title }) => title ?? <Unknown reason="Not given" /> },
          { head: 'Terms', cell: ({ terms }) => <TermsText terms={terms} currency={fund.currency} /> },
          {
            head: 'Document',
            cell: ({ document }) =>
              document ? (
                <a href={paths.download(document)} className="tap-text text-accent hover:underline">
                  Download
                </a>
              ) : (
                <span className="text-ink-3">No file</span>
              ),
          },
        ]}
      />
    </div>
  );
}

export default function CommitmentScreen() {
  const page = useLoaderData<typeof loader>();
  const { id, title, fund, className, status, steps, today, maxCommitment, history } = page;
  const investorPage =
    page.investorId === null
      ? null
      : page.investorKind === 'LP'
        ? paths.investor(page.investorId)
        : paths.fund(page.investorId);
  const drawn = steps.filter(({ date }) => date <= today);
  return (
    <>
      <PageHeader
        title={<Name length={60}>{title}</Name>}
        chip={
          <>
            <StatusChip dot status={status} />
            {page.investorKind === 'fund' ? <Chip>fund</Chip> : null}
          </>
        }
        facts={[
          <>
            commitment to{' '}
            <Link to={paths.fund(fund.id)} className="font-medium text-ink hover:text-accent">
              {fund.title}
            </Link>
          </>,
          ...(className ? [className] : []),
          ...(investorPage
            ? [
                <Link key="investor" to={investorPage} className="text-accent underline">
                  Open the investor
                </Link>,
              ]
            : []),
          `all sums in ${fund.currency}`,
        ]}
        actions={
          page.mayWrite ? (
            <>
              <LinkButton to={paths.removeCommitment(fund.id, id)}>Remove</LinkButton>
              <LinkButton to={paths.editCommitment(fund.id, id)}>Edit</LinkButton>
              {status === 'Active' ? (
                <LinkButton to={paths.transferCommitment(fund.id, id)} tone="primary">
                  Transfer
                </LinkButton>
              ) : null}
            </>
          ) : null
        }
      />
      <KeyFigures figures={commitmentFigures(page)} />
      {drawn.length > 0 ? (
        <StepChart
          title="Active commitment"
          note={`${fund.currency}, until ${formatCalendarDate(today)}`}
          series={[
            {
              label: 'Active',
              colour: 1,
              steps: drawn.map((step) => ({ date: step.date, value: Number(step.after) })),
            },
            {
              label: 'Maximum',
              colour: 3,
              steps: [{ date: drawn[0]?.date ?? today, value: Number(maxCommitment) }],
            },
          ]}
          until={today}
        />
      ) : null}
      <Columns>
        <Changes page={page} />
        <Shares page={page} />
      </Columns>
      <Activity page={page} />
      <Fees page={page} />
      {history ? <HistorySection history={history} all={{ resource: 'LPCommitments', id }} /> : null}
    </>
  );
}
