import { type StoredCollection, TITLE_OF } from '../../collections/stored-collection.ts';
import { Manager } from '../../entities/people.ts';

export const storedManagers = {
  entity: Manager,
  title: `coalesce(${TITLE_OF.entity}, 'Manager ' || t.code)`,
  found: { title: 't.name' },
  party: { name: 'name', isEntity: 'entity_id = $1' },
} as const satisfies StoredCollection;
