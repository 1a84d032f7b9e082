import type { Collection } from '../collections/collection.ts';

export const commitmentCollection = {
  one: 'Commitment',
  many: 'Commitments',
  read: 'LPs/commitments/read',
  write: 'LPs/commitments/write',
  canBeBlocked: true,
  amounts: ['maxCommitment', 'activeCommitment'],
} as const satisfies Collection;
