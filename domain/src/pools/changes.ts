import { valuesOf } from '../documents/labels.ts';

/**
 * Changes of a loan between two tapes that should not happen, in the order in which they are listed. An id that
 * stands for another loan is listed once, and not for each of the values that changed with it.
 */
export const CHANGE_LABELS = {
  otherLoan: 'Id of another loan',
  originalPrincipal: 'Original principal changed',
  originationDate: 'Origination date changed',
  term: 'Original term changed',
  borrower: 'Borrower changed',
  currency: 'Currency changed',
  maturity: 'Maturity moved',
  grew: 'Balance grew without an advance',
  jumped: 'Days past due jumped',
  reopened: 'Closed loan is open again',
} as const;
export type LoanChange = keyof typeof CHANGE_LABELS;
export const CHANGE_KINDS = valuesOf(CHANGE_LABELS);

/** What each kind means, as a sentence. */
export const CHANGE_SENTENCES: Readonly<Record<LoanChange, string>> = {
  otherLoan: 'The original principal and the origination date both differ: the id stands for another loan.',
  originalPrincipal: 'The original principal of a loan does not change.',
  originationDate: 'The origination date of a loan does not change.',
  term: 'The original term of a loan does not change.',
  borrower: 'The same loan names another borrower.',
  currency: 'The balance of the same loan is in another currency.',
  maturity: 'The maturity date moved: the loan was extended, or a date is wrong.',
  grew: 'The balance grew by more than the original principal did, so no advance explains it.',
  jumped: 'The days past due grew by more than the days between the two tapes.',
  reopened: 'The loan was paid off or charged off on the earlier tape, and is open on the later one.',
};

/** The fields that both tapes need for a kind to be checked. */
export const CHANGE_FIELDS: Readonly<Record<LoanChange, readonly string[]>> = {
  otherLoan: ['sums.sum', 'dateFinanced'],
  originalPrincipal: ['sums.sum'],
  originationDate: ['dateFinanced'],
  term: ['term'],
  borrower: ['borrowerId'],
  currency: ['sums.outstandingSum'],
  maturity: ['dates.maturityDate'],
  grew: ['sums.outstandingSum'],
  jumped: ['daysPastDue'],
  reopened: ['assetStatus', 'sums.outstandingSum'],
};

/** How many assets changed so. Null: the tapes do not have the fields, so it was not checked. */
export interface FoundChange {
  readonly kind: LoanChange;
  /** Assets on both tapes for which both values are known. */
  readonly compared: number | null;
  readonly count: number | null;
}

/** What was found between two tapes. Only assets with an id that is listed once on each tape are compared. */
export interface FoundChanges {
  readonly matched: number;
  /** Assets with at least one change. */
  readonly changed: number;
  readonly changes: readonly FoundChange[];
}
