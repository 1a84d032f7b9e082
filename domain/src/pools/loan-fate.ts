import { CHARGED_OFF_STATUS } from './delinquency.ts';

/** How a loan ended: defaulted, paid ahead of its schedule, or paid as agreed. */
export const LOAN_FATES = ['default', 'prepaid', 'repaid'] as const;

export type LoanFate = (typeof LOAN_FATES)[number];

/** Statuses that mean default; past dates of default and charge-off mean it too. */
export const DEFAULTED_STATUSES: readonly string[] = ['default', CHARGED_OFF_STATUS];
