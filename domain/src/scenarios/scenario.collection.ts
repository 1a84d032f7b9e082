import type { Collection } from '../collections/collection.ts';

export const scenarioCollection = {
  one: 'Scenario',
  many: 'Scenarios',
  read: 'transactions/read',
  write: 'transactions/write',
  page: '/monitoring/scenarios',
} as const satisfies Collection;
