import type { LifeCell } from './vintages.ts';

/**
 * The source of a loan's life. `tapes`: observations on successive tapes, for books that drop closed loans. `dates`:
 * the dates of one tape, for a tape that lists every loan ever made.
 */
export const LIFE_SOURCES = ['tapes', 'dates'] as const;

export type LifeSource = (typeof LIFE_SOURCES)[number];

/** Loans that are left out of vintages, and why. */
export interface LeftOutLoans {
  readonly withoutId: number;
  /** No date of origination, or one after the tape that shows it. */
  readonly withoutDate: number;
  /** Already closed or defaulted on the first tape that lists them: similar loans that had left before are unknown. */
  readonly closedBefore: number;
  /** Closed or defaulted on a date that the tape does not have; only if lives are read from dates. */
  readonly undated: number;
}

export interface LoanLives {
  readonly cells: readonly LifeCell[];
  readonly leftOut: LeftOutLoans;
}
