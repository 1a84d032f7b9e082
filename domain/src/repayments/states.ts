import { defineTransitions } from '../documents/transitions.ts';
import type { REPAYMENT_STATUSES } from './repayment.schema.ts';

/** A repayment that was recorded by mistake is removed, with its reason; the history keeps it. */
export const REPAYMENT_TRANSITIONS = defineTransitions<(typeof REPAYMENT_STATUSES)[number]>('a repayment', {
  Active: ['Removed'],
  Removed: [],
});
