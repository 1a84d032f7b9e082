import type { LoanTape } from '@tapeline/db/entities/tapes.ts';
import { beginFirstGeneration } from '@tapeline/db/operations/tapes/generations.ts';
import { keepTapeSheet } from '@tapeline/db/operations/tapes/tapes.ts';
import type { SheetShape } from '@tapeline/domain/tapes/generation.ts';
import { keepSheetShape, readSheetShape } from '@tapeline/lake/storage/sheet-shape.ts';
import type { TapeAttempt } from '@tapeline/workflows/loan-tape/activities.ts';
import type { WorkerContext } from '../context.ts';
import type { CompiledMapping } from './compile/compile.ts';
import { inspectUploadedSheet } from './read-sheet-file.ts';
import { uploadKey } from './tape-objects.ts';
import { compileForTape, readTapeRecord, sheetNameOf, TAPE_WORKER, type TapeRecord } from './tape-record.ts';

/** What every step of an attempt needs to know. It never changes. */
export interface OpenAttempt {
  readonly tape: LoanTape;
  readonly shape: SheetShape;
  readonly compiled: CompiledMapping;
}

/** What an earlier step of the attempt stored. */
export async function openAttempt(context: WorkerContext, attempt: TapeAttempt): Promise<OpenAttempt> {
  const [{ tape, mapping }, shape] = await Promise.all([
    readTapeRecord(context, attempt.tapeId),
    readSheetShape(context.objects, attempt),
  ]);
  return { tape, shape, compiled: compileForTape(tape, mapping, shape) };
}

/**
 * Begins an attempt and stores the shape of its sheet. Rejects a sheet that does not fit the mapping before any row is
 * read.
 * @returns null if the tape was published since its record was read
 */
export async function beginTape(
  context: WorkerContext,
  { tape, mapping }: TapeRecord,
): Promise<(OpenAttempt & { attempt: TapeAttempt }) | null> {
  const { id: tapeId } = tape;
  const begun = await context.store.as(TAPE_WORKER, (session) => beginFirstGeneration(session, { tapeId }));
  if (!begun) return null;
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
  const compiled = compileForTape(tape, mapping, shape);
  await keepSheetShape(context.objects, attempt, shape);
  if (isMappingsSheet && head.kind === 'xlsx' && head.sheetName !== mapping.loanTapeSheetName) {
    await context.store.as(TAPE_WORKER, (session) => keepTapeSheet(session, { tapeId, sheetName: head.sheetName }));
  }
  return { attempt, tape, shape, compiled };
}
