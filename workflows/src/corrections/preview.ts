import type { Amount } from '@tapeline/domain/money/amount.schema.ts';
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

/** The net borrowing base of one note on the published tape, and as it would be if a proposal were accepted. */
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
