import { valuesOf } from '../../documents/labels.ts';
import { PAYMENT_FORMAT_LABELS } from '../payment-files/payment-order.ts';

export const PAYMENT_RUN_STATUS_LABELS = {
  Prepared: 'Prepared',
  Released: 'Released',
  Withdrawn: 'Withdrawn',
} as const;
export const PAYMENT_RUN_STATUSES = valuesOf(PAYMENT_RUN_STATUS_LABELS);

export const PAYMENT_FORMATS = valuesOf(PAYMENT_FORMAT_LABELS);

/** What a run can pay. */
export const PAYABLE_KIND_LABELS = { distribution: 'Distribution', draw: 'Draw' } as const;
export const PAYABLE_KINDS = valuesOf(PAYABLE_KIND_LABELS);
export type PayableKind = (typeof PAYABLE_KINDS)[number];

/** Why something that is owed cannot be chosen for a run. */
export const PAYABLE_BLOCK_LABELS = {
  noAccount: 'No bank details',
  held: 'Bank details on hold',
  inRun: 'In another run',
} as const;
export type PayableBlock = keyof typeof PAYABLE_BLOCK_LABELS;

/** How it stands with a payment of a run. */
export const PAYMENT_STATE_LABELS = {
  prepared: 'Prepared',
  sent: 'Sent',
  paid: 'Paid',
  returned: 'Returned',
  withdrawn: 'Withdrawn',
} as const;
export const PAYMENT_STATES = valuesOf(PAYMENT_STATE_LABELS);
export type PaymentState = (typeof PAYMENT_STATES)[number];
