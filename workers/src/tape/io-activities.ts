import { join } from 'node:path';
import { deletePrefix } from '@tapeline/db/files/object-store.ts';
import {
  beginGeneration,
  completeTape,
  failTape,
  forgetGeneration,
  unpublishedGenerations,
  updateProgress,
} from '@tapeline/db/operations/tapes/generations.ts';
import { earlierTapesInWork, removeTape, tapeObjectPrefix } from '@tapeline/db/operations/tapes/tapes.ts';
import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import type {
  ReadResult,
  StagedBatch,
  TapeAttempt,
  TapeIoActivities,
} from '@tapeline/workflows/loan-tape/activities.ts';
import { batchStagedSignal } from '@tapeline/workflows/loan-tape/messages.ts';
import { Context } from '@temporalio/activity';
import { notesToCompute } from '../borrowing-base/notes-to-compute.ts';
import type { WorkerContext } from '../context.ts';
import { withScratchFolder } from '../scratch.ts';
import { writeBatchFile } from '../sheets/batch-file.ts';
import { inspectSheetFile } from '../sheets/inspect-sheet.ts';
import type { RawBatch } from '../sheets/raw-batch.ts';
import { readSheetBatches } from '../sheets/read-sheet.ts';
import { keepSheetShape, readSheetShape, tapeKeys, uploadKey, workingPrefixes } from './tape-objects.ts';
import { compileForTape, readTapeRecord, sheetNameOf, TAPE_WORKER } from './tape-record.ts';

/** The tape's activities that read, write and record; what computes is in compute-activities.ts. */
export function createTapeIoActivities(context: WorkerContext): TapeIoActivities {
  return {
    beginTape: ({ tapeId }) => beginTape(context, tapeId),

    readTape: ({ known = 0, ...attempt }) => readTape(context, attempt, known, Context.current().cancellationSignal),

    async recordProgress({ tapeId, progress }) {
      await context.store.as(TAPE_WORKER, (session) => updateProgress(session, { tapeId, progress }));
    },

    async discardStaged(attempt) {
      for (const prefix of workingPrefixes(attempt)) await deletePrefix(context.objects, prefix);
    },

    async earlierTapesInWork({ tapeId }) {
      return context.store.as(TAPE_WORKER, async (session) => ({ tapeIds: await earlierTapesInWork(session, tapeId) }));
    },

    async failTape({ tapeId, failure, progress }) {
      // Objects go first: once the tape says that it may be tried again, nothing is deleted any more.
      await unlessRefused(context, () => forgetAttempts(context, tapeId));
      await unlessGone(() =>
        context.store.as(TAPE_WORKER, async (session) => {
          await updateProgress(session, { tapeId, progress });
          await failTape(session, { tapeId, failure });
        }),
      );
    },

    async removeTape({ tapeId }) {
      // Done again after a kill, the tape is Removed already, and what it wrote may still be there.
      await unlessGone(() => context.store.as(TAPE_WORKER, (session) => removeTape(session, { id: tapeId })));
      await unlessRefused(context, async () => {
        await deletePrefix(context.objects, tapeObjectPrefix(tapeId));
        await forgetAttempts(context, tapeId);
      });
    },

    async completeTape({ tapeId, progress }) {
      await unlessGone(() =>
        context.store.as(TAPE_WORKER, async (session) => {
          await updateProgress(session, { tapeId, progress });
          await completeTape(session, { tapeId });
        }),
      );
    },

    notesToCompute: ({ tapeId }) => notesToCompute(context, tapeId),
  };
}

/** Begins an attempt and keeps the shape of its sheet. Refuses a sheet that does not fit the mapping before a row of it is read. */
async function beginTape(
  context: WorkerContext,
  tapeId: string,
): Promise<{ attempt: TapeAttempt; calculateBB: boolean }> {
  const { tape, mapping } = await readTapeRecord(context, tapeId);
  const begun = await context.store.as(TAPE_WORKER, (session) => beginGeneration(session, { tapeId }));
  const attempt: TapeAttempt = { tapeId, ...begun };
  const path = await context.objects.localPath(uploadKey(tape.attachment));
  const head = await inspectSheetFile(path, { sheetName: sheetNameOf(tape, mapping) });
  const shape = {
    sheetName: head.sheetName,
    headerRow: head.headerRow,
    columns: head.columns.map((column) => column.header),
    epoch: head.epoch,
    batchRows: context.batchRows,
    kind: head.kind,
  };
  // Missing or doubled headers are refused here, before a row is read.
  compileForTape(tape, mapping, shape);
  await keepSheetShape(context, attempt, shape);
  return { attempt, calculateBB: tape.calculateBB };
}

/** Somebody may remove a tape at any moment: what would only have been noted on it is then nobody's concern. */
async function unlessGone(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isRefusal(error) || error.code !== 'notFound') throw error;
  }
}

/** Where the storage itself refuses us the tape must end all the same: the sweeper deletes what is left once it may. */
async function unlessRefused(context: WorkerContext, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    context.log.error({ err: error }, 'what an attempt stored is left to the sweeper');
  }
}

/** Deletes what the tape's unpublished attempts stored, and forgets them. */
async function forgetAttempts(context: WorkerContext, tapeId: string): Promise<void> {
  const attempts = await context.store.as(TAPE_WORKER, (session) => unpublishedGenerations(session, tapeId));
  for (const attempt of attempts) await deletePrefix(context.objects, attempt.objectPrefix);
  await context.store.as(TAPE_WORKER, async (session) => {
    for (const attempt of attempts) await forgetGeneration(session, attempt);
  });
}

/** Streams the sheet into staged parts, one a batch, and tells the workflow of each, so that it is transformed meanwhile. */
async function readTape(
  context: WorkerContext,
  attempt: TapeAttempt,
  known: number,
  signal: AbortSignal,
): Promise<ReadResult> {
  const { tape } = await readTapeRecord(context, attempt.tapeId);
  const shape = await readSheetShape(context, attempt);
  const keys = tapeKeys(attempt);
  const path = await context.objects.localPath(uploadKey(tape.attachment));
  const running = Context.current().info.workflowExecution;
  if (!running) throw new Error('readTape belongs to a workflow');
  const workflow = context.temporal.workflow.getHandle(running.workflowId, running.runId);
  const batches: StagedBatch[] = [];
  let blankRows = 0;
  let readShare = 0;
  const store = async (batch: RawBatch, share: number, file: string): Promise<void> => {
    const key = keys.staged(batch.index);
    // A reader that takes over scans the file again, and passes over the parts its predecessor staged.
    if (!(await context.objects.head(key))) {
      await writeBatchFile(batch, file);
      await context.objects.putFile(key, file);
    }
    const staged = { index: batch.index, key, rows: batch.rowCount, firstRow: batch.firstRow, readShare: share };
    batches.push(staged);
    blankRows += batch.blankRows;
    if (staged.index >= known) await workflow.signal(batchStagedSignal, staged);
  };
  // A part is packed and stored while the next one is read; no more than these two are in memory.
  let storing = Promise.resolve();
  await withScratchFolder(context, async (folder) => {
    const { sheetName, headerRow, batchRows } = shape;
    const onRead = (share: number) => {
      readShare = share;
    };
    const options = { sheetName, headerRow, batchRows, signal, onRead };
    for await (const batch of readSheetBatches(path, options)) {
      signal.throwIfAborted();
      await storing;
      storing = store(batch, readShare, join(folder, `${batch.index}.batch`));
      // Thrown where it is awaited; a reader that fails first must not leave it unheard.
      storing.catch(() => {});
    }
    await storing;
  });
  const dataRows = batches.reduce((rows, batch) => rows + batch.rows, 0);
  if (dataRows === 0) {
    throw new Refusal('badRequest', `The sheet ${shape.sheetName} has a header row and no data below it.`);
  }
  return { batches, dataRows, blankRows };
}
