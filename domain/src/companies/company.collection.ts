import type { Collection } from '../collections/collection.ts';
import { PARTY_COLUMNS, PARTY_FIELDS } from '../entities/party-fields.ts';

export const companyCollection = {
  one: 'Company',
  many: 'Companies',
  read: 'companies/read',
  write: 'companies/write',
  list: '/monitoring/companies',
  page: '/monitoring/companies',
  takesEntity: true,
  canBeBlocked: true,
  menu: { group: 'Lending', rank: 8, icon: 'Building2' },
  search: { kind: 'company', rank: 5 },
  grid: 'companies',
  columns: [...PARTY_COLUMNS, { path: 'externalCode', kind: 'code', shown: false }],
  fields: { ...PARTY_FIELDS, externalCode: 'text', 'assoc.manager.id': ['Manager', 'text'] },
} as const satisfies Collection;
