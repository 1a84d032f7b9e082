import type { StoredCollection } from '../../collections/stored-collection.ts';
import { LegalEntity } from '../../entities/register.ts';

export const storedEntities = {
  entity: LegalEntity,
  title: 't.name',
  currency: "t.business ->> 'currency'",
  found: { detail: 't.formal_id' },
} as const satisfies StoredCollection;
