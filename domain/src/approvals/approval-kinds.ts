import { valuesOf } from '../documents/labels.ts';

/** What waits for a person's decision, by kind. */
export const APPROVAL_KIND_LABELS = {
  draw: 'Draw',
  correction: 'Correction',
  call: 'Capital call',
  distribution: 'Distribution',
  writeOff: 'Write-off',
  navs: 'NAVs',
  statements: 'Statements',
  fundTerms: 'Fund terms',
  investorTerms: 'Investor terms',
  contract: 'Contract',
  adjustment: 'Adjustment',
  waiver: 'Waiver',
  payoutAccount: 'Bank account',
  paymentRun: 'Payment run',
} as const;
export const APPROVAL_KINDS = valuesOf(APPROVAL_KIND_LABELS);
export type ApprovalKind = (typeof APPROVAL_KINDS)[number];
