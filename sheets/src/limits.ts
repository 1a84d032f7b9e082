import { SheetError } from './sheet-error.ts';

/**
 * Limits against archives made to fill memory. A sheet is streamed, so it may be large; everything that is held in
 * memory (strings, styles, workbook) has a much lower limit. In bytes, unpacked.
 */
export interface SheetLimits {
  readonly sheetBytes: number;
  readonly sharedStringBytes: number;
  /** Memory of all shared strings: their text, and their offsets. */
  readonly sharedStringMemory: number;
  /** XML of one shared string, including its formatting. */
  readonly sharedStringPieceBytes: number;
  readonly otherPartBytes: number;
  /** Unpacked over packed size; checked once a part is larger than `ratioFromBytes`. Deflate itself can reach 1,030. */
  readonly unpackRatio: number;
  readonly ratioFromBytes: number;
  /** XML of one row, or one CSV record. */
  readonly rowBytes: number;
  readonly archiveEntries: number;
}

const MB = 1 << 20;

export const SHEET_LIMITS: SheetLimits = {
  sheetBytes: 8192 * MB,
  sharedStringBytes: 1024 * MB,
  sharedStringMemory: 512 * MB,
  sharedStringPieceBytes: 16 * MB,
  otherPartBytes: 64 * MB,
  unpackRatio: 400,
  ratioFromBytes: 32 * MB,
  rowBytes: 64 * MB,
  archiveEntries: 100_000,
};

/** A cell of Excel holds 32,767 characters. CSV files and other writers may exceed that, up to this limit. */
export const MAX_TEXT_BYTES = MB;

/** A file that cannot be read; the message says what is wrong and what to do. */
export function refuseSheet(message: string, cause?: unknown): SheetError {
  return new SheetError(message, cause === undefined ? undefined : { cause });
}

export function refuseDamaged(what: string, cause?: unknown): SheetError {
  return refuseSheet(
    `The file is damaged: ${what}. Open it in Excel or LibreOffice, save it again as .xlsx and open the new file.`,
    cause,
  );
}

/** @param where the cell, if it is known: "Row 7, column Note" */
export function refuseLongText(where = 'A cell'): SheetError {
  return refuseSheet(`${where} contains text of more than 1 MB. Shorten it and open the file again.`);
}

/** @throws SheetError for a text that exceeds the limit */
export function checkTextLength(text: string): string {
  // a UTF-16 unit takes at most three bytes in UTF-8
  if (text.length * 3 > MAX_TEXT_BYTES && Buffer.byteLength(text) > MAX_TEXT_BYTES) {
    throw refuseLongText();
  }
  return text;
}
