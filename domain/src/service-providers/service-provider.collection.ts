import { CODE_COLUMN, type Collection, CREATED_COLUMN, STAFF } from '../collections/collection.ts';

/** Entities of one service provider. */
export const MAX_ENTITIES = 10;

export const serviceProviderCollection = {
  one: 'Service provider',
  many: 'Service providers',
  read: 'funds/read',
  write: 'funds/write',
  list: '/admin/service-providers',
  page: '/admin/service-providers',
  takesEntity: true,
  canBeBlocked: true,
  menu: { section: 'Organizations', rank: 2 },
  search: { kind: 'serviceProvider', rank: 18, types: STAFF },
  grid: 'service-providers',
  columns: [
    { path: 'title', kind: 'text', shown: true, widthPx: 240 },
    { path: 'type', kind: 'text', shown: true },
    { path: 'description', label: 'Description', kind: 'text', shown: true, sortable: false, widthPx: 320 },
    CREATED_COLUMN,
    CODE_COLUMN,
  ],
  fields: { title: 'text', type: 'text', 'assoc.manager.id': ['Manager', 'text'] },
} as const satisfies Collection;
