import { DateText, Figure, Money, Name, Unknown } from '../../../components/figures/figures.tsx';
import { LinkButton } from '../../../components/forms/button.tsx';
import { ActionForm } from '../../../components/forms/screen-form.tsx';
import { Chip, StatusChip } from '../../../components/page/chip.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { Pagination } from '../../../components/page/pagination.tsx';
import { Panel, Section } from '../../../components/page/section.tsx';
import { type Column, DataTable } from '../../../components/tables/data-table.tsx';
import { paths } from '../../paths.ts';
import type { TabPage } from './fund-page.server.ts';
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
          rowKey={(row) => row.id}
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
          rowKey={(row) => row.id}
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
  investor: string | null;
  Class: string | null;
  cutOffDate: string;
  status: string;
}

/** The columns of what is recorded for one investor. */
function ofInvestor<Row extends OfInvestor>(classes: readonly { name: string; uniqueKey: string }[]): Column<Row>[] {
  const nameOf = new Map(classes.map(({ name, uniqueKey }) => [uniqueKey, name]));
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
            cell: (row: Row) => nameOf.get(row.Class ?? '') ?? row.Class ?? <Unknown />,
          },
        ]),
    { key: 'cutOff', head: 'Cut-off date', cell: (row) => <DateText value={row.cutOffDate} /> },
  ];
}

export function NavsPanel({ page }: { page: TabPage<'navs'> }) {
  const { tab, id, currency, classes, mayWrite } = page;
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
      <Section
        title="Net asset values"
        note={`${currency}, latest first`}
        more={
          mayWrite ? (
            <LinkButton to={paths.newNav({ fund: id })} tone="primary">
              New NAV
            </LinkButton>
          ) : null
        }
      >
        <Panel>
          <DataTable
            narrow="list"
            caption="Net asset values"
            rows={tab.navs}
            rowKey={(row) => row.id}
            empty={
              <EmptyState title="No NAV yet">Multiples and returns are n/a until each investor has a NAV.</EmptyState>
            }
            columns={[
              ...ofInvestor<(typeof tab.navs)[number]>(classes),
              { key: 'gross', head: 'Gross', numeric: true, cell: (row) => <Money value={row.gross} /> },
              { key: 'net', head: 'Net', numeric: true, cell: (row) => <Money value={row.net} /> },
              { key: 'status', head: 'Status', cell: (row) => <StatusChip status={row.status} /> },
            ]}
          />
          <Pagination total={tab.total} limit={PER_PAGE} noun="NAVs" />
        </Panel>
      </Section>
      <Section
        title="Write-offs"
        note={
          tab.writeOffTotal > tab.writeOffs.length
            ? `${currency}, the latest ${tab.writeOffs.length} of ${tab.writeOffTotal}`
            : `${currency}, latest first`
        }
        more={mayWrite ? <LinkButton to={paths.newWriteOff({ fund: id })}>New write-off</LinkButton> : null}
      >
        <Panel>
          <DataTable
            narrow="list"
            caption="Write-offs"
            rows={tab.writeOffs}
            rowKey={(row) => row.id}
            empty={<EmptyState title="Nothing is written off">Write-offs lower net capital called.</EmptyState>}
            columns={[
              ...ofInvestor<(typeof tab.writeOffs)[number]>(classes),
              { key: 'amount', head: 'Amount', numeric: true, cell: (row) => <Money value={row.amount} /> },
              { key: 'status', head: 'Status', cell: (row) => <StatusChip status={row.status} /> },
            ]}
          />
        </Panel>
      </Section>
    </>
  );
}
