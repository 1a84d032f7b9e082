import { defineTransitions } from '../documents/transitions.ts';

/** The statuses that a caller can give an investor. Undoing an import removes those that it created. */
export const LP_STATUSES = ['Active', 'Disabled'] as const;
export type LPStatus = (typeof LP_STATUSES)[number] | 'Removed';

/** A disabled investor keeps its commitments and documents. */
export const LP_TRANSITIONS = defineTransitions<LPStatus>('an investor', {
  Active: ['Disabled', 'Removed'],
  Disabled: ['Active', 'Removed'],
  Removed: [],
});
