import type { StoredCollection } from '../../collections/stored-collection.ts';
import { DuplicatePair } from '../../entities/duplicates.ts';

export const storedDuplicates = {
  entity: DuplicatePair,
  title: `coalesce(t.obligor, 'Pair ' || t.code)`,
} as const satisfies StoredCollection;
