import { defineTransitions } from '../documents/transitions.ts';

export const LP_STATUSES = ['Active', 'Disabled'] as const;
export type LPStatus = (typeof LP_STATUSES)[number];

/** A disabled investor keeps its commitments and documents. */
export const LP_TRANSITIONS = defineTransitions<LPStatus>('an investor', {
  Active: ['Disabled'],
  Disabled: ['Active'],
});
