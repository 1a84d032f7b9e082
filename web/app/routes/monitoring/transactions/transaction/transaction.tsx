import { redirect } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { copyContract, createFirstContract } from '@tapeline/db/operations/transactions/contracts.ts';
import { closeTransaction } from '@tapeline/db/operations/transactions/transactions.ts';
import { transactionContractSchema } from '@tapeline/domain/facilities/contract.schema.ts';
import { z } from 'zod';
import { DateText, Name } from '../../../../components/figures/figures.tsx';
import { LinkButton } from '../../../../components/forms/button.tsx';
import { versionField } from '../../../../components/forms/version-field.ts';
import { HistoryPanel } from '../../../../components/history/action-list.tsx';
import { StatusChip } from '../../../../components/page/chip.tsx';
import { loadedPart, ShownPart } from '../../../../components/page/loaded-part.tsx';
import { PageHeader } from '../../../../components/page/page-header.tsx';
import { named } from '../../../../components/page/page-name.ts';
import { ViewTabs } from '../../../../components/page/tabs.tsx';
import { documentOfForm } from '../../../../http/form-document.ts';
import { act, intent, readScreen } from '../../../../http/screen.server.ts';
import { paths } from '../../../../paths.ts';
import { DocumentSection } from '../../../documents/document-section.tsx';
import { firstContractFieldOf, firstContractSchema } from '../first-contract-form.ts';
import { type ExplainedPool, readRollForward } from '../roll-forward.server.ts';
import { type TransactionPage, type TransactionView, viewTransaction } from '../transaction-page.server.ts';
import { NoteBases } from './bases-tab.tsx';
import { AskToClose } from './close-transaction.tsx';
import { NoteContracts } from './note-contracts.tsx';
import { NoteFigures } from './note-figures.tsx';
import { NoteSwitch } from './note-switch.tsx';
import { OverviewTab } from './overview-tab.tsx';
import { TermsTab } from './terms-tab.tsx';

const DRAWS = loadedPart(() => import('./draws-tab.tsx').then((part) => part.DrawsTab));
const FIRST_CONTRACT = loadedPart(() => import('./first-contract.tsx').then((part) => part.FirstContract));

export const handle = named<typeof loader>(({ page }) => [page.transaction.title]);

export const loader = readScreen('transactions/read', async (screen) => {
  const page = await viewTransaction(screen);
  return { page, forward: await readRollForward(screen, page) };
});

export const action = act({
  close: intent({
    permission: 'transactions/write',
    schema: z.object({ version: versionField, confirmed: z.literal('yes').optional() }),
    async run({ version, confirmed }, { db, params: { id = '' } }) {
      // Without JavaScript the user has not confirmed yet.
      if (!confirmed) return redirect(paths.transaction(id, { view: 'terms', confirm: 'close' }));
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

/** The panel of the tab in the address. */
function Panel({ page, forward }: { page: TransactionPage; forward: ExplainedPool | null }) {
  const { tab } = page;
  switch (tab.view) {
    case 'overview':
      return <OverviewTab page={{ ...page, tab }} forward={forward} />;
    case 'bases':
      return <NoteBases page={{ ...page, tab }} />;
    case 'draws':
      return <ShownPart of={DRAWS} page={{ ...page, tab }} />;
    case 'contract':
      return page.canWrite && tab.contracts.length === 0 ? (
        <ShownPart of={FIRST_CONTRACT} page={{ ...page, tab }} />
      ) : (
        <NoteContracts page={{ ...page, tab }} />
      );
    case 'terms':
      return <TermsTab page={{ ...page, tab }} />;
    case 'documents':
      return (
        <DocumentSection owner={{ transaction: page.transaction.id }} {...tab.documents} withReads={false} paged />
      );
    case 'history':
      return tab.history ? <HistoryPanel history={tab.history} /> : null;
  }
}

const LABELS: Readonly<Record<TransactionView, string>> = {
  overview: 'Overview',
  bases: 'Borrowing base',
  draws: 'Draws and repayments',
  contract: 'Contract',
  terms: 'Terms',
  documents: 'Documents',
  history: 'History',
};

function Header({ page }: { page: TransactionPage }) {
  const { transaction, note, contract, timeline, utilization } = page;
  return (
    <PageHeader
      title={transaction.title}
      chip={
        <>
          <StatusChip dot status={transaction.status} />
          <NoteSwitch page={page} />
        </>
      }
      facts={[
        page.type,
        ...(page.companyName
          ? [
              <>
                borrower{' '}
                <b>
                  <Name>{page.companyName}</Name>
                </b>
              </>,
            ]
          : []),
        ...(contract?.status === 'Active'
          ? [
              <>
                contract <b>v{contract.revision}</b>
              </>,
            ]
          : []),
        ...(timeline?.maturity
          ? [
              <>
                matures{' '}
                <b>
                  <DateText value={timeline.maturity} />
                </b>
              </>,
            ]
          : []),
        ...(utilization.mainCurrency ? [`figures in ${utilization.mainCurrency}`] : []),
      ]}
      actions={
        page.mayRecordRepayment && page.isDebt ? (
          <LinkButton to={paths.newRepayment({ note: note.id })}>Record repayment</LinkButton>
        ) : null
      }
      primary={
        page.mayRequestDraw && page.isDebt
          ? { label: 'Request a draw', to: paths.newDraw({ note: note.id }) }
          : page.canWrite && transaction.status === 'Draft' && page.views.includes('contract')
            ? {
                label: 'Set up the contract',
                to: paths.transaction(transaction.id, { note: note.id, view: 'contract' }),
              }
            : null
      }
    />
  );
}

export default function TransactionScreen() {
  const { page, forward } = useLoaderData<typeof loader>();
  const { transaction, note, views, counts, contract } = page;
  const count: Partial<Record<TransactionView, number | string>> = {
    draws: counts.draws,
    documents: counts.documents,
    ...(contract ? { contract: `v${contract.revision}` } : {}),
  };
  const [first] = transaction.notes;
  return (
    <>
      <Header page={page} />
      <AskToClose page={page} />
      <NoteFigures page={page} />
      <ViewTabs
        label="Parts of the facility"
        tabs={views.map((view) => ({ view, label: LABELS[view], count: count[view] ?? null }))}
        current={page.tab.view}
        to={(view) => paths.transaction(transaction.id, { note: note.id === first?.id ? undefined : note.id, view })}
      />
      <Panel page={page} forward={forward} />
    </>
  );
}
