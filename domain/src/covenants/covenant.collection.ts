import type { Collection } from '../collections/collection.ts';

export const covenantCollection = {
  one: 'Covenant',
  many: 'Covenants',
  read: 'transactions/read',
  write: 'transactions/write',
  list: '/monitoring/covenants',
  page: '/monitoring/covenants',
  menu: { section: 'Monitoring', rank: 3, key: 'w' },
} as const satisfies Collection;
