import { useLoaderData } from '@remix-run/react';
import { listContracts } from '@tapeline/db/operations/transactions/contracts.ts';
import { noteNamesOf } from '@tapeline/db/operations/transactions/note-names.ts';
import { ScrollText } from 'lucide-react';
import { Name } from '../../../components/figures/figures.tsx';
import { formatCount } from '../../../components/figures/format.ts';
import { LinkButton } from '../../../components/forms/button.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { Pagination } from '../../../components/page/pagination.tsx';
import { Panel } from '../../../components/page/section.tsx';
import { skipOf } from '../../../components/page/skip.ts';
import { DataTable } from '../../../components/tables/data-table.tsx';
import { readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { termsOf } from './contract-page.server.ts';

export const handle = { title: 'Contracts' };

const PAGE_LENGTH = 50;

/** A page of the visible contracts, the newest version of each note first. */
export const loader = readScreen('transactions/read', ({ db, url }) =>
  db(async (session) => {
    const skip = skipOf(url.searchParams);
    const { documents, total } = await listContracts(session, { skip, limit: PAGE_LENGTH });
    const notes = await noteNamesOf(
      session,
      documents.map(({ transactionId }) => transactionId),
    );
    const rows = documents.flatMap((contract) => {
      const note = notes.get(contract.noteId);
      const { eligibilityRules, performanceRules, concentrationRules } = termsOf(contract);
      const ruleCount = eligibilityRules.length + performanceRules.length + concentrationRules.length;
      const { id, revision, status, cutOffDate } = contract;
      return note ? [{ id, revision, status, cutOffDate, ruleCount, ...note }] : [];
    });
    return { rows, total };
  }),
);

export default function Contracts() {
  const { rows, total } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader title="Contracts" facts={[formatCount(total, 'contract')]} />
      <Panel>
        <DataTable
          narrow="list"
          caption="Contracts"
          rows={rows}
          rowTo={(row) => paths.contract(row.id)}
          empty={
            <EmptyState
              icon={ScrollText}
              title="No contracts yet"
              action={<LinkButton to={paths.transactions()}>View facilities</LinkButton>}
            >
              A contract belongs to a note of a facility. Open a facility to create one.
            </EmptyState>
          }
          columns={[
            {
              head: 'Note',
              cell: (row) => (
                <>
                  <Name>{row.transactionTitle}</Name>, {row.noteTitle}
                </>
              ),
            },
            { head: 'Version', cell: (row) => `v${row.revision}` },
            { head: 'Status', status: (row) => row.status },
            { head: 'Effective cut-off date', date: (row) => row.cutOffDate },
            { head: 'Rules', numeric: true, cell: (row) => row.ruleCount },
          ]}
        />
        <Pagination total={total} limit={PAGE_LENGTH} noun="contracts" />
      </Panel>
    </>
  );
}
