import type { StoredCollection } from '../../collections/stored-collection.ts';
import { DuplicatePair } from '../../entities/duplicates.ts';

export const storedDuplicates = {
  entity: DuplicatePair,
  title: `coalesce(t.obligor, 'Pair ' || t.code)`,
  fields: {
    certainty: ['Certainty', 'text'],
    obligor: ['Obligor', 'text'],
    countedTwice: { decimalIn: 'currency', label: 'Counted twice' },
    currency: 'text',
    foundAt: ['Found', 'instant'],
    firstTape: ['First loan tape', 'text'],
    secondTape: ['Second loan tape', 'text'],
    firstCompany: ['First borrower', 'text'],
    secondCompany: ['Second borrower', 'text'],
    decidedAt: ['Decided', 'instant'],
  },
} as const satisfies StoredCollection;
