import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { BorrowingBase, Contract } from '../../entities/lending.ts';
import { newId } from '../../ids.ts';
import type { Session } from '../../store.ts';
import { defineListable, getDocument, listDocuments, type Page } from '../listing/list-documents.ts';
import { changedMetadata, createdMetadata } from '../metadata.ts';
import { getTape } from '../tapes/tapes.ts';

export const BORROWING_BASES = defineListable(BorrowingBase, 'borrowing_bases', [
  ['loanTape', 'Loan tape', 'text', 't.tape_id'],
  ['contract', 'Contract', 'text', 't.contract_id'],
  ['transaction', 'Transaction', 'text', 't.transaction_id'],
  ['note', 'Note', 'text', 't.note_id'],
  ['company', 'Company', 'text', 't.company_id'],
  ['cutOffDate', 'Cut-off date', 'date', 't.cut_off_date'],
  ['currency', 'Currency', 'text', 't.currency'],
  ['netBB', 'Net borrowing base', 'decimal', 't.net_bb'],
  ['firstBB', 'First borrowing base', 'decimal', 't.first_bb'],
]);

export interface BorrowingBaseToSave {
  tapeId: string;
  /** The published generation that was counted. */
  generationId: string;
  contractId: string;
  currency: string;
  netBB: DecimalText;
  firstBB: DecimalText;
  result: Record<string, unknown>;
  resultKey: string | null;
}

/**
 * Keeps the borrowing base of a tape under a contract: one a pair, so that saving it again replaces it and never adds.
 * @throws Refusal notFound; badRequest where the tape was republished or removed meanwhile
 */
export async function saveBorrowingBase(session: Session, command: BorrowingBaseToSave): Promise<BorrowingBase> {
  await session.query('select 1 from loan_tapes where id = $1 for update', [command.tapeId]);
  const tape = await getTape(session, command.tapeId);
  const contract = await session.em.findOne(Contract, { id: command.contractId, companyId: tape.companyId });
  if (!contract) throw new Refusal('notFound');
  if (tape.generationId !== command.generationId) {
    throw new Refusal('badRequest', 'The tape was published anew meanwhile: calculate again');
  }
  const found = await session.em.findOne(BorrowingBase, { tapeId: tape.id, contractId: contract.id });
  const figures = {
    status: 'Active',
    generationId: command.generationId,
    currency: command.currency,
    netBB: command.netBB,
    firstBB: command.firstBB,
    result: command.result,
    resultKey: command.resultKey,
  };
  const saved = found
    ? session.em.assign(found, { ...figures, metadata: changedMetadata(session, found.metadata) })
    : session.em.create(BorrowingBase, {
        id: newId(session.now),
        managerId: tape.managerId,
        companyId: tape.companyId,
        tapeId: tape.id,
        transactionId: contract.transactionId,
        noteId: contract.noteId,
        contractId: contract.id,
        cutOffDate: tape.cutOffDate,
        metadata: createdMetadata(session, { loanTape: tape.id }),
        ...figures,
      });
  await session.em.flush();
  return saved;
}

export const listBorrowingBases = (session: Session, query: unknown = {}): Promise<Page<BorrowingBase>> =>
  listDocuments(session, BORROWING_BASES, query);

export const getBorrowingBase = (session: Session, id: string): Promise<BorrowingBase> =>
  getDocument(session, BORROWING_BASES, id);

/** The note's borrowing base at the latest cut-off date not after the given one (any, where left out). Null: none yet. */
export async function latestBorrowingBase(
  session: Session,
  command: { noteId: string; notAfter?: string },
): Promise<BorrowingBase | null> {
  return session.em.findOne(
    BorrowingBase,
    {
      noteId: command.noteId,
      status: 'Active',
      ...(command.notAfter ? { cutOffDate: { $lte: command.notAfter } } : {}),
    },
    { orderBy: [{ cutOffDate: 'desc' }, { code: 'desc' }] },
  );
}

/** The note's borrowing bases over time, the earliest first; one a tape. */
export async function borrowingBaseSeries(session: Session, command: { noteId: string }): Promise<BorrowingBase[]> {
  return session.em.find(
    BorrowingBase,
    { noteId: command.noteId, status: 'Active' },
    { orderBy: [{ cutOffDate: 'asc' }, { code: 'asc' }] },
  );
}
