import type { StoredCollection } from '../../collections/stored-collection.ts';
import { ServiceProvider } from '../../entities/service-providers.ts';

export const storedServiceProviders = {
  entity: ServiceProvider,
  title: 't.title',
  found: { detail: 't.type' },
  party: { name: 'title', isEntity: '$1::text = any (entity_ids::text[])' },
} as const satisfies StoredCollection;
