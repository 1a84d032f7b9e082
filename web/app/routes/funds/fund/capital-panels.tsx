import type { SetToIssue } from '@tapeline/db/operations/capital/issue-reviews.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { classNameOf } from '@tapeline/domain/funds/class-title.ts';
import { Money, Name, Unknown } from '../../../components/figures/figures.tsx';
import { formatFigure } from '../../../components/figures/format.ts';
import { LinkButton } from '../../../components/forms/button.tsx';
import { ConfirmedAction, QuestionFacts } from '../../../components/overlays/confirmed-action.tsx';
import { Chip } from '../../../components/page/chip.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { Pagination } from '../../../components/page/pagination.tsx';
import { type Column, DataTable, TableSection } from '../../../components/tables/data-table.tsx';
import { paths } from '../../../paths.ts';
import { isInApprovals, SetNotices } from '../../capital/second-person.tsx';
import { PaidSection } from '../../cash/paid-section.tsx';
import type { FundTab } from './fund-page.server.ts';
import { NavTable } from './nav-table.tsx';
import { RecordedChoice, RecordedSection } from './recorded-section.tsx';
import { ROWS_PER_LIST, SECOND_LIST } from './tabs.ts';

const investorColumns = <Row extends { investors: number; notices: number }>(isInvestor: boolean): Column<Row>[] =>
  isInvestor
    ? []
    : [
        { head: 'Investors', figure: (row) => row.investors },
        { head: 'Notices ready', figure: (row) => row.notices, zero: 'figure' },
      ];

type Activity = FundTab<'activity'>;

/** What was called from the investors, and what was paid to them. */
export function ActivityPanel({ page }: { page: Activity }) {
  const { calls, distributions, paid } = page.tab;
  return (
    <>
      {calls ? <Calls page={page} calls={calls} /> : null}
      <PaidSection paid={paid} title="Payments of the calls" />
      {distributions ? (
        <div id="distributions" className="scroll-mt-4">
          <Distributions page={page} distributions={distributions} />
        </div>
      ) : null}
    </>
  );
}

function Calls({ page, calls }: { page: Activity; calls: NonNullable<Activity['tab']['calls']> }) {
  const { id, currency, isInvestor } = page;
  return (
    <TableSection
      title={isInvestor ? 'Your capital calls' : 'Capital calls'}
      note={`${currency}, latest first`}
      narrow="list"
      caption="Capital calls"
      rows={calls.rows}
      rowTo={(row) => paths.capitalCall(row.id)}
      empty={
        <EmptyState
          title="No capital calls yet"
          action={
            calls.mayAdd ? <LinkButton to={paths.newCapitalCall({ fund: id })}>New capital call</LinkButton> : null
          }
        >
          A call asks the investors for part of what they have committed.
        </EmptyState>
      }
      columns={[
        { head: 'Number', name: (row) => row.callNumber, length: 30 },
        { head: 'Cut-off date', date: (row) => row.cutOffDate },
        { head: 'Due date', date: (row) => row.dueDate },
        { head: isInvestor ? 'Called' : 'Total', money: (row) => row.amount },
        ...investorColumns<(typeof calls.rows)[number]>(isInvestor),
        { head: 'Status', status: (row) => row.status },
      ]}
      below={<Pagination total={calls.total} limit={ROWS_PER_LIST} noun="calls" />}
    />
  );
}

function Distributions({
  page,
  distributions,
}: {
  page: Activity;
  distributions: NonNullable<Activity['tab']['distributions']>;
}) {
  const { id, currency, isInvestor } = page;
  return (
    <TableSection
      title={isInvestor ? 'Your distributions' : 'Distributions'}
      note={`${currency}, latest first`}
      narrow="list"
      caption="Distributions"
      rows={distributions.rows}
      rowTo={(row) => paths.distribution(row.id)}
      empty={
        <EmptyState
          title="No distributions yet"
          action={
            distributions.mayAdd ? (
              <LinkButton to={paths.newDistribution({ fund: id })}>New distribution</LinkButton>
            ) : null
          }
        >
          A distribution pays principal, interest and gains to the investors.
        </EmptyState>
      }
      columns={[
        { head: 'Number', name: (row) => row.callNumber, length: 30 },
        { head: 'Cut-off date', date: (row) => row.cutOffDate },
        { head: 'Kind', cell: (row) => row.distributionKind },
        {
          head: 'Principal',
          numeric: true,
          cell: (row) => (
            <>
              {row.isRecallable ? <Chip>recallable</Chip> : null} <Money value={row.principal} />
            </>
          ),
        },
        { head: 'Distributed', money: (row) => row.amount },
        ...investorColumns<(typeof distributions.rows)[number]>(isInvestor),
        { head: 'Status', status: (row) => row.status },
      ]}
      below={<Pagination total={distributions.total} limit={ROWS_PER_LIST} noun="distributions" name={SECOND_LIST} />}
    />
  );
}

interface OfInvestor {
  id: string;
  investor: string | null;
  Class: string | null;
  cutOffDate: string;
  status: string;
}

/** The columns of what is recorded for one investor. */
function ofInvestor<Row extends OfInvestor>(classes: readonly { name: string; uniqueKey: string }[]): Column<Row>[] {
  return [
    {
      head: 'Investor',
      cell: (row) => (row.investor === null ? <Unknown /> : <Name length={40}>{row.investor}</Name>),
    },
    ...(classes.length === 0
      ? []
      : [{ head: 'Class', cell: (row: Row) => classNameOf(classes, row.Class) ?? <Unknown /> }]),
    { head: 'Cut-off date', date: (row) => row.cutOffDate },
  ];
}

/** Issues or discards the draft NAVs of one day. */
function DraftNavSteps({
  row,
  currency,
  toIssue,
}: {
  row: FundTab<'navs'>['tab']['drafts'][number];
  currency: string;
  /** Those that need a second person are issued in Approvals. */
  toIssue: SetToIssue | null;
}) {
  const { cutOffDate, version, count } = row;
  const facts = [
    ['Cut-off date', formatCalendarDate(cutOffDate)],
    ['Investors', formatFigure(count)],
    ['Net', row.net === null ? 'n/a' : <Money key="net" value={row.net} withCurrency />],
  ] as const;
  const values = { cutOffDate, version: String(version) };
  return (
    <span className="flex gap-2">
      {toIssue ? (
        isInApprovals(toIssue.state) ? (
          <LinkButton to={paths.approval('navs', toIssue.id)}>Approvals</LinkButton>
        ) : null
      ) : (
        <ConfirmedAction
          asks={`issueNavs ${cutOffDate}`}
          intent="issueNavs"
          values={values}
          label="Issue"
          title={`Issue the NAVs of ${formatCalendarDate(cutOffDate)}?`}
          consequence={
            <QuestionFacts lines={[...facts, ['Then', `Investors see them, and figures in ${currency} count them`]]} />
          }
          confirm="Issue"
          tone="primary"
          buttonTone="primary"
        />
      )}
      <ConfirmedAction
        asks={`discardNavs ${cutOffDate}`}
        intent="discardNavs"
        values={values}
        label="Discard"
        title={`Discard the draft NAVs of ${formatCalendarDate(cutOffDate)}?`}
        consequence={<QuestionFacts lines={facts} />}
        confirm="Discard"
      />
    </span>
  );
}

export function NavsPanel({ page }: { page: FundTab<'navs'> }) {
  const { tab, currency, mayWrite } = page;
  const toIssue = new Map(tab.toIssue.flatMap((set) => (set.table === 'navs' ? [[set.cutOffDate, set] as const] : [])));
  return (
    <>
      <SetNotices sets={tab.toIssue} />
      {mayWrite && tab.drafts.length > 0 ? (
        <TableSection
          title="Draft NAVs"
          note="they count in no figure until they are issued"
          narrow="list"
          caption="Draft net asset values by date"
          rows={tab.drafts}
          rowKey={(row) => row.cutOffDate}
          empty={null}
          columns={[
            { head: 'Cut-off date', date: (row) => row.cutOffDate },
            { head: 'Investors', figure: (row) => row.count },
            { head: `Gross (${currency})`, money: (row) => row.gross },
            { head: `Net (${currency})`, money: (row) => row.net },
            {
              head: 'Steps',
              cell: (row) => (
                <DraftNavSteps row={row} currency={currency} toIssue={toIssue.get(row.cutOffDate) ?? null} />
              ),
            },
          ]}
        />
      ) : null}
      <NavTable page={page} />
      <div id="write-offs" className="scroll-mt-4">
        <WriteOffs page={page} />
      </div>
    </>
  );
}

function WriteOffs({ page }: { page: FundTab<'navs'> }) {
  const { tab, id, currency, classes, mayWrite } = page;
  return (
    <RecordedSection
      title="Write-offs"
      noun={['write-off', 'write-offs']}
      note={`${currency}, latest first`}
      mayWrite={mayWrite}
      hasRows={tab.writeOffs.rows.length > 0}
      addTo={paths.newWriteOff({ fund: id })}
      editTo={paths.editWriteOffs()}
    >
      <DataTable
        narrow="list"
        caption="Write-offs"
        rows={tab.writeOffs.rows}
        rowTo={(row) => (mayWrite ? paths.editWriteOffs([row.id]) : null)}
        empty={<EmptyState title="Nothing is written off">Write-offs lower net capital called.</EmptyState>}
        columns={[
          ...(mayWrite
            ? [
                {
                  head: <span className="sr-only">Choose</span>,
                  control: true,
                  cell: (row: OfInvestor) => <RecordedChoice noun="write-off" row={row} investor={row.investor} />,
                },
              ]
            : []),
          ...ofInvestor<(typeof tab.writeOffs.rows)[number]>(classes),
          { head: 'Amount', money: (row) => row.amount },
          { head: 'Status', status: (row) => row.status },
        ]}
      />
      <Pagination total={tab.writeOffs.total} limit={ROWS_PER_LIST} noun="write-offs" name={SECOND_LIST} />
    </RecordedSection>
  );
}
