import type { CellFault } from '@tapeline/domain/tapes/tape.schema.ts';

/** A corrected row as the tape's mapping makes it now. */
export interface PreviewedRow {
  row: number;
  /** Results in the order of the rules, in words; null where missing. */
  cells: { target: string; label: string; value: string | null }[];
  /** Every reason why it is no asset; none for one that becomes one. */
  errors: CellFault[];
}

/** What corrections would come to. */
export interface PreviewedRerun {
  rows: number;
  changedCells: number;
  assets: number;
  errored: number;
  /** The first rows. */
  shown: PreviewedRow[];
}
