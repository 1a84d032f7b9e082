import type { Collection } from '../collections/collection.ts';

export const importCollection = {
  one: 'Import',
  many: 'Imports',
  title: 'Importer',
  read: 'importer/read',
  write: 'importer/write',
  list: '/importer',
  page: '/importer',
  menu: { group: 'Funds', rank: 7, icon: 'FileUp' },
  fields: {
    'resource.kind': ['Kind', 'text'],
    uploadedCount: ['Imported rows', 'number'],
    totalCount: ['Rows', 'number'],
    bulkActionCode: ['Import', 'text'],
  },
} as const satisfies Collection;
