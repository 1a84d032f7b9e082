import { isDeepStrictEqual } from 'node:util';
import { isId } from '@tapeline/domain/documents/id.schema.ts';
import { Refusal, refuseIssues } from '@tapeline/domain/errors/refusal.ts';
import {
  applyingContract,
  type ContractBody,
  DEFAULT_LIMIT_OVERLAP,
  MAX_CONTRACTS_PER_NOTE,
  type TransactionContract,
  transactionContractSchema,
} from '@tapeline/domain/facilities/contract.schema.ts';
import { CONTRACT_TRANSITIONS, type TransactionStatus } from '@tapeline/domain/facilities/states.ts';
import { staleRefusal } from '../../database-refusals.ts';
import { Contract, Mapping, Transaction } from '../../entities/lending.ts';
import { newId } from '../../ids.ts';
import { plainJson } from '../../plain-json.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { listOf } from '../listing/define-lists.ts';
import { getDocument, type Page } from '../listing/list-documents.ts';
import { changedMetadata, createdMetadata } from '../metadata.ts';
import { requirePermission } from '../permission.ts';
import { requireKnownFields } from './contract-fields.ts';

export const CONTRACTS = listOf('contracts', {});

/** The location of a contract: a note of a transaction that the actor can see. */
export interface NoteOfTransaction {
  transactionId: string;
  noteId: string;
  managerId: string;
  companyId: string;
}

/** The stored contract in the form of its schema, with its stored id, status and version. */
export function contractDocument(contract: Contract): TransactionContract & { id: string; version: number } {
  return {
    ...contract.body,
    // Contracts stored before the setting existed do not have it.
    overlap: contract.body.overlap ?? DEFAULT_LIMIT_OVERLAP,
    id: contract.id,
    version: contract.version,
    cutOffDate: contract.cutOffDate,
    assetsETL: contract.mappingId ?? '',
    status: contract.status,
  };
}

/** The part of a contract that is stored in `body` rather than in columns. */
function bodyOf(contract: TransactionContract): ContractBody {
  const { id, version, cutOffDate, assetsETL, status, ...body } = contract;
  return plainJson(body);
}

const sameTerms = (stored: Contract, incoming: TransactionContract): boolean =>
  stored.cutOffDate === incoming.cutOffDate &&
  stored.mappingId === incoming.assetsETL &&
  isDeepStrictEqual(bodyOf(contractDocument(stored)), bodyOf(incoming));

/** Whether writing the notes would add, change, close or remove a contract. */
export function changesContracts(
  stored: readonly Contract[],
  notes: readonly { readonly contracts: readonly TransactionContract[] }[],
): boolean {
  const incoming = notes.flatMap(({ contracts }) => contracts);
  const byId = new Map(stored.map((contract) => [contract.id, contract]));
  const isSame = (contract: TransactionContract): boolean => {
    const known = contract.id === undefined ? undefined : byId.get(contract.id);
    return known !== undefined && known.status === contract.status && sameTerms(known, contract);
  };
  const ids = new Set(incoming.map(({ id }) => id));
  return !incoming.every(isSame) || stored.some(({ id, status }) => status === 'Draft' && !ids.has(id));
}

export async function contractsOf(session: Session, transactionIds: readonly string[]): Promise<Contract[]> {
  return session.em.find(
    Contract,
    { transactionId: { $in: [...transactionIds] } },
    { orderBy: [{ noteId: 'asc' }, { revision: 'asc' }] },
  );
}

/** A contract without its terms. */
export interface ContractVersion {
  readonly id: string;
  readonly noteId: string;
  readonly revision: number;
  readonly status: string;
  readonly wasActivated: boolean;
}

/** The visible contracts of a transaction without their terms, the latest of each note first. */
export const contractVersions = (session: ReadSession, transactionId: string): Promise<ContractVersion[]> =>
  session.query<ContractVersion>(
    `select id, note_id as "noteId", revision, status, activated_at is not null as "wasActivated"
     from contracts where transaction_id = $1 and status <> 'Removed' order by note_id, revision desc`,
    [transactionId],
  );

/** SQL that reads the contracts of a page of transactions, by note and revision. */
export const selectContracts = (session: ReadSession): string =>
  `select ${session.shapeOf(Contract).columns} from contracts t where t.transaction_id = any (array(select id from page))
   order by t.note_id, t.revision`;

/** A page of the visible contracts of transactions that are not removed, newest version of each note first. */
export async function listContracts(
  session: Session,
  command: { skip: number; limit: number },
): Promise<Page<Contract>> {
  const shown = `contracts c join transactions t on t.id = c.transaction_id and t.status <> 'Removed'`;
  const [counted] = await session.query<{ total: number }>(`select count(*)::int as total from ${shown}`);
  const page = await session.query<{ id: string }>(
    `select c.id from ${shown} order by c.note_id desc, c.revision desc offset $1 limit $2`,
    [command.skip, command.limit],
  );
  const documents = await session.em.find(
    Contract,
    { id: { $in: page.map(({ id }) => id) } },
    { orderBy: [{ noteId: 'desc' }, { revision: 'desc' }] },
  );
  return { documents, total: counted?.total ?? 0 };
}

/** The newest drafts that the actor may change, and how many there are. */
export async function draftContracts(
  session: Session,
  limit: number,
): Promise<{ drafts: Pick<Contract, 'id' | 'revision' | 'noteId' | 'transactionId'>[]; total: number }> {
  requirePermission(session, 'transactions/write');
  const rows = await session.query<{
    id: string;
    revision: number;
    noteId: string;
    transactionId: string;
    total: number;
  }>(
    `select c.id, c.revision, c.note_id as "noteId", c.transaction_id as "transactionId", (count(*) over ())::int as total
     from contracts c join transactions t on t.id = c.transaction_id and t.status not in ('Removed', 'Closed')
     where c.status = 'Draft' order by c.id desc limit $1`,
    [limit],
  );
  return { drafts: rows.map(({ total: _, ...draft }) => draft), total: rows[0]?.total ?? 0 };
}

/** A visible contract. @throws Refusal notFound */
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
 * A contract is part of its transaction's document, so a client that has loaded the transaction must not overwrite the
 * contract with an old version. This runs before any lock on the note, as a change to the whole transaction does, to
 * avoid deadlocks.
 */
async function touchTransaction(session: Session, transactionId: string): Promise<void> {
  requirePermission(session, 'transactions/write');
  const [touched] = await session.query<{ status: TransactionStatus }>(
    `update transactions set version = version + 1 where id = $1 and status <> 'Removed' returning status`,
    [transactionId],
  );
  if (!touched) throw new Refusal('notFound');
  if (touched.status === 'Closed') throw closedRefusal();
}

/** Nothing of a closed transaction changes any more. */
export const closedRefusal = () =>
  new Refusal('badRequest', 'The facility is Closed and cannot be changed', { flags: { transaction: 'is Closed' } });

/** The mapping must belong to the company and be visible to the actor. @param path of its field, for the flag */
async function checkMapping(session: Session, companyId: string, mappingId: string, path: string): Promise<void> {
  const mapping = await session.em.findOne(Mapping, { id: mappingId, companyId, status: { $ne: 'Removed' } });
  if (mapping) return;
  throw new Refusal('badRequest', 'This mapping does not belong to the borrower', {
    flags: { [path]: 'is not a mapping of this borrower' },
  });
}

/**
 * Creates a new Draft of the note.
 * @param command.contract as `transactionContractSchema` returns it; its status and id are ignored
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
 * Creates a note's contract from the note's id alone, for forms.
 * @throws as createContract does; notFound if the note does not belong to a transaction that the actor can see
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

/** Changes a Draft. @throws Refusal badRequest if it is Active or Closed, or the version is not the latest */
export async function editContract(
  session: Session,
  command: { id: string; version: number; contract: TransactionContract },
): Promise<Contract> {
  requirePermission(session, 'transactions/write');
  const read = await getContract(session, command.id);
  const isUnchanged = read.status === 'Draft' && sameTerms(read, command.contract);
  if (!isUnchanged) await touchTransaction(session, read.transactionId);
  const stored = await session.em.refresh(await getContract(session, command.id));
  if (!stored) throw new Refusal('notFound');
  if (stored.version !== command.version) throw staleRefusal(stored, command.version);
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
  new Refusal('badRequest', `The contract is ${stored.status} and cannot be edited. Create a new version instead.`, {
    flags: { [path ?? 'contract']: `is ${stored.status}: it must equal the stored contract` },
  });

/**
 * Puts a Draft into force (Draft -> Active). The note's Active contract with the same cut-off date is Closed in the
 * same step. Idempotent.
 * @throws Refusal notFound; badRequest for a Closed contract, naming the two states
 */
export async function activateContract(session: Session, command: { id: string; version?: number }): Promise<Contract> {
  await touchTransaction(session, (await getContract(session, command.id)).transactionId);
  return activate(session, command);
}

/** @param command.path of the contract in the caller's body, for flags */
async function activate(session: Session, command: { id: string; version?: number; path?: string }): Promise<Contract> {
  const contract = await getContract(session, command.id);
  await session.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`note/${contract.noteId}`]);
  await session.em.refresh(contract);
  if (contract.status === 'Active') return contract;
  CONTRACT_TRANSITIONS.require(contract.status, 'Active');
  if (command.version !== undefined && contract.version !== command.version)
    throw staleRefusal(contract, command.version);
  const parsed = transactionContractSchema.safeParse(contractDocument(contract));
  if (!parsed.success) throw refuseIssues(parsed.error.issues);
  const terms = parsed.data;
  await requireKnownFields(session, { contract: terms, name: nameOf(contract, terms), path: command.path });
  const predecessor = await session.em.findOne(Contract, {
    noteId: contract.noteId,
    cutOffDate: contract.cutOffDate,
    status: 'Active',
  });
  if (predecessor) {
    close(session, predecessor);
    // Close the old contract before the new one becomes Active, so that there are never two.
    await session.em.flush();
  }
  contract.status = 'Active';
  contract.activatedAt = session.now;
  contract.metadata = changedMetadata(session, contract.metadata);
  await session.em.flush();
  return contract;
}

/** `The contract "Senior terms"`, or its position among the note's contracts if it has no title. */
const nameOf = ({ revision }: Contract, { title }: TransactionContract): string =>
  title ? `The contract "${title}"` : `The note's contract v${revision}`;

export function close(session: Session, contract: Contract): void {
  CONTRACT_TRANSITIONS.require(contract.status, 'Closed');
  contract.status = 'Closed';
  contract.closedAt = session.now;
  contract.metadata = changedMetadata(session, contract.metadata);
}

/** Ends an Active contract. @throws Refusal badRequest for a Draft, naming the two states */
export async function closeContract(session: Session, command: { id: string }): Promise<Contract> {
  const contract = await getContract(session, command.id);
  await touchTransaction(session, contract.transactionId);
  await session.em.refresh(contract);
  if (contract.status === 'Closed') return contract;
  close(session, contract);
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

/** Creates a Draft with the terms of another contract of the same note. Use it to amend an Active contract. */
export async function copyContract(session: Session, command: { id: string }): Promise<Contract> {
  const source = await getContract(session, command.id);
  const { transactionId, noteId, managerId, companyId } = source;
  const contract = transactionContractSchema.parse(contractDocument(source));
  return createContract(session, { note: { transactionId, noteId, managerId, companyId }, contract });
}

/**
 * Updates a note's stored contracts to match a body, by id: drafts are created, changed and (if omitted) deleted, and a
 * Draft sent as Active is activated. An Active or Closed contract must equal the stored one.
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
      if (incoming.status === 'Active') await activate(session, { id: made.id, path });
      continue;
    }
    storedById.delete(stored.id);
    if (stored.status !== 'Draft') {
      const closing = CONTRACT_TRANSITIONS.allows(stored.status, incoming.status);
      if (!sameTerms(stored, incoming) || (incoming.status !== stored.status && !closing)) {
        throw fixedRefusal(stored, path);
      }
      if (closing) close(session, stored);
      continue;
    }
    if (incoming.status === 'Closed') CONTRACT_TRANSITIONS.require(stored.status, 'Closed');
    if (incoming.version !== undefined && incoming.version !== stored.version)
      throw staleRefusal(stored, incoming.version);
    await writeTerms(session, stored, incoming, `${path}.`);
    await session.em.flush();
    if (incoming.status === 'Active') await activate(session, { id: stored.id, path });
  }
  for (const left of storedById.values()) {
    if (left.status === 'Draft') session.em.remove(left);
  }
  await session.em.flush();
}

/** The contract that applies to a tape's cut-off date: Active, with the latest date not after it; null if none. */
export async function findApplyingContract(
  session: Session,
  command: { noteId: string; cutOffDate: string },
): Promise<Contract | null> {
  const contracts = await session.em.find(Contract, { noteId: command.noteId, status: 'Active' });
  return applyingContract(contracts, command.cutOffDate) ?? null;
}
