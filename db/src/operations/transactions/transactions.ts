import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { TRANSACTION_TRANSITIONS, type TransactionStatus } from '@tapeline/domain/facilities/states.ts';
import {
  EQUITY_TYPE,
  type TransactionDocument,
  type TransactionNote,
  withMaxCommitments,
} from '@tapeline/domain/facilities/transaction.schema.ts';
import { CURRENCIES } from '@tapeline/domain/money/currencies.ts';
import { type Actor, isOutsider } from '@tapeline/domain/people/actor.ts';
import { staleRefusal } from '../../database-refusals.ts';
import { Covenant } from '../../entities/covenants.ts';
import { Deliverable } from '../../entities/deliverables.ts';
import { Contract, type StoredNote, Transaction } from '../../entities/lending.ts';
import { newId } from '../../ids.ts';
import { plainJson } from '../../plain-json.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { followNoteEdits, putDueInForce } from '../amendments/amended-notes.ts';
import { getCompany } from '../companies/companies.ts';
import { type ListField, listOf } from '../listing/define-lists.ts';
import { getDocument, listDocuments, type Page } from '../listing/list-documents.ts';
import { changedMetadata, createdMetadata, touchedMetadata } from '../metadata.ts';
import { requirePermission } from '../permission.ts';
import { requireCommitmentsKept } from './commitments-kept.ts';
import { draftWarnings } from './contract-fields.ts';
import {
  changesContracts,
  close,
  closedRefusal,
  contractDocument,
  contractsOf,
  findApplyingContract,
  selectContracts,
  writeContracts,
} from './contracts.ts';
import { checkReferences } from './references.ts';
import { withApprovals } from './tranche-approvals.ts';

export const TRANSACTIONS = listOf(
  'transactions',
  {
    companyName: '(select name from companies where companies.id = t.company_id)',
    industries: 'array(select jsonb_array_elements_text(t.industries))',
    'notes.count': 'jsonb_array_length(t.notes)',
    'notes.title': 't.note_titles',
    'notes.mainCurrency': 't.main_currency',
    'notes.priority.attachmentPoint': 't.attachment_point',
    'notes.priority.detachmentPoint': 't.detachment_point',
    'notes.tranches.title': 't.tranche_titles',
    'terms.interest.kind': 't.interest_kind',
    'terms.interest.baseRate': 't.base_rate',
    'terms.timeline.contractSigning': 't.contract_signing',
    'terms.timeline.maturity': 't.maturity',
  },
  {},
  [
    ...CURRENCIES.map(
      ({ code }): ListField => [
        `maxCommitments.${code}`,
        `Commitments in ${code}`,
        'decimal',
        `amount_in(t.max_commitments, '${code}')`,
        null,
      ],
    ),
  ],
);

/** A transaction as the API returns it, with contracts inside its notes. */
export type TransactionView = Omit<TransactionDocument, 'notes'> & {
  id: string;
  code: number;
  status: string;
  version: number;
  metadata: Transaction['metadata'];
  managerId: string;
  notes: (TransactionNote & { id: string })[];
  /** What is wrong with conditions of Draft contracts; only after a change. */
  warnings?: string[];
};

/** Users of a company do not see who holds its notes, nor how much of them the manager's funds may hold. */
const seesHoldings = (actor: Actor): boolean => actor.kind === 'system' || !isOutsider(actor.type);

function viewOf({ actor }: ReadSession, transaction: Transaction, contracts: readonly Contract[]): TransactionView {
  const isOpen = seesHoldings(actor);
  const { id, code, status, version, metadata, managerId, title, type, industries } = transaction;
  const kind =
    type === EQUITY_TYPE
      ? { kind: 'equity' as const, equityType: EQUITY_TYPE as typeof EQUITY_TYPE }
      : { kind: 'debt' as const, loanType: type };
  return {
    id,
    code,
    status,
    version,
    metadata,
    managerId,
    title,
    type: kind,
    industries,
    company: transaction.companyId,
    notes: transaction.notes.map((note) => ({
      ...note,
      ...(isOpen ? {} : { holdings: null }),
      contracts: contracts.filter((contract) => contract.noteId === note.id).map(contractDocument),
    })),
    maxCommitments: transaction.maxCommitments,
    managerMaxCommitments: isOpen ? transaction.managerMaxCommitments : [],
  };
}

const typeOf = (document: TransactionDocument): Transaction['type'] =>
  document.type.kind === 'equity' ? document.type.equityType : document.type.loanType;

/** The note as it is stored: with its id, without its contracts. */
function storedNote(note: TransactionNote, id: string): StoredNote {
  const { contracts, ...terms } = note;
  return plainJson({ ...terms, id });
}

async function writeNotes(
  session: Session,
  transaction: Transaction,
  notes: readonly (TransactionNote & { id: string })[],
): Promise<Contract[]> {
  const stored = await contractsOf(session, [transaction.id]);
  for (const [index, note] of notes.entries()) {
    await writeContracts(session, {
      note: {
        transactionId: transaction.id,
        noteId: note.id,
        managerId: transaction.managerId,
        companyId: transaction.companyId,
      },
      stored: stored.filter((contract) => contract.noteId === note.id),
      incoming: note.contracts,
      path: `notes.${index}.contracts`,
    });
  }
  return contractsOf(session, [transaction.id]);
}

/** Creates a transaction with its notes and their contracts. @param document as `transactionSchema` returns it */
export async function createTransaction(session: Session, document: TransactionDocument): Promise<TransactionView> {
  requirePermission(session, 'transactions/write');
  const company = await getCompany(session, document.company);
  await checkReferences(session, document, company.managerId);
  const whole = withMaxCommitments(document);
  const notes = withApprovals(
    session,
    whole.notes.map((note) => ({ ...note, id: newId(session.now) })),
  );
  const transaction = session.em.create(Transaction, {
    id: newId(session.now),
    managerId: company.managerId,
    companyId: company.id,
    title: whole.title,
    type: typeOf(whole),
    industries: whole.industries,
    notes: notes.map((note) => storedNote(note, note.id)),
    maxCommitments: whole.maxCommitments,
    managerMaxCommitments: whole.managerMaxCommitments,
    metadata: createdMetadata(session),
  });
  await session.em.flush();
  return withWarnings(session, viewOf(session, transaction, await writeNotes(session, transaction, notes)));
}

/**
 * Changes a transaction. Notes are matched by id; a note with a contract that was ever in force cannot be omitted.
 * @param command.status Closed closes the transaction with its Active contracts, once the other changes are made
 * @throws Refusal notFound; badRequest if the version is stale, an Active or Closed contract differs, or the transaction
 *   is Closed
 */
export async function updateTransaction(
  session: Session,
  command: { id: string; version: number; document: TransactionDocument; status?: TransactionStatus | undefined },
): Promise<TransactionView> {
  requirePermission(session, 'transactions/write');
  const transaction = await getDocument(session, TRANSACTIONS, command.id);
  if (transaction.version !== command.version) throw staleRefusal(transaction, command.version);
  const status = command.status ?? transaction.status;
  TRANSACTION_TRANSITIONS.enter(transaction.status, status);
  if (transaction.status === 'Closed') throw closedRefusal();
  if (transaction.companyId !== command.document.company) {
    throw new Refusal('badRequest', 'The borrower of a facility cannot change', {
      flags: { company: 'cannot change' },
    });
  }
  await checkReferences(session, command.document, transaction.managerId, transaction.notes);
  const whole = withMaxCommitments(command.document);
  const known = new Set(transaction.notes.map((note) => note.id));
  const identified = whole.notes.map((note, index) => {
    if (note.id && !known.has(note.id)) {
      throw new Refusal('badRequest', undefined, {
        flags: { [`notes.${index}.id`]: 'is not a note of this facility' },
      });
    }
    return { ...note, id: note.id ?? newId(session.now) };
  });
  const notes = withApprovals(session, identified, transaction.notes);
  await dropNotes(session, transaction, new Set(notes.map((note) => note.id)));
  const before = transaction.notes;
  transaction.status = status;
  transaction.title = whole.title;
  transaction.type = typeOf(whole);
  transaction.industries = whole.industries;
  transaction.notes = notes.map((note) => storedNote(note, note.id));
  transaction.maxCommitments = whole.maxCommitments;
  transaction.managerMaxCommitments = whole.managerMaxCommitments;
  // Its contracts are part of the document, so changing one raises the version as well.
  const isTouched = changesContracts(await contractsOf(session, [transaction.id]), notes);
  transaction.metadata = (isTouched ? touchedMetadata : changedMetadata)(session, transaction.metadata);
  // Update the transaction before its contracts: every change to a contract takes its locks in this order.
  await session.em.flush();
  await requireCommitmentsKept(session, before, transaction.notes);
  await followNoteEdits(session, transaction, before);
  await putDueInForce(session, transaction);
  const contracts = await writeNotes(session, transaction, notes);
  if (status === 'Closed') await endTerms(session, transaction, contracts);
  await session.em.flush();
  return withWarnings(session, viewOf(session, transaction, contracts));
}

async function withWarnings(session: Session, view: TransactionView): Promise<TransactionView> {
  const warnings = await draftWarnings(session, view.notes);
  return warnings.length > 0 ? { ...view, warnings } : view;
}

/**
 * No contract of a closed transaction is in force, no covenant is tested, and nothing is to be delivered. Its Drafts stay, and can no longer be
 * activated.
 */
async function endTerms(session: Session, transaction: Transaction, contracts: readonly Contract[]): Promise<void> {
  for (const contract of contracts) if (contract.status === 'Active') close(session, contract);
  const covenants = await session.em.find(Covenant, { transactionId: transaction.id, status: 'Active' });
  for (const covenant of covenants) {
    session.em.assign(covenant, { status: 'Disabled', metadata: changedMetadata(session, covenant.metadata) });
  }
  const deliverables = await session.em.find(Deliverable, { transactionId: transaction.id, status: 'Active' });
  for (const deliverable of deliverables) {
    session.em.assign(deliverable, { status: 'Disabled', metadata: changedMetadata(session, deliverable.metadata) });
  }
}

/**
 * Closes a transaction with its Active contracts, covenants and deliverables: no borrowing base is calculated for it any more.
 * @throws Refusal notFound; badRequest if the version is stale, or it is Closed
 */
export async function closeTransaction(session: Session, command: { id: string; version: number }): Promise<void> {
  requirePermission(session, 'transactions/write');
  const transaction = await getDocument(session, TRANSACTIONS, command.id);
  if (transaction.version !== command.version) throw staleRefusal(transaction, command.version);
  TRANSACTION_TRANSITIONS.require(transaction.status, 'Closed');
  transaction.status = 'Closed';
  transaction.metadata = changedMetadata(session, transaction.metadata);
  // Update the transaction before its contracts, as every change to a contract does.
  await session.em.flush();
  await endTerms(session, transaction, await contractsOf(session, [transaction.id]));
  await session.em.flush();
}

async function dropNotes(session: Session, transaction: Transaction, kept: ReadonlySet<string>): Promise<void> {
  const dropped = transaction.notes.filter(({ id }) => !kept.has(id));
  const used = await session.query<{ noteId: string }>(
    `select note_id as "noteId" from draws where note_id = any ($1)
     union select note_id from repayments where note_id = any ($1)`,
    [dropped.map(({ id }) => id)],
  );
  const drawn = dropped.find(({ id }) => used.some(({ noteId }) => noteId === id));
  if (drawn) {
    throw new Refusal('badRequest', `The note ${drawn.title} has draws or repayments and cannot be removed`, {
      flags: { notes: `must keep ${drawn.title}` },
    });
  }
  const tested = await session.em.findOne(Covenant, {
    noteId: { $in: dropped.map(({ id }) => id) },
    status: { $ne: 'Removed' },
  });
  if (tested) {
    const title = dropped.find(({ id }) => id === tested.noteId)?.title ?? '';
    throw new Refusal('badRequest', `The note ${title} has covenants. Remove them first`, {
      flags: { notes: `must keep ${title}` },
    });
  }
  const owed = await session.em.findOne(Deliverable, {
    noteId: { $in: dropped.map(({ id }) => id) },
    status: { $ne: 'Removed' },
  });
  if (owed) {
    const title = dropped.find(({ id }) => id === owed.noteId)?.title ?? '';
    throw new Refusal('badRequest', `The note ${title} has deliverables. Remove them first`, {
      flags: { notes: `must keep ${title}` },
    });
  }
  for (const contract of await contractsOf(session, [transaction.id])) {
    if (kept.has(contract.noteId)) continue;
    if (contract.status !== 'Draft') {
      const title = transaction.notes.find((note) => note.id === contract.noteId)?.title ?? contract.noteId;
      throw new Refusal('badRequest', `The note ${title} has had an active contract and cannot be removed`, {
        flags: { notes: `must keep ${title}` },
      });
    }
    session.em.remove(contract);
  }
}

/** A transaction that the actor can see, including contracts. @throws Refusal notFound */
export async function getTransaction(session: Session, id: string): Promise<TransactionView> {
  const transaction = await getDocument(session, TRANSACTIONS, id);
  return viewOf(session, transaction, await contractsOf(session, [transaction.id]));
}

export async function listTransactions(session: ReadSession, query: unknown = {}): Promise<Page<TransactionView>> {
  const { documents, total, rows } = await listDocuments(session, TRANSACTIONS, query, {
    statements: [selectContracts(session)],
  });
  const contracts = Map.groupBy(session.shapeOf(Contract).read(rows[0] ?? []), (contract) => contract.transactionId);
  return {
    total,
    documents: documents.map((transaction) => viewOf(session, transaction, contracts.get(transaction.id) ?? [])),
  };
}

/**
 * Removes a transaction (soft delete).
 * @throws Refusal notFound; badRequest if it has borrowing bases, draws, repayments, covenants, amendments or deliverables, or one of its contracts is Active
 */
export async function removeTransaction(session: Session, command: { id: string }): Promise<{ id: string }> {
  requirePermission(session, 'transactions/write');
  const transaction = await getDocument(session, TRANSACTIONS, command.id);
  const [used] = await session.query<{ by: string }>(
    `select 'borrowing bases' as by from borrowing_bases where transaction_id = $1 and status <> 'Removed'
     union all select 'draw requests' from draws where transaction_id = $1 and status <> 'Removed'
     union all select 'repayments' from repayments where transaction_id = $1 and status <> 'Removed'
     union all select 'covenants' from covenants where transaction_id = $1 and status <> 'Removed'
     union all select 'amendments' from amendments where transaction_id = $1 and status <> 'Removed'
     union all select 'deliverables' from deliverables where transaction_id = $1 and status <> 'Removed' limit 1`,
    [transaction.id],
  );
  if (used) {
    throw new Refusal('badRequest', `This facility has ${used.by}, so it cannot be removed. Close it instead`);
  }
  const active = (await contractsOf(session, [transaction.id])).some((contract) => contract.status === 'Active');
  if (active) throw new Refusal('badRequest', 'A contract of this facility is Active: close it first');
  TRANSACTION_TRANSITIONS.require(transaction.status, 'Removed');
  transaction.status = 'Removed';
  transaction.metadata = changedMetadata(session, transaction.metadata);
  await session.em.flush();
  return { id: transaction.id };
}

/** A note of the company with the contract that applies to a tape with this cut-off date. */
export interface ApplyingNote {
  transactionId: string;
  transactionTitle: string;
  noteId: string;
  noteTitle: string;
  note: StoredNote;
  /** Null if no contract applies. */
  contract: Contract | null;
}

/** Every note of the company's transactions, in order, with the contract that applies. */
export async function notesForTape(
  session: Session,
  command: { companyId: string; cutOffDate: string },
): Promise<ApplyingNote[]> {
  const transactions = await session.em.find(
    Transaction,
    // An equity investment has no borrowing base.
    { companyId: command.companyId, status: 'Active', type: { $ne: EQUITY_TYPE } },
    { orderBy: { code: 'asc' } },
  );
  const found: ApplyingNote[] = [];
  for (const transaction of transactions) {
    for (const note of transaction.notes) {
      found.push({
        transactionId: transaction.id,
        transactionTitle: transaction.title,
        noteId: note.id,
        noteTitle: note.title,
        note,
        contract: await findApplyingContract(session, { noteId: note.id, cutOffDate: command.cutOffDate }),
      });
    }
  }
  return found;
}

/** The currencies of the visible commitments, for a filter that offers them. */
export async function commitmentCurrencies(session: ReadSession): Promise<string[]> {
  const rows = await session.query<{ currency: string }>(
    `select distinct amount ->> 'currency' as currency
     from transactions, jsonb_array_elements(max_commitments) as amount where status <> 'Removed' order by 1`,
  );
  return rows.map(({ currency }) => currency);
}
