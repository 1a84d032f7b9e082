import type { FigureReading } from '../figures.ts';
import type { ExpectedQuestion } from './first-questions.ts';

/**
 * Questions of analysts, fund managers, borrowers and investors with what they mean, which were written when the grammar
 * was finished, and not looked at while it was changed.
 */
export const FRESH_QUESTIONS: Readonly<Record<string, readonly ExpectedQuestion[]>> = {
  assets: [
    [
      'Loans in Illinois with a balance below $15,000',
      { filter: { 'address.state': 'IL', 'sums.outstandingSum': { lt: 15000 } } },
    ],
    [
      'Show me auto loans that are more than 90 days overdue',
      { filter: { product: 'Auto loan', daysPastDue: { gt: 90 } } },
    ],
    [
      'Which Acme loans are charged off?',
      { filter: { company: 'c00000000000000000000001', assetStatus: 'chargedOff' } },
    ],
    [
      'fixed rate loans in Texas above 10 per cent',
      { filter: { 'interestRate.kind': 'fix', 'address.state': 'TX', interestRate: { gt: 10 } } },
    ],
    [
      'Grade B loans originated in 2024',
      { filter: { 'creditScores.grade': 'B', dateFinanced: { gte: '2024-01-01', lte: '2024-12-31' } } },
    ],
    ['loans with a remaining term of at most 12 months', { filter: { 'remainingTerm.days': { lte: 365.25 } } }],
    [
      'top 20 loans by current balance in Florida',
      { filter: { 'address.state': 'FL' }, sort: { 'sums.outstandingSum': -1 }, limit: 20 },
    ],
    ['how many healthcare loans are late?', { filter: { sector: 'Healthcare', daysPastDue: { gt: 0 } } }],
    ['loans not in Washington or Illinois', { filter: { 'address.state': { nin: ['WA', 'IL'] } } }],
    [
      'Personal loans with an interest rate between 15 and 20 per cent',
      { filter: { product: 'Personal loan', interestRate: { gte: 15, lte: 20 } } },
    ],
    [
      'oldest 15 loans of Bluewater',
      { filter: { company: 'c00000000000000000000002' }, sort: { dateFinanced: 1 }, limit: 15 },
    ],
    [
      'loans originated between 1 January and 31 March 2026',
      { filter: { dateFinanced: { gte: '2026-01-01', lte: '2026-03-31' } } },
    ],
    [
      'current loans in California with a current FICO over 720',
      { filter: { assetStatus: 'current', 'address.state': 'CA', 'creditScores.current': { gt: 720 } } },
    ],
    ['Loans with original LTV above 80%', { filter: { originalLtv: { gt: 80 } } }],
    [
      'eligible loans of grade A, B or C',
      { filter: { 'borrowingBase.status': 'eligible', 'creditScores.grade': { in: ['A', 'B', 'C'] } } },
    ],
    ['loans that are out of scope', { filter: { 'borrowingBase.status': 'outOfScope' } }],
    [
      'retail loans without collateral',
      {
        filter: {
          sector: 'Retail',
          $or: [{ 'sums.collateralValue': { exists: false } }, { 'sums.collateralValue': 0 }],
        },
      },
    ],
    [
      'loans maturing in the second half of 2027',
      { filter: { 'dates.maturityDate': { gte: '2027-07-01', lte: '2027-12-31' } } },
    ],
    ['loans with a monthly payment over $750', { filter: { 'sums.scheduledPayment': { gt: 750 } } }],
    ['paid off loans of Acme Auto Finance', { filter: { assetStatus: 'paid', company: 'c00000000000000000000001' } }],
    [
      'loans 30+ days late in Texas, Florida or California',
      { filter: { daysPastDue: { gte: 30 }, 'address.state': { in: ['TX', 'FL', 'CA'] } } },
    ],
    [
      'sterling loans over 20,000 pounds balance',
      { filter: { currency: 'GBP', 'sums.outstandingSum': { gt: 20000 }, 'sums.outstandingSum.currency': 'GBP' } },
    ],
    [
      'Construction loans by balance, largest first',
      { filter: { sector: 'Construction' }, sort: { 'sums.outstandingSum': -1 } },
    ],
    ['loans with accrued interest of more than 200', { filter: { 'sums.outstandingInterest': { gt: 200 } } }],
    ['what is our weighted average coupon', 'asks back'],
    ['loans with a debt to income above 40%', { filter: { 'customFields.debtToIncome': { gt: 40 } } }],
    ['borrowers with an annual income under $45k', { filter: { 'customFields.annualIncome': { lt: 45000 } } }],
    ['loans in arrears by more than 15 days', { filter: { daysPastDue: { gt: 15 } } }],
    [
      'the smallest loan in New York',
      { filter: { 'address.state': 'NY' }, sort: { 'sums.outstandingSum': 1 }, limit: 1 },
    ],
    ['loans funded since 1 September 2026', { filter: { dateFinanced: { gte: '2026-09-01' } } }],
    ['Loans whose grade is missing', { filter: { 'creditScores.grade': { exists: false } } }],
    ['36 month loans in Illinois', { filter: { 'term.days': 1095.75, 'address.state': 'IL' } }],
    ['loans with 24 months on book or less', { filter: { monthsOnBook: { lte: 24 } } }],
    ['defaulted loans with recoveries', { filter: { assetStatus: 'default', 'sums.recoveries': { gt: 0 } } }],
    [
      'variable rate loans that mature after 2028',
      { filter: { 'interestRate.kind': 'variable', 'dates.maturityDate': { gt: '2028-12-31' } } },
    ],
    ['loans with a balance of exactly 10,000', { filter: { 'sums.outstandingSum': 10000 } }],
    [
      'loans from California or Texas with grade F',
      { filter: { 'address.state': { in: ['CA', 'TX'] }, 'creditScores.grade': 'F' } },
    ],
    ['which loans have an advance rate under 80 percent', { filter: { 'borrowingBase.rate': { lt: 80 } } }],
    ['loans to dentists', 'asks back'],
    [
      'my late loans in Washington with a balance over 5k',
      { filter: { daysPastDue: { gt: 0 }, 'address.state': 'WA', 'sums.outstandingSum': { gt: 5000 } } },
    ],
    [
      'loans in New York with a grade other than G',
      { filter: { 'address.state': 'NY', 'creditScores.grade': { neq: 'G' } } },
    ],
  ],
  contributions: [
    [
      'capital calls of Harbor due in November 2026',
      { filter: { fund: 'f00000000000000000000002', dueDate: { gte: '2026-11-01', lte: '2026-11-30' } } },
    ],
    [
      'unpaid calls of Northgate',
      { filter: { fund: 'f00000000000000000000001', status: { in: ['Active', 'Upcoming'] } } },
    ],
    ['Which capital calls are overdue?', { filter: { status: 'Active', dueDate: { lt: '2026-10-31' } } }],
    [
      'open capital calls due before 15 December 2026',
      { filter: { status: { in: ['Active', 'Upcoming'] }, dueDate: { lt: '2026-12-15' } } },
    ],
    ['capital calls above $2 million', { filter: { amount: { gt: 2000000 } } }],
    [
      'how many capital calls has Harbor made this year?',
      { filter: { fund: 'f00000000000000000000002', dueDate: { gte: '2026-01-01', lte: '2026-12-31' } } },
    ],
    ['call 7 of Northgate Credit Fund I', { filter: { callNumber: '7', fund: 'f00000000000000000000001' } }],
    ['draft capital calls', { filter: { status: 'Draft' } }],
    [
      'calls to Alder Pension Trust last quarter',
      { filter: { 'investor.id': '1a0000000000000000000001', dueDate: { gte: '2026-07-01', lte: '2026-09-30' } } },
    ],
    [
      '5 largest capital calls of Harbor',
      { filter: { fund: 'f00000000000000000000002' }, sort: { amount: -1 }, limit: 5 },
    ],
    [
      'next capital call of Northgate',
      { filter: { fund: 'f00000000000000000000001', dueDate: { gte: '2026-10-31' } }, sort: { dueDate: 1 }, limit: 1 },
    ],
    ['class A capital calls', { filter: { Class: 'A' } }],
    ['calls due within 14 days', { filter: { dueDate: { gte: '2026-10-31', lte: '2026-11-14' } } }],
    ['closed calls of Birch Insurance', { filter: { status: 'Closed', 'investor.id': '1a0000000000000000000002' } }],
    ['calls in euros over 1m', { filter: { currency: 'EUR', amount: { gt: 1000000 } } }],
    ['withdrawn capital calls', { filter: { status: 'Removed' } }],
    ['capital calls between 250k and 750k', { filter: { amount: { gte: 250000, lte: 750000 } } }],
    ['capital calls of Harbor that are not overdue', 'asks back'],
    ['calls not to Alder', { filter: { 'investor.id': { neq: '1a0000000000000000000001' } } }],
    [
      'capital calls due from August to October 2026',
      { filter: { dueDate: { gte: '2026-08-01', lte: '2026-10-31' } } },
    ],
  ],
  distributions: [
    [
      'distributions of Northgate in 2025',
      { filter: { fund: 'f00000000000000000000001', cutOffDate: { gte: '2025-01-01', lte: '2025-12-31' } } },
    ],
    [
      'Principal only distributions of Harbor',
      { filter: { distributionKind: 'Principal Only', fund: 'f00000000000000000000002' } },
    ],
    ['SPV distributions', { filter: { distributionKind: 'SPV' } }],
    [
      'distributions to Birch over $50,000',
      { filter: { 'investor.id': '1a0000000000000000000002', totalDistributed: { gt: 50000 } } },
    ],
    ['recallable distributions since 2025', { filter: { isRecallable: true, cutOffDate: { gte: '2025-01-01' } } }],
    ['distributions without principal', { filter: { $or: [{ principal: { exists: false } }, { principal: 0 }] } }],
    ['distributions paid last month', { filter: { cutOffDate: { gte: '2026-09-01', lte: '2026-09-30' } } }],
    ['distribution number 3 of Harbor', { filter: { callNumber: '3', fund: 'f00000000000000000000002' } }],
    ['my three largest distributions', { filter: {}, sort: { totalDistributed: -1 }, limit: 3 }],
    [
      'the latest distribution of Northgate',
      { filter: { fund: 'f00000000000000000000001' }, sort: { cutOffDate: -1 }, limit: 1 },
    ],
    ['upcoming distributions', { filter: { status: 'Upcoming' } }],
    ['distributions with capital gains over 20k', { filter: { totalCg: { gt: 20000 } } }],
    [
      'distributions with income of at least 100,000 in Q2 2026',
      { filter: { totalIncome: { gte: 100000 }, cutOffDate: { gte: '2026-04-01', lte: '2026-06-30' } } },
    ],
    ['how many distributions were made in 2026?', { filter: { cutOffDate: { gte: '2026-01-01', lte: '2026-12-31' } } }],
  ],
  commitments: [
    ['commitments to Harbor', { filter: { fund: 'f00000000000000000000002' } }],
    ["Birch's commitments", { filter: { 'investor.id': '1a0000000000000000000002' } }],
    ['class B commitments of Northgate', { filter: { Class: 'B', fund: 'f00000000000000000000001' } }],
    ['commitments with a maximum commitment over $20m', { filter: { maxCommitment: { gt: 20000000 } } }],
    [
      'largest 5 commitments to Northgate Credit Fund I',
      { filter: { fund: 'f00000000000000000000001' }, sort: { activeCommitment: -1 }, limit: 5 },
    ],
    ['commitments closed in 2024', { filter: { closingDate: { gte: '2024-01-01', lte: '2024-12-31' } } }],
    ['commitments in euros', { filter: { currency: 'EUR' } }],
    [
      'draft commitments of Alder or Birch',
      { filter: { status: 'Draft', 'investor.id': { in: ['1a0000000000000000000001', '1a0000000000000000000002'] } } },
    ],
    ['commitments with a closing date after June 2025', { filter: { closingDate: { gt: '2025-06-30' } } }],
    ['investors of Harbor who are happy', 'asks back'],
  ],
  draws: [
    ['draws due next week', { filter: { dueDate: { gte: '2026-11-02', lte: '2026-11-08' } } }],
    [
      'open draw requests of Bluewater',
      { filter: { status: { in: ['Pending', 'In Review'] }, company: 'c00000000000000000000002' } },
    ],
    ['rejected draws of Acme', { filter: { status: 'Rejected', company: 'c00000000000000000000001' } }],
    ['recycling draws over $100k', { filter: { 'draws.type': 'Recycling', valueInUsd: { gt: 100000 } } }],
    ['prefunding or recycling draws', { filter: { 'draws.type': { in: ['Prefunding', 'Recycling'] } } }],
    [
      'draws without exceptions due this month',
      {
        filter: { 'exceptions.pending': 0, 'exceptions.skipped': 0, dueDate: { gte: '2026-10-01', lte: '2026-10-31' } },
      },
    ],
    ['the last five draws', { filter: {}, sort: { cutOffDate: -1 }, limit: 5 }],
    ['approved draws due after today', { filter: { status: 'Approved', dueDate: { gt: '2026-10-31' } } }],
    ['how many draws are in review?', { filter: { status: 'In Review' } }],
    [
      'draws waiting for a decision above half a million dollars',
      { filter: { status: { in: ['Pending', 'In Review'] }, valueInUsd: { gt: 500000 } } },
    ],
    ['draws with skipped exceptions', { filter: { 'exceptions.skipped': { gt: 0 } } }],
    ['draws that are neither approved nor rejected', { filter: { status: { nin: ['Approved', 'Rejected'] } } }],
    ['next draw', { filter: { dueDate: { gte: '2026-10-31' } }, sort: { dueDate: 1 }, limit: 1 }],
    ['draws I will need next year', 'asks back'],
    [
      'biggest draw of Acme in 2026',
      {
        filter: { company: 'c00000000000000000000001', dueDate: { gte: '2026-01-01', lte: '2026-12-31' } },
        sort: { valueInUsd: -1 },
        limit: 1,
      },
    ],
    [
      'draws requested in the last 7 days',
      { filter: { 'metadata.iat': { gte: '2026-10-24T00:00:00.000Z', lt: '2026-11-01T00:00:00.000Z' } } },
    ],
    [
      'draws of Acme due by 30 November 2026',
      { filter: { company: 'c00000000000000000000001', dueDate: { lte: '2026-11-30' } } },
    ],
  ],
  repayments: [
    [
      'repayments of interest in Q3 2026',
      { filter: { 'repayments.kind': 'interest', cutOffDate: { gte: '2026-07-01', lte: '2026-09-30' } } },
    ],
    [
      'principal repayments of Acme',
      { filter: { 'repayments.kind': 'principal', company: 'c00000000000000000000001' } },
    ],
    ['repayments of fees', { filter: { 'repayments.kind': 'fees' } }],
    [
      'repayments above 75,000 dollars since July 2026',
      { filter: { valueInUsd: { gt: 75000 }, cutOffDate: { gte: '2026-07-01' } } },
    ],
    [
      'repayments by Bluewater Lending this year',
      { filter: { company: 'c00000000000000000000002', cutOffDate: { gte: '2026-01-01', lte: '2026-12-31' } } },
    ],
    ['repayments in euros', { filter: { 'repayments.amount.currency': 'EUR' } }],
    ['the most recent repayment', { filter: {}, sort: { cutOffDate: -1 }, limit: 1 }],
    ['repayments of principal or fees', { filter: { 'repayments.kind': { in: ['principal', 'fees'] } } }],
    ['repayments received yesterday', { filter: { cutOffDate: '2026-10-30' } }],
    [
      'last ten repayments of Acme',
      { filter: { company: 'c00000000000000000000001' }, sort: { cutOffDate: -1 }, limit: 10 },
    ],
    ['repayments without interest', { filter: { 'repayments.kind': { neq: 'interest' } } }],
  ],
  transactions: [
    ['facilities of Bluewater', { filter: { company: 'c00000000000000000000002' } }],
    ['direct lending deals', { filter: { type: 'Direct' } }],
    [
      'facilities that mature in the next 12 months',
      { filter: { 'terms.timeline.maturity': { gte: '2026-10-31', lte: '2027-10-31' } } },
    ],
    ['active whole loan deals', { filter: { status: 'Active', type: 'WholeLoan' } }],
    ['facilities with commitments of at least $25m', { filter: { 'maxCommitments.USD': { gte: 25000000 } } }],
    ['deals in retail or construction', { filter: { industries: { in: ['Retail', 'Construction'] } } }],
    ['SOFR facilities', { filter: { 'terms.interest.baseRate': 'SOFR' } }],
    [
      'facilities signed in 2025',
      { filter: { 'terms.timeline.contractSigning': { gte: '2025-01-01', lte: '2025-12-31' } } },
    ],
    ['open facilities', { filter: { status: 'Active' } }],
    ['facilities with more than one note', { filter: { 'notes.count': { gt: 1 } } }],
    ['equity investments of Acme', { filter: { type: 'Investment', company: 'c00000000000000000000001' } }],
    ['facilities that are not ABL', { filter: { type: { neq: 'Asset Backed Lending' } } }],
  ],
  funds: [
    ['funds in dollars', { filter: { currency: 'USD' } }],
    ['SMA funds', { filter: { type: 'SMA' } }],
    [
      'funds with a target size between $100m and $500m',
      { filter: { targetSize: { gte: 100000000, lte: 500000000 } } },
    ],
    ['active GL funds', { filter: { status: 'Active', strategy: 'GL' } }],
    ['funds without a hard cap', { filter: { $or: [{ hardCap: { exists: false } }, { hardCap: 0 }] } }],
    ['largest fund', { filter: {}, sort: { targetSize: -1 }, limit: 1 }],
    ['which funds close in 2028?', { filter: { closingDate: { gte: '2028-01-01', lte: '2028-12-31' } } }],
    ['the best fund', 'asks back'],
  ],
};

/** What a question for a figure is about; the rest is not said. Null: nobody can know it. */
export const FRESH_FIGURES: readonly (readonly [question: string, expected: Partial<FigureReading> | null])[] = [
  ['What is the NAV of Harbor?', { figure: 'nav', fund: 'f00000000000000000000002' }],
  [
    "what's the net IRR of Northgate Credit Fund I as of 30 June 2026",
    { figure: 'netIrr', fund: 'f00000000000000000000001', at: '2026-06-30' },
  ],
  [
    'How much did Harbor call in 2025?',
    { figure: 'called', fund: 'f00000000000000000000002', from: '2025-01-01', at: '2025-12-31' },
  ],
  ['how much have we distributed to Birch?', { figure: 'distributed', investor: '1a0000000000000000000002' }],
  [
    'unfunded of Alder Pension Trust in Northgate',
    { figure: 'unfunded', fund: 'f00000000000000000000001', investor: '1a0000000000000000000001' },
  ],
  ['what is the availability of Bluewater?', { figure: 'availability', companies: ['c00000000000000000000002'] }],
  ['net borrowing base of Acme Auto Finance', { figure: 'netBB', companies: ['c00000000000000000000001'] }],
  ['how much does Acme owe?', { figure: 'balance', companies: ['c00000000000000000000001'] }],
  ['utilization of Acme', { figure: 'utilization', companies: ['c00000000000000000000001'] }],
  ['TVPI of Harbor at the end of 2025', { figure: 'tvpi', fund: 'f00000000000000000000002', at: '2025-12-31' }],
  ['what are the total commitments of Northgate', { figure: 'activeCommitment', fund: 'f00000000000000000000001' }],
  ['How much can Bluewater still draw?', { figure: 'availability', companies: ['c00000000000000000000002'] }],
  ['when does the Acme facility mature?', { figure: 'maturity', companies: ['c00000000000000000000001'] }],
  [
    'How much has been called from Alder by Harbor?',
    { figure: 'called', fund: 'f00000000000000000000002', investor: '1a0000000000000000000001' },
  ],
  ['recallable capital of Northgate', { figure: 'recallableCapital', fund: 'f00000000000000000000001' }],
  ['what will the NAV of Harbor be next year', null],
  ['gross IRR of Harbor', { figure: 'grossIrr', fund: 'f00000000000000000000002' }],
];
