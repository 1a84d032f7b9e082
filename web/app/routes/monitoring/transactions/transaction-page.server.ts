import { redirect } from '@remix-run/node';
import { listBorrowingBaseFigures } from '@tapeline/db/operations/borrowing-bases/borrowing-base-figures.ts';
import { companyNamesOf } from '@tapeline/db/operations/companies/company-choices.ts';
import { facilityKindsOf, listFacilityDocuments } from '@tapeline/db/operations/documents/facility-documents.ts';
import { listDraws } from '@tapeline/db/operations/draws/draw-views.ts';
import { listRepayments } from '@tapeline/db/operations/repayments/repayments.ts';
import { contractVersions } from '@tapeline/db/operations/transactions/contracts.ts';
import { utilizationOfNotes } from '@tapeline/db/operations/transactions/note-utilization.ts';
import { getTransaction } from '@tapeline/db/operations/transactions/transactions.ts';
import type { Session } from '@tapeline/db/store.ts';
import { todayOf } from '@tapeline/db/today.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { timelineInForce } from '@tapeline/domain/facilities/in-force.ts';
import { subtract } from '@tapeline/domain/money/decimal.ts';
import { shareOf } from '@tapeline/domain/money/shares.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { viewOf } from '../../../components/page/view-of.ts';
import type { Screen } from '../../../http/screen.server.ts';
import type { Opened } from './opened-transaction.ts';
import { readContractTab, readDocumentsTab, readHistoryTab, readTermsTab } from './transaction-parts.server.ts';
import { readBasesTab, readDrawsTab, readOverviewTab } from './transaction-standing.server.ts';

type Load = (session: Session, opened: Opened, screen: Screen) => Promise<object>;

/** What each tab shows, in the order of the tabs. */
const LOADERS = {
  overview: readOverviewTab,
  bases: readBasesTab,
  draws: readDrawsTab,
  contract: readContractTab,
  terms: readTermsTab,
  documents: readDocumentsTab,
  history: readHistoryTab,
} satisfies Record<string, Load>;

export type TransactionView = keyof typeof LOADERS;

type Loaded = {
  [View in TransactionView]: { view: View } & Awaited<ReturnType<(typeof LOADERS)[View]>>;
}[TransactionView];

/** The tabs that the actor may read. An investment is described by its terms, unless it has what only a debt has. */
function viewsOf({ actor }: Screen, { transaction, contracts }: Opened): TransactionView[] {
  const lends = transaction.type.kind === 'debt' || contracts.length > 0;
  const seesDraws = can(actor, 'transactionDraw/read') || can(actor, 'repayments/read');
  const isShown: Record<TransactionView, boolean> = {
    overview: lends,
    bases: lends && can(actor, 'borrowingBase/read'),
    draws: lends && seesDraws,
    contract: lends,
    terms: true,
    documents: facilityKindsOf({ actor }).length > 0,
    history: can(actor, 'history/read'),
  };
  return (Object.keys(LOADERS) as TransactionView[]).filter((view) => isShown[view]);
}

/** How the net borrowing base changed from the cut-off date before the latest. Null if there is nothing to compare. */
async function movementOf(session: Session, noteId: string) {
  const bases = await listBorrowingBaseFigures(session, { noteIds: [noteId], perNote: 8 });
  const last = bases.at(-1);
  const before = bases.findLast((base) => last && base.cutOffDate < last.cutOffDate);
  if (!last || !before || before.currency !== last.currency) return null;
  const percent = shareOf(subtract(last.netBB, before.netBB), before.netBB);
  return percent === null ? null : { percent, from: before.cutOffDate };
}

/** How many documents two of the tabs list. */
async function countsOf(
  session: Session,
  { transaction: { id: transactionId }, note }: Opened,
  views: readonly TransactionView[],
) {
  const { actor } = session;
  const draws = can(actor, 'transactionDraw/read')
    ? (await listDraws(session, { filter: { note: note.id }, limit: 1 })).total
    : 0;
  const repayments = can(actor, 'repayments/read')
    ? (await listRepayments(session, { filter: { noteId: note.id }, limit: 1 })).total
    : 0;
  const documents = views.includes('documents')
    ? (await listFacilityDocuments(session, { transactionId }, { skip: 0, limit: 1 })).total
    : 0;
  return { draws: draws + repayments, documents };
}

/** A transaction with the note and the tab that the address asks for (by default the first of each). */
export const viewTransaction = (screen: Screen) =>
  screen.db(async (session) => {
    const { actor, params, url } = screen;
    // The address of a search for a mapping before there were tabs.
    if (url.searchParams.has('findMapping') && !url.searchParams.has('view')) {
      throw redirect(`${url.pathname}${url.search}&view=contract`);
    }
    const transaction = await getTransaction(session, params.id ?? '');
    const { notes } = transaction;
    const note = notes.find(({ id }) => id === url.searchParams.get('note')) ?? notes[0];
    if (!note) throw new Refusal('notFound');
    const withBases = can(actor, 'borrowingBase/read');
    const opened: Opened = {
      transaction,
      note,
      contracts: await contractVersions(session, transaction.id),
      utilizations: await utilizationOfNotes(session, [{ id: transaction.id, notes }], { withBases }),
      canWrite: can(actor, 'transactions/write') && transaction.status !== 'Closed',
    };
    const utilization = opened.utilizations.find(({ noteId }) => noteId === note.id);
    if (!utilization) throw new Refusal('notFound');
    const views = viewsOf(screen, opened);
    const view = viewOf(url, views);
    const companyNames = await companyNamesOf(session, [transaction.company]);
    const ofNote = opened.contracts.filter(({ noteId }) => noteId === note.id);
    const { contracts: _, ...terms } = note;
    const timeline = timelineInForce(note) ?? null;
    return {
      transaction: {
        ...pick(transaction, 'id', 'title', 'status', 'version', 'industries'),
        notes: notes.map(({ id, title }) => ({ id, title })),
      },
      isDebt: transaction.type.kind === 'debt',
      isBorrower: actor.type === 'company',
      type: transaction.type.kind === 'equity' ? transaction.type.equityType : transaction.type.loanType,
      companyName: companyNames.get(transaction.company) ?? null,
      note: terms,
      timeline,
      today: todayOf(session),
      utilization,
      movement: withBases ? await movementOf(session, note.id) : null,
      /** The version in force, or else the latest one. */
      contract: ofNote.find(({ status }) => status === 'Active') ?? ofNote[0] ?? null,
      views,
      counts: await countsOf(session, opened, views),
      mayRecordRepayment: can(actor, 'repayments/write') && actor.type !== 'company' && transaction.status !== 'Draft',
      mayInvoice: can(actor, 'repayments/write') && actor.type !== 'company' && transaction.status !== 'Draft',
      mayRequestDraw: can(actor, 'transactionDraw/write') && transaction.status === 'Active',
      canWrite: opened.canWrite,
      asksToClose: opened.canWrite && url.searchParams.get('confirm') === 'close',
      tab: { view, ...(await LOADERS[view](session, opened, screen)) } as Loaded,
    };
  });

export type TransactionPage = Awaited<ReturnType<typeof viewTransaction>>;
/** What a tab shows, with the page around it. */
export type FacilityTab<View extends TransactionView> = TransactionPage & { tab: Extract<Loaded, { view: View }> };
