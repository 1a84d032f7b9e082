import { valuesOf } from '../documents/labels.ts';

/** Why a payment is in the bank's balance and not in the book's, or the other way round. */
export const OPEN_ITEM_LABELS = {
  toMatch: 'To match',
  credit: 'Credit',
  notReported: 'Not yet reported by the bank',
} as const;
export const OPEN_ITEM_KINDS = valuesOf(OPEN_ITEM_LABELS);
export type OpenItemKind = (typeof OPEN_ITEM_KINDS)[number];

/** Why a month cannot be closed, with what to do. */
export const CLOSING_PROBLEM_TEXTS = {
  closed: 'This month is closed',
  notOver: 'A month can be closed once it is over',
  noStatement: 'No statement with balances reaches the end of the month. Import it first',
  difference:
    'The statements of the bank differ from the lines that were imported. Import the missing statement, or correct the opening balance of the account',
} as const;
export const CLOSING_PROBLEMS = valuesOf(CLOSING_PROBLEM_TEXTS);
export type ClosingProblem = (typeof CLOSING_PROBLEMS)[number];
