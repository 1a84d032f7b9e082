import type { Collection } from '../collections/collection.ts';

export const bankStatementCollection = {
  one: 'Bank statement',
  many: 'Bank statements',
  read: 'payments/read',
  write: 'payments/write',
  list: '/cash/statements',
  page: '/cash/statements',
} as const satisfies Collection;
