import { beginCalculations } from '@tapeline/db/operations/tapes/calculations.ts';
import { getTape } from '@tapeline/db/operations/tapes/tapes.ts';
import { notesForTape } from '@tapeline/db/operations/transactions/transactions.ts';
import type { NoteToCompute } from '@tapeline/workflows/loan-tape/activities.ts';
import type { WorkerContext } from '../context.ts';
import { TAPE_WORKER } from '../tape/tape-record.ts';

/**
 * Returns the company's notes with a contract that applies at the tape's cut-off date, and marks each of them Pending
 * on the tape. A note without such a contract is marked as failed there, with the reason. The tape stays published.
 */
export async function notesToCompute(
  context: Pick<WorkerContext, 'store'>,
  tapeId: string,
): Promise<{ notes: NoteToCompute[]; notice: string | null }> {
  return context.store.as(TAPE_WORKER, async (session) => {
    const tape = await getTape(session, tapeId);
    const found = await notesForTape(session, { companyId: tape.companyId, cutOffDate: tape.cutOffDate });
    await beginCalculations(session, {
      tapeId,
      entries: found.map((note) => ({
        transactionId: note.transactionId,
        noteId: note.noteId,
        noteTitle: note.noteTitle,
        contractId: note.contract?.id ?? null,
        status: 'Pending',
        borrowingBaseId: null,
        failure: note.contract ? null : 'No Active contract applies at this cut-off date',
      })),
    });
    return {
      notes: found.flatMap(({ transactionId, noteId, contract }) =>
        contract ? [{ transactionId, noteId, contractId: contract.id }] : [],
      ),
      notice:
        found.length === 0 ? 'The borrower has no facility with a note, so no borrowing base was calculated.' : null,
    };
  });
}
