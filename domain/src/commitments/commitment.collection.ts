import type { Collection } from '../collections/collection.ts';

export const commitmentCollection = {
  one: 'Commitment',
  many: 'Commitments',
  read: 'LPs/commitments/read',
  write: 'LPs/commitments/write',
  canBeBlocked: true,
  amounts: ['maxCommitment', 'activeCommitment'],
  fields: {
    fund: ['Fund', 'text'],
    'investor.id': ['Investor', 'text'],
    'investor.kind': ['Investor kind', 'text'],
    Class: ['Class', 'text'],
    closingDate: ['Closing date', 'date'],
    currency: ['Currency', 'text'],
    maxCommitment: ['Maximum commitment', 'decimal', 'currency'],
    activeCommitment: ['Active commitment', 'decimal', 'currency'],
  },
} as const satisfies Collection;
