import type { Collection } from '../collections/collection.ts';

export const tapeCollection = {
  one: 'Loan tape',
  many: 'Loan tapes',
  read: 'assets/read',
  write: 'assets/write',
  calls: '/crud/loanTape',
  list: '/monitoring/tapes',
  page: '/monitoring/tapes',
  canBeBlocked: true,
  menu: { section: 'Loan tapes', rank: 1, key: 't' },
  search: { kind: 'tape', rank: 9 },
} as const satisfies Collection;

/** The assets of all tapes. They are rows of files, and have no history of their own. */
export const assetCollection = {
  one: 'Asset',
  many: 'Assets',
  read: 'assets/read',
  hasHistory: false,
  search: { kind: 'asset', rank: 10 },
} as const satisfies Collection;
