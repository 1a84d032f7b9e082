/** Columns that a download of errored rows adds to the tape's own: their headers in a workbook, and in a .csv file. */
export const DOWNLOAD_COLUMNS = {
  /** The row number in the sheet; it must be sent back with the corrections. */
  row: ['Sheet row', 'row'],
  tape: ['Loan tape', 'loanTape'],
  reasons: ['Reasons', 'errors'],
} as const;
/** Prefix of each tape header in a .csv download. */
export const ORIGIN_PREFIX = 'origin.';

/** The columns of a file of corrected rows, by position. */
export interface CorrectionColumns {
  readonly row: number;
  /** Maps the position in the file to the header of the tape. */
  readonly headers: ReadonlyMap<number, string>;
}

/**
 * Identifies the columns of a corrected file; null if no column holds the row numbers. Only the first column with each
 * of our own names is ours, because a tape may have headers with the same names.
 */
export function correctionColumns(heads: readonly string[]): CorrectionColumns | null {
  const columnOf = (names: readonly string[]) => heads.findIndex((head) => names.includes(head));
  const row = columnOf(DOWNLOAD_COLUMNS.row);
  if (row < 0) return null;
  const isCsv = heads[row] === DOWNLOAD_COLUMNS.row[1];
  const own = new Set([row, columnOf(DOWNLOAD_COLUMNS.tape), columnOf(DOWNLOAD_COLUMNS.reasons)]);
  const headers = heads.flatMap((head, index): [number, string][] => {
    if (own.has(index)) return [];
    return [[index, isCsv && head.startsWith(ORIGIN_PREFIX) ? head.slice(ORIGIN_PREFIX.length) : head]];
  });
  return { row, headers: new Map(headers) };
}

/** Removes the apostrophe that .csv downloads add to keep spreadsheets from running a text as a formula. */
export const withoutGuard = (text: string): string => (/^'[=+@\t\r-]/.test(text) ? text.slice(1) : text);
