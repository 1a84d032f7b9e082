import type { Amount } from '@tapeline/domain/money/amount.schema.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import type { CellProblem } from '@tapeline/domain/tapes/tape.schema.ts';

/** The result of mapping a corrected row with the tape's mapping. */
export interface PreviewedRow {
  row: number;
  /** Results as text, in the order of the rules; null if missing. */
  cells: { target: string; label: string; value: string | null }[];
  /** Every reason why the row is not an asset; empty for a row that becomes one. */
  errors: CellProblem[];
}

/** The result that corrections would have. */
export interface PreviewedRerun {
  rows: number;
  changedCells: number;
  assets: number;
  errored: number;
  shown: PreviewedRow[];
}

/** The net borrowing base of one note on the published tape, and as it would be on the reviewed one. */
export interface ReviewedNote {
  transactionId: string;
  noteId: string;
  /** The contract that applies at the cut-off date; null if there is none. */
  contractId: string | null;
  /** The transaction's title and the note's. */
  title: string;
  /** Null if it cannot be calculated; see `failure`. */
  before: Amount | null;
  after: Amount | null;
  failure: string | null;
}

/** The result that accepting a proposal would have. */
export interface ReviewedProposal extends PreviewedRerun {
  notes: ReviewedNote[];
  /** Whether accepting it calculates the borrowing bases of the tape again. */
  calculates: boolean;
}

/** Rows of a tape by what became of them. */
export interface ReviewedCounts {
  assets: number;
  errored: number;
  discarded: number;
}

/** A field of the assets that another version of the mapping changes. */
export interface ReviewedField {
  path: string;
  label: string;
  change: 'added' | 'removed' | 'changed';
  /** Assets of both with another value; for an added or a removed field, those with a value. */
  assets: number;
}

/** The result that another version of the mapping would have on a published tape. */
export interface ReviewedRemap {
  before: ReviewedCounts;
  after: ReviewedCounts;
  /** Rows that are assets only afterwards, and rows that are assets only before. */
  becomeAssets: number;
  stopBeingAssets: number;
  /** Outstanding balance of the assets; null if no asset has one in this currency. */
  balances: { currency: string; before: DecimalText | null; after: DecimalText | null }[];
  /** At most `MAX_REVIEWED_FIELDS`, those of the most assets first. */
  fields: ReviewedField[];
  moreFields: number;
  /** Rows whose cells were corrected, and stay so. */
  correctedRows: number;
  notes: ReviewedNote[];
  /** Whether processing it calculates the borrowing bases of the tape again. */
  calculates: boolean;
}

export const MAX_REVIEWED_FIELDS = 100;
