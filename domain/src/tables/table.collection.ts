import type { Collection } from '../collections/collection.ts';

export const tableCollection = {
  one: 'Option list',
  many: 'Option lists',
  title: 'Tables',
  read: 'tables/read',
  write: 'tables/write',
  list: '/tables',
  page: '/tables',
  menu: { group: 'Administration', rank: 8, icon: 'Table' },
  fields: { name: 'text', 'assoc.manager.id': ['Manager', 'text'] },
} as const satisfies Collection;
