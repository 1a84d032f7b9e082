import { absolute, compare, type DecimalText } from '../money/decimal.ts';

/** A document of a tape whose figures are used is read in one piece. */
export const TAPE_DOCUMENT_LIMITS = { rows: 200_000, columns: 200, characters: 1_000, text: 20_000_000 } as const;

/** A sheet of such a document. */
export interface DocumentSheet {
  readonly kind: 'xlsx' | 'csv';
  readonly headers: readonly string[];
  readonly rows: readonly { readonly row: number; readonly cells: readonly string[] }[];
}

/** Amounts of a tape have four decimal places and 14 digits before them. */
const MAX_AMOUNT: DecimalText = '99999999999999';
export const isTapeAmount = (text: DecimalText): boolean =>
  !/\.\d{5,}$/.test(text) && compare(absolute(text), MAX_AMOUNT) <= 0;
