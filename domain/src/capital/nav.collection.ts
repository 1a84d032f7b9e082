import type { Collection } from '../collections/collection.ts';
import { COMMITMENT_FIELDS } from './commitment-fields.ts';

export const navCollection = {
  one: 'NAV',
  many: 'NAVs',
  read: 'funds/read',
  write: 'funds/write',
  canBeBlocked: true,
  amounts: ['gross', 'net'],
  fields: { ...COMMITMENT_FIELDS, gross: { decimalIn: 'currency' }, net: { decimalIn: 'currency' } },
} as const satisfies Collection;
