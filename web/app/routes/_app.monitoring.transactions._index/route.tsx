import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { listBorrowingBaseFigures } from '@tapeline/db/operations/borrowing-bases/borrowing-base-figures.ts';
import { listCompanies } from '@tapeline/db/operations/people/people.ts';
import { listTransactions } from '@tapeline/db/operations/transactions/transactions.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { Landmark } from 'lucide-react';
import { DateText, Money, Name, Percent, Unknown } from '../../components/figures/figures.tsx';
import { LinkButton } from '../../components/forms/button.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Pagination } from '../../components/page/pagination.tsx';
import { Panel } from '../../components/page/section.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { formatCount } from '../../figures/format.ts';
import { paths } from '../../paths.ts';
import { readScreen } from '../../screen.server.ts';
import { notesUtilization } from '../../transactions/utilization.ts';

export const meta: MetaFunction = () => [{ title: 'Transactions · Tapeline' }];

const PAGE_LENGTH = 50;
const NO_BALANCE = 'No draws or repayments are recorded for this note yet';

/** A row a note, since it is notes that are lent under. */
export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'transactions/read', ({ db, url, actor }) =>
    db(async (session) => {
      const skip = Math.max(0, Number(url.searchParams.get('skip')) || 0);
      const { documents, total } = await listTransactions(session, { skip, limit: PAGE_LENGTH });
      const noteIds = documents.flatMap((transaction) => transaction.notes.map((note) => note.id));
      const figures = can(actor, 'borrowingBase/read') ? await listBorrowingBaseFigures(session, { noteIds }) : [];
      const { documents: companies } = await listCompanies(session, { limit: 500 });
      const names = new Map(companies.map((company) => [company.id, company.entity.name]));
      const byId = new Map(documents.map((transaction) => [transaction.id, transaction]));
      return {
        total,
        mayMake: can(actor, 'transactions/write'),
        rows: notesUtilization(documents, figures).map((note) => {
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
        facts={[formatCount(total, 'transaction'), formatCount(rows.length, 'note')]}
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
              A transaction is what is lent under: its notes, their terms and contracts. Make the first one, then its
              contract.
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
                  <Unknown reason="The company is out of your sight" />
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
              cell: (row) => <Money value={row.netBB} unknown="No borrowing base was calculated yet" />,
            },
            {
              key: 'asOf',
              head: 'As of',
              wideOnly: true,
              cell: (row) => <DateText value={row.cutOffDate} unknown="No borrowing base was calculated yet" />,
            },
          ]}
        />
        <Pagination total={total} limit={PAGE_LENGTH} noun="transactions" />
      </Panel>
    </>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../components/page/error-screen.tsx';
