import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { IMPORT_FILE_LIMITS } from '@tapeline/domain/importer/draft.ts';
import { type ImportKind, KIND_TITLES, MAX_ROWS } from '@tapeline/domain/importer/kinds.ts';
import { MAX_CELL } from '@tapeline/domain/importer/read-rows.ts';
import { SHEET_LIMITS } from '@tapeline/sheets/limits.ts';
import { SheetError } from '@tapeline/sheets/sheet-error.ts';
import { readSheetTable, type SheetTable } from '@tapeline/sheets/sheet-table.ts';
import { type ObjectStore, objectKey } from '../storage/object-store.ts';

const MB = 1 << 20;

/** A file of an import is read in one piece, so its parts are much smaller than those of a tape. */
export const ONE_PIECE_LIMITS = {
  ...SHEET_LIMITS,
  sheetBytes: 64 * MB,
  sharedStringBytes: 64 * MB,
  sharedStringMemory: 64 * MB,
  otherPartBytes: 16 * MB,
  unpackRatio: 200,
  ratioFromBytes: 8 * MB,
  rowBytes: 4 * MB,
  archiveEntries: 2_000,
};

export const refuseFile = (message: string, cause?: unknown): Refusal =>
  new Refusal('badRequest', message, { flags: { file: message }, ...(cause === undefined ? {} : { cause }) });

/** Reads a sheet. @throws Refusal badRequest (flag on `file`) if it cannot be read */
export async function readOnePiece(
  path: string,
  options: Omit<NonNullable<Parameters<typeof readSheetTable>[1]>, 'limits'>,
): Promise<SheetTable> {
  try {
    return await readSheetTable(path, { ...options, limits: ONE_PIECE_LIMITS });
  } catch (error) {
    throw error instanceof SheetError ? refuseFile(error.message, error) : error;
  }
}

/**
 * Reads the sheet of an uploaded file of an import: the one named `sheetName`, the one with the name of the template, or
 * the one that looks like data.
 * @throws Refusal badRequest (flag on `file`) if the file is too large or cannot be read
 */
export async function readImportFile(
  objects: Pick<ObjectStore, 'head' | 'localPath'>,
  kind: ImportKind,
  file: { key: string; sheetName?: string | null; headerRow?: number | null },
): Promise<SheetTable> {
  const key = objectKey('importerFiles', file.key);
  const head = await objects.head(key);
  if ((head?.size ?? 0) > IMPORT_FILE_LIMITS.bytes)
    throw refuseFile(`A file has at most ${IMPORT_FILE_LIMITS.bytes / MB} MB. Split it into several files.`);
  return readImportSheet(await objects.localPath(key), kind, file);
}

/** Like `readImportFile`, for a local file. */
export async function readImportSheet(
  path: string,
  kind: ImportKind,
  { sheetName = null, headerRow = null }: { sheetName?: string | null; headerRow?: number | null } = {},
): Promise<SheetTable> {
  return readOnePiece(path, {
    sheetNames: sheetName === null ? [KIND_TITLES[kind].title] : [sheetName],
    headerRow: headerRow ?? undefined,
    maxRows: MAX_ROWS[kind],
    maxColumns: IMPORT_FILE_LIMITS.columns,
    maxCharacters: MAX_CELL,
    maxText: IMPORT_FILE_LIMITS.text,
  });
}
