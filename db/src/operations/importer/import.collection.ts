import type { StoredCollection } from '../../collections/stored-collection.ts';
import { Import } from '../../entities/imports.ts';

export const storedImports = {
  entity: Import,
  title: "t.attachments #>> '{0,name}'",
  fields: {
    'resource.kind': ['Kind', 'text'],
    uploadedCount: ['Imported rows', 'number'],
    totalCount: ['Rows', 'number'],
    bulkActionCode: ['Import', 'text'],
  },
} as const satisfies StoredCollection;
