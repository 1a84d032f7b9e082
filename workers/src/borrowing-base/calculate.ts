import { join } from 'node:path';
import { saveBorrowingBase } from '@tapeline/db/operations/borrowing-bases/borrowing-bases.ts';
import { getTape, setBorrowingBaseStatuses } from '@tapeline/db/operations/tapes/tapes.ts';
import { contractDocument, getContract } from '@tapeline/db/operations/transactions/contracts.ts';
import { getTransaction } from '@tapeline/db/operations/transactions/transactions.ts';
import type { Session } from '@tapeline/db/store.ts';
import { requireContractFields } from '@tapeline/domain/borrowing-base/prepare.ts';
import type { FacilityPosition } from '@tapeline/domain/borrowing-base/publish.ts';
import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import { transactionContractSchema } from '@tapeline/domain/facilities/contract.schema.ts';
import { commitmentsInForce, type TransactionNote } from '@tapeline/domain/facilities/transaction.schema.ts';
import { assetCatalog } from '@tapeline/domain/tapes/target-schema.ts';
import type { BorrowingBaseMade, NoteToCompute } from '@tapeline/workflows/loan-tape/activities.ts';
import type { WorkerContext } from '../context.ts';
import { TAPE_WORKER } from '../tape/tape-record.ts';
import { writeAssetResults } from './asset-results.ts';
import { calculateBorrowingBase as compute } from './engine.ts';
import { openPublishedTape } from './published-tape.ts';

/**
 * Computes and stores the borrowing base of a published tape under one contract. Running it again stores the same once more.
 * @throws Refusal where the contract names fields that the tape's mapping lacks; the tape's status of the note says so
 */
export async function calculateBorrowingBase(
  context: WorkerContext,
  folder: string,
  tapeId: string,
  note: NoteToCompute,
): Promise<BorrowingBaseMade> {
  const setStatus = (change: { status: 'Processing' | 'Completed'; borrowingBaseId?: string; failure?: string }) =>
    context.store.as(TAPE_WORKER, (session) => noteStatus(session, tapeId, note, change));
  await setStatus({ status: 'Processing' });
  try {
    const made = await computeAndSave(context, folder, tapeId, note);
    await setStatus({ status: 'Completed', borrowingBaseId: made.borrowingBaseId });
    return made;
  } catch (error) {
    if (isRefusal(error)) await setStatus({ status: 'Completed', failure: error.message });
    throw error;
  }
}

async function computeAndSave(
  context: WorkerContext,
  folder: string,
  tapeId: string,
  note: NoteToCompute,
): Promise<BorrowingBaseMade> {
  const parts = await openPublishedTape(context, tapeId);
  const { contract, facility } = await context.store.as(TAPE_WORKER, async (session) => ({
    contract: transactionContractSchema.parse(contractDocument(await getContract(session, note.contractId))),
    facility: positionOf(await noteOf(session, note)),
  }));
  const catalog = assetCatalog(parts.manifest.customFields);
  requireContractFields(contract, catalog, parts.manifest.columns);
  const { result, assets } = await compute({
    parquetFiles: parts.parquetFiles,
    tape: parts.terms,
    contract,
    catalog,
    facility,
  });
  const file = join(folder, 'results.parquet');
  await writeAssetResults(assets, parts.parquetFiles, file);
  const resultKey = `lake/${tapeId}/${parts.generationId}/borrowing-base-${note.contractId}.parquet`;
  await context.objects.putFile(resultKey, file);
  const saved = await context.store.as(TAPE_WORKER, (session) =>
    saveBorrowingBase(session, {
      tapeId,
      generationId: parts.generationId,
      contractId: note.contractId,
      currency: result.currency,
      netBB: result.netBB.sum,
      firstBB: result.firstBB.sum,
      result: result as unknown as Record<string, unknown>,
      resultKey,
    }),
  );
  return { borrowingBaseId: saved.id, noteId: note.noteId };
}

async function noteOf(session: Session, { transactionId, noteId }: Pick<NoteToCompute, 'transactionId' | 'noteId'>) {
  const transaction = await getTransaction(session, transactionId);
  const note = transaction.notes.find(({ id }) => id === noteId);
  if (!note) throw new Refusal('notFound', 'The note is no longer part of its transaction');
  return note;
}

/**
 * What the borrowing base is held against: the commitments in force, in the note's main currency. Draws and repayments are
 * not recorded in the product yet, so the balance is unknown, which is not zero.
 */
export function positionOf(note: TransactionNote): FacilityPosition | undefined {
  const inForce = commitmentsInForce(note);
  return inForce && { ...inForce, balance: null };
}

/** Sets one note's entry among the tape's borrowing-base statuses. */
async function noteStatus(
  session: Session,
  tapeId: string,
  note: NoteToCompute,
  change: { status: 'Processing' | 'Completed'; borrowingBaseId?: string; failure?: string },
): Promise<void> {
  // Notes of one tape may be computed at once: the row's lock makes their entries one after another.
  await session.query('select 1 from loan_tapes where id = $1 for update', [tapeId]);
  const tape = await getTape(session, tapeId);
  const statuses = tape.borrowingBaseStatuses.map((entry) =>
    entry.noteId === note.noteId
      ? {
          ...entry,
          contractId: note.contractId,
          status: change.status,
          borrowingBaseId: change.borrowingBaseId ?? null,
          failure: change.failure ?? null,
        }
      : entry,
  );
  await setBorrowingBaseStatuses(session, { tapeId, statuses });
}
