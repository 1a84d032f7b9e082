import { dayInWords, joined, type StoredCollection } from '../../collections/stored-collection.ts';
import { PaymentRun } from '../../entities/payment-runs.ts';

export const storedPaymentRuns = {
  entity: PaymentRun,
  title: joined(`'Payment run ' || t.code`, dayInWords('t.execute_on')),
  currency: 't.currency',
  fields: {
    bankAccount: 'text',
    'bankAccount.title': ['Bank account', 'text'],
    executeOn: 'date',
    format: 'text',
    currency: 'text',
    total: { decimalIn: 'currency' },
    count: ['Payments', 'number'],
  },
} as const satisfies StoredCollection;
