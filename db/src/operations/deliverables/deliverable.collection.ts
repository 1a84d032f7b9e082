import { joined, type StoredCollection, TITLE_OF } from '../../collections/stored-collection.ts';
import { Deliverable } from '../../entities/deliverables.ts';

export const storedDeliverables = {
  entity: Deliverable,
  title: joined('t.title', TITLE_OF.company, TITLE_OF.note),
  found: { title: 't.title', detail: joined(TITLE_OF.company, TITLE_OF.note) },
  fields: {
    title: 'text',
    company: 'text',
    transaction: 'text',
    note: 'text',
    kind: 'text',
    frequency: 'text',
    firstPeriodEnd: ['First period', 'date'],
  },
} as const satisfies StoredCollection;
