import type { StoredCollection } from '../../collections/stored-collection.ts';
import { Company } from '../../entities/people.ts';

export const storedCompanies = {
  entity: Company,
  title: 't.name',
  found: { detail: "nullif(t.formal_id, '')", numbered: /^(company|borrower)$/, named: 't.name' },
  party: { name: 'name', isEntity: 'entity_id = $1' },
} as const satisfies StoredCollection;
