import { compare, type DecimalText, sum } from '../money/decimal.ts';

/** Why the balance of an asset differs between two tapes, in the order in which a roll-forward lists it. */
export const POOL_CAUSE_LABELS = {
  added: 'New assets',
  increased: 'Balance increases',
  paid: 'Principal payments',
  paidOff: 'Paid off',
  chargedOff: 'Charge-offs',
  left: 'No longer reported',
} as const;
export type PoolCause = keyof typeof POOL_CAUSE_LABELS;

/** How many assets changed for one cause, and by how much together. */
export interface PoolChange {
  readonly cause: PoolCause;
  readonly count: number;
  readonly change: DecimalText;
}

interface PoolSize {
  readonly count: number;
  readonly balance: DecimalText;
}

/** What made the pool of one tape that of the next: opening, and every change, add up to closing. */
export interface RollForward {
  readonly currency: string;
  readonly opening: PoolSize;
  readonly changes: readonly PoolChange[];
  readonly closing: PoolSize;
}

const sameAmount = (one: DecimalText, other: DecimalText): boolean => compare(one, other) === 0;

/**
 * Whether a roll-forward explains the change between two certified pools to the last digit. It does not if a contract
 * takes only a part of the tapes, or values assets by another balance.
 */
export const explains = (
  { currency, opening, changes, closing }: RollForward,
  pool: { readonly currency: string; readonly before: DecimalText; readonly now: DecimalText },
): boolean =>
  currency === pool.currency &&
  sameAmount(opening.balance, pool.before) &&
  sameAmount(closing.balance, pool.now) &&
  sameAmount(sum([opening.balance, ...changes.map(({ change }) => change)]), closing.balance);
