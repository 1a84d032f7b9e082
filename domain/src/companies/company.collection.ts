import type { Collection } from '../collections/collection.ts';
import { PARTY_COLUMNS, PARTY_FIELDS } from '../entities/party-fields.ts';

export const companyCollection = {
  one: 'Borrower',
  many: 'Borrowers',
  title: 'Borrowers',
  read: 'companies/read',
  write: 'companies/write',
  list: '/monitoring/companies',
  page: '/monitoring/companies',
  takesEntity: true,
  canBeBlocked: true,
  menu: { section: 'Borrowers', rank: 1, key: 'o' },
  search: { kind: 'company', rank: 5 },
  grid: 'companies',
  columns: [...PARTY_COLUMNS, { path: 'externalCode', kind: 'code', shown: false }],
  fields: { ...PARTY_FIELDS, externalCode: 'text', 'assoc.manager.id': ['Manager', 'text'] },
} as const satisfies Collection;
