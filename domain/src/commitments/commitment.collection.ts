import type { Collection } from '../collections/collection.ts';

export const commitmentCollection = {
  one: 'Commitment',
  many: 'Commitments',
  read: 'LPs/commitments/read',
  write: 'LPs/commitments/write',
  canBeBlocked: true,
  amounts: ['maxCommitment', 'activeCommitment'],
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
} as const satisfies Collection;
