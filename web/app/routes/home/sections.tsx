import { FileSpreadsheet } from 'lucide-react';
import { DateText, Figure, Money, Name, ShareBar, Unknown } from '../../components/figures/figures.tsx';
import { formatCount, formatFigure } from '../../components/figures/format.ts';
import { LinkButton } from '../../components/forms/button.tsx';
import { StatusChip } from '../../components/page/chip.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { MoreLink, Panel, Section } from '../../components/page/section.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { paths } from '../paths.ts';
import type { DashboardView } from './dashboard.server.ts';

type Present<Key extends keyof DashboardView> = NonNullable<DashboardView[Key]>;

export function LatestTapes({ tapes }: { tapes: Present<'tapes'> }) {
  return (
    <Section title="Latest tapes" more={<MoreLink to={paths.tapes()}>All tapes</MoreLink>}>
      <Panel>
        <DataTable
          narrow="list"
          caption="Latest tapes"
          rows={tapes.latest}
          rowKey={(tape) => tape.id}
          rowTo={(tape) => paths.tape(tape.id)}
          empty={
            <EmptyState
              icon={FileSpreadsheet}
              title="No tapes yet"
              action={tapes.mayUpload ? <LinkButton to={paths.newTape()}>Upload a tape</LinkButton> : null}
            >
              A loan tape lists the borrower’s loans at a cut-off date. Borrowing bases are calculated from it.
            </EmptyState>
          }
          columns={[
            { key: 'name', head: 'Tape', cell: ({ name }) => <Name>{name}</Name> },
            { key: 'cutOff', head: 'Cut-off', cell: ({ cutOffDate }) => <DateText value={cutOffDate} /> },
            {
              key: 'assets',
              head: 'Assets',
              numeric: true,
              wideOnly: true,
              cell: ({ counts }) => <Figure value={counts?.assets ?? null} unknown="This tape is not published" />,
            },
            {
              key: 'errored',
              head: 'Errored',
              numeric: true,
              cell: ({ counts }) => <Figure value={counts?.errored ?? null} unknown="This tape is not published" />,
            },
            { key: 'state', head: 'Status', cell: ({ state }) => <StatusChip status={state} /> },
          ]}
        />
      </Panel>
    </Section>
  );
}

export function FundsTable({ funds }: { funds: Present<'funds'> }) {
  const isOneCurrency = new Set(funds.funds.flatMap(({ committed }) => committed.map((one) => one.currency))).size < 2;
  const [first] = funds.funds.flatMap(({ committed }) => committed);
  return (
    <Section
      title="Funds"
      note={[
        ...(funds.funds.length < funds.total ? [`first ${funds.funds.length} of ${formatFigure(funds.total)}`] : []),
        'commitments against hard cap',
        ...(isOneCurrency && first ? [first.currency] : []),
      ].join(', ')}
    >
      <Panel>
        <DataTable
          caption="Funds and their commitments"
          rows={funds.funds}
          rowKey={(fund) => fund.id}
          rowTo={(fund) => paths.fund(fund.id)}
          empty={<EmptyState title="No funds yet">Funds appear here with their investor commitments.</EmptyState>}
          columns={[
            { key: 'title', head: 'Fund', cell: ({ title }) => <Name>{title}</Name> },
            {
              key: 'investors',
              head: 'Investors',
              numeric: true,
              wideOnly: true,
              cell: ({ investors }) => <Figure value={investors} />,
            },
            {
              key: 'committed',
              head: 'Committed',
              numeric: true,
              cell: ({ committed }) =>
                committed.length === 0 ? (
                  <Unknown reason="No commitments recorded yet" />
                ) : (
                  committed.map((one) => (
                    <span key={one.currency} className="ml-3">
                      <Money value={one} digits={0} withCurrency={!isOneCurrency} />
                    </span>
                  ))
                ),
            },
            {
              key: 'cap',
              head: 'Hard cap',
              numeric: true,
              wideOnly: true,
              cell: ({ hardCap, currency }) => <Money value={{ sum: hardCap, currency }} digits={0} />,
            },
            {
              key: 'share',
              head: '% of hard cap',
              wideOnly: true,
              cell: ({ committed, hardCap, currency }) => {
                const own = committed.find((one) => one.currency === currency);
                return own && Number(hardCap) > 0 ? (
                  <ShareBar fraction={Number(own.sum) / Number(hardCap)} width="w-20" />
                ) : null;
              },
            },
          ]}
        />
      </Panel>
    </Section>
  );
}

export function Commitments({ commitments }: { commitments: Present<'commitments'> }) {
  return (
    <Section
      title="My commitments"
      note={
        commitments.rows.length < commitments.total
          ? `latest ${commitments.rows.length} of ${formatFigure(commitments.total)} by closing`
          : 'latest closing first'
      }
    >
      <Panel>
        <DataTable
          narrow="list"
          caption="My commitments"
          rows={commitments.rows}
          rowKey={(one) => one.id}
          empty={
            <EmptyState title="No commitments yet">
              Your commitments appear here after the fund manager records them.
            </EmptyState>
          }
          columns={[
            {
              key: 'fund',
              head: 'Fund',
              cell: ({ fund }) =>
                fund ? <Name>{fund}</Name> : <Unknown reason="You don’t have access to this fund" />,
            },
            {
              key: 'investor',
              head: 'Investor',
              wideOnly: true,
              cell: ({ investor }) => (investor ? <Name>{investor}</Name> : <Unknown />),
            },
            {
              key: 'class',
              head: 'Class',
              wideOnly: true,
              quiet: true,
              cell: (one) => one.Class ?? <Unknown reason="No class" />,
            },
            { key: 'closing', head: 'Closing', cell: ({ closingDate }) => <DateText value={closingDate} /> },
            { key: 'currency', head: 'Currency', quiet: true, cell: ({ currency }) => currency },
            {
              key: 'max',
              head: 'Maximum',
              numeric: true,
              wideOnly: true,
              cell: ({ maxCommitment }) => <Money value={maxCommitment} />,
            },
            {
              key: 'active',
              head: 'Committed',
              numeric: true,
              cell: ({ activeCommitment }) => <Money value={activeCommitment} />,
            },
          ]}
        />
      </Panel>
    </Section>
  );
}

export function Tenants({ tenants }: { tenants: Present<'tenants'> }) {
  return (
    <Section
      title="Tenants"
      note={
        tenants.managers.length < tenants.total
          ? `the first ${tenants.managers.length} of ${formatCount(tenants.total, 'manager')}`
          : formatCount(tenants.total, 'manager')
      }
    >
      <Panel>
        <DataTable
          caption="Managers and their funds, investors and companies"
          rows={tenants.managers}
          rowKey={(one) => one.id}
          empty={
            <EmptyState title="No managers yet">A manager operates funds and lends through transactions.</EmptyState>
          }
          columns={[
            { key: 'name', head: 'Manager', cell: ({ name }) => <Name>{name}</Name> },
            { key: 'funds', head: 'Funds', numeric: true, cell: ({ funds }) => <Figure value={funds} /> },
            {
              key: 'investors',
              head: 'Investors',
              numeric: true,
              cell: ({ investors }) => <Figure value={investors} />,
            },
            {
              key: 'companies',
              head: 'Companies',
              numeric: true,
              cell: ({ companies }) => <Figure value={companies} />,
            },
          ]}
        />
      </Panel>
    </Section>
  );
}
