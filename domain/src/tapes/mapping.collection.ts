import type { Collection } from '../collections/collection.ts';

export const mappingCollection = {
  one: 'Mapping',
  many: 'Mappings',
  read: 'assets/ETL/read',
  write: 'assets/ETL/write',
  list: '/monitoring/mappings',
  page: '/monitoring/mappings',
  canBeBlocked: true,
  menu: { group: 'Lending', rank: 2, icon: 'Table2', key: 'p' },
  search: { kind: 'mapping', rank: 11 },
  fields: {
    company: ['Company', 'text'],
    family: ['Mapping', 'text'],
    version: ['Version', 'number'],
    primaryCurrency: ['Primary currency', 'text'],
    cutOffDate: ['Cut-off date', 'date'],
    loanTapeSheetName: ['Sheet', 'text'],
  },
} as const satisfies Collection;
