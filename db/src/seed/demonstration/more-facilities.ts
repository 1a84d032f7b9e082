import type { TransactionInput } from '@tapeline/domain/facilities/transaction.schema.ts';

/** The demonstration's facility in pounds: a senior note with two tranches, and a mezzanine note behind it. */
export const SEVERN_FACILITY = 'Severn motor receivables facility';
/** The demonstration's direct loan, at a floating rate with a floor. */
export const KEYSTONE_LOAN = 'Keystone dental term loan';
/** The demonstration's equity investment, with warrants. */
export const ALDER_INVESTMENT = 'Alder Auto growth equity';

/** Ids of what a facility refers to. */
export interface FacilityParties {
  readonly company: string;
  readonly fund: string;
  /** Entities of the law firms, and of the agent that fees are paid to. */
  readonly companyCounsel: string;
  readonly managerCounsel: string;
  readonly agent: string;
}

const SEVERN_SIGNING = { approval: '2025-08-14', termsheetSigning: '2025-08-27', contractSigning: '2025-10-09' };
const SEVERN_DATES = {
  revolvingStart: '2025-10-15',
  revolvingEnd: '2028-04-30',
  gracePeriod: '2028-07-31',
  firstPrincipalRepayment: '2028-08-31',
  termination: '2029-10-31',
  maturity: '2029-04-30',
};
const gbp = (sum: string) => ({ sum, currency: 'GBP' });
const usd = (sum: string) => ({ sum, currency: 'USD' });

/** A facility of 36 million pounds over two notes; Tranche B of the senior note needs the manager's approval. */
export function severnFacility(ids: FacilityParties): TransactionInput {
  const counsels = { counselsCompany: [ids.companyCounsel], counselsManager: [ids.managerCounsel] };
  return {
    title: SEVERN_FACILITY,
    type: { kind: 'debt', loanType: 'Asset Backed Lending' },
    industries: ['Auto Finance', 'Consumer Lending'],
    company: ids.company,
    managerMaxCommitments: [gbp('30000000')],
    notes: [
      {
        title: 'Senior',
        mainCurrency: 'GBP',
        priority: { attachmentPoint: 0, detachmentPoint: 75 },
        security: [
          'First fixed charge over the hire purchase agreements',
          'Floating charge over the collection account',
        ],
        legalAgreements: ['Senior facility agreement of 9 October 2025', 'Intercreditor deed of 9 October 2025'],
        holdings: [
          { fund: ids.fund, targetPercentage: 80, actualPercentage: 80 },
          { holding: 'Tamar Valley Building Society', targetPercentage: 20, actualPercentage: 20 },
        ],
        ...counsels,
        terms: {
          interest: {
            kind: 'variable',
            baseRate: 'SONIA',
            spread: 4.5,
            minimumInterest: 7,
            numberRange: { min: 0.5, max: 6 },
            dayCount: 'ACT/365F',
          },
          fees: [
            {
              rate: 0.45,
              title: 'Unused fee',
              kind: 'Unused',
              frequency: 'Monthly',
              feeType: 'Undrawn Amount',
              dateRangeType: { start: 'revolvingStart', end: 'revolvingEnd' },
            },
            {
              rate: gbp('3500'),
              title: 'Agency fee',
              kind: 'Agency',
              frequency: 'Quarterly',
              payee: { entity: ids.agent },
              dateRangeType: { start: 'contractSigning', end: 'maturity' },
            },
          ],
          drawLimits: {
            draw: {
              amountRange: { currency: 'GBP', min: '200000', max: '5000000' },
              frequency: { limit: 2, interval: 'Monthly' },
              dueDateLimit: { min: 2, max: 15 },
            },
            prefunding: {
              maxPercentage: 10,
              defaultAmount: gbp('500000'),
              maxAmount: gbp('2000000'),
              frequency: { limit: 1, interval: 'Monthly' },
            },
            recycling: { maxPercentage: 25, maxCollectionAccount: gbp('1500000'), maxAmount: gbp('3000000') },
          },
        },
        tranches: [
          {
            sequence: 1,
            sequenceActivated: true,
            title: 'Tranche A',
            type: 'ROFR',
            terms: {
              commitments: [{ amount: gbp('22000000'), additionalCurrencies: ['EUR'] }],
              timeline: { ...SEVERN_SIGNING, ...SEVERN_DATES },
            },
          },
          {
            sequence: 2,
            isDiscretional: true,
            title: 'Tranche B',
            type: 'ROFO',
            description: 'Growth tranche for the second year of the revolving period.',
            condition: 'Originations of at least £4 million a month for six months, and no breach of a trigger',
            terms: {
              commitments: [{ amount: gbp('8000000') }],
              interest: {
                kind: 'variable',
                baseRate: 'SONIA',
                spread: 4.1,
                minimumInterest: 6.75,
                numberRange: { min: 0.5, max: 6 },
                dayCount: 'ACT/365F',
              },
              timeline: { ...SEVERN_SIGNING, ...SEVERN_DATES, revolvingStart: '2027-05-01' },
            },
          },
        ],
      },
      {
        title: 'Mezzanine',
        mainCurrency: 'GBP',
        priority: { attachmentPoint: 75, detachmentPoint: 90 },
        security: ['Second-ranking charge over the hire purchase agreements'],
        legalAgreements: ['Mezzanine note purchase agreement of 9 October 2025'],
        holdings: [{ fund: ids.fund, targetPercentage: 100, actualPercentage: 100 }],
        futureInvestmentRights: {
          description: 'First refusal on any increase of the mezzanine note until the end of the revolving period',
          amount: gbp('4000000'),
        },
        ...counsels,
        tranches: [
          {
            sequence: 1,
            sequenceActivated: true,
            title: 'Tranche M',
            type: 'Exclusivity for 24 months',
            terms: {
              commitments: [{ amount: gbp('6000000') }],
              interest: { kind: 'fix', value: 11.25, dayCount: '30E/360' },
              fees: [
                {
                  rate: 1.75,
                  title: 'Arrangement fee',
                  kind: 'Upfront',
                  frequency: 'Beginning',
                  feeType: 'Commitment Amount',
                },
                {
                  rate: -0.25,
                  title: 'Rebate for early funding',
                  kind: 'Rebate',
                  frequency: 'Ending',
                  feeType: 'Drawn Amount',
                  payee: { name: 'Severn Motor Finance Limited' },
                  dateRangeType: { start: 'custom', end: 'custom' },
                  dateRange: { start: '2025-10-15', end: '2026-04-30' },
                },
              ],
              timeline: { ...SEVERN_SIGNING, ...SEVERN_DATES },
            },
          },
        ],
      },
    ],
  };
}

/** A term loan of 12 million dollars to a company, at SOFR plus a spread with a floor. */
export const keystoneLoan = (ids: FacilityParties): TransactionInput => ({
  title: KEYSTONE_LOAN,
  type: { kind: 'debt', loanType: 'Direct' },
  industries: ['Hospital and Health Care', 'Medical Practice'],
  company: ids.company,
  notes: [
    {
      title: 'Term loan',
      mainCurrency: 'USD',
      priority: { attachmentPoint: 0, detachmentPoint: 100 },
      security: ['First lien on all assets', 'Pledge of the shares of the practice companies'],
      legalAgreements: ['Credit agreement of 12 March 2026'],
      holdings: [{ fund: ids.fund, targetPercentage: 100, actualPercentage: 100 }],
      counselsCompany: [ids.companyCounsel],
      counselsManager: [ids.managerCounsel],
      tranches: [
        {
          sequence: 1,
          sequenceActivated: true,
          title: 'Initial term loan',
          type: 'ROFR',
          terms: {
            commitments: [{ amount: usd('9000000') }],
            interest: {
              kind: 'variable',
              baseRate: 'SOFR',
              spread: 6.5,
              minimumInterest: 9,
              numberRange: { min: 1.5, max: 8 },
              dayCount: 'ACT/360',
            },
            fees: [
              {
                rate: 2,
                title: 'Original issue discount',
                kind: 'Upfront',
                frequency: 'Beginning',
                feeType: 'Commitment Amount',
              },
              {
                rate: usd('25000'),
                title: 'Monitoring fee',
                kind: 'Monitoring',
                frequency: 'Annually',
                payee: { name: 'Harbour Credit Partners' },
              },
            ],
            timeline: {
              approval: '2026-02-05',
              termsheetSigning: '2026-02-12',
              contractSigning: '2026-03-12',
              firstPrincipalRepayment: '2027-03-31',
              maturity: '2031-03-12',
            },
          },
        },
        {
          sequence: 2,
          isDiscretional: true,
          title: 'Delayed draw term loan',
          type: 'ROFO',
          condition: 'Net leverage of at most 4.0 times after the draw, for the purchase of further practices',
          terms: {
            commitments: [{ amount: usd('3000000') }],
            timeline: { contractSigning: '2026-03-12', firstPrincipalRepayment: '2027-09-30', maturity: '2031-03-12' },
          },
        },
      ],
    },
  ],
});

/** An investment of 6 million dollars in preferred shares, with warrants. */
export const alderInvestment = (ids: FacilityParties): TransactionInput => ({
  title: ALDER_INVESTMENT,
  type: { kind: 'equity', equityType: 'Investment' },
  industries: ['Auto Finance'],
  company: ids.company,
  notes: [
    {
      title: 'Series B preferred',
      mainCurrency: 'USD',
      legalAgreements: ['Share purchase agreement of 30 January 2026', 'Warrant instrument of 30 January 2026'],
      holdings: [{ fund: ids.fund, targetPercentage: 100, actualPercentage: 100 }],
      counselsManager: [ids.managerCounsel],
      futureInvestmentRights: {
        description: 'Right to take up its share of any later issue of preferred shares',
        amount: usd('2000000'),
      },
      tranches: [
        {
          sequence: 1,
          sequenceActivated: true,
          title: 'First closing',
          type: 'ROFR',
          terms: {
            commitments: [{ amount: usd('6000000') }],
            timeline: { approval: '2026-01-08', termsheetSigning: '2026-01-15', contractSigning: '2026-01-30' },
            warrants: [
              {
                shareClass: 'Series B preferred',
                allocationMethod: 'Pro rata to the commitment',
                outstandingIssuedValue: usd('6000000'),
                holdingValue: usd('6450000'),
                acquisitionDate: '2026-01-30',
                description: 'Shares bought at the first closing.',
                actual: { kind: 'actual', actual: true },
              },
              {
                shareClass: 'Ordinary',
                totalExercisePrice: usd('750000'),
                unallocatedShares: 18_500,
                acquisitionDate: '2026-01-30',
                expirationDate: '2033-01-30',
                description: 'Penny warrants that vest with the volume of contracts sold.',
                actual: { kind: 'future', percentage: 3.5 },
              },
            ],
          },
        },
      ],
    },
  ],
});
