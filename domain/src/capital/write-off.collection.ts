import type { Collection } from '../collections/collection.ts';
import { COMMITMENT_FIELDS } from './commitment-fields.ts';

export const writeOffCollection = {
  one: 'Write-off',
  many: 'Write-offs',
  read: 'funds/read',
  write: 'funds/write',
  canBeBlocked: true,
  amounts: ['amount'],
  fields: { ...COMMITMENT_FIELDS, amount: { decimalIn: 'currency' } },
} as const satisfies Collection;
