import type { Collection } from '../collections/collection.ts';
import { PARTY_COLUMNS, PARTY_FIELDS } from '../entities/party-fields.ts';

export const managerCollection = {
  one: 'Manager',
  many: 'Managers',
  read: 'managers/read',
  write: 'managers/write',
  list: '/admin/managers',
  page: '/admin/managers',
  menu: { section: 'Managers', rank: 1 },
  search: { kind: 'manager', rank: 20 },
  grid: 'managers',
  columns: PARTY_COLUMNS,
  fields: PARTY_FIELDS,
} as const satisfies Collection;
