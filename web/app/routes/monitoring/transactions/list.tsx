import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { companyNamesOf } from '@tapeline/db/operations/companies/company-choices.ts';
import { utilizationOfNotes } from '@tapeline/db/operations/transactions/note-utilization.ts';
import { listTransactions } from '@tapeline/db/operations/transactions/transactions.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { Landmark } from 'lucide-react';
import { DateText, Money, Name, Percent, Unknown } from '../../../components/figures/figures.tsx';
import { formatCount } from '../../../components/figures/format.ts';
import { LinkButton } from '../../../components/forms/button.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { Pagination } from '../../../components/page/pagination.tsx';
import { Panel } from '../../../components/page/section.tsx';
import { skipOf } from '../../../components/page/skip.ts';
import { DataTable } from '../../../components/tables/data-table.tsx';
import { readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../paths.ts';

export const meta: MetaFunction = () => [{ title: 'Transactions · Tapeline' }];

const PAGE_LENGTH = 50;
const NO_BALANCE = 'No draws or repayments recorded for this note yet';

/** One row per note, because lending happens under notes. */
export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'transactions/read', ({ db, url, actor }) =>
    db(async (session) => {
      const skip = skipOf(url.searchParams);
      const { documents, total } = await listTransactions(session, { skip, limit: PAGE_LENGTH });
      const utilization = await utilizationOfNotes(session, documents, { withBases: can(actor, 'borrowingBase/read') });
      const names = await companyNamesOf(
        session,
        documents.map(({ company }) => company),
      );
      const byId = new Map(documents.map((transaction) => [transaction.id, transaction]));
      return {
        total,
        mayMake: can(actor, 'transactions/write'),
        rows: utilization.map((note) => {
          const transaction = byId.get(note.transaction);
          const contracts = transaction?.notes.find((other) => other.id === note.noteId)?.contracts ?? [];
          return {
            ...note,
            title: transaction?.title ?? '',
            type:
              transaction?.type.kind === 'equity' ? transaction.type.equityType : (transaction?.type.loanType ?? ''),
            companyName: names.get(transaction?.company ?? '') ?? null,
            activeContracts: contracts.filter((contract) => contract.status === 'Active').length,
            drafts: contracts.filter((contract) => contract.status === 'Draft').length,
          };
        }),
      };
    }),
  );

export default function Transactions() {
  const { rows, total, mayMake } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        title="Transactions"
        facts={[formatCount(total, 'transaction'), `${formatCount(rows.length, 'note')} on this page`]}
        actions={
          mayMake ? (
            <LinkButton to={paths.newTransaction()} tone="primary">
              New transaction
            </LinkButton>
          ) : null
        }
      />
      <Panel>
        <DataTable
          narrow="list"
          caption="Transactions and their notes"
          rows={rows}
          rowKey={(row) => row.noteId}
          rowTo={(row) => paths.transaction(row.transaction)}
          empty={
            <EmptyState icon={Landmark} title="No transactions yet">
              A transaction holds notes with their terms and contracts. Create one, then add a contract.
            </EmptyState>
          }
          columns={[
            {
              key: 'title',
              head: 'Transaction',
              cell: (row) => (
                <>
                  <Name>{row.title}</Name>, {row.noteTitle}
                </>
              ),
            },
            {
              key: 'company',
              head: 'Company',
              cell: (row) =>
                row.companyName ? (
                  <Name>{row.companyName}</Name>
                ) : (
                  <Unknown reason="You don’t have access to this company" />
                ),
            },
            { key: 'type', head: 'Type', quiet: true, wideOnly: true, cell: (row) => row.type },
            {
              key: 'contract',
              head: 'Contract',
              cell: (row) =>
                row.activeContracts > 0 ? (
                  'in force'
                ) : row.drafts > 0 ? (
                  'draft only'
                ) : (
                  <span className="text-ink-3">none</span>
                ),
            },
            {
              key: 'currency',
              head: 'Currency',
              quiet: true,
              cell: (row) => row.mainCurrency ?? 'n/a',
            },
            {
              key: 'commitments',
              head: 'Commitments',
              numeric: true,
              cell: (row) => <Money value={row.commitments} unknown="No commitment in the main currency" />,
            },
            {
              key: 'drawn',
              head: 'Drawn',
              numeric: true,
              wideOnly: true,
              cell: (row) => <Percent value={row.utilizationPercent} unknown={NO_BALANCE} />,
            },
            {
              key: 'netBB',
              head: 'Net borrowing base',
              numeric: true,
              cell: (row) => <Money value={row.netBB} unknown="No borrowing base calculated yet" />,
            },
            {
              key: 'asOf',
              head: 'As of',
              wideOnly: true,
              cell: (row) => <DateText value={row.cutOffDate} unknown="No borrowing base calculated yet" />,
            },
          ]}
        />
        <Pagination total={total} limit={PAGE_LENGTH} noun="transactions" />
      </Panel>
    </>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../../components/page/error-screen.tsx';
