import { CODE_COLUMN, type Collection, CREATED_COLUMN, STAFF } from '../collections/collection.ts';

export const entityCollection = {
  one: 'Entity',
  many: 'Entities',
  read: 'entities/read',
  write: 'entities/write',
  list: '/admin/entities',
  page: '/admin/entities',
  menu: { section: 'Organizations', rank: 1, key: 'e' },
  search: { kind: 'entity', rank: 19, types: STAFF },
  grid: 'entities',
  columns: [
    { path: 'name', kind: 'text', shown: true, widthPx: 240 },
    { path: 'formalId', kind: 'code', shown: true, widthPx: 150 },
    { path: 'nationality.country', kind: 'country', shown: true },
    { path: 'business.type', kind: 'text', shown: true },
    { path: 'category', label: 'Categories', kind: 'text', shown: true, sortable: false },
    { path: 'description', kind: 'text', shown: false },
    CREATED_COLUMN,
    CODE_COLUMN,
  ],
  fields: {
    name: 'text',
    formalId: 'text',
    'nationality.country': ['Country', 'text'],
    'business.type': ['Type of business', 'text'],
    description: 'text',
    'assoc.manager.id': ['Manager', 'text'],
  },
} as const satisfies Collection;
