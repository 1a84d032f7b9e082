import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { type InspectedSheet, inspectSheetFile } from '@tapeline/sheets/inspect-sheet.ts';
import type { RawBatch } from '@tapeline/sheets/raw-batch.ts';
import { readSheetBatches } from '@tapeline/sheets/read-sheet.ts';
import { SheetError, SheetNotFoundError } from '@tapeline/sheets/sheet-error.ts';

/**
 * If a file cannot be read, the uploader has to correct it. They see the reader's message, and the job is not retried.
 */
const asRefusal = (error: unknown): unknown =>
  error instanceof SheetError
    ? new Refusal('badRequest', error.message, { flags: { file: error.message }, cause: error })
    : error;

/** The refusal of a sheet that has a header row only. */
export const withoutRows = (sheetName: string): Refusal =>
  new Refusal('badRequest', `The sheet ${sheetName} has a header row and no data below it.`);

/**
 * `readSheetBatches` for an uploaded file.
 * @throws Refusal badRequest if the file cannot be read
 */
export async function* readSheetFile(...args: Parameters<typeof readSheetBatches>): AsyncGenerator<RawBatch> {
  try {
    yield* readSheetBatches(...args);
  } catch (error) {
    throw asRefusal(error);
  }
}

/**
 * Reads a sheet of an uploaded file, and hands its batches to `map` one after the other. A batch is mapped while the next
 * one is read: at most these two are in memory.
 * @param options.signal aborts between two batches
 * @throws Refusal badRequest if the file cannot be read; what `map` throws
 */
export async function mapSheetFile(
  path: string,
  options: NonNullable<Parameters<typeof readSheetBatches>[1]> & { readonly signal: AbortSignal },
  map: (batch: RawBatch) => Promise<void>,
): Promise<void> {
  let mapping = Promise.resolve();
  try {
    for await (const batch of readSheetFile(path, options)) {
      await mapping;
      options.signal.throwIfAborted();
      mapping = map(batch);
      // The error is thrown where the promise is awaited. This handler avoids an unhandled rejection meanwhile.
      mapping.catch(() => {});
    }
  } finally {
    // The caller removes its folder once this ends, so nothing may still write to it.
    await mapping.catch(() => {});
  }
  await mapping;
}

/**
 * `inspectSheetFile` for an uploaded file.
 * @param options.isMappingsSheet `sheetName` comes from the mapping, and this month's sheet may have a different date
 * in its name
 * @throws Refusal badRequest if the file cannot be read
 */
export async function inspectUploadedSheet(
  path: string,
  { isMappingsSheet = false, ...options }: { sheetName?: string; isMappingsSheet?: boolean } = {},
): Promise<InspectedSheet> {
  try {
    return await inspectSheetFile(path, { ...options, ignoreDates: isMappingsSheet });
  } catch (error) {
    if (!isMappingsSheet || !(error instanceof SheetNotFoundError)) throw asRefusal(error);
    const next = `The mapping reads "${options.sheetName}". Enter the sheet name when you upload the tape, or change it in the mapping.`;
    throw asRefusal(new SheetError(`${error.message} ${next}`, { cause: error }));
  }
}
