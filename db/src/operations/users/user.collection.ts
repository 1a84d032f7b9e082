import type { StoredCollection } from '../../collections/stored-collection.ts';
import { User } from '../../entities/people.ts';

export const storedUsers = {
  entity: User,
  title: "t.first_name || ' ' || t.last_name",
  found: { title: 't.name', detail: 't.email' },
} as const satisfies StoredCollection;
