import { amendmentsOfNote } from '@tapeline/db/operations/amendments/amendments.ts';
import { termsOnDay } from '@tapeline/db/operations/amendments/terms-on-day.ts';
import { covenantTitles } from '@tapeline/db/operations/covenants/pricing-tests.ts';
import { listDraws } from '@tapeline/db/operations/draws/draw-views.ts';
import { entitiesOf } from '@tapeline/db/operations/entities/entities.ts';
import { fundTitlesOf } from '@tapeline/db/operations/funds/funds.ts';
import { mappingChoices } from '@tapeline/db/operations/mappings/mappings.ts';
import { contractsOf } from '@tapeline/db/operations/transactions/contracts.ts';
import type { Session } from '@tapeline/db/store.ts';
import { todayOf } from '@tapeline/db/today.ts';
import { calendarDateSchema } from '@tapeline/domain/dates/calendar-date.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { pricingCovenants } from '@tapeline/domain/facilities/priced-by.ts';
import type { TransactionNote } from '@tapeline/domain/facilities/transaction.schema.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { documentHistory } from '../../../commands/history.server.ts';
import { countsOf } from '../../../components/forms/choice-search.tsx';
import { skipOf } from '../../../components/page/skip.ts';
import type { Screen } from '../../../http/screen.server.ts';
import { DOCUMENTS_SHOWN } from '../../documents/document-section.tsx';
import { findDocuments } from '../../documents/documents.server.ts';
import { termsOf } from '../contracts/contract-page.server.ts';
import type { Opened } from './opened-transaction.ts';

/** The contracts of the note, and what its first one can be created from. */
export async function readContractTab(session: Session, { transaction, note, canWrite }: Opened, { url }: Screen) {
  const contracts = (await contractsOf(session, [transaction.id])).filter(({ noteId }) => noteId === note.id);
  // Only a note's first contract is created here, and only that one has to choose a mapping.
  const mappings =
    canWrite && contracts.length === 0 && can(session.actor, 'assets/ETL/read')
      ? await mappingChoices(session, {
          companyIds: [transaction.company],
          search: url.searchParams.get('findMapping'),
        })
      : null;
  return {
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
    mappings: mappings?.choices ?? [],
    mappingCounts: mappings && countsOf(mappings),
  };
}

/** The entities that advise on a note or receive its fees. */
const entitiesIn = ({
  counselsCompany,
  counselsManager,
  terms,
  tranches,
}: Omit<TransactionNote, 'contracts'>): string[] => [
  ...(counselsCompany ?? []),
  ...(counselsManager ?? []),
  ...[terms, ...tranches.map((tranche) => tranche.terms)].flatMap((one) =>
    (one?.fees ?? []).flatMap(({ payee }) => (payee && 'entity' in payee ? [payee.entity] : [])),
  ),
];

/** The terms of the note and its tranches, its parties, and the capital stack. */
export async function readTermsTab(
  session: Session,
  { transaction: { id: transactionId, notes }, note, contracts, utilizations, canWrite }: Opened,
  { actor, url }: Screen,
) {
  const amendments = await amendmentsOfNote(session, note.id);
  const asked = calendarDateSchema.safeParse(url.searchParams.get('day'));
  const day = asked.success ? asked.data : todayOf(session);
  const version = await termsOnDay(session, { transaction: transactionId, note: note.id, day });
  const entities = can(actor, 'entities/read') ? await entitiesOf(session, entitiesIn(version.note)) : new Map();
  const heldFunds = can(actor, 'funds/read') ? (note.holdings ?? []).flatMap(({ fund }) => fund ?? []) : [];
  const fundTitles = await fundTitlesOf(session, heldFunds);
  const isUsed =
    utilizations.some(({ noteId, balance }) => noteId === note.id && balance !== null) ||
    contracts.some(({ noteId, wasActivated }) => noteId === note.id && wasActivated);
  // A note with draws, repayments or a contract that was ever active stays, and so does the last one.
  const mayRemoveNote =
    canWrite &&
    notes.length > 1 &&
    !isUsed &&
    (!can(actor, 'transactionDraw/read') ||
      (await listDraws(session, { filter: { note: note.id }, limit: 1 })).total === 0);
  return {
    termNames: {
      ...Object.fromEntries([...entities].map(([id, { name }]) => [id, String(name)])),
      ...(await covenantTitles(session, pricingCovenants(version.note))),
    },
    holdings: (note.holdings ?? []).map((holding) => ({
      name: holding.holding ?? fundTitles.get(holding.fund ?? '') ?? 'A fund you don’t have access to',
      ...pick(holding, 'targetPercentage', 'actualPercentage'),
    })),
    stack: notes.map(({ id, title, priority }) => ({ id, title, priority: priority ?? null })),
    mayRemoveNote,
    amendments: amendments.map((amendment) => ({
      ...pick(amendment, 'id', 'title', 'effectiveDate', 'changes'),
      isInForce: amendment.replaced != null,
      file: amendment.fileId ?? null,
    })),
    /** The terms of a day: of today unless another one was asked for. */
    onDay: {
      day,
      isAsked: asked.success,
      terms: version.note.terms ?? null,
      tranches: version.note.tranches.map(({ sequence, terms }) => ({ sequence, terms })),
      amendment: version.amendment?.title ?? null,
      from: version.from,
    },
  };
}

export const readDocumentsTab = async (session: Session, { transaction: { id } }: Opened, { url }: Screen) => ({
  documents: await findDocuments(
    session,
    { transaction: id },
    { skip: skipOf(url.searchParams), limit: DOCUMENTS_SHOWN },
  ),
});

export const readHistoryTab = async (
  session: Session,
  { transaction: { id }, contracts }: Opened,
  { url }: Screen,
) => ({
  history: await documentHistory(
    session,
    [
      { resource: 'transactions', ids: [id] },
      { resource: 'contracts', ids: contracts.map((contract) => contract.id) },
    ],
    url.searchParams,
  ),
});
