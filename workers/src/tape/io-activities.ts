import { join } from 'node:path';
import { endCalculations } from '@tapeline/db/operations/tapes/calculations.ts';
import {
  beginGeneration,
  completeTape,
  failTape,
  unpublishedGenerations,
  updateProgress,
} from '@tapeline/db/operations/tapes/generations.ts';
import { earlierTapesInProgress, keepTapeSheet, removeTape } from '@tapeline/db/operations/tapes/tapes.ts';
import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import { hasFacts } from '@tapeline/domain/tapes/sheet-facts.ts';
import { discardAttempt, workingPrefixes } from '@tapeline/lake/storage/attempt-objects.ts';
import { deletePrefix } from '@tapeline/lake/storage/object-store.ts';
import { writeBatchFile } from '@tapeline/sheets/batch-file.ts';
import type { RawBatch } from '@tapeline/sheets/raw-batch.ts';
import { NO_FACTS, type SheetFacts } from '@tapeline/sheets/sheet-facts.ts';
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
import { inspectUploadedSheet, readSheetFile } from './read-sheet-file.ts';
import { reportEnded } from './report-ended.ts';
import { makeAssetsSearchable } from './search-assets.ts';
import { keepSheetShape, readSheetShape, tapeKeys, uploadKey } from './tape-objects.ts';
import { compileForTape, readTapeRecord, sheetNameOf, TAPE_WORKER } from './tape-record.ts';

/** The tape activities that read, write and record. The ones that compute are in compute-activities.ts. */
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

    async earlierTapesInProgress({ tapeId }) {
      return context.store.as(TAPE_WORKER, async (session) => ({
        tapeIds: await earlierTapesInProgress(session, tapeId),
      }));
    },

    async failTape({ tapeId, failure, progress }) {
      // Delete the objects first. Once the tape is marked as retryable, nothing may be deleted.
      await unlessRefused(context, () => discardAttempts(context, tapeId));
      await unlessGone(() =>
        context.store.as(TAPE_WORKER, async (session) => {
          await updateProgress(session, { tapeId, progress });
          await failTape(session, { tapeId, failure });
        }),
      );
      reportEnded(context, tapeId, 'failed', progress);
    },

    async removeTape({ tapeId, progress }) {
      // When this is retried after a kill, the tape is already Removed, but its objects may still exist.
      await unlessGone(() => context.store.as(TAPE_WORKER, (session) => removeTape(session, { id: tapeId })));
      await unlessRefused(context, () => discardAttempts(context, tapeId));
      reportEnded(context, tapeId, 'cancelled', progress);
    },

    async completeTape({ tapeId, progress }) {
      await unlessGone(() =>
        context.store.as(TAPE_WORKER, async (session) => {
          await updateProgress(session, { tapeId, progress });
          await completeTape(session, { tapeId });
        }),
      );
      await makeAssetsSearchable(context, tapeId);
      reportEnded(context, tapeId, 'done', progress);
    },

    notesToCompute: ({ tapeId }) => notesToCompute(context, tapeId),

    async endCalculations(input) {
      await unlessGone(() => context.store.as(TAPE_WORKER, (session) => endCalculations(session, input)));
    },
  };
}

/**
 * Begins an attempt and stores the shape of its sheet. Rejects a sheet that does not fit the mapping before any row is
 * read.
 */
async function beginTape(
  context: WorkerContext,
  tapeId: string,
): Promise<{ attempt: TapeAttempt; calculateBB: boolean }> {
  const { tape, mapping } = await readTapeRecord(context, tapeId);
  const begun = await context.store.as(TAPE_WORKER, (session) => beginGeneration(session, { tapeId }));
  const attempt: TapeAttempt = { tapeId, ...begun };
  const path = await context.objects.localPath(uploadKey(tape.attachment));
  // The tape could not be inspected at upload, so this month's sheet may have a different date in its name.
  const isMappingsSheet = !tape.sheetName;
  const head = await inspectUploadedSheet(path, { sheetName: sheetNameOf(tape, mapping), isMappingsSheet });
  const shape = {
    sheetName: head.sheetName,
    headerRow: head.headerRow,
    columns: head.columns.map((column) => column.header),
    epoch: head.epoch,
    batchRows: context.batchRows,
    kind: head.kind,
  };
  // Reject missing or duplicated headers here, before any row is read.
  compileForTape(tape, mapping, shape);
  await keepSheetShape(context, attempt, shape);
  if (isMappingsSheet && head.kind === 'xlsx' && head.sheetName !== mapping.loanTapeSheetName) {
    await context.store.as(TAPE_WORKER, (session) => keepTapeSheet(session, { tapeId, sheetName: head.sheetName }));
  }
  return { attempt, calculateBB: tape.calculateBB };
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

/**
 * Streams the sheet into staged parts, one per batch, and signals each one to the workflow so that it is transformed
 * meanwhile.
 */
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
  let facts = NO_FACTS;
  const store = async (batch: RawBatch, share: number, file: string): Promise<void> => {
    const key = keys.staged(batch.index);
    // A reader that takes over scans the file again and skips the parts that its predecessor staged. Parts are stored one
    // after the other, so those before another one are complete. The last one may not be: some storages keep what has
    // arrived of an upload whose sender was killed.
    if (!(await context.objects.head(keys.staged(batch.index + 1)))) {
      await writeBatchFile(batch, file);
      await context.objects.putFile(key, file);
    }
    const staged = { index: batch.index, key, rows: batch.rowCount, firstRow: batch.firstRow, readShare: share };
    batches.push(staged);
    blankRows += batch.blankRows;
    if (staged.index >= known) await workflow.signal(batchStagedSignal, staged);
  };
  // A part is compressed and stored while the next one is read. At most these two are in memory.
  let storing = Promise.resolve();
  await withScratchFolder(context, async (folder) => {
    const { sheetName, headerRow, batchRows } = shape;
    const onRead = (share: number) => {
      readShare = share;
    };
    const onFacts = (found: SheetFacts) => {
      facts = found;
    };
    const options = { sheetName, headerRow, batchRows, signal, onRead, onFacts };
    for await (const batch of readSheetFile(path, options)) {
      signal.throwIfAborted();
      await storing;
      storing = store(batch, readShare, join(folder, `${batch.index}.batch`));
      // The error is thrown where the promise is awaited. This handler avoids an unhandled rejection if the reader
      // fails first.
      storing.catch(() => {});
    }
    await storing;
  });
  const dataRows = batches.reduce((rows, batch) => rows + batch.rows, 0);
  if (dataRows === 0) {
    throw new Refusal('badRequest', `The sheet ${shape.sheetName} has a header row and no data below it.`);
  }
  return { batches, dataRows, blankRows, ...(hasFacts(facts) ? { sheet: facts } : {}) };
}
