import { isDeepStrictEqual } from 'node:util';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import {
  applyingContract,
  MAX_CONTRACTS_PER_NOTE,
  type TransactionContract,
  transactionContractSchema,
} from '@tapeline/domain/facilities/contract.schema.ts';
import { Contract, Mapping, Transaction } from '../../entities/lending.ts';
import { isId, newId } from '../../ids.ts';
import { type Session, staleRefusal } from '../../store.ts';
import { defineListable, getDocument } from '../listing/list-documents.ts';
import { changedMetadata, createdMetadata } from '../metadata.ts';
import { requirePermission } from '../permission.ts';

export const CONTRACTS = defineListable(Contract, 'contracts', [
  ['transaction', 'Transaction', 'text', 't.transaction_id'],
  ['note', 'Note', 'text', 't.note_id'],
  ['company', 'Company', 'text', 't.company_id'],
  ['cutOffDate', 'Cut-off date', 'date', 't.cut_off_date'],
]);

/** Where a contract stands: the note of a transaction in sight. */
export interface NoteOfTransaction {
  transactionId: string;
  noteId: string;
  managerId: string;
  companyId: string;
}

/** The stored contract as its schema has it, with the id, status and version that it stands under. */
export function contractDocument(contract: Contract): TransactionContract & { id: string; version: number } {
  return {
    ...(contract.body as Omit<TransactionContract, 'cutOffDate' | 'assetsETL' | 'status'>),
    id: contract.id,
    version: contract.version,
    cutOffDate: contract.cutOffDate,
    assetsETL: contract.mappingId ?? '',
    status: contract.status,
  };
}

/** What of a contract is its own, and not the row's. */
function bodyOf(contract: TransactionContract): Record<string, unknown> {
  const { id, version, cutOffDate, assetsETL, status, ...body } = contract;
  return plain(body);
}

/** As JSON keeps it: what is undefined is not there. */
const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

const sameTerms = (stored: Contract, incoming: TransactionContract): boolean =>
  stored.cutOffDate === incoming.cutOffDate &&
  stored.mappingId === incoming.assetsETL &&
  isDeepStrictEqual(bodyOf(contractDocument(stored)), bodyOf(incoming));

export async function contractsOf(session: Session, transactionIds: readonly string[]): Promise<Contract[]> {
  return session.em.find(
    Contract,
    { transactionId: { $in: [...transactionIds] } },
    { orderBy: [{ noteId: 'asc' }, { revision: 'asc' }] },
  );
}

/** A contract in sight. @throws Refusal notFound */
export const getContract = (session: Session, id: string): Promise<Contract> => getDocument(session, CONTRACTS, id);

async function nextRevision(session: Session, noteId: string): Promise<number> {
  await session.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`note/${noteId}`]);
  const [latest] = await session.query<{ revision: number; count: number }>(
    'select coalesce(max(revision), 0)::int as revision, count(*)::int as count from contracts where note_id = $1',
    [noteId],
  );
  if ((latest?.count ?? 0) >= MAX_CONTRACTS_PER_NOTE) {
    throw new Refusal('badRequest', `A note has at most ${MAX_CONTRACTS_PER_NOTE} contracts`);
  }
  return (latest?.revision ?? 0) + 1;
}

/**
 * A contract travels inside its transaction: whoever has the transaction open must not write it back as it was before.
 * Taken before any lock of the note, as a change of the whole transaction does, so that neither waits for the other.
 */
async function touchTransaction(session: Session, transactionId: string): Promise<void> {
  requirePermission(session, 'transactions/write');
  const rows = await session.query(
    `update transactions set version = version + 1 where id = $1 and status <> 'Removed' returning id`,
    [transactionId],
  );
  if (rows.length === 0) throw new Refusal('notFound');
}

/** The mapping must be one of the company, in sight. @param path of its field, for the flag */
async function checkMapping(session: Session, companyId: string, mappingId: string, path: string): Promise<void> {
  const mapping = await session.em.findOne(Mapping, { id: mappingId, companyId, status: { $ne: 'Removed' } });
  if (mapping) return;
  throw new Refusal('badRequest', 'This mapping is not one of the company', {
    flags: { [path]: 'is not a mapping of this company' },
  });
}

/**
 * A new Draft of the note.
 * @param command.contract as `transactionContractSchema` gives it; its status and id are left aside
 * @throws Refusal forbidden; notFound; badRequest for another company's mapping, or beyond 200 contracts of the note
 */
export async function createContract(
  session: Session,
  command: { note: NoteOfTransaction; contract: TransactionContract },
): Promise<Contract> {
  await touchTransaction(session, command.note.transactionId);
  return addContract(session, { ...command, path: '' });
}

/**
 * A note's contract by the note's id alone, as a form has it.
 * @throws as createContract does; notFound where the note is not of a transaction in sight
 */
export async function createFirstContract(
  session: Session,
  command: { transactionId: string; noteId: string; contract: TransactionContract },
): Promise<Contract> {
  const transaction = isId(command.transactionId)
    ? await session.em.findOne(Transaction, { id: command.transactionId, status: { $ne: 'Removed' } })
    : null;
  if (!transaction?.notes.some((note) => note.id === command.noteId)) throw new Refusal('notFound');
  const { managerId, companyId } = transaction;
  const note = { transactionId: transaction.id, noteId: command.noteId, managerId, companyId };
  return createContract(session, { note, contract: command.contract });
}

async function addContract(
  session: Session,
  command: { note: NoteOfTransaction; contract: TransactionContract; path: string },
): Promise<Contract> {
  await checkMapping(session, command.note.companyId, command.contract.assetsETL, `${command.path}assetsETL`);
  const contract = session.em.create(Contract, {
    id: newId(session.now),
    status: 'Draft',
    ...command.note,
    revision: await nextRevision(session, command.note.noteId),
    cutOffDate: command.contract.cutOffDate,
    mappingId: command.contract.assetsETL,
    body: bodyOf(command.contract),
    metadata: createdMetadata(session),
  });
  await session.em.flush();
  return contract;
}

/** Changes a Draft. @throws Refusal badRequest for an Active or Closed one, or where the version is not the latest */
export async function editContract(
  session: Session,
  command: { id: string; version: number; contract: TransactionContract },
): Promise<Contract> {
  const { transactionId } = await getContract(session, command.id);
  await touchTransaction(session, transactionId);
  const stored = await session.em.refresh(await getContract(session, command.id));
  if (!stored) throw new Refusal('notFound');
  if (stored.version !== command.version) throw staleRefusal();
  if (stored.status !== 'Draft') throw fixedRefusal(stored);
  await writeTerms(session, stored, command.contract, '');
  await session.em.flush();
  return stored;
}

async function writeTerms(
  session: Session,
  stored: Contract,
  contract: TransactionContract,
  path: string,
): Promise<void> {
  if (sameTerms(stored, contract)) return;
  if (stored.mappingId !== contract.assetsETL) {
    await checkMapping(session, stored.companyId, contract.assetsETL, `${path}assetsETL`);
  }
  stored.cutOffDate = contract.cutOffDate;
  stored.mappingId = contract.assetsETL;
  stored.body = bodyOf(contract);
  stored.metadata = changedMetadata(session, stored.metadata);
}

const fixedRefusal = (stored: Contract, path?: string) =>
  new Refusal('badRequest', `The contract is ${stored.status} and is never edited. Make a new version instead.`, {
    flags: { [path ?? 'contract']: `is ${stored.status}: it must equal what is stored` },
  });

/**
 * Puts a Draft into force (Draft -> Active). The note's Active contract of the same cut-off date is Closed by it, in the
 * same step; doing it again changes nothing.
 * @throws Refusal notFound; badRequest for a Closed one, naming the two states
 */
export async function activateContract(session: Session, command: { id: string; version?: number }): Promise<Contract> {
  await touchTransaction(session, (await getContract(session, command.id)).transactionId);
  return activate(session, command);
}

async function activate(session: Session, command: { id: string; version?: number }): Promise<Contract> {
  const contract = await getContract(session, command.id);
  await session.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`note/${contract.noteId}`]);
  await session.em.refresh(contract);
  if (contract.status === 'Active') return contract;
  if (contract.status === 'Closed') throw new Refusal('badRequest', 'A contract cannot go from Closed to Active');
  if (command.version !== undefined && contract.version !== command.version) throw staleRefusal();
  const predecessor = await session.em.findOne(Contract, {
    noteId: contract.noteId,
    cutOffDate: contract.cutOffDate,
    status: 'Active',
  });
  if (predecessor) {
    close(session, predecessor);
    // Closed before the next is Active: never two at once.
    await session.em.flush();
  }
  contract.status = 'Active';
  contract.activatedAt = session.now;
  contract.metadata = changedMetadata(session, contract.metadata);
  await session.em.flush();
  return contract;
}

function close(session: Session, contract: Contract): void {
  contract.status = 'Closed';
  contract.closedAt = session.now;
  contract.metadata = changedMetadata(session, contract.metadata);
}

/** Takes an Active contract out of force. @throws Refusal badRequest for a Draft, naming the two states */
export async function closeContract(session: Session, command: { id: string }): Promise<Contract> {
  const contract = await getContract(session, command.id);
  await touchTransaction(session, contract.transactionId);
  await session.em.refresh(contract);
  if (contract.status === 'Draft') throw new Refusal('badRequest', 'A contract cannot go from Draft to Closed');
  if (contract.status === 'Active') close(session, contract);
  await session.em.flush();
  return contract;
}

/** Deletes a Draft that was never in force. */
export async function deleteDraft(session: Session, command: { id: string }): Promise<void> {
  const contract = await getContract(session, command.id);
  await touchTransaction(session, contract.transactionId);
  await session.em.refresh(contract);
  if (contract.status !== 'Draft') throw fixedRefusal(contract);
  session.em.remove(contract);
  await session.em.flush();
}

/** A new Draft with the terms of another contract of the same note: how an Active one is amended. */
export async function copyContract(session: Session, command: { id: string }): Promise<Contract> {
  const source = await getContract(session, command.id);
  const { transactionId, noteId, managerId, companyId } = source;
  const contract = transactionContractSchema.parse(contractDocument(source));
  return createContract(session, { note: { transactionId, noteId, managerId, companyId }, contract });
}

/**
 * Brings a note's stored contracts to what a body holds, compared by id: drafts are made, changed and (where left out)
 * deleted, a Draft sent as Active is activated; an Active or Closed one must equal what is stored.
 * @param path of the note's contracts in the body, for flags
 */
export async function writeContracts(
  session: Session,
  command: {
    note: NoteOfTransaction;
    stored: readonly Contract[];
    incoming: readonly TransactionContract[];
    path: string;
  },
): Promise<void> {
  const storedById = new Map(command.stored.map((contract) => [contract.id, contract]));
  for (const [index, incoming] of command.incoming.entries()) {
    const path = `${command.path}.${index}`;
    const stored = incoming.id ? storedById.get(incoming.id) : undefined;
    if (incoming.id && !stored) {
      throw new Refusal('badRequest', undefined, { flags: { [`${path}.id`]: 'is not a contract of this note' } });
    }
    if (!stored) {
      if (incoming.status === 'Closed') {
        throw new Refusal('badRequest', 'A new contract cannot be Closed', {
          flags: { [`${path}.status`]: 'is Closed' },
        });
      }
      const made = await addContract(session, { note: command.note, contract: incoming, path: `${path}.` });
      if (incoming.status === 'Active') await activate(session, { id: made.id });
      continue;
    }
    storedById.delete(stored.id);
    if (stored.status !== 'Draft') {
      const closing = stored.status === 'Active' && incoming.status === 'Closed';
      if (!sameTerms(stored, incoming) || (incoming.status !== stored.status && !closing)) {
        throw fixedRefusal(stored, path);
      }
      if (closing) close(session, stored);
      continue;
    }
    if (incoming.status === 'Closed') throw new Refusal('badRequest', 'A contract cannot go from Draft to Closed');
    if (incoming.version !== undefined && incoming.version !== stored.version) throw staleRefusal();
    await writeTerms(session, stored, incoming, `${path}.`);
    await session.em.flush();
    if (incoming.status === 'Active') await activate(session, { id: stored.id });
  }
  for (const left of storedById.values()) {
    if (left.status === 'Draft') session.em.remove(left);
  }
  await session.em.flush();
}

/** The contract that applies to a note at a tape's cut-off date: Active, the latest not after it. Null where none does. */
export async function findApplyingContract(
  session: Session,
  command: { noteId: string; cutOffDate: string },
): Promise<Contract | null> {
  const contracts = await session.em.find(Contract, { noteId: command.noteId, status: 'Active' });
  return applyingContract(contracts, command.cutOffDate) ?? null;
}
