import type { Collection } from '../collections/collection.ts';

export const mappingCollection = {
  one: 'Mapping',
  many: 'Mappings',
  read: 'assets/ETL/read',
  write: 'assets/ETL/write',
  list: '/monitoring/mappings',
  page: '/monitoring/mappings',
  canBeBlocked: true,
  menu: { section: 'Loan tapes', rank: 2, key: 'p' },
  search: { kind: 'mapping', rank: 11 },
} as const satisfies Collection;
