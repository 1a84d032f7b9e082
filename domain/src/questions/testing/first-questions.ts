/**
 * Questions of credit analysts and fund managers with the filters that they mean, written before the grammar. They are
 * changed only where their meaning was decided differently: an amount of zero is none. The day is 31 October 2026, a
 * Saturday.
 */
export interface Expected {
  readonly filter: Readonly<Record<string, unknown>>;
  readonly sort?: Readonly<Record<string, 1 | -1>>;
  readonly limit?: number;
}

/** A question with what it means: a filter, or that nobody can know without asking back. */
export type ExpectedQuestion = readonly [question: string, expected: Expected | 'asks back'];

export const QUESTIONS_DAY = '2026-10-31';

/** Names that the questions use, as the lists know them. */
export const NAMED = {
  funds: [
    { id: 'f00000000000000000000001', title: 'Northgate Credit Fund I' },
    { id: 'f00000000000000000000002', title: 'Harbor Direct Lending II' },
  ],
  investors: [
    { id: '1a0000000000000000000001', title: 'Alder Pension Trust' },
    { id: '1a0000000000000000000002', title: 'Birch Insurance' },
  ],
  companies: [
    { id: 'c00000000000000000000001', title: 'Acme Auto Finance' },
    { id: 'c00000000000000000000002', title: 'Bluewater Lending' },
  ],
  states: ['CA', 'FL', 'IL', 'NY', 'TX', 'WA'],
  sectors: ['Construction', 'Healthcare', 'Retail'],
  products: ['Auto loan', 'Personal loan'],
  grades: ['A', 'B', 'C', 'D', 'E', 'F', 'G'],
} as const;

const [northgate, harbor] = NAMED.funds;
const [alder, birch] = NAMED.investors;
const [acme, bluewater] = NAMED.companies;
const BALANCE = 'sums.outstandingSum';
const STATE = 'address.state';
const between = (from: string, to: string) => ({ gte: from, lte: to });

export const FIRST_QUESTIONS: Readonly<Record<string, readonly ExpectedQuestion[]>> = {
  assets: [
    [
      'loans more than 60 days late in California or Texas',
      { filter: { daysPastDue: { gt: 60 }, [STATE]: { in: ['CA', 'TX'] } } },
    ],
    ['top 10 by balance', { filter: {}, sort: { [BALANCE]: -1 }, limit: 10 }],
    ['60+ days late', { filter: { daysPastDue: { gte: 60 } } }],
    ['30 to 60 days past due', { filter: { daysPastDue: { gte: 30, lte: 60 } } }],
    ['loans with a balance over $50,000', { filter: { [BALANCE]: { gt: 50_000 } } }],
    ['balance above 2.5m', { filter: { [BALANCE]: { gt: 2_500_000 } } }],
    [
      'show me all assets with a current balance between $10k and $25k',
      { filter: { [BALANCE]: { gte: 10_000, lte: 25_000 } } },
    ],
    ['interest rate above 12%', { filter: { interestRate: { gt: 12 } } }],
    ['rate of at least 8 percent and at most 14 percent', { filter: { interestRate: { gte: 8, lte: 14 } } }],
    ['which loans are charged off?', { filter: { assetStatus: 'chargedOff' } }],
    [
      'charged off or defaulted loans in Florida',
      { filter: { assetStatus: { in: ['chargedOff', 'default'] }, [STATE]: 'FL' } },
    ],
    ['current loans in New York', { filter: { assetStatus: 'current', [STATE]: 'NY' } }],
    ['loans that are not current', { filter: { assetStatus: { neq: 'current' } } }],
    ['loans not in California', { filter: { [STATE]: { neq: 'CA' } } }],
    ['anything outside California, Texas and New York', { filter: { [STATE]: { nin: ['CA', 'TX', 'NY'] } } }],
    ['originated last quarter', { filter: { dateFinanced: between('2026-07-01', '2026-09-30') } }],
    ['loans originated before March 2024', { filter: { dateFinanced: { lt: '2024-03-01' } } }],
    ['financed since January 2025', { filter: { dateFinanced: { gte: '2025-01-01' } } }],
    ['maturing in 2027', { filter: { 'dates.maturityDate': between('2027-01-01', '2027-12-31') } }],
    [
      'loans that mature in the next 6 months',
      { filter: { 'dates.maturityDate': between('2026-10-31', '2027-04-30') } },
    ],
    ['maturity date after 31 December 2030', { filter: { 'dates.maturityDate': { gt: '2030-12-31' } } }],
    ['loans with no maturity date', { filter: { 'dates.maturityDate': { exists: false } } }],
    ['missing borrower id', { filter: { borrowerId: { exists: false } } }],
    ['origination credit score below 620', { filter: { 'creditScores.origination': { lt: 620 } } }],
    [
      'current FICO under 600 or more than 90 days past due',
      { filter: { $or: [{ 'creditScores.current': { lt: 600 } }, { daysPastDue: { gt: 90 } }] } },
    ],
    ['credit score below 620', 'asks back'],
    ['LTV over 80%', 'asks back'],
    ['original LTV over 80%', { filter: { originalLtv: { gt: 80 } } }],
    ['current loan to value greater than 90 percent', { filter: { currentLtv: { gt: 90 } } }],
    ['grade A or B', { filter: { 'creditScores.grade': { in: ['A', 'B'] } } }],
    ['grade is neither F nor G', { filter: { 'creditScores.grade': { nin: ['F', 'G'] } } }],
    [
      'personal loans of grade C, D or E',
      { filter: { product: 'Personal loan', 'creditScores.grade': { in: ['C', 'D', 'E'] } } },
    ],
    ['loans in the retail sector', { filter: { sector: 'Retail' } }],
    [
      'healthcare or construction loans with arrears above 1,000',
      { filter: { sector: { in: ['Healthcare', 'Construction'] }, 'sums.arrears': { gt: 1_000 } } },
    ],
    ['20 largest loans in Texas', { filter: { [STATE]: 'TX' }, sort: { [BALANCE]: -1 }, limit: 20 }],
    ['the 5 smallest loans by original principal', { filter: {}, sort: { 'sums.sum': 1 }, limit: 5 }],
    [
      'top 25 by days past due excluding charged off',
      { filter: { assetStatus: { neq: 'chargedOff' } }, sort: { daysPastDue: -1 }, limit: 25 },
    ],
    ['oldest 10 loans', { filter: {}, sort: { dateFinanced: 1 }, limit: 10 }],
    ['original balance of $100k or more', { filter: { 'sums.sum': { gte: 100_000 } } }],
    [
      'original amount less than 5,000 and rate greater than 20%',
      { filter: { 'sums.sum': { lt: 5_000 }, interestRate: { gt: 20 } } },
    ],
    ['loans with recoveries', { filter: { 'sums.recoveries': { gt: 0 } } }],
    ['late loans', { filter: { daysPastDue: { gt: 0 } } }],
    ['loans more than 3 months late', { filter: { daysPastDue: { gt: 91.3125 } } }],
    ['months on book over 24', { filter: { monthsOnBook: { gt: 24 } } }],
    ['seasoned at least 12 months', { filter: { monthsOnBook: { gte: 12 } } }],
    ['term longer than 60 months', { filter: { 'term.days': { gt: 1826.25 } } }],
    ['remaining term of at most 2 years', { filter: { 'remainingTerm.days': { lte: 730.5 } } }],
    ['variable rate loans', { filter: { 'interestRate.kind': 'variable' } }],
    [
      'fixed rate loans in Illinois with a rate below 9%',
      { filter: { 'interestRate.kind': 'fix', [STATE]: 'IL', interestRate: { lt: 9 } } },
    ],
    ['eligible assets', { filter: { 'borrowingBase.status': 'eligible' } }],
    ['ineligible loans in CA', { filter: { 'borrowingBase.status': 'inEligible', [STATE]: 'CA' } }],
    [
      'loans of Acme Auto Finance that are 90+ days past due',
      { filter: { company: acme.id, daysPastDue: { gte: 90 } } },
    ],
    [
      '(Texas or Florida) and balance over 30k',
      { filter: { [STATE]: { in: ['TX', 'FL'] }, [BALANCE]: { gt: 30_000 } } },
    ],
    [
      'Texas, or Florida with balance over 30k',
      { filter: { $or: [{ [STATE]: 'TX' }, { $and: [{ [STATE]: 'FL' }, { [BALANCE]: { gt: 30_000 } }] }] } },
    ],
    ['debt to income above 40%', { filter: { 'customFields.debtToIncome': { gt: 40 } } }],
    [
      'annual income under $40k or debt to income over 45%',
      {
        filter: { $or: [{ 'customFields.annualIncome': { lt: 40_000 } }, { 'customFields.debtToIncome': { gt: 45 } }] },
      },
    ],
    ['city is Austin', { filter: { 'address.city': 'Austin' } }],
    ['zip starts with 941', { filter: { 'address.zip': { like: '941%' } } }],
    ['asset id contains LC-77', { filter: { assetId: { like: 'LC-77' } } }],
    ['loans in euros', { filter: { currency: 'EUR' } }],
    ['loans with payments next month', 'asks back'],
    ['good loans', 'asks back'],
    ['average balance by state', 'asks back'],
    [
      'balance at least 10,000 but not in Washington',
      { filter: { [BALANCE]: { gte: 10_000 }, [STATE]: { neq: 'WA' } } },
    ],
    ['last payment more than 90 days ago', { filter: { 'dates.lastPaymentDate': { lt: '2026-08-02' } } }],
  ],
  contributions: [
    ['capital calls due next month', { filter: { dueDate: between('2026-11-01', '2026-11-30') } }],
    ['calls of Northgate Credit Fund I over $1m', { filter: { fund: northgate.id, amount: { gt: 1_000_000 } } }],
    ['draft calls', { filter: { status: 'Draft' } }],
    [
      'contributions of Alder Pension Trust due this year',
      { filter: { 'investor.id': alder.id, dueDate: between('2026-01-01', '2026-12-31') } },
    ],
    ['call number 7', { filter: { callNumber: '7' } }],
    ['largest 5 calls', { filter: {}, sort: { amount: -1 }, limit: 5 }],
    [
      'upcoming or active calls with an amount of at least 250k',
      { filter: { status: { in: ['Upcoming', 'Active'] }, amount: { gte: 250_000 } } },
    ],
  ],
  distributions: [
    [
      'distributions to Birch Insurance last year',
      { filter: { 'investor.id': birch.id, cutOffDate: between('2025-01-01', '2025-12-31') } },
    ],
    ['recallable distributions', { filter: { isRecallable: true } }],
    ['distributions that are not recallable', { filter: { isRecallable: false } }],
    [
      'distributed more than 500k since 2025',
      { filter: { totalDistributed: { gt: 500_000 }, cutOffDate: { gte: '2025-01-01' } } },
    ],
    ['principal only distributions', { filter: { distributionKind: 'Principal Only' } }],
  ],
  commitments: [
    ['commitments above $10m', 'asks back'],
    ['maximum commitment above $10m', { filter: { maxCommitment: { gt: 10_000_000 } } }],
    ['commitments to Harbor Direct Lending II', { filter: { fund: harbor.id } }],
    [
      'commitments of Alder Pension Trust or Birch Insurance',
      { filter: { 'investor.id': { in: [alder.id, birch.id] } } },
    ],
    ['commitments closed after June 2024', { filter: { closingDate: { gt: '2024-06-30' } } }],
    ['top 10 investors by active commitment', { filter: {}, sort: { activeCommitment: -1 }, limit: 10 }],
  ],
  draws: [
    ['draws waiting for review', 'asks back'],
    ['draws in review', { filter: { status: 'In Review' } }],
    ['pending draws of Acme Auto Finance', { filter: { status: 'Pending', company: acme.id } }],
    ['draws with pending exceptions', { filter: { 'exceptions.pending': { gt: 0 } } }],
    [
      'approved or rejected draws worth more than 1 million',
      { filter: { status: { in: ['Approved', 'Rejected'] }, valueInUsd: { gt: 1_000_000 } } },
    ],
    ['draws due this week', { filter: { dueDate: between('2026-10-26', '2026-11-01') } }],
    // A draw knows the id of who requested it, and a question no id.
    ['draws requested by Dana', 'asks back'],
  ],
  transactions: [
    ['active transactions of Bluewater Lending', { filter: { status: 'Active', company: bluewater.id } }],
    [
      'asset backed lending deals maturing before 2028',
      { filter: { type: 'Asset Backed Lending', 'terms.timeline.maturity': { lt: '2028-01-01' } } },
    ],
    ['SOFR transactions', { filter: { 'terms.interest.baseRate': 'SOFR' } }],
    ['direct or whole loan deals', { filter: { type: { in: ['Direct', 'WholeLoan'] } } }],
    ['transactions with more than 2 notes', { filter: { 'notes.count': { gt: 2 } } }],
  ],
  funds: [
    ['funds with a hard cap over $500m', { filter: { hardCap: { gt: 500_000_000 } } }],
    ['ABL funds in dollars', { filter: { strategy: 'ABL', currency: 'USD' } }],
    ['funds without a closing date', { filter: { closingDate: { exists: false } } }],
    ['funds whose title contains credit', { filter: { title: { like: 'credit' } } }],
    ['3 biggest funds by target size', { filter: {}, sort: { targetSize: -1 }, limit: 3 }],
  ],
};
