import type { TransactionContractInput } from '@tapeline/domain/facilities/contract.schema.ts';
import type { TransactionInput } from '@tapeline/domain/facilities/transaction.schema.ts';

/**
 * The borrowing-base terms of Northwind's senior note, in force from 1 July 2026.
 * @param mappingId id of the version of `NORTHWIND_MAPPING` that the filters refer to (24 hex characters).
 */
export function northwindContract(mappingId: string): TransactionContractInput {
  return {
    title: 'Borrowing base terms',
    cutOffDate: '2026-07-01',
    assetsETL: mappingId,
    status: 'Active',
    scopes: [
      { title: 'Unsecured', filter: { product: { in: ['Unsecured personal', 'Small business'] } } },
      { title: 'Secured', filter: { product: 'Secured personal' } },
    ],
    eligibilityRules: [
      { title: 'Asset type is loan', filter: { assetType: 'loan' } },
      {
        title: 'Loan is open',
        description: 'Paid, prepaid, charged off and defaulted loans do not count.',
        filter: { assetStatus: { in: ['current', 'pastDue', 'delinquent'] } },
      },
      { title: 'FICO is at least 640', filter: { 'creditScores.origination': { gte: 640 } } },
      {
        title: 'FICO is at least 660',
        description: 'The step up agreed for 2027.',
        filter: { 'creditScores.origination': { gte: 660 } },
        startDate: '2027-01-01',
      },
      { title: 'Interest rate is between 5% and 30%', filter: { interestRate: { gte: 5, lte: 30 } } },
      { title: 'Seasoning is at least 1 month', filter: { monthsOnBook: { gte: 1 } } },
      { title: 'At least 3 months remain', filter: { remainingTerm: { gte: 3 } } },
      { title: 'Debt to income is at most 40%', filter: { 'customFields.debtToIncome': { lte: 40 } } },
      {
        title: 'State is not WV or IA',
        filter: { 'address.state': { nin: ['WV', 'IA'] } },
        expirationDate: '2027-12-31',
        exceptions: [{ filter: { dateFinanced: { lt: '2024-01-01' } }, reason: 'Made before the licence lapsed' }],
      },
    ],
    performanceRules: [{ title: 'Days past due is at most 30', filter: { daysPastDue: { lte: 30 } } }],
    concentrationRules: [
      {
        title: 'Any one state at most 12%',
        groupBy: 'address.state',
        equator: { operand: 'lte', unit: 'percentage', value: 12 },
      },
      {
        title: 'Any one borrower at most 1%',
        groupBy: 'borrowerId',
        equator: { operand: 'lte', unit: 'percentage', value: 1 },
      },
      {
        title: 'Largest 10 borrowers at most 2%',
        groupBy: 'borrowerId',
        topN: 10,
        equator: { operand: 'lte', unit: 'percentage', value: 2 },
      },
      {
        title: 'Grades E and F at most 7%',
        filter: { 'creditScores.grade': { in: ['E', 'F'] } },
        equator: { operand: 'lte', unit: 'percentage', value: 7 },
      },
      {
        title: 'Terms over 48 months at most 45%',
        filter: { term: { gt: 48 } },
        equator: { operand: 'lte', unit: 'percentage', value: 45 },
      },
      {
        title: 'Average FICO is at least 690',
        accumulator: '$wAvg',
        accumulatorField: 'creditScores.origination',
        equator: { operand: 'gte', unit: 'number', value: 690 },
      },
    ],
    values: [
      { title: 'Average interest rate', accumulator: '$wAvg', field: 'interestRate' },
      { title: 'Late but performing', filter: { daysPastDue: { gt: 0 } } },
    ],
    advanceRate: {
      cases: [
        { title: 'Secured loans', scope: 'Secured', rate: 88 },
        { title: 'Grades A and B', filter: { 'creditScores.grade': { in: ['A', 'B'] } }, rate: 86 },
      ],
      defaultRate: 80,
    },
  };
}

/** Northwind's facility: one senior note with one active tranche of 45 million dollars, and its contract. */
export function northwindFacility(ids: { company: string; mapping: string; fund: string }): TransactionInput {
  return {
    title: 'Northwind warehouse facility',
    type: { kind: 'debt', loanType: 'Asset Backed Lending' },
    industries: ['Consumer Lending'],
    company: ids.company,
    notes: [
      {
        title: 'Senior',
        mainCurrency: 'USD',
        security: ['First-priority interest in the receivables'],
        priority: { attachmentPoint: 0, detachmentPoint: 84 },
        holdings: [{ fund: ids.fund, targetPercentage: 100, actualPercentage: 100 }],
        contracts: [northwindContract(ids.mapping)],
        tranches: [
          {
            sequence: 1,
            sequenceActivated: true,
            title: 'Tranche A',
            type: 'ROFR',
            terms: {
              commitments: [{ amount: { sum: '45000000', currency: 'USD' } }],
              interest: { kind: 'variable', baseRate: 'SOFR', spread: 4.25, minimumInterest: 7.5 },
              fees: [
                {
                  rate: 0.5,
                  title: 'Unused fee',
                  kind: 'Unused',
                  frequency: 'Monthly',
                  feeType: 'Undrawn Amount',
                  dateRangeType: { start: 'revolvingStart', end: 'revolvingEnd' },
                },
                {
                  rate: 1,
                  title: 'Upfront fee',
                  kind: 'Upfront',
                  frequency: 'Beginning',
                  feeType: 'Commitment Amount',
                },
              ],
              timeline: {
                approval: '2026-05-14',
                termsheetSigning: '2026-05-22',
                contractSigning: '2026-06-26',
                revolvingStart: '2026-07-01',
                revolvingEnd: '2028-06-30',
                maturity: '2029-06-30',
              },
              drawLimits: {
                draw: {
                  amountRange: { currency: 'USD', min: '250000', max: '10000000' },
                  frequency: { limit: 4, interval: 'Monthly' },
                  dueDateLimit: { min: 3, max: 20 },
                },
              },
            },
          },
          {
            sequence: 2,
            isDiscretional: true,
            title: 'Tranche B',
            type: 'ROFO',
            condition: 'Three consecutive tapes with less than 4% of the pool over 30 days past due',
            terms: {
              commitments: [{ amount: { sum: '20000000', currency: 'USD' } }],
              timeline: {
                contractSigning: '2026-06-26',
                revolvingStart: '2027-07-01',
                revolvingEnd: '2028-06-30',
                maturity: '2029-06-30',
              },
            },
          },
        ],
      },
    ],
  };
}
