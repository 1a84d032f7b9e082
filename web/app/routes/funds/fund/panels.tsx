import { DateText } from '../../../components/figures/figures.tsx';
import { LinkButton } from '../../../components/forms/button.tsx';
import { HistoryPanel } from '../../../components/history/action-list.tsx';
import { StatusChip } from '../../../components/page/chip.tsx';
import { Pagination } from '../../../components/page/pagination.tsx';
import { PanelSection, Section } from '../../../components/page/section.tsx';
import { TableSection } from '../../../components/tables/data-table.tsx';
import { paths } from '../../../paths.ts';
import { FundDocuments } from '../../capital/documents/documents-table.tsx';
import { CommitmentTable } from './commitment-table.tsx';
import type { FundTab } from './fund-page.server.ts';
import { ROWS_PER_TAB } from './tabs.ts';

export function InvestorsPanel({ page }: { page: FundTab<'investors'> }) {
  const { tab, id, currency, date, committed, classes, isInvestor, mayCommit } = page;
  const commit = mayCommit ? <LinkButton to={paths.newCommitment(id)}>New commitment</LinkButton> : null;
  const close = page.mayClose ? <LinkButton to={paths.newClosing(id)}>New closing</LinkButton> : null;
  return (
    <>
      <PanelSection
        title={isInvestor ? 'Your commitments' : 'Commitments'}
        note={
          <>
            {currency}, as of <DateText value={date} />
          </>
        }
        more={
          tab.total > 0 ? (
            <span className="flex flex-wrap gap-2">
              {close}
              {commit}
            </span>
          ) : null
        }
      >
        <CommitmentTable
          caption="Commitments"
          rows={tab.rows}
          total={committed === null ? null : { count: tab.total, committed }}
          capital={tab.withFigures ? page.capital : null}
          classes={classes}
          action={commit}
        />
        <Pagination total={tab.total} limit={ROWS_PER_TAB} noun="commitments" />
      </PanelSection>
      {tab.closings.length === 0 ? null : (
        <TableSection
          title="Later closings"
          note={currency}
          narrow="list"
          rows={tab.closings}
          rowTo={(row) => paths.closing(id, row.id)}
          columns={[
            { head: 'Closing', name: (row) => row.title },
            { head: 'Date', date: (row) => row.closingDate },
            { head: 'Committed', money: (row) => row.added },
            { head: 'Paid in', money: (row) => row.paidIn },
            { head: 'Notices', cell: (row) => (row.status ? <StatusChip status={row.status} /> : 'none') },
          ]}
        />
      )}
    </>
  );
}

export function DocumentsPanel({ page }: { page: FundTab<'documents'> }) {
  const { id, classes, mayWrite, tab } = page;
  return (
    <FundDocuments
      rows={tab.rows}
      total={tab.total}
      drafts={tab.drafts}
      toIssue={tab.toIssue}
      mayWrite={mayWrite}
      of={{ fund: id }}
      classes={classes}
      hasNotices
    />
  );
}

export function HistoryTab({ page }: { page: FundTab<'history'> }) {
  const { history } = page.tab;
  return history ? (
    <Section title="History" note="of the fund and its commitments, times in UTC">
      <HistoryPanel history={history} />
    </Section>
  ) : null;
}
