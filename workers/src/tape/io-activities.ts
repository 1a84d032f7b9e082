import { endCalculations } from '@tapeline/db/operations/tapes/calculations.ts';
import {
  failTape,
  recordEnd,
  unpublishedGenerations,
  updateProgress,
} from '@tapeline/db/operations/tapes/generations.ts';
import { earlierTapesInProgress, removeTape } from '@tapeline/db/operations/tapes/tapes.ts';
import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import { discardAttempt } from '@tapeline/lake/storage/attempt-objects.ts';
import type { TapeIoActivities } from '@tapeline/workflows/loan-tape/activities.ts';
import { batchStagedSignal } from '@tapeline/workflows/loan-tape/messages.ts';
import { Context } from '@temporalio/activity';
import { notesToCompute } from '../borrowing-base/notes-to-compute.ts';
import type { WorkerContext } from '../context.ts';
import { searchAfterTape } from '../duplicates/search-after-tape.ts';
import { beginTape, openAttempt } from './begin-tape.ts';
import { signalNextTape } from './next-tape.ts';
import { readTape } from './read-tape.ts';
import { reportEnded } from './report-ended.ts';
import { makeAssetsSearchable } from './search-assets.ts';
import { discardStaged } from './tape-objects.ts';
import { readTapeRecord, TAPE_WORKER } from './tape-record.ts';

/** The tape activities that read, write and record. The ones that compute are in compute-activities.ts. */
export function createTapeIoActivities(context: WorkerContext): TapeIoActivities {
  return {
    async beginTape({ tapeId }) {
      const begun = await beginTape(context, await readTapeRecord(context, tapeId));
      // Only a worker that comes back too late can find it so, and nobody waits for what it answers.
      if (!begun) throw new Refusal('badRequest', 'The tape is already published');
      return { attempt: begun.attempt, calculateBB: begun.tape.calculateBB };
    },

    async readTape({ known = 0, ...attempt }) {
      const running = Context.current().info.workflowExecution;
      if (!running) throw new Error('readTape belongs to a workflow');
      const workflow = context.temporal.workflow.getHandle(running.workflowId, running.runId);
      return readTape(context, attempt, await openAttempt(context, attempt), async (batch) => {
        if (batch.index >= known) await workflow.signal(batchStagedSignal, batch);
      });
    },

    async recordProgress({ tapeId, progress }) {
      await context.store.as(TAPE_WORKER, (session) => updateProgress(session, { tapeId, progress }));
    },

    discardStaged: (attempt) => discardStaged(context, attempt),

    async earlierTapesInProgress({ tapeId }) {
      return context.store.read(TAPE_WORKER, async (session) => ({
        tapeIds: await earlierTapesInProgress(session, tapeId),
      }));
    },

    async failTape({ tapeId, failure, progress }) {
      // Delete the objects first. Once the tape is marked as retryable, nothing may be deleted.
      await unlessRefused(context, () => discardAttempts(context, tapeId));
      let isAsked = false;
      await unlessGone(() =>
        context.store.as(TAPE_WORKER, async (session) => {
          await updateProgress(session, { tapeId, progress });
          isAsked = (await failTape(session, { tapeId, failure })).questions.length > 0;
        }),
      );
      await signalNextTape(context, tapeId);
      reportEnded(context, tapeId, isAsked ? 'asked' : 'failed', progress);
    },

    async removeTape({ tapeId, progress }) {
      // When this is retried after a kill, the tape is already Removed, but its objects may still exist.
      await unlessGone(() => context.store.as(TAPE_WORKER, (session) => removeTape(session, { id: tapeId })));
      await unlessRefused(context, () => discardAttempts(context, tapeId));
      await signalNextTape(context, tapeId);
      reportEnded(context, tapeId, 'cancelled', progress);
    },

    async completeTape({ tapeId, progress, attempt }) {
      await unlessGone(() => context.store.as(TAPE_WORKER, (session) => recordEnd(session, { tapeId, progress })));
      await makeAssetsSearchable(context, tapeId);
      if (attempt) await unlessRefused(context, () => discardStaged(context, attempt));
      await searchAfterTape(context, tapeId);
      reportEnded(context, tapeId, 'done', progress);
    },

    notesToCompute: ({ tapeId }) => notesToCompute(context, tapeId),

    async endCalculations(input) {
      await unlessGone(() => context.store.as(TAPE_WORKER, (session) => endCalculations(session, input)));
    },
  };
}

/** Ignores `notFound`. A user can remove a tape at any moment, and then there is nothing left to record. */
async function unlessGone(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isRefusal(error) || error.code !== 'notFound') throw error;
  }
}

/** If the storage rejects the request, the tape must still end. The sweep deletes the remaining objects later. */
async function unlessRefused(context: WorkerContext, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    context.log.error({ err: error }, 'what an attempt stored is left to the sweeper');
  }
}

/**
 * Deletes the objects of the tape's attempts that were never published. The attempts stay recorded until the sweep
 * finds no more objects of theirs.
 */
async function discardAttempts(context: WorkerContext, tapeId: string): Promise<void> {
  const attempts = await context.store.as(TAPE_WORKER, (session) => unpublishedGenerations(session, tapeId));
  for (const attempt of attempts) await discardAttempt(context.objects, attempt);
}
