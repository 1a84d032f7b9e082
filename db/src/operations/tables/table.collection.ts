import type { StoredCollection } from '../../collections/stored-collection.ts';
import { OptionList } from '../../entities/lists.ts';

export const storedTables = {
  entity: OptionList,
  title: 't.name',
  fields: { name: 'text', 'assoc.manager.id': ['Manager', 'text'] },
} as const satisfies StoredCollection;
