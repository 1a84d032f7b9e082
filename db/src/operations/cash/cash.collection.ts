import { dayInWords, joined, type StoredCollection } from '../../collections/stored-collection.ts';
import { BankAccount, Payment } from '../../entities/cash.ts';

export const storedBankAccounts = {
  entity: BankAccount,
  title: 't.title',
  currency: 't.currency',
} as const satisfies StoredCollection;

export const storedPayments = {
  entity: Payment,
  title: joined(`'Payment ' || t.code`, dayInWords('t.booked_on'), 't.counterparty_name'),
  currency: 't.currency',
  parts: [['allocations', 'payment_id']],
} as const satisfies StoredCollection;
