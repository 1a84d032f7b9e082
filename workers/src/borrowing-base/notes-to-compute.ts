import { getTape, setBorrowingBaseStatuses } from '@tapeline/db/operations/tapes/tapes.ts';
import { notesForTape } from '@tapeline/db/operations/transactions/transactions.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import type { NoteToCompute } from '@tapeline/workflows/loan-tape/activities.ts';
import type { WorkerContext } from '../context.ts';
import { TAPE_WORKER } from '../tape/tape-record.ts';

/**
 * The company's notes whose contract applies at the tape's cut-off date, each marked Pending on the tape.
 * A note without one is told in the notice: the tape stands published all the same.
 */
export async function notesToCompute(
  context: Pick<WorkerContext, 'store'>,
  tapeId: string,
): Promise<{ notes: NoteToCompute[]; notice: string | null }> {
  return context.store.as(TAPE_WORKER, async (session) => {
    const tape = await getTape(session, tapeId);
    const found = await notesForTape(session, { companyId: tape.companyId, cutOffDate: tape.cutOffDate });
    await setBorrowingBaseStatuses(session, {
      tapeId,
      statuses: found.map((note) => ({
        transactionId: note.transactionId,
        noteId: note.noteId,
        noteTitle: note.noteTitle,
        contractId: note.contract?.id ?? null,
        status: note.contract ? 'Pending' : 'Completed',
        borrowingBaseId: null,
        failure: note.contract ? null : 'No Active contract applies at this cut-off date',
      })),
    });
    const on = formatCalendarDate(tape.cutOffDate);
    const without = found.filter((note) => !note.contract).map((note) => `${note.transactionTitle}, ${note.noteTitle}`);
    return {
      notes: found.flatMap(({ transactionId, noteId, contract }) =>
        contract ? [{ transactionId, noteId, contractId: contract.id }] : [],
      ),
      notice:
        found.length === 0
          ? 'The company has no transaction with a note, so no borrowing base was calculated.'
          : without.length > 0
            ? `No Active contract applies on ${on} for ${without.join('; ')}, so no borrowing base was calculated for it.`
            : null,
    };
  });
}
