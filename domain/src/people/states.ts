import { defineTransitions } from '../documents/transitions.ts';

export const USER_STATUSES = ['Pending', 'Active', 'Disabled', 'Removed'] as const;
export type UserStatus = (typeof USER_STATUSES)[number];

/** A Pending user is invited and has not signed up. A Removed user's email can be invited again, as another user. */
export const USER_TRANSITIONS = defineTransitions<UserStatus>('a user', {
  Pending: ['Active', 'Disabled', 'Removed'],
  Active: ['Disabled', 'Removed'],
  Disabled: ['Active', 'Removed'],
  Removed: [],
});
