import { withAdjustments } from '@tapeline/domain/borrowing-base/adjust.ts';
import type { BorrowingBaseResult } from '@tapeline/domain/borrowing-base/result.ts';
import type { ChangedBy } from '@tapeline/domain/documents/document.schema.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { Amount } from '@tapeline/domain/money/amount.schema.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import type { PoolFigureValues } from '@tapeline/domain/pools/pool-figures.ts';
import { BORROWING_BASE_TRANSITIONS } from '@tapeline/domain/tapes/states.ts';
import { BorrowingBase, Contract } from '../../entities/lending.ts';
import { newId } from '../../ids.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { testDueCovenants } from '../covenants/test-due-covenants.ts';
import { listOf } from '../listing/define-lists.ts';
import { getDocument, listDocuments, type Page } from '../listing/list-documents.ts';
import { createdMetadata, storeChange } from '../metadata.ts';
import { getTape } from '../tapes/tapes.ts';
import { approvedAdjustments, type Certificate } from './approved-adjustments.ts';

/** Superseded results (Disabled) are listed only if they are asked for. */
export const BORROWING_BASES = listOf(
  'borrowingBases',
  {
    loanTape: 't.tape_id',
  },
  {
    hidden: ['Removed', 'Disabled'],
    aliases: { loanTapeId: 'loanTape' },
  },
);

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
 * Stores the borrowing base of a tape under a contract. An earlier result stays readable as superseded. Saving a result
 * of the same inputs again changes nothing.
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
  const latest = await session.em.findOne(BorrowingBase, {
    tapeId: tape.id,
    contractId: contract.id,
    status: 'Active',
  });
  const { inputsHash } = command.result;
  if (latest && inputsHash !== undefined && latest.result.inputsHash === inputsHash) return latest;
  const adjustments = await approvedAdjustments(session, { tapeId: tape.id, contractId: contract.id });
  return saveVersion(session, latest, {
    ...pick(tape, 'managerId', 'companyId', 'cutOffDate'),
    ...pick(contract, 'transactionId', 'noteId'),
    ...pick(command, 'tapeId', 'contractId', 'generationId', 'currency', 'netBB', 'firstBB', 'resultKey'),
    poolFigures: null,
    result: withAdjustments(command.result, adjustments, tape.exchangeRates),
  });
}

/**
 * Replaces the latest version of a certificate by one with another result of the same assets.
 * @throws Refusal notFound if the certificate has no version, or was removed
 */
export async function replaceBorrowingBase(
  session: Session,
  { tapeId, contractId }: Certificate,
  change: (result: BorrowingBaseResult) => BorrowingBaseResult,
): Promise<BorrowingBase> {
  const latest = await session.em.findOne(BorrowingBase, { tapeId, contractId, status: 'Active' });
  if (!latest) throw new Refusal('notFound');
  return saveVersion(session, latest, { ...pick(latest, ...OF_VERSION), result: change(latest.result) });
}

/**
 * Keeps the figures of the tape of a certificate, and makes the tests of covenants that waited for them. They are known after
 * the certificate itself, and again when an earlier tape of the borrower has arrived.
 */
export async function keepPoolFigures(
  session: Session,
  { borrowingBaseId, figures }: { borrowingBaseId: string; figures: PoolFigureValues },
): Promise<void> {
  const [changed] = await session.query<{ noteId: string }>(
    `update borrowing_bases set pool_figures = $2 where id = $1 and status = 'Active' and pool_figures is distinct from $2
     returning note_id as "noteId"`,
    [borrowingBaseId, JSON.stringify(figures)],
  );
  if (changed) await testDueCovenants(session, changed);
}

/** What a version has beside what every document has. */
const OF_VERSION = [
  'managerId',
  'companyId',
  'tapeId',
  'transactionId',
  'noteId',
  'contractId',
  'cutOffDate',
  'generationId',
  'currency',
  'netBB',
  'firstBB',
  'resultKey',
  'poolFigures',
] as const;

/** Stores a version of a certificate. The one before stays readable as superseded. */
async function saveVersion(
  session: Session,
  before: BorrowingBase | null,
  version: Pick<BorrowingBase, (typeof OF_VERSION)[number] | 'result'>,
): Promise<BorrowingBase> {
  const id = newId(session.now);
  if (before) {
    BORROWING_BASE_TRANSITIONS.require(before.status, 'Disabled');
    // Before the new one is inserted: only one of them can be Active.
    await storeChange(session, before, {
      status: 'Disabled',
      supersededBy: id,
    });
  }
  const saved = session.em.create(BorrowingBase, {
    id,
    ...version,
    metadata: createdMetadata(session, { loanTapeId: version.tapeId }),
  });
  await session.em.flush();
  await testDueCovenants(session, { noteId: saved.noteId });
  return saved;
}

/** A result of a tape under a contract: the latest, or one that a recalculation superseded. */
export interface BorrowingBaseVersion {
  id: string;
  status: string;
  currency: string;
  netBB: DecimalText;
  availability: Amount | null;
  calculatedAt: string;
  calculatedBy: ChangedBy | null;
  /** When and by whom it was superseded; null for the latest. */
  superseded: ChangedBy | null;
}

/** Number of results of one tape and contract that are listed. */
const MAX_VERSIONS = 100;

/** The results of a tape under a contract, latest first, and their number. */
export async function borrowingBaseVersions(
  session: Session,
  { tapeId, contractId }: { tapeId: string; contractId: string },
): Promise<{ versions: BorrowingBaseVersion[]; total: number }> {
  const rows = await session.query<BorrowingBaseVersion & { total: number }>(
    `select id, status, currency, net_bb::text as "netBB", availability, metadata ->> 'iat' as "calculatedAt",
       metadata -> 'createdBy' as "calculatedBy",
       case when status = 'Disabled' then metadata -> 'changedBy' end as superseded, count(*) over ()::int as total
     from borrowing_bases where tape_id = $1 and contract_id = $2 and status <> 'Removed'
     order by code desc limit $3`,
    [tapeId, contractId, MAX_VERSIONS],
  );
  return { versions: rows.map(({ total, ...version }) => version), total: rows[0]?.total ?? 0 };
}

export const listBorrowingBases = (session: ReadSession, query: unknown = {}): Promise<Page<BorrowingBase>> =>
  listDocuments(session, BORROWING_BASES, query);

export const getBorrowingBase = (session: Session, id: string): Promise<BorrowingBase> =>
  getDocument(session, BORROWING_BASES, id);
