import { DateText, Name, Unknown } from '../../../components/figures/figures.tsx';
import { formatBytes } from '../../../components/figures/format.ts';
import { LinkButton } from '../../../components/forms/button.tsx';
import { HistoryPanel } from '../../../components/history/changes-table.tsx';
import { StatusChip } from '../../../components/page/chip.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { Pagination } from '../../../components/page/pagination.tsx';
import { Panel, Section } from '../../../components/page/section.tsx';
import { DataTable } from '../../../components/tables/data-table.tsx';
import { paths } from '../../paths.ts';
import { CommitmentTable } from './commitment-table.tsx';
import type { TabPage } from './fund-page.server.ts';
import { PER_PAGE } from './tabs.ts';

export function InvestorsPanel({ page }: { page: TabPage<'investors'> }) {
  const { tab, id, currency, date, committed, classes, isInvestor, mayCommit } = page;
  const commit = mayCommit ? (
    <LinkButton to={paths.newCommitment(id)} tone="primary">
      New commitment
    </LinkButton>
  ) : null;
  return (
    <Section
      title={isInvestor ? 'Your commitments' : 'Commitments'}
      note={
        <>
          {currency}, as of <DateText value={date} />
        </>
      }
    >
      <Panel>
        <CommitmentTable
          caption="Commitments"
          rows={tab.rows}
          total={committed === null ? null : { count: tab.total, committed }}
          classes={classes}
          isInvestor={isInvestor}
          action={commit}
        />
        <Pagination total={tab.total} limit={PER_PAGE} noun="commitments" />
      </Panel>
    </Section>
  );
}

const KINDS = {
  report: 'Fund report',
  statement: 'Capital account statement',
  call: 'Capital call notice',
  distribution: 'Distribution notice',
} as const;

export function DocumentsPanel({ page }: { page: TabPage<'documents'> }) {
  const { rows, total } = page.tab;
  return (
    <Section title="Documents" note="latest first">
      <Panel>
        <DataTable
          narrow="list"
          caption="Documents"
          rows={rows}
          rowKey={(row) => row.id}
          empty={
            <EmptyState title="No documents yet">
              Quarterly reports, capital account statements and notices of the fund are listed here.
            </EmptyState>
          }
          columns={[
            {
              key: 'name',
              head: 'Name',
              cell: (row) => (
                <a href={paths.download(row.id)} className="tap-text text-accent hover:underline">
                  <Name length={60}>{row.name}</Name>
                </a>
              ),
            },
            { key: 'kind', head: 'Kind', cell: (row) => KINDS[row.kind] },
            {
              key: 'investor',
              head: 'Investor',
              cell: (row) => (row.investor ? <Name>{row.investor}</Name> : <Unknown reason="For all investors" />),
            },
            { key: 'date', head: 'As of', cell: (row) => <DateText value={row.cutOffDate} /> },
            { key: 'size', head: 'Size', numeric: true, cell: (row) => formatBytes(row.size) },
            { key: 'status', head: 'Status', cell: (row) => <StatusChip status={row.status} /> },
          ]}
        />
        <Pagination total={total} limit={PER_PAGE} noun="documents" />
      </Panel>
    </Section>
  );
}

export function HistoryTab({ page }: { page: TabPage<'history'> }) {
  const { history } = page.tab;
  return history ? (
    <Section title="History" note="of the fund and its commitments, times in UTC">
      <HistoryPanel history={history} several />
    </Section>
  ) : null;
}
