import { Refusal } from '@tapeline/domain/errors/refusal.ts';

/**
 * Bounds against archives made to fill memory. A sheet streams, so it may be large; everything that has to be held
 * (strings, styles, workbook) is held to far less. Bytes, unpacked.
 */
export interface SheetLimits {
  readonly sheetBytes: number;
  readonly sharedStringBytes: number;
  readonly otherPartBytes: number;
  /** Unpacked over packed size; looked at once a part is beyond `ratioFromBytes`. Deflate itself can reach 1,030. */
  readonly unpackRatio: number;
  readonly ratioFromBytes: number;
  /** One row's own XML, or one CSV record. */
  readonly rowBytes: number;
  readonly archiveEntries: number;
}

const MB = 1 << 20;

export const SHEET_LIMITS: SheetLimits = {
  sheetBytes: 8192 * MB,
  sharedStringBytes: 1024 * MB,
  otherPartBytes: 64 * MB,
  unpackRatio: 400,
  ratioFromBytes: 32 * MB,
  rowBytes: 64 * MB,
  archiveEntries: 100_000,
};

/** A file that cannot be taken; the message says what it is and what to do. */
export function refuseSheet(message: string, cause?: unknown): Refusal {
  return new Refusal('badRequest', message, { flags: { file: message }, cause });
}

export function refuseDamaged(what: string, cause?: unknown): Refusal {
  return refuseSheet(
    `The file is damaged: ${what}. Open it in Excel or LibreOffice, save it again as .xlsx and upload the new file.`,
    cause,
  );
}
