import type { StoredCollection } from '../../collections/stored-collection.ts';
import { Role } from '../../entities/people.ts';

export const storedRoles = { entity: Role, title: 't.title' } as const satisfies StoredCollection;
