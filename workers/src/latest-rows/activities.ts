import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { getStoredFile } from '@tapeline/db/operations/files/files.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { maxBytesOf, tooLarge } from '@tapeline/domain/files/buckets.ts';
import type { LatestRowCounts } from '@tapeline/domain/tapes/latest-rows/latest-rows.schema.ts';
import { objectKey } from '@tapeline/lake/storage/object-store.ts';
import { pickRows } from '@tapeline/sheets/batch-file.ts';
import { copyRows } from '@tapeline/sheets/copy-rows.ts';
import type { InspectedSheet } from '@tapeline/sheets/inspect-sheet.ts';
import type { RawBatch } from '@tapeline/sheets/raw-batch.ts';
import {
  type KeepLatestRowsInput,
  type KeptRows,
  LATEST_ROWS_SECONDS,
  type LatestRowsActivities,
  type LatestRowsInput,
} from '@tapeline/workflows/latest-rows/activities.ts';
import { Context } from '@temporalio/activity';
import type { WorkerContext } from '../context.ts';
import { reportProgress } from '../heartbeat.ts';
import { withinLimits } from '../job-limits.ts';
import type { Answering } from '../preview/by-reference.ts';
import { sheetNotices } from '../preview/sheet-head.ts';
import { withScratchFolder } from '../scratch.ts';
import { inspectUploadedSheet } from '../tape/read-sheet-file.ts';
import { TAPE_WORKER } from '../tape/tape-record.ts';
import { findLatest, type ReadFrom, readBatches } from './find-latest.ts';

const KEEPING = {
  what: 'Choosing the latest rows',
  seconds: LATEST_ROWS_SECONDS,
  advice: 'Leave out earlier months or split the file, and upload it again.',
};
/** A user is waiting for the page. Larger files are counted when their rows are chosen. */
const COUNT_MS = 10_000;
const BUCKET = 'loanTapes';
/** A heartbeat is sent after at least this share of the sheet was read. */
const MIN_PROGRESS = 0.02;

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

/** Reads the file twice, so that only the ids, the months and the numbers of rows are in memory. */
async function keepLatestRows(
  context: WorkerContext,
  input: KeepLatestRowsInput,
  { folder, signal }: { folder: string; signal: AbortSignal },
): Promise<KeptRows> {
  const file = await open(context, input);
  let reported = 0;
  const onRead = (from: number) => (share: number) => {
    const whole = from + share / 2;
    if (whole - reported < MIN_PROGRESS) return;
    reported = whole;
    reportProgress(whole);
  };
  const { rowNumbers, counts, facts } = await findLatest({ ...file, signal, onRead: onRead(0) }, input);
  const path = join(folder, `latest.${file.sheet.kind}`);
  const rows = pickedBatches({ ...file, signal, onRead: onRead(0.5) }, rowNumbers);
  await pipeline(withinSize(copyRows(file.sheet, rows)), createWriteStream(path), { signal });
  await requireSameColumns(path, file.sheet);
  const { size } = await stat(path);
  await context.objects.putFile(input.target, path);
  const { kind, sheetName } = file.sheet;
  return { kind, sheetName, counts, notices: sheetNotices(facts, 0, false), size };
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

/** The rows with these numbers, batch by batch. @param rowNumbers ascending */
async function* pickedBatches(from: ReadFrom, rowNumbers: Int32Array): AsyncGenerator<RawBatch> {
  let next = 0;
  for await (const batch of readBatches(from)) {
    const last = batch.rowNumbers[batch.rowCount - 1] ?? 0;
    const start = next;
    while (next < rowNumbers.length && rowNumbers[next]! <= last) next += 1;
    if (next > start) yield pickRows(batch, rowNumbers.subarray(start, next));
  }
}

/** @throws Refusal badRequest for more bytes than an uploaded tape can have */
async function* withinSize(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of content) {
    bytes += piece.length;
    if (bytes > maxBytesOf({ bucket: BUCKET })) {
      throw new Refusal(
        'badRequest',
        `${tooLarge({ bucket: BUCKET })}, and the latest rows need more. Split the file.`,
      );
    }
    yield piece;
  }
}

/** The header is found by what is below it, which is less in the new file. @throws Refusal if it would be another one */
async function requireSameColumns(path: string, { sheetName, columns }: InspectedSheet): Promise<void> {
  const headersOf = (sheet: Pick<InspectedSheet, 'columns'>) =>
    JSON.stringify(sheet.columns.map(({ header }) => header));
  const written = await inspectUploadedSheet(path);
  if (headersOf(written) === headersOf({ columns })) return;
  throw new Refusal(
    'badRequest',
    `The header of the sheet ${sheetName} would not be found above these rows. Filter the sheet by month in a spreadsheet program, and upload the remaining rows.`,
  );
}
