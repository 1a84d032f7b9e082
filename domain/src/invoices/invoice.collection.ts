import type { Collection } from '../collections/collection.ts';

export const invoiceCollection = {
  one: 'Invoice',
  many: 'Invoices',
  read: 'repayments/read',
  write: 'repayments/write',
  page: '/monitoring/invoices',
  canBeBlocked: true,
  search: { kind: 'invoice', rank: 8.5 },
  history: { verbs: { Active: 'Issued' } },
  amounts: ['amount'],
} as const satisfies Collection;
