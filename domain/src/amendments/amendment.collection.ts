import type { Collection } from '../collections/collection.ts';

export const amendmentCollection = {
  one: 'Amendment',
  many: 'Amendments',
  read: 'transactions/read',
  write: 'transactions/write',
  page: '/monitoring/amendments',
} as const satisfies Collection;
