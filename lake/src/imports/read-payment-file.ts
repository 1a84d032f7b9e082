import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { MAX_IMPORT_BYTES } from '@tapeline/domain/files/buckets.ts';
import { PAYMENT_FILE_LIMITS } from '@tapeline/domain/pools/payment-proof.ts';
import { SheetError } from '@tapeline/sheets/sheet-error.ts';
import { readSheetTable, type SheetTable } from '@tapeline/sheets/sheet-table.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { ONE_PIECE_LIMITS } from './read-import-file.ts';

const MB = 1 << 20;

const refuse = (message: string, cause?: unknown): Refusal =>
  new Refusal('badRequest', message, { flags: { file: message }, ...(cause === undefined ? {} : { cause }) });

/**
 * Reads a sheet of a payment file: the one named `sheetName`, or the one that looks like data.
 * @param key of the object
 * @throws Refusal badRequest (flag on `file`) if the file is too large or cannot be read
 */
export async function readPaymentFile(
  objects: Pick<ObjectStore, 'head' | 'localPath'>,
  key: string,
  sheetName: string | null,
): Promise<SheetTable> {
  const head = await objects.head(key);
  if (!head) throw refuse('The file is no longer stored');
  if (head.size > MAX_IMPORT_BYTES)
    throw refuse(`A payment file has at most ${MAX_IMPORT_BYTES / MB} MB. Split it into several files.`);
  try {
    return await readSheetTable(await objects.localPath(key), {
      sheetNames: sheetName === null ? [] : [sheetName],
      maxRows: PAYMENT_FILE_LIMITS.rows,
      maxColumns: PAYMENT_FILE_LIMITS.columns,
      maxCharacters: PAYMENT_FILE_LIMITS.characters,
      maxText: PAYMENT_FILE_LIMITS.text,
      limits: ONE_PIECE_LIMITS,
    });
  } catch (error) {
    throw error instanceof SheetError ? refuse(error.message, error) : error;
  }
}
