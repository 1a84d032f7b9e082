import { describe, expect, test } from 'vitest';
import { calculateReference } from '../borrowing-base/testing/reference.ts';
import { WORKED_CASE_ASSETS, WORKED_CASE_CONTRACT, WORKED_CASE_TAPE } from '../borrowing-base/testing/worked-case.ts';
import { testLimits } from '../documents/testing/limits.ts';
import { transactionContractSchema } from '../facilities/contract.schema.ts';
import { assetCatalog } from '../tapes/target-schema.ts';
import { changeInWords } from './change-words.ts';
import { changedRates, changeIssues } from './changed-inputs.ts';
import { type ScenarioChange, scenarioCreateSchema } from './scenario.schema.ts';
import { changedReference } from './testing/changed-assets.ts';

const catalog = assetCatalog();
const contract = transactionContractSchema.parse(WORKED_CASE_CONTRACT);
const columns = new Set(WORKED_CASE_ASSETS.flatMap((asset) => Object.keys(asset)));
const parsed = (...changes: unknown[]): readonly ScenarioChange[] =>
  scenarioCreateSchema.parse({ title: 'Stress', borrowingBase: 'a'.repeat(24), changes }).changes;
const ofWorkedCase = (...changes: unknown[]) => {
  const input = { assets: WORKED_CASE_ASSETS, contract, tape: WORKED_CASE_TAPE, catalog };
  return calculateReference(changedReference(input, parsed(...changes))).result;
};

describe('limits', () => {
  const valid = { title: 'Stress', borrowingBase: 'a'.repeat(24) };
  const of = (change: object) => ({ ...valid, changes: [change] });
  const accepts = (change: object) => scenarioCreateSchema.safeParse(of(change)).success;

  test.each<[string, object, object]>([
    ['advance rate', { kind: 'rate', rule: -1, ratePercent: 100 }, { kind: 'rate', rule: -1, ratePercent: 100.01 }],
    ['default rate', { kind: 'rate', rule: -1, ratePercent: 0 }, { kind: 'rate', rule: -2, ratePercent: 0 }],
    ['limit', { kind: 'limit', rule: 0, value: 1e15 }, { kind: 'limit', rule: 0, value: 1.1e15 }],
    ['haircut', { kind: 'haircut', percent: 0.0001 }, { kind: 'haircut', percent: 0 }],
    ['whole haircut', { kind: 'haircut', percent: 100 }, { kind: 'haircut', percent: 100.1 }],
    ['decimals', { kind: 'haircut', percent: 1.2345 }, { kind: 'haircut', percent: 1.23456 }],
    ['obligors', { kind: 'largestDefault', count: 100 }, { kind: 'largestDefault', count: 101 }],
    ['no obligor', { kind: 'largestDefault', count: 1 }, { kind: 'largestDefault', count: 0 }],
    [
      'months',
      { kind: 'rollRates', months: 24, shares: { current: 1 } },
      { kind: 'rollRates', months: 25, shares: { current: 1 } },
    ],
    [
      'shares',
      { kind: 'rollRates', months: 1, shares: { current: 100 } },
      { kind: 'rollRates', months: 1, shares: { current: 0 } },
    ],
    [
      'the last bucket',
      { kind: 'rollRates', months: 1, shares: { '90-119': 1 } },
      { kind: 'rollRates', months: 1, shares: { '120+': 1 } },
    ],
    ['fall', { kind: 'currency', currency: 'EUR', percent: -99 }, { kind: 'currency', currency: 'EUR', percent: -100 }],
    ['no fall', { kind: 'currency', currency: 'EUR', percent: 0.5 }, { kind: 'currency', currency: 'EUR', percent: 0 }],
  ])('%s', (_, within, beyond) => {
    expect([accepts(within), accepts(beyond)]).toEqual([true, false]);
  });

  const haircut = { kind: 'haircut', percent: 5 };
  const haircuts = (length: number) => Array.from({ length }, () => haircut);
  testLimits('a scenario', scenarioCreateSchema, { ...valid, changes: [haircut] }, [
    ['title', 'ab', 'a', 'At least 2 characters'],
    ['title', 'a'.repeat(80), 'a'.repeat(81), 'At most 80 characters'],
    ['description', 'a'.repeat(500), 'a'.repeat(501), 'At most 500 characters'],
    ['changes', [haircut], [], 'Add at least one change'],
    ['changes', haircuts(20), haircuts(21), 'At most 20 changes'],
  ]);

  test('a rate is changed once, and another contract is the first change', () => {
    const rate = { kind: 'rate', rule: 0, ratePercent: 70 };
    const other = { kind: 'contract', contractId: 'b'.repeat(24) };
    const problems = (...changes: object[]) =>
      scenarioCreateSchema.safeParse({ ...valid, changes }).error?.issues.map(({ message }) => message);
    expect(problems(rate, { ...rate, rule: 1 })).toBeUndefined();
    expect(problems(rate, rate)).toEqual(['repeats an earlier change']);
    expect(problems(other, rate)).toBeUndefined();
    expect(problems(rate, other)).toEqual(['must be the first change']);
  });
});

describe('the worked case', () => {
  test('a scenario without an effect gives the certificate', () => {
    const { netBB } = ofWorkedCase({ kind: 'rate', rule: 0, ratePercent: 90 });
    expect(netBB.sum).toBe('689.53');
  });

  test('lower advance rates', () => {
    // 600 of grade A at 85%, 450 at 80% before excess.
    expect(ofWorkedCase({ kind: 'rate', rule: 0, ratePercent: 85 }).firstBB.sum).toBe('827.50');
    expect(ofWorkedCase({ kind: 'rate', rule: -1, ratePercent: 70 }).firstBB.sum).toBe('810.00');
  });

  test('a rule switched off lets its loan in', () => {
    const { totals } = ofWorkedCase({ kind: 'ruleOff', list: 'eligibilityRules', rule: 0 });
    expect(totals.pools.eligibleOrPerforming.amount.sum).toBe('1120.00');
  });

  test('a haircut reduces the balances of its loans', () => {
    const { totals } = ofWorkedCase({ kind: 'haircut', filter: { state: 'CA' }, percent: 10 });
    expect(totals.pools.relevant.amount.sum).toBe('1142.00');
  });

  test('the largest borrowers default together with all their loans', () => {
    // b1 with 400 in two loans, then b3 with 250.
    const { totals, rulesTracking } = ofWorkedCase({ kind: 'largestDefault', count: 2 });
    expect(totals.pools.eligibleOrPerforming.amount.sum).toBe('350.00');
    expect(rulesTracking.eligible.at(-1)).toMatchObject({
      rule: 1,
      title: 'Default of the 2 largest by Borrower id',
      first: { count: 3 },
    });
  });

  test('roll rates move a share of the loans of each bucket, evenly by id', () => {
    // Loans 1, 3, 5 and 6 are current: half of them, the second and the fourth, become one day past due.
    const roll = { kind: 'rollRates', months: 1, shares: { current: 50, '1-29': 100, '30-59': 100 } };
    const { assets } = changedReference(
      { assets: WORKED_CASE_ASSETS, contract, tape: WORKED_CASE_TAPE, catalog },
      parsed(roll),
    );
    expect(assets.map(({ daysPastDue }) => daysPastDue)).toEqual([0, 30, 1, 30, 0, 1, 60]);
    expect(ofWorkedCase({ ...roll, months: 2 }).totals.pools.nonPerforming.count).toBeGreaterThan(0);
  });
});

test('a weaker currency has more units for a dollar, and a weaker dollar buys less of every other', () => {
  const rates = { EUR: '0.9', JPY: '150' };
  expect(changedRates(rates, parsed({ kind: 'currency', currency: 'EUR', percent: -10 }))).toEqual({
    EUR: '1.000000000000',
    JPY: '150',
  });
  expect(changedRates(rates, parsed({ kind: 'currency', currency: 'USD', percent: -10 }))).toEqual({
    EUR: '0.810000000000',
    JPY: '135.000000000000',
  });
});

test('changes that do not fit the certificate are named', () => {
  const certificate = { contract, catalog, tape: { ...WORKED_CASE_TAPE, exchangeRates: { EUR: '0.9' } }, columns };
  const messages = (...changes: unknown[]) =>
    changeIssues(parsed(...changes), certificate).map(({ path, message }) => `${path.join('.')} ${message}`);
  expect(
    messages(
      { kind: 'rate', rule: 0, ratePercent: 80 },
      { kind: 'limit', rule: 1, value: 30 },
      { kind: 'ruleOff', list: 'eligibilityRules', rule: 0 },
      { kind: 'currency', currency: 'EUR', percent: -10 },
      { kind: 'largestDefault', count: 5 },
      { kind: 'haircut', filter: { state: 'CA' }, percent: 5 },
    ),
  ).toEqual([]);
  expect(
    messages(
      { kind: 'rate', rule: 1, ratePercent: 80 },
      { kind: 'limit', rule: 2, value: 30 },
      { kind: 'ruleOff', list: 'eligibilityRules', rule: 1 },
      { kind: 'currency', currency: 'USD', percent: -10 },
      { kind: 'currency', currency: 'JPY', percent: -10 },
      { kind: 'largestDefault', field: 'sector', count: 5 },
      { kind: 'largestDefault', field: 'daysPastDue', count: 5 },
      { kind: 'haircut', filter: { sector: 'a' }, percent: 5 },
    ),
  ).toEqual([
    'changes.0.rule is not an advance rate of the contract',
    'changes.1.rule is not a concentration limit of the contract',
    'changes.2.rule is not a rule of the contract',
    'changes.3.currency is the currency of the certificate. Choose another one',
    'changes.4.currency has no exchange rate on the tape',
    'changes.5.field is not on the tape',
    'changes.6.field is not a text of the assets',
    'changes.7.filter names Sector, which is not on the tape',
  ]);
});

test.each<[unknown, string]>([
  [{ kind: 'rate', rule: 0, ratePercent: 80 }, 'Advance rate of Grade A: 90% → 80%'],
  [{ kind: 'rate', rule: -1, ratePercent: 72.5 }, 'Default advance rate: 80% → 72.5%'],
  [{ kind: 'limit', rule: 0, value: 30 }, 'Limit of Any one state at most 40%: 40% → 30%'],
  [{ kind: 'ruleOff', list: 'eligibilityRules', rule: 0 }, 'Off: FICO is at least 600'],
  [{ kind: 'haircut', percent: 5 }, 'Balances 5% lower'],
  [{ kind: 'haircut', filter: { state: 'CA' }, percent: 5 }, 'Balances 5% lower where State is CA'],
  [{ kind: 'largestDefault', count: 1 }, 'Default of the largest by Borrower id'],
  [
    { kind: 'rollRates', months: 3, shares: { current: 2, '30-59': 40 } },
    '3 months of roll rates: 2% of Current, 40% of 30–59 days',
  ],
  [{ kind: 'currency', currency: 'EUR', percent: -10 }, 'EUR −10%'],
])('in words: %j', (change, words) => {
  expect(changeInWords(parsed(change)[0]!, contract, catalog)).toBe(words);
});
