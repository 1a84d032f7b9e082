import type { Collection } from '../../collections/collection.ts';

export const paymentRunCollection = {
  one: 'Payment run',
  many: 'Payment runs',
  read: 'payments/read',
  write: 'payments/write',
  list: '/cash/runs',
  page: '/cash/runs',
  amounts: ['total'],
  fields: {
    bankAccount: 'text',
    'bankAccount.title': ['Bank account', 'text'],
    executeOn: 'date',
    format: 'text',
    currency: 'text',
    total: { decimalIn: 'currency' },
    count: ['Payments', 'number'],
  },
} as const satisfies Collection;
