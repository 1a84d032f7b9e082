import { joined, type StoredCollection, TITLE_OF } from '../../collections/stored-collection.ts';
import { Covenant } from '../../entities/covenants.ts';

export const storedCovenants = {
  entity: Covenant,
  title: joined('t.title', TITLE_OF.transaction, TITLE_OF.note),
  fields: {
    title: 'text',
    transaction: 'text',
    note: 'text',
    company: 'text',
    unit: 'text',
    frequency: 'text',
    consequence: ['Consequence', 'text'],
    firstTest: ['First test', 'date'],
  },
} as const satisfies StoredCollection;
