import { redirect } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { copyContract, createFirstContract } from '@tapeline/db/operations/transactions/contracts.ts';
import { closeTransaction } from '@tapeline/db/operations/transactions/transactions.ts';
import { transactionContractSchema } from '@tapeline/domain/facilities/contract.schema.ts';
import { z } from 'zod';
import { Name } from '../../../../components/figures/figures.tsx';
import { formatCount } from '../../../../components/figures/format.ts';
import { LinkButton } from '../../../../components/forms/button.tsx';
import { HistorySection } from '../../../../components/history/changes-table.tsx';
import { StatusChip } from '../../../../components/page/chip.tsx';
import { PageHeader } from '../../../../components/page/page-header.tsx';
import { named } from '../../../../components/page/page-name.ts';
import { Tabs } from '../../../../components/page/tabs.tsx';
import { documentOfForm } from '../../../../http/form-document.ts';
import { act, intent, readScreen } from '../../../../http/screen.server.ts';
import { paths } from '../../../../paths.ts';
import { DocumentSection } from '../../../documents/document-section.tsx';
import { firstContractFieldOf, firstContractSchema } from '../first-contract-form.ts';
import { viewTransaction } from '../transaction-page.server.ts';
import { NotesOverview } from './capital-stack.tsx';
import { AskToClose, CloseTransaction } from './close-transaction.tsx';
import { FirstContract } from './first-contract.tsx';
import { NoteContracts } from './note-contracts.tsx';
import { NoteDraws } from './note-draws.tsx';
import { NoteFigures } from './note-figures.tsx';
import { NoteLedger } from './note-ledger.tsx';
import { NoteOverTime } from './note-over-time.tsx';
import { NoteParties } from './note-parties.tsx';
import { TimelineChart } from './timeline-chart.tsx';
import { TrancheTable } from './tranche-table.tsx';

export const handle = named<typeof loader>(({ page }) => [page.transaction.title]);

export const loader = readScreen('transactions/read', async (screen) => ({ page: await viewTransaction(screen) }));

export const action = act({
  close: intent({
    permission: 'transactions/write',
    schema: z.object({ version: z.coerce.number().int().min(1), confirmed: z.literal('yes').optional() }),
    async run({ version, confirmed }, { db, params: { id = '' } }) {
      // Without JavaScript the user has not confirmed yet.
      if (!confirmed) return redirect(paths.transaction(id, { confirm: 'close' }));
      await db((session) => closeTransaction(session, { id, version }));
      return redirect(paths.transaction(id));
    },
  }),
  newVersion: intent({
    permission: 'transactions/write',
    schema: z.object({ contract: z.string() }),
    async run({ contract }, { db }) {
      const made = await db((session) => copyContract(session, { id: contract }));
      return redirect(paths.contract(made.id));
    },
  }),
  firstContract: intent({
    permission: 'transactions/write',
    schema: firstContractSchema,
    async run({ note, cutOffDate, assetsETL, defaultRate }, { db, params }) {
      const contract = documentOfForm(
        transactionContractSchema,
        { cutOffDate, assetsETL, advanceRate: { defaultRate } },
        firstContractFieldOf,
      );
      const made = await db((session) =>
        createFirstContract(session, { transactionId: params.id ?? '', noteId: note, contract }),
      );
      return redirect(paths.contract(made.id));
    },
  }),
});

export default function TransactionScreen() {
  const { page } = useLoaderData<typeof loader>();
  const { transaction, note } = page;
  return (
    <>
      <PageHeader
        title={transaction.title}
        chip={<StatusChip dot status={transaction.status} />}
        facts={[
          ...(page.companyName ? [<Name key="company">{page.companyName}</Name>] : []),
          page.type,
          ...transaction.industries.slice(0, 3),
          formatCount(transaction.notes.length, 'note'),
        ]}
        actions={
          <>
            <CloseTransaction page={page} />
            {page.canWrite ? (
              <>
                <LinkButton to={paths.newNote(transaction.id)}>New note</LinkButton>
                <LinkButton to={paths.editTransaction(transaction.id)} tone="primary">
                  Edit
                </LinkButton>
              </>
            ) : null}
          </>
        }
      />
      <AskToClose page={page} />
      <NotesOverview page={page} />
      {transaction.notes.length > 1 ? (
        <Tabs
          label="Notes"
          tabs={transaction.notes.map((other) => ({
            label: other.title,
            to: paths.transaction(transaction.id, { note: other.id }),
            current: other.id === note.id,
          }))}
        />
      ) : null}
      <NoteFigures page={page} />
      {page.isDebt || page.series.length > 0 ? <NoteOverTime page={page} /> : null}
      <NoteLedger page={page} />
      {!page.isDebt && page.contracts.length === 0 ? null : page.canWrite && page.contracts.length === 0 ? (
        <FirstContract page={page} />
      ) : (
        <NoteContracts page={page} />
      )}
      {page.isDebt ? <NoteDraws page={page} /> : null}
      <TrancheTable page={page} />
      <TimelineChart page={page} />
      <NoteParties page={page} />
      {page.documents.kinds.length > 0 ? (
        <DocumentSection owner={{ transaction: transaction.id }} {...page.documents} withReads={false} />
      ) : null}
      {page.history ? (
        <HistorySection several history={page.history} all={{ resource: 'transactions', id: transaction.id }} />
      ) : null}
    </>
  );
}
