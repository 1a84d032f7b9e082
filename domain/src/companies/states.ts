import { defineTransitions } from '../documents/transitions.ts';

export const COMPANY_STATUSES = ['Active', 'Disabled'] as const;
export type CompanyStatus = (typeof COMPANY_STATUSES)[number];

/** A disabled company keeps its documents. */
export const COMPANY_TRANSITIONS = defineTransitions<CompanyStatus>('a borrower', {
  Active: ['Disabled'],
  Disabled: ['Active'],
});
