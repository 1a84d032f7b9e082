/** Columns that a download of errored rows has beside the tape's own: by their heads in a workbook, and in a .csv file. */
export const DOWNLOAD_COLUMNS = {
  /** Which row of the sheet it is; it must come back with the corrections. */
  row: ['Sheet row', 'row'],
  tape: ['Loan tape', 'loanTape'],
  reasons: ['Reasons', 'errors'],
} as const;
/** What a .csv download puts before each header of the tape. */
export const ORIGIN_PREFIX = 'origin.';

/** Columns of a file of corrected rows, by their places in it. */
export interface CorrectionColumns {
  readonly row: number;
  /** Place in the file to header of the tape. */
  readonly headers: ReadonlyMap<number, string>;
}

/**
 * What the columns of a corrected file are; null where none says the rows' numbers. Only the first column of each of our
 * own names is ours: a tape may have headers like them.
 */
export function correctionColumns(heads: readonly string[]): CorrectionColumns | null {
  const placeOf = (names: readonly string[]) => heads.findIndex((head) => names.includes(head));
  const row = placeOf(DOWNLOAD_COLUMNS.row);
  if (row < 0) return null;
  const isCsv = heads[row] === DOWNLOAD_COLUMNS.row[1];
  const own = new Set([row, placeOf(DOWNLOAD_COLUMNS.tape), placeOf(DOWNLOAD_COLUMNS.reasons)]);
  const headers = heads.flatMap((head, place): [number, string][] => {
    if (own.has(place)) return [];
    return [[place, isCsv && head.startsWith(ORIGIN_PREFIX) ? head.slice(ORIGIN_PREFIX.length) : head]];
  });
  return { row, headers: new Map(headers) };
}

/** A text of a .csv download without the apostrophe that keeps spreadsheets from running it as a formula. */
export const withoutGuard = (text: string): string => (/^'[=+@\t\r-]/.test(text) ? text.slice(1) : text);
