import type { Collection } from '../../collections/collection.ts';

export const paymentRunCollection = {
  one: 'Payment run',
  many: 'Payment runs',
  read: 'payments/read',
  write: 'payments/write',
  list: '/cash/runs',
  page: '/cash/runs',
  amounts: ['total'],
} as const satisfies Collection;
