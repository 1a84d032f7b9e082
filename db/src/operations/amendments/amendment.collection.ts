import { joined, type StoredCollection, TITLE_OF } from '../../collections/stored-collection.ts';
import { Amendment } from '../../entities/amendments.ts';

export const storedAmendments = {
  entity: Amendment,
  title: joined('t.title', TITLE_OF.transaction, TITLE_OF.note),
  fields: {
    title: 'text',
    transaction: 'text',
    note: 'text',
    company: 'text',
    effectiveDate: ['Effective date', 'date'],
  },
} as const satisfies StoredCollection;
