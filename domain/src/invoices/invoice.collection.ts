import type { Collection } from '../collections/collection.ts';

export const invoiceCollection = {
  one: 'Invoice',
  many: 'Invoices',
  read: 'repayments/read',
  write: 'repayments/write',
  page: '/monitoring/invoices',
  canBeBlocked: true,
  history: { verbs: { Active: 'Issued' } },
  amounts: ['amount'],
} as const satisfies Collection;
