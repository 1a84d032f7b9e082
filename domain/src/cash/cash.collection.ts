import { type Collection, STAFF } from '../collections/collection.ts';

export const bankAccountCollection = {
  one: 'Bank account',
  many: 'Bank accounts',
  read: 'payments/read',
  write: 'payments/write',
  amounts: ['openingBalance', 'tolerance'],
} as const satisfies Collection;

export const paymentCollection = {
  one: 'Payment',
  many: 'Payments',
  read: 'payments/read',
  write: 'payments/write',
  page: '/cash/payments',
  search: { kind: 'payment', rank: 13.5, types: STAFF },
  amounts: ['amount', 'charges'],
} as const satisfies Collection;
