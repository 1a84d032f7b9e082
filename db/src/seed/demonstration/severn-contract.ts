import type { TransactionContractInput } from '@tapeline/domain/facilities/contract.schema.ts';

/** The borrowing-base terms of Severn's senior note. Where limits overlap, each asset bears its largest excess alone. */
export function severnContract(mappingId: string): TransactionContractInput {
  return {
    title: 'Borrowing base terms',
    cutOffDate: '2025-10-01',
    assetsETL: mappingId,
    status: 'Active',
    overlap: 'maximumPerAsset',
    eligibilityRules: [
      { title: 'Agreement is live', filter: { assetStatus: { in: ['current', 'pastDue', 'delinquent'] } } },
      { title: 'Term is at most 60 months', filter: { term: { lte: 60 } } },
      { title: 'Loan to value is at most 105%', filter: { originalLtv: { lte: 105 } } },
      { title: 'Score is at least 580', filter: { 'creditScores.origination': { gte: 580 } } },
    ],
    performanceRules: [{ title: 'At most 30 days in arrears', filter: { daysPastDue: { lte: 30 } } }],
    concentrationRules: [
      {
        title: 'Any one customer at most 6%',
        groupBy: 'borrowerId',
        equator: { operand: 'lte', unit: 'percentage', value: 6 },
      },
      {
        title: 'Any one dealer at most 25%',
        groupBy: 'customFields.dealer',
        equator: { operand: 'lte', unit: 'percentage', value: 25 },
      },
      {
        title: 'Any one region at most 30%',
        groupBy: 'address.state',
        equator: { operand: 'lte', unit: 'percentage', value: 30 },
      },
      {
        title: 'Used vehicles at most 45%',
        filter: { 'customFields.condition': 'Used' },
        equator: { operand: 'lte', unit: 'percentage', value: 45 },
      },
    ],
    values: [{ title: 'Average rate', accumulator: '$wAvg', field: 'interestRate' }],
    advanceRate: {
      cases: [{ title: 'New vehicles', filter: { 'customFields.condition': 'New' }, rate: 87 }],
      defaultRate: 80,
    },
  };
}
