import type { TransactionContractInput } from '../../facilities/contract.schema.ts';

/**
 * Seven loans and a contract, small enough to check by hand. The documentation and tests share them. All in US dollars.
 */
export const WORKED_CASE_TAPE = { cutOffDate: '2026-10-31', mainCurrency: 'USD', exchangeRates: {} };

const loan = (
  assetId: string,
  borrowerId: string,
  state: string,
  fico: number,
  daysPastDue: number,
  grade: string,
  amount: string,
): Record<string, unknown> => ({
  assetId,
  borrowerId,
  'address.state': state,
  'creditScores.origination': fico,
  daysPastDue,
  'creditScores.grade': grade,
  'sums.outstandingSum': amount,
  'sums.outstandingSum.currency': 'USD',
});

export const WORKED_CASE_ASSETS: readonly Record<string, unknown>[] = [
  loan('1', 'b1', 'CA', 700, 0, 'A', '300'),
  loan('2', 'b2', 'CA', 650, 10, 'B', '200'),
  loan('3', 'b3', 'NY', 640, 0, 'A', '250'),
  loan('4', 'b4', 'TX', 620, 5, 'B', '150'),
  loan('5', 'b1', 'TX', 690, 0, 'B', '100'),
  loan('6', 'b5', 'NY', 580, 0, 'A', '120'),
  loan('7', 'b6', 'CA', 710, 45, 'A', '80'),
];

export const WORKED_CASE_CONTRACT: TransactionContractInput = {
  cutOffDate: '2026-07-01',
  assetsETL: '64b000000000000000000001',
  eligibilityRules: [{ title: 'FICO is at least 600', filter: { 'creditScores.origination': { gte: 600 } } }],
  performanceRules: [{ title: 'Days past due is at most 30', filter: { daysPastDue: { lte: 30 } } }],
  concentrationRules: [
    {
      title: 'Any one state at most 40%',
      groupBy: 'address.state',
      equator: { operand: 'lte', unit: 'percentage', value: 40 },
    },
    {
      title: 'Largest 2 borrowers at most 50%',
      groupBy: 'borrowerId',
      topN: 2,
      equator: { operand: 'lte', unit: 'percentage', value: 50 },
    },
  ],
  advanceRate: { cases: [{ title: 'Grade A', filter: { grade: 'A' }, rate: 90 }], defaultRate: 80 },
};

const invoice = (assetId: string, borrowerId: string | null, amount: string, daysPastDue: number) => ({
  assetId,
  borrowerId,
  daysPastDue,
  'sums.outstandingSum': amount,
  'sums.outstandingSum.currency': 'USD',
});

/** Seven invoices to four debtors. Without rules beyond these, 280 are eligible; 250 if negative balances are deducted. */
export const RECEIVABLES: readonly Record<string, unknown>[] = [
  invoice('i1', 'd1', '100', 10),
  invoice('i2', 'd1', '60', 95),
  invoice('i3', 'd2', '200', 30),
  invoice('i4', 'd2', '20', 120),
  invoice('i5', 'd3', '150', 100),
  invoice('i6', 'd4', '80', 0),
  invoice('i7', 'd4', '-30', 95),
];

export const RECEIVABLES_CONTRACT: TransactionContractInput = {
  cutOffDate: '2026-01-01',
  assetsETL: '64b000000000000000000001',
  eligibilityRules: [
    { title: 'At most 90 days', filter: { daysPastDue: { lte: 90 } } },
    {
      title: 'Cross-aging',
      filter: { daysPastDue: { lte: 90 } },
      wholeGroup: { groupBy: 'borrowerId', percent: 25 },
    },
  ],
  advanceRate: { defaultRate: 85 },
};
