import type { Collection } from '../collections/collection.ts';

export const proposalCollection = {
  one: 'Proposed correction',
  many: 'Proposed corrections',
  read: 'assets/read',
  write: 'assets/write',
  calls: '/LTP/assets/errored/proposals',
} as const satisfies Collection;
