import type { Collection } from '../collections/collection.ts';

export const contractCollection = {
  one: 'Contract',
  many: 'Contracts',
  read: 'transactions/read',
  write: 'transactions/write',
  list: '/monitoring/contracts',
  page: '/monitoring/contracts',
  canBeBlocked: true,
  menu: { section: 'Monitoring', rank: 6, key: 'c' },
  search: { kind: 'contract', rank: 7 },
} as const satisfies Collection;
