import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { getStoredFile } from '@tapeline/db/operations/files/files.ts';
import type { LatestRowCounts } from '@tapeline/domain/tapes/latest-rows/latest-rows.schema.ts';
import { objectKey } from '@tapeline/lake/storage/object-store.ts';
import type { InspectedSheet } from '@tapeline/sheets/inspect-sheet.ts';
import {
  type KeepLatestRowsInput,
  type KeptRows,
  LATEST_ROWS_SECONDS,
  type LatestRowsActivities,
} from '@tapeline/workflows/latest-rows/activities.ts';
import type { LatestRowsInput } from '@tapeline/workflows/preview/activities.ts';
import { Context } from '@temporalio/activity';
import type { WorkerContext } from '../context.ts';
import { progressInSteps } from '../heartbeat.ts';
import { withinLimits } from '../job-limits.ts';
import type { Answering } from '../preview/by-reference.ts';
import { withScratchFolder } from '../scratch.ts';
import { inspectUploadedSheet } from '../tape/read-sheet-file.ts';
import { TAPE_WORKER } from '../tape/tape-record.ts';
import { findLatest, type ReadFrom } from './find-latest.ts';
import { writeLatest } from './write-latest.ts';

const KEEPING = {
  what: 'Choosing the latest rows',
  seconds: LATEST_ROWS_SECONDS,
  advice: 'Leave out earlier months or split the file, and upload it again.',
};
/** A user is waiting for the page. Larger files are counted when their rows are chosen. */
const COUNT_MS = 10_000;

/** Counts what `keepLatestRows` would keep; null if this takes too long. */
export async function countLatestRows(
  context: WorkerContext,
  input: LatestRowsInput,
  signal: AbortSignal,
): Promise<LatestRowCounts | null> {
  const late = AbortSignal.timeout(COUNT_MS);
  const file = await open(context, input);
  try {
    return (await findLatest({ ...file, signal: AbortSignal.any([signal, late]) }, input)).counts;
  } catch (error) {
    if (late.aborted && !signal.aborted) return null;
    throw error;
  }
}

/** Creates the activity that writes the latest rows. The caller has checked that the user sees the file. */
export function createLatestRowsActivities(context: WorkerContext): Answering<LatestRowsActivities> {
  return {
    keepLatestRows: (input) => {
      const { cancellationSignal: signal } = Context.current();
      return withScratchFolder(context, (folder) =>
        withinLimits({ ...KEEPING, signal }, (_, stop) => keepLatestRows(context, input, { folder, signal: stop })),
      );
    },
  };
}

async function keepLatestRows(
  context: WorkerContext,
  input: KeepLatestRowsInput,
  { folder, signal }: { folder: string; signal: AbortSignal },
): Promise<KeptRows> {
  const file = await open(context, input);
  const report = progressInSteps();
  const onRead = (from: number) => (share: number) => report(from + share / 2);
  const path = join(folder, `latest.${file.sheet.kind}`);
  const onChosen = onRead(0);
  const onWritten = onRead(0.5);
  const written = await writeLatest({ ...file, signal }, input, { path, onChosen, onWritten });
  const { size } = await stat(path);
  await context.objects.putFile(input.target, path);
  const { kind, sheetName } = file.sheet;
  return { kind, sheetName, ...written, size };
}

async function open(
  context: WorkerContext,
  { fileId, sheetName, isMappingsSheet = false }: LatestRowsInput,
): Promise<Omit<ReadFrom, 'signal'> & { sheet: InspectedSheet }> {
  const file = await context.store.as(TAPE_WORKER, (session) => getStoredFile(session, fileId));
  const path = await context.objects.localPath(objectKey(file.bucket, file.key));
  const sheet = await inspectUploadedSheet(path, sheetName === null ? {} : { sheetName, isMappingsSheet });
  return { path, sheet, batchRows: context.batchRows };
}
