import type { Collection } from '../collections/collection.ts';

export const bankAccountCollection = {
  one: 'Bank account',
  many: 'Bank accounts',
  read: 'payments/read',
  write: 'payments/write',
  amounts: ['openingBalance', 'tolerance'],
  fields: {
    title: 'text',
    bankName: 'text',
    accountNumber: 'text',
    BIC: ['BIC', 'text'],
    currency: 'text',
    fund: 'text',
    openingDate: 'date',
  },
} as const satisfies Collection;

export const paymentCollection = {
  one: 'Payment',
  many: 'Payments',
  read: 'payments/read',
  write: 'payments/write',
  amounts: ['amount', 'charges'],
  fields: {
    bankAccount: 'text',
    fund: 'text',
    LP: ['Investor', 'text'],
    company: 'text',
    direction: 'text',
    amount: { decimalIn: 'currency' },
    currency: 'text',
    bookedOn: 'date',
    valuedOn: 'date',
    counterpartyName: ['Payer or payee', 'text'],
    counterpartyAccount: ['Account of payer or payee', 'text'],
    remittance: 'text',
    bankReference: 'text',
    ownItem: ['Not ours', 'text'],
  },
} as const satisfies Collection;
