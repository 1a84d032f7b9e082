import type { BorrowingBaseResult } from '@tapeline/domain/borrowing-base/result.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { BorrowingBase, Contract } from '../../entities/lending.ts';
import { newId } from '../../ids.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { defineListable, getDocument, listDocuments, type Page } from '../listing/list-documents.ts';
import { changedMetadata, createdMetadata } from '../metadata.ts';
import { getTape } from '../tapes/tapes.ts';

export const BORROWING_BASES = defineListable(BorrowingBase, 'borrowing_bases', [
  ['loanTapeId', 'Loan tape', 'text', 't.tape_id'],
  ['loanTape', 'Loan tape', 'text', 't.tape_id'],
  ['contract', 'Contract', 'text', 't.contract_id'],
  ['transaction', 'Transaction', 'text', 't.transaction_id'],
  ['note', 'Note', 'text', 't.note_id'],
  ['company', 'Company', 'text', 't.company_id'],
  ['cutOffDate', 'Cut-off date', 'date', 't.cut_off_date'],
  ['currency', 'Currency', 'text', 't.currency'],
  ['netBB', 'Net borrowing base', 'decimal', 't.net_bb', 'currency'],
  ['firstBB', 'Gross borrowing base', 'decimal', 't.first_bb', 'currency'],
]);

export interface BorrowingBaseToSave {
  tapeId: string;
  /** The published generation that the calculation used. */
  generationId: string;
  contractId: string;
  currency: string;
  netBB: DecimalText;
  firstBB: DecimalText;
  result: BorrowingBaseResult;
  resultKey: string | null;
}

/**
 * Stores the borrowing base of a tape under a contract. There is one per pair, so saving it again replaces it.
 * @throws Refusal notFound; badRequest if the tape was published again or removed in the meantime
 */
export async function saveBorrowingBase(session: Session, command: BorrowingBaseToSave): Promise<BorrowingBase> {
  await session.query('select 1 from loan_tapes where id = $1 for no key update', [command.tapeId]);
  const tape = await getTape(session, command.tapeId);
  const contract = await session.em.findOne(Contract, { id: command.contractId, companyId: tape.companyId });
  if (!contract) throw new Refusal('notFound');
  if (tape.generationId !== command.generationId) {
    throw new Refusal('badRequest', 'The tape has been republished. Recalculate the borrowing base');
  }
  const found = await session.em.findOne(BorrowingBase, { tapeId: tape.id, contractId: contract.id });
  const figures = {
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
        metadata: createdMetadata(session, { loanTapeId: tape.id }),
        ...figures,
      });
  await session.em.flush();
  return saved;
}

export const listBorrowingBases = (session: ReadSession, query: unknown = {}): Promise<Page<BorrowingBase>> =>
  listDocuments(session, BORROWING_BASES, query);

export const getBorrowingBase = (session: Session, id: string): Promise<BorrowingBase> =>
  getDocument(session, BORROWING_BASES, id);

/** The note's borrowing bases over time, earliest first; one per tape. */
export async function borrowingBaseSeries(session: Session, command: { noteId: string }): Promise<BorrowingBase[]> {
  return session.em.find(
    BorrowingBase,
    { noteId: command.noteId, status: 'Active' },
    { orderBy: [{ cutOffDate: 'asc' }, { code: 'asc' }] },
  );
}
