import type { Collection } from '../collections/collection.ts';

export const duplicateCollection = {
  one: 'Pair of loans',
  many: 'Pairs of loans',
  title: 'The same loan twice',
  read: 'assets/read',
  write: 'assets/write',
  calls: '/LTP/duplicates',
  list: '/monitoring/duplicates',
  page: '/monitoring/duplicates',
  fields: {
    certainty: ['Certainty', 'text'],
    obligor: ['Obligor', 'text'],
    countedTwice: { decimalIn: 'currency', label: 'Counted twice' },
    currency: 'text',
    foundAt: ['Found', 'instant'],
    firstTape: ['First loan tape', 'text'],
    secondTape: ['Second loan tape', 'text'],
    firstCompany: ['First borrower', 'text'],
    secondCompany: ['Second borrower', 'text'],
    decidedAt: ['Decided', 'instant'],
  },
} as const satisfies Collection;
