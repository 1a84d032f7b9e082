import type { StoredCollection } from '../../collections/stored-collection.ts';
import { Import } from '../../entities/imports.ts';

export const storedImports = {
  entity: Import,
  title: "t.attachments #>> '{0,name}'",
} as const satisfies StoredCollection;
