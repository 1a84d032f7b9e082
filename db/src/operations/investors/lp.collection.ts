import type { StoredCollection } from '../../collections/stored-collection.ts';
import { LP, LPGroup } from '../../entities/people.ts';

export const storedLPs = {
  entity: LP,
  title: 't.title',
  found: { detail: 't.name', numbered: /^(lp|investor)$/, named: 't.title' },
  party: { name: 'title', isEntity: 'entity_id = $1' },
} as const satisfies StoredCollection;

export const storedLPGroups = {
  entity: LPGroup,
  title: 't.title',
  found: {},
  fields: { title: 'text', investors: 'number', 'assoc.manager.id': ['Manager', 'text'] },
} as const satisfies StoredCollection;
