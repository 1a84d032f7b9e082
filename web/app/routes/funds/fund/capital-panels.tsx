import { Form } from '@remix-run/react';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { classNameOf } from '@tapeline/domain/funds/class-title.ts';
import type { ReactNode } from 'react';
import { DateText, Figure, Money, Name, Unknown } from '../../../components/figures/figures.tsx';
import { Button, LinkButton } from '../../../components/forms/button.tsx';
import { ActionForm } from '../../../components/forms/screen-form.tsx';
import { Chip, StatusChip } from '../../../components/page/chip.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { Pagination } from '../../../components/page/pagination.tsx';
import { Panel, Section } from '../../../components/page/section.tsx';
import { type Column, DataTable } from '../../../components/tables/data-table.tsx';
import { paths } from '../../../paths.ts';
import type { FundPage, TabPage } from './fund-page.server.ts';
import { PER_PAGE } from './tabs.ts';

const investorColumns = <Row extends { investors: number; notices: number }>(isInvestor: boolean): Column<Row>[] =>
  isInvestor
    ? []
    : [
        { key: 'investors', head: 'Investors', numeric: true, cell: (row) => <Figure value={row.investors} /> },
        {
          key: 'notices',
          head: 'Notices ready',
          numeric: true,
          cell: (row) => <Figure value={row.notices} zero="figure" />,
        },
      ];

export function CallsPanel({ page }: { page: TabPage<'calls'> }) {
  const { tab, id, currency, isInvestor } = page;
  const add = tab.mayAdd ? (
    <LinkButton to={paths.newCapitalCall({ fund: id })} tone="primary">
      New capital call
    </LinkButton>
  ) : null;
  return (
    <Section title={isInvestor ? 'Your capital calls' : 'Capital calls'} note={`${currency}, latest first`} more={add}>
      <Panel>
        <DataTable
          narrow="list"
          caption="Capital calls"
          rows={tab.rows}
          rowTo={(row) => paths.capitalCall(row.id)}
          empty={
            <EmptyState title="No capital calls yet">
              A call asks the investors for part of what they have committed.
            </EmptyState>
          }
          columns={[
            { key: 'number', head: 'Number', cell: (row) => <Name length={30}>{row.callNumber}</Name> },
            { key: 'cutOff', head: 'Cut-off date', cell: (row) => <DateText value={row.cutOffDate} /> },
            { key: 'due', head: 'Due date', cell: (row) => <DateText value={row.dueDate} /> },
            {
              key: 'amount',
              head: isInvestor ? 'To pay' : 'Total',
              numeric: true,
              cell: (row) => <Money value={row.amount} />,
            },
            ...investorColumns<(typeof tab.rows)[number]>(isInvestor),
            { key: 'status', head: 'Status', cell: (row) => <StatusChip status={row.status} /> },
          ]}
        />
        <Pagination total={tab.total} limit={PER_PAGE} noun="calls" />
      </Panel>
    </Section>
  );
}

export function DistributionsPanel({ page }: { page: TabPage<'distributions'> }) {
  const { tab, id, currency, isInvestor } = page;
  const add = tab.mayAdd ? (
    <LinkButton to={paths.newDistribution({ fund: id })} tone="primary">
      New distribution
    </LinkButton>
  ) : null;
  return (
    <Section title={isInvestor ? 'Your distributions' : 'Distributions'} note={`${currency}, latest first`} more={add}>
      <Panel>
        <DataTable
          narrow="list"
          caption="Distributions"
          rows={tab.rows}
          rowTo={(row) => paths.distribution(row.id)}
          empty={
            <EmptyState title="No distributions yet">
              A distribution pays principal, interest and gains to the investors.
            </EmptyState>
          }
          columns={[
            { key: 'number', head: 'Number', cell: (row) => <Name length={30}>{row.callNumber}</Name> },
            { key: 'cutOff', head: 'Cut-off date', cell: (row) => <DateText value={row.cutOffDate} /> },
            { key: 'kind', head: 'Kind', cell: (row) => row.distributionKind },
            {
              key: 'principal',
              head: 'Principal',
              numeric: true,
              cell: (row) => (
                <>
                  {row.isRecallable ? <Chip>recallable</Chip> : null} <Money value={row.principal} />
                </>
              ),
            },
            { key: 'amount', head: 'Distributed', numeric: true, cell: (row) => <Money value={row.amount} /> },
            ...investorColumns<(typeof tab.rows)[number]>(isInvestor),
            { key: 'status', head: 'Status', cell: (row) => <StatusChip status={row.status} /> },
          ]}
        />
        <Pagination total={tab.total} limit={PER_PAGE} noun="distributions" />
      </Panel>
    </Section>
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
      key: 'investor',
      head: 'Investor',
      cell: (row) => (row.investor === null ? <Unknown /> : <Name length={40}>{row.investor}</Name>),
    },
    ...(classes.length === 0
      ? []
      : [
          {
            key: 'class',
            head: 'Class',
            cell: (row: Row) => classNameOf(classes, row.Class) ?? <Unknown />,
          },
        ]),
    { key: 'cutOff', head: 'Cut-off date', cell: (row) => <DateText value={row.cutOffDate} /> },
  ];
}

export function NavsPanel({ page }: { page: TabPage<'navs'> }) {
  const { tab, id, currency, mayWrite } = page;
  return (
    <>
      {mayWrite && tab.drafts.length > 0 ? (
        <Section title="Draft NAVs" note="they count in no figure until they are issued">
          <Panel>
            <DataTable
              narrow="list"
              caption="Draft net asset values by date"
              rows={tab.drafts}
              rowKey={(row) => row.cutOffDate}
              empty={null}
              columns={[
                { key: 'cutOff', head: 'Cut-off date', cell: (row) => <DateText value={row.cutOffDate} /> },
                { key: 'count', head: 'Investors', numeric: true, cell: (row) => <Figure value={row.count} /> },
                {
                  key: 'gross',
                  head: `Gross (${currency})`,
                  numeric: true,
                  cell: (row) => <Money value={row.gross} />,
                },
                { key: 'net', head: `Net (${currency})`, numeric: true, cell: (row) => <Money value={row.net} /> },
                {
                  key: 'steps',
                  head: 'Steps',
                  cell: ({ cutOffDate }) => (
                    <span className="flex gap-2">
                      <ActionForm intent="issueNavs" values={{ cutOffDate }} tone="primary">
                        Issue
                      </ActionForm>
                      <ActionForm intent="discardNavs" values={{ cutOffDate }}>
                        Discard
                      </ActionForm>
                    </span>
                  ),
                },
              ]}
            />
          </Panel>
        </Section>
      ) : null}
      <RecordedSection
        title="Net asset values"
        noun={['NAV', 'NAVs']}
        note={`${currency}, latest first`}
        page={page}
        addTo={paths.newNav({ fund: id })}
        editTo={paths.editNavs}
        empty={<EmptyState title="No NAV yet">Multiples and returns are n/a until each investor has a NAV.</EmptyState>}
        columns={[
          { key: 'gross', head: 'Gross', numeric: true, cell: (row) => <Money value={row.gross} /> },
          { key: 'net', head: 'Net', numeric: true, cell: (row) => <Money value={row.net} /> },
        ]}
      />
    </>
  );
}

export function WriteOffsPanel({ page }: { page: TabPage<'writeOffs'> }) {
  return (
    <RecordedSection
      title="Write-offs"
      noun={['write-off', 'write-offs']}
      note={`${page.currency}, latest first`}
      page={page}
      addTo={paths.newWriteOff({ fund: page.id })}
      editTo={paths.editWriteOffs}
      empty={<EmptyState title="Nothing is written off">Write-offs lower net capital called.</EmptyState>}
      columns={[{ key: 'amount', head: 'Amount', numeric: true, cell: (row) => <Money value={row.amount} /> }]}
    />
  );
}

/** What is recorded for each investor. Those who may write open one row, or choose several to change together. */
function RecordedSection<Row extends OfInvestor>({
  title,
  noun: [one, many],
  note,
  page: { tab, classes, mayWrite },
  addTo,
  editTo,
  empty,
  columns,
}: {
  title: string;
  noun: readonly [one: string, many: string];
  note: string;
  page: Pick<FundPage, 'classes' | 'mayWrite'> & { tab: { rows: readonly Row[]; total: number } };
  addTo: string;
  editTo: (ids?: readonly string[]) => string;
  empty: ReactNode;
  columns: Column<Row>[];
}) {
  const choice: Column<Row>[] = mayWrite
    ? [
        {
          key: 'chosen',
          head: <span className="sr-only">Choose</span>,
          control: true,
          cell: (row) => (
            <input
              type="checkbox"
              name="id"
              value={row.id}
              aria-label={`Choose the ${one} of ${row.investor ?? 'n/a'} on ${formatCalendarDate(row.cutOffDate)}`}
              className="size-4 accent-accent"
            />
          ),
        },
      ]
    : [];
  const list = (
    <Panel>
      <DataTable
        narrow="list"
        caption={title}
        rows={tab.rows}
        rowKey={({ id }) => id}
        rowTo={(row) => (mayWrite ? editTo([row.id]) : null)}
        empty={empty}
        columns={[
          ...choice,
          ...ofInvestor<Row>(classes),
          ...columns,
          { key: 'status', head: 'Status', cell: (row) => <StatusChip status={row.status} /> },
        ]}
      />
      <Pagination total={tab.total} limit={PER_PAGE} noun={many} />
    </Panel>
  );
  const isChangeable = mayWrite && tab.rows.length > 0;
  return (
    <Section
      title={title}
      note={note}
      more={
        mayWrite ? (
          <LinkButton to={addTo} tone="primary">
            New {one}
          </LinkButton>
        ) : null
      }
    >
      {isChangeable ? (
        <Form method="get" action={editTo()} className="flex flex-col gap-2">
          {list}
          <div>
            <Button type="submit">Change chosen {many}</Button>
          </div>
        </Form>
      ) : (
        list
      )}
    </Section>
  );
}
