import { type Collection, CREATED_COLUMN } from '../collections/collection.ts';

export const bankStatementCollection = {
  one: 'Bank statement',
  many: 'Bank statements',
  read: 'payments/read',
  write: 'payments/write',
  list: '/cash/statements',
  page: '/cash/statements',
  columns: [
    { path: 'toDate', kind: 'date', shown: true },
    { path: 'number', kind: 'text', shown: true },
    { path: 'format', kind: 'text', shown: true },
    CREATED_COLUMN,
  ],
  fields: {
    bankAccount: 'text',
    'bankAccount.title': ['Bank account', 'text'],
    fileId: ['File', 'text'],
    format: 'text',
    number: 'text',
    toDate: ['To', 'date'],
    currency: 'text',
    lineCount: ['Lines', 'number'],
  },
} as const satisfies Collection;
