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
} as const satisfies Collection;
