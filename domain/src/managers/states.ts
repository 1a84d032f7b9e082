import { defineTransitions } from '../documents/transitions.ts';

export const MANAGER_STATUSES = ['Active', 'Disabled'] as const;
export type ManagerStatus = (typeof MANAGER_STATUSES)[number];

/** The users of a disabled manager, and of its companies and investors, cannot sign in. Its documents are kept. */
export const MANAGER_TRANSITIONS = defineTransitions<ManagerStatus>('a manager', {
  Active: ['Disabled'],
  Disabled: ['Active'],
});
