import { valuesOf } from '../documents/labels.ts';
import { type DecimalText, isZero } from '../money/decimal.ts';

/** Where the money of a payment or an obligation goes, seen from us. */
export const DIRECTION_LABELS = { in: 'Received', out: 'Paid' } as const;
export const PAYMENT_DIRECTIONS = valuesOf(DIRECTION_LABELS);
export type Direction = (typeof PAYMENT_DIRECTIONS)[number];

/** What an obligation comes from. */
export const OBLIGATION_KIND_LABELS = {
  contribution: 'Capital call',
  distribution: 'Distribution',
  draw: 'Draw',
  repayment: 'Repayment',
  invoice: 'Invoice',
} as const;
export const OBLIGATION_KINDS = valuesOf(OBLIGATION_KIND_LABELS);
export type ObligationKind = (typeof OBLIGATION_KINDS)[number];

/** What a part of a payment is for: an obligation, or the payment whose credit is given back. */
export const ALLOCATION_KIND_LABELS = { ...OBLIGATION_KIND_LABELS, credit: 'Returned credit' } as const;
export const ALLOCATION_KINDS = valuesOf(ALLOCATION_KIND_LABELS);
export type AllocationKind = (typeof ALLOCATION_KINDS)[number];

/** Why an obligation is closed although less was paid. */
export const DIFFERENCE_LABELS = {
  bankCharges: 'Bank charges',
  waived: 'Waived',
  exchangeDifference: 'Exchange difference',
  appliedElsewhere: 'Applied elsewhere',
} as const;
export const DIFFERENCE_REASONS = valuesOf(DIFFERENCE_LABELS);
export type DifferenceReason = (typeof DIFFERENCE_REASONS)[number];

/** What a payment is that no party owes or is owed. */
export const OWN_ITEM_LABELS = {
  fee: 'Bank fee',
  interest: 'Bank interest',
  transfer: 'Transfer between own accounts',
  other: 'Other income or expense',
} as const;
export const OWN_ITEMS = valuesOf(OWN_ITEM_LABELS);
export type OwnItem = (typeof OWN_ITEMS)[number];

/** How far an obligation is paid. */
export const OBLIGATION_STATE_LABELS = {
  upcoming: 'Upcoming',
  due: 'Due today',
  partlyPaid: 'Partly paid',
  paid: 'Paid',
  overdue: 'Overdue',
  /** It was due before an account for it was open, so whether it was paid is unknown. */
  untracked: 'Not tracked',
} as const;
export const OBLIGATION_STATES = valuesOf(OBLIGATION_STATE_LABELS);
export type ObligationState = (typeof OBLIGATION_STATES)[number];

/** What is settled with another document alone was not paid. */
export const obligationStateLabel = ({
  state,
  netted = '0',
  amount = netted,
}: {
  state: ObligationState;
  amount?: DecimalText;
  /** Left out of what is never netted. */
  netted?: DecimalText;
}): string => (state === 'paid' && isZero(amount) && !isZero(netted) ? 'Netted' : OBLIGATION_STATE_LABELS[state]);

/** How late what is open is. */
export const AGE_LABELS = {
  notDue: 'Not due',
  to30: '1 to 30 days',
  to60: '31 to 60 days',
  to90: '61 to 90 days',
  over90: 'Over 90 days',
  untracked: 'Not tracked',
} as const;
export const AGES = valuesOf(AGE_LABELS);
export type Age = (typeof AGES)[number];
