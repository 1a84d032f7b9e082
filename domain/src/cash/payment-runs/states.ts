import { defineTransitions } from '../../documents/transitions.ts';
import type { PAYMENT_RUN_STATUSES } from './kinds.ts';

export type PaymentRunStatus = (typeof PAYMENT_RUN_STATUSES)[number];

/** What was released has a file, which somebody may have given to the bank: it is not taken back, but returned line by line. */
export const PAYMENT_RUN_TRANSITIONS = defineTransitions<PaymentRunStatus>('a payment run', {
  Prepared: ['Released', 'Withdrawn'],
  Released: [],
  Withdrawn: [],
});
