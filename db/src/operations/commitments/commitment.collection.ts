import { type StoredCollection, TITLE_OF } from '../../collections/stored-collection.ts';
import { LPCommitment } from '../../entities/funds.ts';

export const storedCommitments = {
  entity: LPCommitment,
  title: `concat_ws(' in ', ${TITLE_OF.investor}, ${TITLE_OF.fund})`,
  currency: 't.currency',
  fields: {
    fund: 'text',
    'investor.id': 'text',
    'investor.kind': 'text',
    Class: 'text',
    closingDate: 'date',
    currency: 'text',
    maxCommitment: { decimalIn: 'currency' },
    activeCommitment: { decimalIn: 'currency' },
  },
} as const satisfies StoredCollection;
