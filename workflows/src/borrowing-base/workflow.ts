import { CANCELLED_CALCULATION } from '@tapeline/domain/tapes/calculation-state.ts';
import {
  CancellationScope,
  condition,
  isCancellation,
  patched,
  proxyActivities,
  setHandler,
} from '@temporalio/workflow';
import { messageOf } from '../failure-message.ts';
import type {
  BorrowingBaseMade,
  NoteToCompute,
  TapeComputeActivities,
  TapeIoActivities,
} from '../loan-tape/activities.ts';
import { cancelTapeSignal } from '../loan-tape/messages.ts';
import { OWN_QUEUES } from '../own-queues.ts';
import { RETRIED, UNTIL_DONE, WATCHED } from '../retries.ts';
import { calculateAgainSignal } from './messages.ts';

const { notesToCompute } = proxyActivities<TapeIoActivities>({
  ...WATCHED,
  taskQueue: OWN_QUEUES.io,
  startToCloseTimeout: '2 minutes',
  retry: RETRIED,
});
const { endCalculations } = proxyActivities<TapeIoActivities>({
  ...WATCHED,
  taskQueue: OWN_QUEUES.io,
  startToCloseTimeout: '2 minutes',
  retry: UNTIL_DONE,
});
const { calculateBorrowingBase } = proxyActivities<TapeComputeActivities>({
  ...WATCHED,
  taskQueue: OWN_QUEUES.compute,
  startToCloseTimeout: '30 minutes',
  retry: RETRIED,
});

/** Maximum number of notes calculated at once. A note that is retried repeatedly must not delay the others. */
const MAX_AT_ONCE = 32;

export interface BorrowingBasesOfTape {
  made: BorrowingBaseMade[];
  /** That the company has no note. Why a note was not calculated stands with the note, in the tape's statuses. */
  notices: string[];
}

/**
 * Calculates the borrowing bases of a published tape, one per note. A failed note is recorded as failed and does not
 * stop the others. The signal `calculateAgain` reads the notes again, so that notes added in the meantime are
 * calculated too. The signal `cancel` ends the notes that are not calculated yet.
 */
export async function borrowingBases({ tapeId }: { tapeId: string }): Promise<BorrowingBasesOfTape> {
  // Workflows that started before this patch calculate one note at a time, as recorded in their histories.
  const isPatched = patched('borrowing-bases-at-once');
  const made = new Map<string, BorrowingBaseMade>();
  const failures = new Map<string, string>();
  let notice: string | null = null;
  let calculations = new CancellationScope();
  let isAsked = false;
  setHandler(cancelTapeSignal, () => {
    if (isPatched) calculations.cancel();
  });
  setHandler(calculateAgainSignal, () => {
    isAsked = true;
  });
  do {
    try {
      await calculations.run(calculateNotes);
    } catch (error) {
      if (!isCancellation(error)) throw error;
      await CancellationScope.nonCancellable(() =>
        endCalculations({ tapeId, noteId: null, failure: CANCELLED_CALCULATION }),
      );
      calculations = new CancellationScope();
    }
  } while (isAsked);
  // Without the patch, failures are recorded nowhere else.
  const unrecorded = isPatched ? [] : [...failures.values()];
  return { made: [...made.values()], notices: [...(notice === null ? [] : [notice]), ...unrecorded] };

  async function calculateNotes(): Promise<void> {
    const waiting = new Map<string, NoteToCompute>();
    const running = new Map<string, Promise<void>>();
    let problem: { error: unknown } | null = null;
    const calculate = async (note: NoteToCompute): Promise<void> => {
      const { noteId } = note;
      try {
        made.set(noteId, await calculateBorrowingBase({ tapeId, note }));
        failures.delete(noteId);
      } catch (error) {
        if (isCancellation(error)) throw error;
        const failure = messageOf(error, 'The borrowing base could not be calculated');
        failures.set(noteId, failure);
        if (isPatched && !waiting.has(noteId)) await endCalculations({ tapeId, noteId, failure });
      }
    };
    const begin = (note: NoteToCompute): Promise<void> =>
      calculate(note)
        .catch((error: unknown) => {
          problem ??= { error };
        })
        .then(() => void running.delete(note.noteId));
    try {
      do {
        isAsked = false;
        const found = await notesToCompute({ tapeId });
        notice = found.notice;
        for (const note of found.notes) waiting.set(note.noteId, note);
        while (!isAsked && waiting.size + running.size > 0) {
          for (const [noteId, note] of waiting) {
            // If a note is already running, calculate it again afterwards, so that the later result is kept.
            if (running.has(noteId) || running.size >= (isPatched ? MAX_AT_ONCE : 1)) continue;
            waiting.delete(noteId);
            running.set(noteId, begin(note));
          }
          const { size } = running;
          await CancellationScope.nonCancellable(() => condition(() => isAsked || running.size < size));
          if (problem) throw (problem as { error: unknown }).error;
        }
      } while (isAsked);
    } finally {
      await Promise.all(running.values());
    }
  }
}
