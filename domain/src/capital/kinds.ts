/** What money is called for, and what people call it. */
export const CALL_PURPOSE_LABELS = {
  investments: 'Investments',
  managementFee: 'Management fee',
  successFee: 'Success fee',
  fundExpenses: 'Fund expenses',
  other: 'Other',
} as const;

/** The components of a distribution, and what people call them. */
export const DISTRIBUTION_ACTION_LABELS = {
  INTEREST: 'Interest',
  'INTEREST FEES': 'Fees on interest',
  CG: 'Capital gains',
  'CG FEES': 'Fees on capital gains',
  'INTEREST TAX': 'Tax on interest',
  'CG TAX': 'Tax on capital gains',
} as const;
