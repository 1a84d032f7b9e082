export const INVESTOR_TYPE_LABELS = {
  individual: 'Individual',
  familyOffice: 'Family office',
  pensionFund: 'Pension fund',
  insurer: 'Insurer',
  endowment: 'Endowment',
  foundation: 'Foundation',
  fundOfFunds: 'Fund of funds',
  sovereignWealthFund: 'Sovereign wealth fund',
  bank: 'Bank',
  assetManager: 'Asset manager',
  corporate: 'Corporate',
  government: 'Government',
  trust: 'Trust',
  other: 'Other',
} as const;

/** Where the check of an investor under the rules against money laundering is (know your customer). */
export const KYC_STATUS_LABELS = {
  notStarted: 'Not started',
  inReview: 'In review',
  passed: 'Passed',
  refused: 'Refused',
} as const;
