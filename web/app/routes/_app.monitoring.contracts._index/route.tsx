import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { contractsOf } from '@tapeline/db/operations/transactions/contracts.ts';
import { listTransactions } from '@tapeline/db/operations/transactions/transactions.ts';
import { ScrollText } from 'lucide-react';
import { DateText, Name } from '../../components/figures/figures.tsx';
import { LinkButton } from '../../components/forms/button.tsx';
import { StatusChip } from '../../components/page/chip.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Panel } from '../../components/page/section.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { termsOf } from '../../contracts/contract-page.server.ts';
import { formatCount } from '../../figures/format.ts';
import { paths } from '../../paths.ts';
import { readScreen } from '../../screen.server.ts';

export const meta: MetaFunction = () => [{ title: 'Contracts · Tapeline' }];

/** Contracts of every note in sight, the newest version of each note first. */
export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'transactions/read', ({ db }) =>
    db(async (session) => {
      const { documents } = await listTransactions(session, { limit: 500 });
      const contracts = await contractsOf(
        session,
        documents.map((transaction) => transaction.id),
      );
      const notes = new Map(
        documents.flatMap((transaction) =>
          transaction.notes.map((note) => [note.id, { transactionTitle: transaction.title, noteTitle: note.title }]),
        ),
      );
      const rows = contracts.flatMap((contract) => {
        const note = notes.get(contract.noteId);
        const { eligibilityRules, performanceRules, concentrationRules } = termsOf(contract);
        const ruleCount = eligibilityRules.length + performanceRules.length + concentrationRules.length;
        const { id, revision, status, cutOffDate } = contract;
        return note ? [{ id, revision, status, cutOffDate, ruleCount, ...note }] : [];
      });
      return { rows: rows.reverse() };
    }),
  );

export default function Contracts() {
  const { rows } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader title="Contracts" facts={[formatCount(rows.length, 'contract')]} />
      <Panel>
        <DataTable
          narrow="list"
          caption="Contracts"
          rows={rows}
          rowKey={(row) => row.id}
          rowTo={(row) => paths.contract(row.id)}
          empty={
            <EmptyState
              icon={ScrollText}
              title="No contracts yet"
              action={<LinkButton to={paths.transactions()}>To the transactions</LinkButton>}
            >
              A contract belongs to a note of a transaction: open the transaction to make one.
            </EmptyState>
          }
          columns={[
            {
              key: 'note',
              head: 'Note',
              cell: (row) => (
                <>
                  <Name>{row.transactionTitle}</Name>, {row.noteTitle}
                </>
              ),
            },
            { key: 'revision', head: 'Version', cell: (row) => `v${row.revision}` },
            { key: 'status', head: 'Status', cell: (row) => <StatusChip status={row.status} /> },
            { key: 'from', head: 'Effective from cut-off', cell: (row) => <DateText value={row.cutOffDate} /> },
            { key: 'rules', head: 'Rules', numeric: true, cell: (row) => row.ruleCount },
          ]}
        />
      </Panel>
    </>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../components/page/error-screen.tsx';
