import { dayInWords, joined, type StoredCollection } from '../../collections/stored-collection.ts';
import { BankAccount, Payment } from '../../entities/cash.ts';

export const storedBankAccounts = {
  entity: BankAccount,
  title: 't.title',
  currency: 't.currency',
  fields: {
    title: 'text',
    bankName: 'text',
    accountNumber: 'text',
    BIC: ['BIC', 'text'],
    currency: 'text',
    fund: 'text',
    openingDate: 'date',
  },
} as const satisfies StoredCollection;

export const storedPayments = {
  entity: Payment,
  title: joined(`'Payment ' || t.code`, dayInWords('t.booked_on'), 't.counterparty_name'),
  currency: 't.currency',
  // It has no words in the index: it is found by the reference that it states or pays.
  found: {
    detail: joined(
      `to_char(t.amount, 'FM999,999,999,999,999,990.00') || ' ' || t.currency`,
      `nullif(left(t.remittance, 80), '')`,
    ),
  },
  parts: [['allocations', 'payment_id']],
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
} as const satisfies StoredCollection;
