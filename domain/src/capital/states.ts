import { defineTransitions } from '../documents/transitions.ts';

/** Funds, main funds, commitments and capital documents are drafted, in force, and closed. */
export const CAPITAL_TRANSITIONS = defineTransitions<'Draft' | 'Active' | 'Closed' | 'Removed'>('this document', {
  Draft: ['Active', 'Removed'],
  Active: ['Closed', 'Removed'],
  Closed: ['Removed'],
  Removed: [],
});
export type CapitalStatus = (typeof CAPITAL_TRANSITIONS)['states'][number];
