import { MAX_IMPORT_BYTES } from '@tapeline/domain/files/buckets.ts';
import { TAPE_DOCUMENT_LIMITS } from '@tapeline/domain/tapes/document-limits.ts';
import type { SheetTable } from '@tapeline/sheets/sheet-table.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { readOnePiece, refuseFile } from './read-import-file.ts';

const MB = 1 << 20;

/**
 * Reads a sheet of a document of a tape, such as a payment file or a list of payables.
 * @param sheetName which sheet; null for the one that looks like data
 * @param key of the object
 * @throws Refusal badRequest (flag on `file`) if the file is too large or cannot be read
 */
export async function readTapeDocument(
  objects: Pick<ObjectStore, 'head' | 'localPath'>,
  key: string,
  sheetName: string | null,
): Promise<SheetTable> {
  const head = await objects.head(key);
  if (!head) throw refuseFile('The file is no longer stored');
  if (head.size > MAX_IMPORT_BYTES)
    throw refuseFile(`The file has at most ${MAX_IMPORT_BYTES / MB} MB. Split it into several files.`);
  return readOnePiece(await objects.localPath(key), {
    sheetNames: sheetName === null ? [] : [sheetName],
    maxRows: TAPE_DOCUMENT_LIMITS.rows,
    maxColumns: TAPE_DOCUMENT_LIMITS.columns,
    maxCharacters: TAPE_DOCUMENT_LIMITS.characters,
    maxText: TAPE_DOCUMENT_LIMITS.text,
  });
}
