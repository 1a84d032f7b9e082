import type { FigureReading } from '../figures.ts';
import type { ExpectedQuestion } from './first-questions.ts';

const [northgate, harbor] = ['f00000000000000000000001', 'f00000000000000000000002'];
const [alder, birch] = ['1a0000000000000000000001', '1a0000000000000000000002'];
const [acme, bluewater] = ['c00000000000000000000001', 'c00000000000000000000002'];
const balance = 'sums.outstandingSum';
const none = (path: string) => ({ $or: [{ [path]: { exists: false } }, { [path]: 0 }] });

/**
 * Questions with what they mean, written by another person than the grammar's author, who had not read it, and changed
 * only where said. After ">" stands what is asked next.
 */
export const READERS_QUESTIONS: Readonly<Record<string, readonly ExpectedQuestion[]>> = {
  assets: [
    ['loans with grade A or B', { filter: { 'creditScores.grade': { in: ['A', 'B'] } } }],
    ['Show me everything more than 30 days past due', { filter: { daysPastDue: { gt: 30 } } }],
    ['loans in California, Texas or New York', { filter: { 'address.state': { in: ['CA', 'TX', 'NY'] } } }],
    ['top 10 biggest loans in California', { filter: { 'address.state': 'CA' }, sort: { [balance]: -1 }, limit: 10 }],
    [
      'charged-off loans originated in 2023',
      { filter: { assetStatus: 'chargedOff', dateFinanced: { gte: '2023-01-01', lte: '2023-12-31' } } },
    ],
    ['which auto loans have a rate above 8 per cent?', { filter: { product: 'Auto loan', interestRate: { gt: 8 } } }],
    ['origination FICO below 620', { filter: { 'creditScores.origination': { lt: 620 } } }],
    [
      'personal loans bigger than $25k in Florida',
      { filter: { product: 'Personal loan', [balance]: { gt: 25000 }, 'address.state': 'FL' } },
    ],
    [
      'Acme Auto Finance loans maturing in the next 90 days',
      { filter: { company: acme, 'dates.maturityDate': { gte: '2026-10-31', lte: '2027-01-29' } } },
    ],
    ['loans with a current LTV above 80%', { filter: { currentLtv: { gt: 80 } } }],
    ['assets without a maturity date', { filter: { 'dates.maturityDate': { exists: false } } }],
    ['prepaid or paid off loans', { filter: { assetStatus: { in: ['prePaid', 'paid'] } } }],
    ['all loans not in Texas', { filter: { 'address.state': { neq: 'TX' } } }],
    ['non-performing loans in the retail sector', { filter: { assetStatus: 'nonPerformingAsset', sector: 'Retail' } }],
    ['loans with a remaining term of less than 12 months', { filter: { 'remainingTerm.days': { lt: 365.25 } } }],
    ['loans 60+ days late', { filter: { daysPastDue: { gte: 60 } } }],
    ['loans that defaulted in Q1 2025', { filter: { 'dates.defaultDate': { gte: '2025-01-01', lte: '2025-03-31' } } }],
    ['loans with a balance between 10k and 50k', { filter: { [balance]: { gte: 10000, lte: 50000 } } }],
    ['loans whose last payment was before 1 July 2026', { filter: { 'dates.lastPaymentDate': { lt: '2026-07-01' } } }],
    ['smallest 5 loans of Bluewater Lending', { filter: { company: bluewater }, sort: { [balance]: 1 }, limit: 5 }],
    ['loans with arrears greater than $500', { filter: { 'sums.arrears': { gt: 500 } } }],
    ['fixed rate loans over 9%', { filter: { 'interestRate.kind': 'fix', interestRate: { gt: 9 } } }],
    ['grade C or worse', { filter: { 'creditScores.grade': { in: ['C', 'D', 'E', 'F', 'G'] } } }],
    ['loans with debt to income over 45%', { filter: { 'customFields.debtToIncome': { gt: 45 } } }],
    ['annual income under 40k', { filter: { 'customFields.annualIncome': { lt: 40000 } } }],
    ['loans outside California and New York', { filter: { 'address.state': { nin: ['CA', 'NY'] } } }],
    ['ineligible loans', { filter: { 'borrowingBase.status': 'inEligible' } }],
    [
      'eligible loans with an advance rate of 85%',
      { filter: { 'borrowingBase.status': 'eligible', 'borrowingBase.rate': 85 } },
    ],
    ['loans in the city of Austin', { filter: { 'address.city': 'Austin' } }],
    ['loans denominated in euros', { filter: { currency: 'EUR' } }],
    ['the 20 oldest loans', { filter: {}, sort: { dateFinanced: 1 }, limit: 20 }],
    ['loans originated since March 2026', { filter: { dateFinanced: { gte: '2026-03-01' } } }],
    ['30 to 59 days past due', { filter: { daysPastDue: { gte: 30, lte: 59 } } }],
    ['loans with collateral worth at least 100,000', { filter: { 'sums.collateralValue': { gte: 100000 } } }],
    ['loans that are current', { filter: { assetStatus: 'current' } }],
    // A filter compares a field with a value, and not with another field.
    ['loans whose outstanding principal is higher than the original principal', 'asks back'],
    ['loans with terms of 60 months or more', { filter: { 'term.days': { gte: 1826.25 } } }],
    [
      '25 loans with the highest interest rate in Illinois',
      { filter: { 'address.state': 'IL' }, sort: { interestRate: -1 }, limit: 25 },
    ],
    [
      'loans financed between March and May 2025',
      { filter: { dateFinanced: { gte: '2025-03-01', lte: '2025-05-31' } } },
    ],
    [
      'healthcare or construction loans with grade A',
      { filter: { sector: { in: ['Healthcare', 'Construction'] }, 'creditScores.grade': 'A' } },
    ],
    [
      'loans with a next payment date this week',
      { filter: { 'dates.nextPaymentDate': { gte: '2026-10-26', lte: '2026-11-01' } } },
    ],
    ['charged off loans with recoveries', { filter: { assetStatus: 'chargedOff', 'sums.recoveries': { gt: 0 } } }],
    ['loans with more than 24 months on book', { filter: { monthsOnBook: { gt: 24 } } }],
    ['any loans with a zero balance?', { filter: { [balance]: 0 } }],
    ['cancelled loans', { filter: { assetStatus: 'canceled' } }],
    ['loans that have already matured', { filter: { 'dates.maturityDate': { lt: '2026-10-31' } } }],
    [
      'loans above 12.5 percent interest and below 600 origination score',
      { filter: { interestRate: { gt: 12.5 }, 'creditScores.origination': { lt: 600 } } },
    ],
    ['average balance of loans in NY', 'asks back'],
    ['delinquent loans of Bluewater', 'asks back'],
    ['loans wiht grade A', 'asks back'],
    ['loans to borrowers in WA with no arrears', { filter: { 'address.state': 'WA', ...none('sums.arrears') } }],
    ['loans up to $7,500 at less than 6.25%', { filter: { [balance]: { lte: 7500 }, interestRate: { lt: 6.25 } } }],
    ['loans rated B, C or D', { filter: { 'creditScores.grade': { in: ['B', 'C', 'D'] } } }],
    ['how many loans does Acme have in Texas', { filter: { company: acme, 'address.state': 'TX' } }],
    [
      'loans with original principal above 1 million and outstanding below 200k',
      { filter: { 'sums.sum': { gt: 1000000 }, [balance]: { lt: 200000 } } },
    ],
    ['loans charged off last year', { filter: { 'dates.chargeOffDate': { gte: '2025-01-01', lte: '2025-12-31' } } }],
    [
      'loans in California > only those with a rate of 10 per cent or more',
      { filter: { 'address.state': 'CA', interestRate: { gte: 10 } } },
    ],
  ],
  funds: [
    ['funds closing in 2026', { filter: { closingDate: { gte: '2026-01-01', lte: '2026-12-31' } } }],
    ['funds in EUR', { filter: { currency: 'EUR' } }],
    ['funds with a target size over 100m', { filter: { targetSize: { gt: 100000000 } } }],
    ['funds with a hard cap above $250 million', { filter: { hardCap: { gt: 250000000 } } }],
    ['ABL funds', { filter: { strategy: 'ABL' } }],
    ['draft funds', { filter: { status: 'Draft' } }],
    ['which funds are SMAs?', { filter: { type: 'SMA' } }],
    ['funds without a closing date', { filter: { closingDate: { exists: false } } }],
    ['the largest fund by target size', { filter: {}, sort: { targetSize: -1 }, limit: 1 }],
    ['funds that closed before 2025', { filter: { closingDate: { lt: '2025-01-01' } } }],
  ],
  commitments: [
    ['class B commitments', { filter: { Class: 'B' } }],
    ['commitments to Harbor Direct Lending II', { filter: { fund: harbor } }],
    ["Alder's commitments", { filter: { 'investor.id': alder } }],
    ['commitments over 5 million', { filter: { activeCommitment: { gt: 5000000 } } }],
    ['commitments with a closing date before 30 June 2024', { filter: { closingDate: { lt: '2024-06-30' } } }],
    ['commitments in euros above 2m', { filter: { currency: 'EUR', activeCommitment: { gt: 2000000 } } }],
    [
      'five largest commitments in Northgate Credit Fund I',
      { filter: { fund: northgate }, sort: { activeCommitment: -1 }, limit: 5 },
    ],
    ['commitments made since 2024', { filter: { closingDate: { gte: '2024-01-01' } } }],
    ['who committed more than 10m to Harbor?', { filter: { fund: harbor, activeCommitment: { gt: 10000000 } } }],
  ],
  contributions: [
    ['unpaid capital calls', { filter: { status: { in: ['Active', 'Upcoming'] } } }],
    ['overdue calls', { filter: { status: 'Active', dueDate: { lt: '2026-10-31' } } }],
    ['capital calls due in the next two weeks', { filter: { dueDate: { gte: '2026-10-31', lte: '2026-11-14' } } }],
    [
      'capital calls of Northgate due this year',
      { filter: { fund: northgate, dueDate: { gte: '2026-01-01', lte: '2026-12-31' } } },
    ],
    ['call number 7 of Harbor', { filter: { callNumber: '7', fund: harbor } }],
    ['capital calls above $1m', { filter: { amount: { gt: 1000000 } } }],
    ['draft capital calls', { filter: { status: 'Draft' } }],
    [
      'calls to Alder due in Q3 2026',
      { filter: { 'investor.id': alder, dueDate: { gte: '2026-07-01', lte: '2026-09-30' } } },
    ],
    ['calls due between 1 and 15 November 2026', { filter: { dueDate: { gte: '2026-11-01', lte: '2026-11-15' } } }],
    ['call notices of Birch Insurance over 250,000', { filter: { 'investor.id': birch, amount: { gt: 250000 } } }],
    ['last 5 calls of Harbor', { filter: { fund: harbor }, sort: { dueDate: -1 }, limit: 5 }],
    ['how many capital calls did we have in 2025?', { filter: { dueDate: { gte: '2025-01-01', lte: '2025-12-31' } } }],
    ['capital calls for class A', { filter: { Class: 'A' } }],
    [
      'unpaid calls of Alder older than 30 days',
      { filter: { 'investor.id': alder, status: { in: ['Active', 'Upcoming'] }, dueDate: { lt: '2026-10-01' } } },
    ],
    ['closed calls in GBP', { filter: { status: 'Closed', currency: 'GBP' } }],
    ["what's outstanding from Birch?", 'asks back'],
  ],
  distributions: [
    ['distributions without a principal', { filter: none('principal') }],
    ['distributions with capital gains', { filter: { totalCg: { gt: 0 } } }],
    ['recallable distributions', { filter: { isRecallable: true } }],
    ['distributions that are not recallable', { filter: { isRecallable: false } }],
    ['principal only distributions', { filter: { distributionKind: 'Principal Only' } }],
    [
      'distributions paid to Birch in 2025',
      { filter: { 'investor.id': birch, cutOffDate: { gte: '2025-01-01', lte: '2025-12-31' } } },
    ],
    ['distributions bigger than half a million', { filter: { totalDistributed: { gt: 500000 } } }],
    ['biggest distribution of Harbor', { filter: { fund: harbor }, sort: { totalDistributed: -1 }, limit: 1 }],
    ['distributions with income above 100k', { filter: { totalIncome: { gt: 100000 } } }],
    [
      'distributions to Alder or Birch last quarter',
      { filter: { 'investor.id': { in: [alder, birch] }, cutOffDate: { gte: '2026-07-01', lte: '2026-09-30' } } },
    ],
    ['draft distributions of Northgate', { filter: { status: 'Draft', fund: northgate } }],
    ['distributions with no income', { filter: none('totalIncome') }],
    ['3 most recent distributions', { filter: {}, sort: { cutOffDate: -1 }, limit: 3 }],
  ],
  navs: [['list navs below 1m', 'asks back']],
  draws: [
    ['open draws', { filter: { status: { in: ['Pending', 'In Review'] } } }],
    ['draws waiting for approval', { filter: { status: { in: ['Pending', 'In Review'] } } }],
    [
      'approved draws due this month',
      { filter: { status: 'Approved', dueDate: { gte: '2026-10-01', lte: '2026-10-31' } } },
    ],
    ['draws over 2m of Acme', { filter: { company: acme, valueInUsd: { gt: 2000000 } } }],
    ['rejected draws in 2026', { filter: { status: 'Rejected', dueDate: { gte: '2026-01-01', lte: '2026-12-31' } } }],
    ['prefunding draws', { filter: { 'draws.type': 'Prefunding' } }],
    ['recycling draws of Bluewater Lending', { filter: { 'draws.type': 'Recycling', company: bluewater } }],
    [
      'draws with exceptions',
      { filter: { $or: [{ 'exceptions.pending': { gt: 0 } }, { 'exceptions.skipped': { gt: 0 } }] } },
    ],
    ['draws without exceptions', { filter: { 'exceptions.pending': 0, 'exceptions.skipped': 0 } }],
    ['draws due tomorrow', { filter: { dueDate: '2026-11-01' } }],
    ['draw requests between $100k and $500k', { filter: { valueInUsd: { gte: 100000, lte: 500000 } } }],
    ['five most recent draws', { filter: {}, sort: { cutOffDate: -1 }, limit: 5 }],
    [
      'draws with a cut-off date in September 2026',
      { filter: { cutOffDate: { gte: '2026-09-01', lte: '2026-09-30' } } },
    ],
    [
      'biggest draw of Acme this year',
      {
        filter: { company: acme, dueDate: { gte: '2026-01-01', lte: '2026-12-31' } },
        sort: { valueInUsd: -1 },
        limit: 1,
      },
    ],
    ['approved draws not due yet', { filter: { status: 'Approved', dueDate: { gt: '2026-10-31' } } }],
    ['open draws > only those of Acme', { filter: { status: { in: ['Pending', 'In Review'] }, company: acme } }],
  ],
  repayments: [
    ['repayments of principal', { filter: { 'repayments.kind': 'principal' } }],
    ['repayments of interest or fees', { filter: { 'repayments.kind': { in: ['interest', 'fees'] } } }],
    [
      'interest repayments from Acme this quarter',
      {
        filter: {
          'repayments.kind': 'interest',
          company: acme,
          cutOffDate: { gte: '2026-10-01', lte: '2026-12-31' },
        },
      },
    ],
    ['repayments over 100,000 USD', { filter: { valueInUsd: { gt: 100000 } } }],
    [
      '10 biggest repayments of 2025',
      { filter: { cutOffDate: { gte: '2025-01-01', lte: '2025-12-31' } }, sort: { valueInUsd: -1 }, limit: 10 },
    ],
    ['repayments in the last 30 days', { filter: { cutOffDate: { gte: '2026-10-01', lte: '2026-10-31' } } }],
    ['Bluewater repayments before Feb 2026', { filter: { company: bluewater, cutOffDate: { lt: '2026-02-01' } } }],
    ['removed repayments', { filter: { status: 'Removed' } }],
  ],
  transactions: [
    [
      'transactions maturing in 2027',
      { filter: { 'terms.timeline.maturity': { gte: '2027-01-01', lte: '2027-12-31' } } },
    ],
    ['asset backed lending transactions', { filter: { type: 'Asset Backed Lending' } }],
    ['SOFR transactions of Acme', { filter: { 'terms.interest.baseRate': 'SOFR', company: acme } }],
    ['transactions with more than one note', { filter: { 'notes.count': { gt: 1 } } }],
    [
      'transactions signed last year',
      { filter: { 'terms.timeline.contractSigning': { gte: '2025-01-01', lte: '2025-12-31' } } },
    ],
    ['facilities with availability below zero', 'asks back'],
  ],
  companies: [['companies in Texas', 'asks back']],
  tapes: [['tapes that are not published', 'asks back']],
};

/** Questions for a figure, as those of `FRESH_FIGURES`. */
export const READERS_FIGURES: readonly (readonly [question: string, expected: Partial<FigureReading> | null])[] = [
  ['What was the NAV of Northgate at 30 June 2026?', { figure: 'nav', fund: northgate, at: '2026-06-30' }],
  ["what's the latest NAV of Harbor?", { figure: 'nav', fund: harbor }],
  ['gross NAV of Harbor Direct Lending II at year end 2025', { figure: 'grossNav', fund: harbor, at: '2025-12-31' }],
  // Written for the list of commitments; the figure with its date is the better answer.
  ["Birch Insurance's commitment to Northgate", { figure: 'activeCommitment', investor: birch, fund: northgate }],
  ["Alder's NAV in Northgate", { figure: 'nav', investor: alder, fund: northgate }],
  ['what is the availability of Acme Auto Finance?', { figure: 'availability', companies: [acme] }],
  ['how utilised is Bluewater?', { figure: 'utilization', companies: [bluewater] }],
  ["when does Acme's facility mature?", { figure: 'maturity', companies: [acme] }],
  ['net IRR of Harbor as of 31 March 2026', { figure: 'netIrr', fund: harbor, at: '2026-03-31' }],
  [
    'how much has Birch Insurance been called this year?',
    { figure: 'called', investor: birch, from: '2026-01-01', at: '2026-10-31' },
  ],
  [
    'how much did Northgate distribute in 2025',
    { figure: 'distributed', fund: northgate, from: '2025-01-01', at: '2025-12-31' },
  ],
  ["what is Alder's unfunded commitment to Harbor", { figure: 'unfunded', investor: alder, fund: harbor }],
];
