import { dayInWords, joined, type StoredCollection } from '../../collections/stored-collection.ts';
import { PaymentRun } from '../../entities/payment-runs.ts';

export const storedPaymentRuns = {
  entity: PaymentRun,
  title: joined(`'Payment run ' || t.code`, dayInWords('t.execute_on')),
  currency: 't.currency',
} as const satisfies StoredCollection;
