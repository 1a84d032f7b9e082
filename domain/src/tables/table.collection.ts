import type { Collection } from '../collections/collection.ts';

export const tableCollection = {
  one: 'Option list',
  many: 'Option lists',
  title: 'Lists',
  read: 'tables/read',
  write: 'tables/write',
  list: '/tables',
  page: '/tables',
  menu: { section: 'Lists', rank: 1 },
} as const satisfies Collection;
