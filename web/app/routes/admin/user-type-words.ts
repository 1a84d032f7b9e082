import type { UserType } from '@tapeline/domain/people/actor.ts';

/** User types in words. */
export const TYPE_WORDS: Readonly<Record<UserType, string>> = {
  admin: 'Administrator',
  manager: 'Manager',
  company: 'Company',
  LP: 'Investor',
  LPGroup: 'Investor group',
};
