import type { StoredCollection } from '../../collections/stored-collection.ts';
import { Role } from '../../entities/people.ts';

export const storedRoles = {
  entity: Role,
  title: 't.title',
  fields: { title: 'text', level: 'number', 'assoc.manager.id': ['Manager', 'text'] },
} as const satisfies StoredCollection;
