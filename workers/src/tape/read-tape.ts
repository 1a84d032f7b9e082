import { join } from 'node:path';
import { hasFacts } from '@tapeline/domain/tapes/sheet-facts.ts';
import { writeBatchFile } from '@tapeline/sheets/batch-file.ts';
import type { RawBatch } from '@tapeline/sheets/raw-batch.ts';
import { NO_FACTS, type SheetFacts } from '@tapeline/sheets/sheet-facts.ts';
import type { ReadResult, StagedBatch, TapeAttempt } from '@tapeline/workflows/loan-tape/activities.ts';
import { Context } from '@temporalio/activity';
import type { WorkerContext } from '../context.ts';
import { withScratchFolder } from '../scratch.ts';
import type { OpenAttempt } from './begin-tape.ts';
import { readSheetFile, withoutRows } from './read-sheet-file.ts';
import { tapeKeys, uploadKey } from './tape-objects.ts';

/**
 * Streams the sheet into staged parts, one per batch.
 * @param told is called with each part once it is stored, so that it is transformed meanwhile
 */
export async function readTape(
  context: WorkerContext,
  attempt: TapeAttempt,
  { tape, shape }: Pick<OpenAttempt, 'tape' | 'shape'>,
  told: (batch: StagedBatch) => Promise<void>,
): Promise<ReadResult> {
  const { cancellationSignal: signal } = Context.current();
  const keys = tapeKeys(attempt);
  const path = await context.objects.localPath(uploadKey(tape.attachment));
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
    await told(staged);
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
  if (dataRows === 0) throw withoutRows(shape.sheetName);
  return { batches, dataRows, blankRows, ...(hasFacts(facts) ? { sheet: facts } : {}) };
}
