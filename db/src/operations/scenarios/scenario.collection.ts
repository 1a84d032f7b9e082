import { joined, type StoredCollection, TITLE_OF } from '../../collections/stored-collection.ts';
import { Scenario } from '../../entities/scenarios.ts';

export const storedScenarios = {
  entity: Scenario,
  title: joined('t.title', TITLE_OF.transaction, TITLE_OF.note),
  fields: {
    title: 'text',
    transaction: 'text',
    note: 'text',
    company: 'text',
    loanTape: 'text',
    contract: 'text',
  },
} as const satisfies StoredCollection;
