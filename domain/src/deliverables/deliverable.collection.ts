import type { Collection } from '../collections/collection.ts';

export const deliverableCollection = {
  one: 'Deliverable',
  many: 'Deliverables',
  read: 'transactions/read',
  write: 'transactions/write',
  list: '/monitoring/deliverables',
  page: '/monitoring/deliverables',
  menu: { section: 'Monitoring', rank: 3.5 },
  search: { kind: 'deliverable', rank: 11.5 },
} as const satisfies Collection;
