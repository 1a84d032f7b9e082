import type { Collection } from '../collections/collection.ts';

export const importCollection = {
  one: 'Import',
  many: 'Imports',
  title: 'Data import',
  read: 'importer/read',
  write: 'importer/write',
  list: '/importer',
  page: '/importer',
  menu: { section: 'Data import', rank: 1 },
} as const satisfies Collection;
