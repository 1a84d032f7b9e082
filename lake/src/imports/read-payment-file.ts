import { MAX_IMPORT_BYTES } from '@tapeline/domain/files/buckets.ts';
import { PAYMENT_FILE_LIMITS } from '@tapeline/domain/pools/payment-proof.ts';
import type { SheetTable } from '@tapeline/sheets/sheet-table.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { readOnePiece, refuseFile } from './read-import-file.ts';

const MB = 1 << 20;

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
  if (!head) throw refuseFile('The file is no longer stored');
  if (head.size > MAX_IMPORT_BYTES)
    throw refuseFile(`A payment file has at most ${MAX_IMPORT_BYTES / MB} MB. Split it into several files.`);
  return readOnePiece(await objects.localPath(key), {
    sheetNames: sheetName === null ? [] : [sheetName],
    maxRows: PAYMENT_FILE_LIMITS.rows,
    maxColumns: PAYMENT_FILE_LIMITS.columns,
    maxCharacters: PAYMENT_FILE_LIMITS.characters,
    maxText: PAYMENT_FILE_LIMITS.text,
  });
}
