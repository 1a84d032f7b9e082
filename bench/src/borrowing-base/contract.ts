import {
  type TransactionContractInput,
  transactionContractSchema,
} from '@tapeline/domain/facilities/contract.schema.ts';

const rule = (title: string, filter: Record<string, unknown>) => ({ title, filter });
const each = (title: string, groupBy: string, value: number) => ({
  title,
  groupBy,
  equator: { operand: 'lte' as const, unit: 'percentage' as const, value },
});

const STATES = ['CA', 'NY', 'TX', 'FL', 'IL', 'PA', 'OH', 'GA', 'NC', 'MI'];

const eligibilityRules = [
  rule('Score is at least 600', { 'creditScores.origination': { gte: 600 } }),
  rule('Score is at most 850', { 'creditScores.origination': { lte: 850 } }),
  rule('Current score is at least 560', { 'creditScores.current': { gte: 560 } }),
  rule('Outstanding is at least 500', { outstandingSum: { gte: 500 } }),
  rule('Outstanding is at most 49,000', { outstandingSum: { lte: 49_000 } }),
  rule('Financed at most 50,000', { 'sums.sum': { lte: 50_000 } }),
  rule('Rate is at least 5 %', { interestRate: { gte: 5 } }),
  rule('Rate is at most 29 %', { interestRate: { lte: 29 } }),
  rule('Fixed rate', { 'interestRate.kind': 'fix' }),
  rule('Term is at most 72 months', { 'term.days': { lte: 2192 } }),
  rule('Remaining term is at least 2 months', { 'remainingTerm.days': { gte: 60 } }),
  rule('Seasoning is at least 1 month', { monthsOnBook: { gte: 1 } }),
  rule('Seasoning is at most 60 months', { monthsOnBook: { lte: 60 } }),
  rule('Financed after 2020', { dateFinanced: { gte: '2021-01-01' } }),
  rule('Matures by 2033', { maturityDate: { lte: '2033-12-31' } }),
  rule('Grade A to F', { grade: { in: ['A', 'B', 'C', 'D', 'E', 'F'] } }),
  rule('A sector we know', { sector: { nin: ['Gambling', 'Weapons'] } }),
  rule('Known state', { state: { exists: true } }),
  rule('Known borrower', { borrowerId: { exists: true } }),
  rule('A product we lend on', { product: { in: ['Consumer', 'Auto', 'Home'] } }),
  rule('Original LTV is at most 98 %', { originalLtv: { lte: 98 } }),
  rule('Current LTV is at most 110 %', { currentLtv: { lte: 110 } }),
  rule('A loan', { assetType: 'loan' }),
  rule('In the country', { country: 'US' }),
];

const performanceRules = [
  rule('Days past due is at most 30', { daysPastDue: { lte: 30 } }),
  rule('Not delinquent', { isDelinquent: false }),
  rule('Status is current', { assetStatus: { in: ['current', 'slowPayment', 'pastDue'] } }),
  rule('Arrears at most 1,000', { arrears: { lte: 1000 } }),
  rule('Not charged off', { assetStatus: { neq: 'chargedOff' } }),
  rule('Paid something or new', { $or: [{ paidPrincipal: { gt: 0 } }, { monthsOnBook: { lte: 3 } }] }),
];

const concentrationRules = [
  each('Any one state at most 12 %', 'state', 12),
  each('Any one sector at most 20 %', 'sector', 20),
  each('Any one grade at most 30 %', 'grade', 30),
  each('Any one product at most 45 %', 'product', 45),
  each('Any one borrower at most 0.002 %', 'borrowerId', 0.002),
  { ...each('Largest 10 borrowers at most 0.01 %', 'borrowerId', 0.01), topN: 10 },
  { ...each('Largest 3 states at most 30 %', 'state', 30), topN: 3 },
  { ...each('Long terms at most 20 %', 'state', 20), groupBy: null, filter: { 'term.days': { gt: 1800 } } },
  {
    ...each('Low scores at most 10 %', 'state', 10),
    groupBy: null,
    filter: { 'creditScores.origination': { lt: 640 } },
  },
  {
    title: 'Weighted score is at least 660',
    accumulator: '$wAvg' as const,
    accumulatorField: 'creditScores.origination',
    equator: { operand: 'gte' as const, unit: 'number' as const, value: 660 },
  },
];

const cases = STATES.map((state, index) => ({
  title: `Rate for ${state}`,
  filter: { state, grade: { in: ['A', 'B', 'C'] } },
  rate: 90 - index,
}));

const scopes = [
  { title: 'Prime', filter: { 'creditScores.origination': { gte: 740 } } },
  { title: 'Near prime', filter: { 'creditScores.origination': { gte: 680 } } },
  { title: 'Auto', filter: { product: 'Auto' } },
  { title: 'Home', filter: { product: 'Home' } },
  { title: 'Rest', filter: { 'creditScores.origination': { exists: true } } },
];

/** 50 rules over 5 scopes: 24 of eligibility, 6 of performance, 10 of concentration and 10 advance-rate cases. */
const input: TransactionContractInput = {
  cutOffDate: '2026-01-01',
  assetsETL: '64b000000000000000000001',
  scopes,
  eligibilityRules,
  performanceRules,
  concentrationRules,
  advanceRate: { cases, defaultRate: 75 },
};

export const BENCH_CONTRACT = transactionContractSchema.parse(input);

/** How many rules are compared. A contract has at most 20 about whole groups. */
export const COMPARED_RULES = 20;

/**
 * The contract with the same conditions as plain rules, as rules about all assets of a borrower or a state, or without
 * them. It has no limits and no values, whose work depends on how much of the pool the rules leave.
 */
export function comparedRules(as: 'none' | 'plain' | 'wholeGroups') {
  const conditions = as === 'none' ? [] : BENCH_CONTRACT.eligibilityRules.slice(0, COMPARED_RULES);
  const rules = conditions.map((one, index) =>
    as === 'plain' ? one : { ...one, wholeGroup: { groupBy: index % 2 === 0 ? 'borrowerId' : 'state', percent: 25 } },
  );
  return { ...BENCH_CONTRACT, eligibilityRules: rules, concentrationRules: [] };
}
