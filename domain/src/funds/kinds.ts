/** Types of funds, and what people call them. */
export const FUND_TYPE_LABELS = {
  SMA: 'SMA',
  ComingleFund: 'Commingled fund',
  'Co-Invest SPV': 'Co-Invest SPV',
  'Co-invest': 'Co-invest',
  'Transactions SPV': 'Transactions SPV',
  'Direct investment': 'Direct investment',
} as const;
