import { listBorrowingBaseFigures } from '@tapeline/db/operations/borrowing-bases/borrowing-base-figures.ts';
import { companyNamesOf } from '@tapeline/db/operations/companies/company-choices.ts';
import { listDraws } from '@tapeline/db/operations/draws/draw-views.ts';
import { entitiesOf } from '@tapeline/db/operations/entities/entities.ts';
import { fundTitlesOf } from '@tapeline/db/operations/funds/funds.ts';
import { mappingChoices } from '@tapeline/db/operations/mappings/mappings.ts';
import { contractsOf } from '@tapeline/db/operations/transactions/contracts.ts';
import { utilizationOfNotes } from '@tapeline/db/operations/transactions/note-utilization.ts';
import { getTransaction } from '@tapeline/db/operations/transactions/transactions.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { type TransactionNote, timelineInForce } from '@tapeline/domain/facilities/transaction.schema.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { documentHistory } from '../../../commands/history.server.ts';
import { countsOf } from '../../../components/forms/choice-search.tsx';
import type { Screen } from '../../../http/screen.server.ts';
import { DOCUMENTS_SHOWN } from '../../documents/document-section.tsx';
import { findDocuments } from '../../documents/documents.server.ts';
import { termsOf } from '../contracts/contract-page.server.ts';
import { viewStanding } from './standing.server.ts';

/** Draws on the page; the list has all. */
const MAX_DRAWS = 10;

/** The entities that advise on a note or receive its fees. */
const entitiesIn = ({ counselsCompany, counselsManager, terms, tranches }: TransactionNote): string[] => [
  ...(counselsCompany ?? []),
  ...(counselsManager ?? []),
  ...[terms, ...tranches.map((tranche) => tranche.terms)].flatMap((one) =>
    (one?.fees ?? []).flatMap(({ payee }) => (payee && 'entity' in payee ? [payee.entity] : [])),
  ),
];

/** One transaction with the note named in the address (by default the first). */
export async function viewTransaction({ db, params, url, actor }: Screen) {
  const canReadBases = can(actor, 'borrowingBase/read');
  return db(async (session) => {
    const { managerId, ...transaction } = await getTransaction(session, params.id ?? '');
    const note = transaction.notes.find((other) => other.id === url.searchParams.get('note')) ?? transaction.notes[0];
    if (!note) throw new Refusal('notFound');
    const series = canReadBases ? await listBorrowingBaseFigures(session, { noteIds: [note.id] }) : [];
    const { notes } = transaction;
    const utilizations = await utilizationOfNotes(session, [{ id: transaction.id, notes }], {
      withBases: canReadBases,
    });
    const utilization = utilizations.find(({ noteId }) => noteId === note.id);
    if (!utilization) throw new Refusal('notFound');
    const standing = await viewStanding(session, { managerId, note });
    const everyContract = await contractsOf(session, [transaction.id]);
    const contracts = everyContract.filter((other) => other.noteId === note.id);
    const contractIds = everyContract.map(({ id }) => id);
    const companyNames = await companyNamesOf(session, [transaction.company]);
    const heldFunds = can(actor, 'funds/read') ? (note.holdings ?? []).flatMap(({ fund }) => fund ?? []) : [];
    const fundTitles = await fundTitlesOf(session, heldFunds);
    const entities = can(actor, 'entities/read') ? await entitiesOf(session, entitiesIn(note)) : new Map();
    const canWrite = can(actor, 'transactions/write') && transaction.status !== 'Closed';
    // Only a note's first contract is created here, and only that one has to choose a mapping.
    const mappings =
      canWrite && contracts.length === 0 && can(actor, 'assets/ETL/read')
        ? await mappingChoices(session, {
            companyIds: [transaction.company],
            search: url.searchParams.get('findMapping'),
          })
        : null;
    const draws = can(actor, 'transactionDraw/read')
      ? await listDraws(session, { filter: { note: note.id }, limit: MAX_DRAWS })
      : null;
    const { contracts: _, ...terms } = note;
    return {
      transaction: {
        ...pick(transaction, 'id', 'title', 'status', 'version', 'industries'),
        notes: notes.map(({ id, title }) => ({ id, title })),
      },
      isDebt: transaction.type.kind === 'debt',
      type: transaction.type.kind === 'equity' ? transaction.type.equityType : transaction.type.loanType,
      companyName: companyNames.get(transaction.company) ?? null,
      note: terms,
      entityNames: Object.fromEntries([...entities].map(([id, { name }]) => [id, String(name)])),
      timeline: timelineInForce(note) ?? null,
      today: session.now.toISOString().slice(0, 10),
      stack: notes.flatMap(({ id, title, priority }) => {
        const figures = utilizations.find(({ noteId }) => noteId === id);
        return figures ? [{ id, title, priority: priority ?? null, utilization: figures }] : [];
      }),
      priority: note.priority ?? null,
      utilization,
      standing,
      mayRecordRepayment: can(actor, 'repayments/write') && actor.type !== 'company' && transaction.status !== 'Draft',
      mayReadRepayments: can(actor, 'repayments/read'),
      series,
      contracts: contracts.toReversed().map((contract) => {
        const body = termsOf(contract);
        return {
          ...pick(contract, 'id', 'revision', 'status', 'cutOffDate'),
          title: body.title ?? '',
          activatedAt: contract.activatedAt?.toISOString() ?? null,
          closedAt: contract.closedAt?.toISOString() ?? null,
          ruleCount: body.eligibilityRules.length + body.performanceRules.length + body.concentrationRules.length,
        };
      }),
      holdings: (note.holdings ?? []).map((holding) => ({
        name: holding.holding ?? fundTitles.get(holding.fund ?? '') ?? 'A fund you don’t have access to',
        ...pick(holding, 'targetPercentage', 'actualPercentage'),
      })),
      draws: draws && {
        total: draws.total,
        rows: draws.documents.map((draw) => ({
          ...pick(draw, 'id', 'code', 'status', 'cutOffDate', 'dueDate'),
          amount: draw.amountInMainCurrency ?? null,
        })),
      },
      documents: await findDocuments(session, { transaction: transaction.id }, { skip: 0, limit: DOCUMENTS_SHOWN }),
      mayRequestDraw: can(actor, 'transactionDraw/write'),
      canReadBases,
      canWrite,
      // A note with draws, repayments or a contract that was ever active stays, and so does the last one.
      mayRemoveNote:
        canWrite &&
        notes.length > 1 &&
        utilization.balance === null &&
        contracts.every(({ activatedAt }) => !activatedAt) &&
        (draws?.total ?? 0) === 0,
      asksToClose: canWrite && url.searchParams.get('confirm') === 'close',
      mappings: mappings?.choices ?? [],
      mappingCounts: mappings && countsOf(mappings),
      history: await documentHistory(
        session,
        [
          { resource: 'transactions', ids: [transaction.id] },
          { resource: 'contracts', ids: contractIds },
        ],
        url.searchParams,
      ),
    };
  });
}

export type TransactionPage = Awaited<ReturnType<typeof viewTransaction>>;
