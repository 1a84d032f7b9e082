import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import {
  EQUITY_TYPE,
  type TransactionDocument,
  type TransactionNote,
  withMaxCommitments,
} from '@tapeline/domain/facilities/transaction.schema.ts';
import { type Contract, type StoredNote, Transaction } from '../../entities/lending.ts';
import { newId } from '../../ids.ts';
import { type Session, staleRefusal } from '../../store.ts';
import { defineListable, getDocument, listDocuments, type Page } from '../listing/list-documents.ts';
import { changedMetadata, createdMetadata } from '../metadata.ts';
import { getCompany } from '../people/people.ts';
import { requirePermission } from '../permission.ts';
import { contractDocument, contractsOf, findApplyingContract, writeContracts } from './contracts.ts';

export const TRANSACTIONS = defineListable(Transaction, 'transactions', [
  ['title', 'Title', 'text', 't.title'],
  ['type', 'Type', 'text', 't.type'],
  ['company', 'Company', 'text', 't.company_id'],
]);

/** A transaction as the wire has it: contracts inside its notes. */
export type TransactionView = Omit<TransactionDocument, 'notes'> & {
  id: string;
  code: number;
  status: string;
  version: number;
  metadata: Transaction['metadata'];
  managerId: string;
  notes: (TransactionNote & { id: string })[];
};

function viewOf(transaction: Transaction, contracts: readonly Contract[]): TransactionView {
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
      ...(note as unknown as TransactionNote & { id: string }),
      contracts: contracts.filter((contract) => contract.noteId === note.id).map(contractDocument),
    })),
    maxCommitments: transaction.maxCommitments as TransactionDocument['maxCommitments'],
    managerMaxCommitments: transaction.managerMaxCommitments as TransactionDocument['managerMaxCommitments'],
  };
}

const typeOf = (document: TransactionDocument): Transaction['type'] =>
  document.type.kind === 'equity' ? document.type.equityType : document.type.loanType;

/** The note as it is stored: with its id, without its contracts. */
function storedNote(note: TransactionNote, id: string): StoredNote {
  const { contracts, ...terms } = note;
  return JSON.parse(JSON.stringify({ ...terms, id })) as StoredNote;
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

/** Makes a transaction with its notes and their contracts. @param document as `transactionSchema` gives it */
export async function createTransaction(session: Session, document: TransactionDocument): Promise<TransactionView> {
  requirePermission(session, 'transactions/write');
  const company = await getCompany(session, document.company);
  const whole = withMaxCommitments(document);
  const notes = whole.notes.map((note) => ({ ...note, id: newId(session.now) }));
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
  return viewOf(transaction, await writeNotes(session, transaction, notes));
}

/**
 * Changes a transaction. Notes are compared by id; a note with a contract that was ever in force cannot be left out.
 * @throws Refusal notFound; badRequest where the version is stale or an Active or Closed contract differs
 */
export async function updateTransaction(
  session: Session,
  command: { id: string; version: number; document: TransactionDocument },
): Promise<TransactionView> {
  requirePermission(session, 'transactions/write');
  const transaction = await getDocument(session, TRANSACTIONS, command.id);
  if (transaction.version !== command.version) throw staleRefusal();
  if (transaction.companyId !== command.document.company) {
    throw new Refusal('badRequest', 'A transaction stays with its company', { flags: { company: 'cannot change' } });
  }
  const whole = withMaxCommitments(command.document);
  const known = new Set(transaction.notes.map((note) => note.id));
  const notes = whole.notes.map((note, index) => {
    if (note.id && !known.has(note.id)) {
      throw new Refusal('badRequest', undefined, {
        flags: { [`notes.${index}.id`]: 'is not a note of this transaction' },
      });
    }
    return { ...note, id: note.id ?? newId(session.now) };
  });
  await dropNotes(session, transaction, new Set(notes.map((note) => note.id)));
  transaction.title = whole.title;
  transaction.type = typeOf(whole);
  transaction.industries = whole.industries;
  transaction.notes = notes.map((note) => storedNote(note, note.id));
  transaction.maxCommitments = whole.maxCommitments;
  transaction.managerMaxCommitments = whole.managerMaxCommitments;
  transaction.metadata = changedMetadata(session, transaction.metadata);
  // Before its contracts, in the order in which every change of a contract takes its locks.
  await session.em.flush();
  const contracts = await writeNotes(session, transaction, notes);
  await session.em.flush();
  return viewOf(transaction, contracts);
}

async function dropNotes(session: Session, transaction: Transaction, kept: ReadonlySet<string>): Promise<void> {
  for (const contract of await contractsOf(session, [transaction.id])) {
    if (kept.has(contract.noteId)) continue;
    if (contract.status !== 'Draft') {
      const title = transaction.notes.find((note) => note.id === contract.noteId)?.title ?? contract.noteId;
      throw new Refusal('badRequest', `The note ${title} has had a contract in force and cannot be removed`, {
        flags: { notes: `must keep ${title}` },
      });
    }
    session.em.remove(contract);
  }
}

/** A transaction in sight, contracts included. @throws Refusal notFound */
export async function getTransaction(session: Session, id: string): Promise<TransactionView> {
  const transaction = await getDocument(session, TRANSACTIONS, id);
  return viewOf(transaction, await contractsOf(session, [transaction.id]));
}

export async function listTransactions(session: Session, query: unknown = {}): Promise<Page<TransactionView>> {
  const page = await listDocuments(session, TRANSACTIONS, query);
  const ids = page.documents.map((transaction) => transaction.id);
  const contracts = await contractsOf(session, ids);
  return {
    total: page.total,
    documents: page.documents.map((transaction) =>
      viewOf(
        transaction,
        contracts.filter((contract) => contract.transactionId === transaction.id),
      ),
    ),
  };
}

/** Removes a transaction (soft). @throws Refusal badRequest while one of its contracts is Active */
export async function removeTransaction(session: Session, command: { id: string }): Promise<{ id: string }> {
  requirePermission(session, 'transactions/write');
  const transaction = await getDocument(session, TRANSACTIONS, command.id);
  const active = (await contractsOf(session, [transaction.id])).some((contract) => contract.status === 'Active');
  if (active) throw new Refusal('badRequest', 'A contract of this transaction is Active: close it first');
  transaction.status = 'Removed';
  transaction.metadata = changedMetadata(session, transaction.metadata);
  await session.em.flush();
  return { id: transaction.id };
}

/** A note of the company with the contract that applies to a tape of this cut-off date. */
export interface ApplyingNote {
  transactionId: string;
  transactionTitle: string;
  noteId: string;
  noteTitle: string;
  note: TransactionNote & { id: string };
  /** Null where no contract applies. */
  contract: Contract | null;
}

/** Every note of the company's transactions, in order, with its applying contract. */
export async function notesForTape(
  session: Session,
  command: { companyId: string; cutOffDate: string },
): Promise<ApplyingNote[]> {
  const transactions = await session.em.find(
    Transaction,
    { companyId: command.companyId, status: 'Active' },
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
        note: note as unknown as ApplyingNote['note'],
        contract: await findApplyingContract(session, { noteId: note.id, cutOffDate: command.cutOffDate }),
      });
    }
  }
  return found;
}
