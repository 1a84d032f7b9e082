import { dayInWords, joined, type StoredCollection, TITLE_OF } from '../../collections/stored-collection.ts';
import { FacilityFigure } from '../../entities/covenants.ts';

export const storedFacilityFigures = {
  entity: FacilityFigure,
  title: joined('t.title', TITLE_OF.company, dayInWords('t.date')),
  currency: 't.currency',
  fields: {
    title: 'text',
    company: 'text',
    date: ['As of', 'date'],
    value: { decimalIn: null, label: 'Figure' },
    currency: 'text',
  },
} as const satisfies StoredCollection;
