import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  applyingContract,
  type TransactionContract,
  type TransactionContractInput,
  transactionContractSchema,
} from '../facilities/contract.schema.ts';
import { fromScaled, round, sum } from '../money/decimal.ts';
import { assetCatalog } from '../tapes/target-schema.ts';
import { fileOffsets, readOffsetList } from './offset-list.ts';
import { checkContractAgainstFields, requireContractFields } from './prepare.ts';
import type { FacilityPosition, TapeTerms } from './publish.ts';
import { calculateReference, type ReferenceAsset } from './testing/reference.ts';
import {
  RECEIVABLES,
  RECEIVABLES_CONTRACT,
  WORKED_CASE_ASSETS,
  WORKED_CASE_CONTRACT,
  WORKED_CASE_TAPE,
} from './testing/worked-case.ts';
import { waterfallOf } from './waterfall.ts';

const catalog = assetCatalog();
const contractOf = (input: Partial<TransactionContractInput>): TransactionContract =>
  transactionContractSchema.parse({
    cutOffDate: '2026-01-01',
    assetsETL: '64b000000000000000000001',
    advanceRate: { defaultRate: 100 },
    ...input,
  });

const loan = (amount: string | null, fields: Record<string, unknown> = {}): ReferenceAsset => ({
  'sums.outstandingSum': amount,
  'sums.outstandingSum.currency': 'USD',
  ...fields,
});

function calculate(
  assets: readonly ReferenceAsset[],
  contract: Partial<TransactionContractInput>,
  tape: Partial<TapeTerms> = {},
  facility?: FacilityPosition,
) {
  return calculateReference({
    assets,
    tape: { ...WORKED_CASE_TAPE, ...tape },
    contract: contractOf(contract),
    catalog,
    facility,
  });
}

const USD = (value: string) => ({ sum: value, currency: 'USD' });
const statuses = (found: ReturnType<typeof calculate>) => found.assets.map((asset) => asset.status);
const remaining = (found: ReturnType<typeof calculate>) => found.assets.map((asset) => round(asset.remaining, 4));
const byState = (rule: Record<string, unknown>) => ({
  title: 'States',
  groupBy: 'state',
  equator: { operand: 'lte', unit: 'money', value: 100 },
  ...rule,
});
type RuleInput = NonNullable<TransactionContractInput['concentrationRules']>[number];
const concentration = (...rules: Record<string, unknown>[]) => ({
  concentrationRules: rules.map((rule) => byState(rule) as RuleInput),
});

describe('the worked case', () => {
  const found = calculate(WORKED_CASE_ASSETS, WORKED_CASE_CONTRACT);
  test('gives every asset its status', () => {
    expect(statuses(found)).toEqual([
      'performing',
      'performing',
      'performing',
      'performing',
      'performing',
      'inEligible',
      'nonPerforming',
    ]);
  });
  test('comes out digit for digit', () => {
    const { totals } = found.result;
    expect(totals.pools.relevant).toEqual({ count: 7, amount: USD('1200.00') });
    expect(totals.pools.eligibleOrPerforming).toEqual({ count: 5, amount: USD('1000.00') });
    expect(totals.firstBB).toEqual(USD('855.00'));
    expect(totals.excess).toEqual(USD('190.00'));
    expect(totals.remaining).toEqual(USD('810.00'));
    expect(totals.netBB).toEqual(USD('689.53'));
    expect(round(sum(found.assets.map((asset) => asset.advanced)), 4)).toBe('689.5254');
    expect(remaining(found)).toEqual(['203.3898', '160.0000', '211.8644', '150.0000', '84.7458', '0.0000', '0.0000']);
  });
  test('says by rule and group what was measured and removed', () => {
    const [states, borrowers] = found.result.excessBreachDistribution;
    expect(states).toMatchObject({
      limit: '400.00',
      breachedGroupCount: 1,
      groupCount: 3,
      excess: { sum: USD('100.00') },
    });
    expect(states?.groups.map((group) => [group.key, group.measure, group.excess.sum.sum])).toEqual([
      ['CA', '500.00', '100.00'],
      ['NY', '250.00', '0.00'],
      ['TX', '250.00', '0.00'],
    ]);
    expect(borrowers).toMatchObject({ measure: '590.00', limit: '500.00', distance: '90.00' });
    expect(borrowers?.groups.map((group) => [group.key, group.part, group.measure, group.excess.sum.sum])).toEqual([
      ['b1', 'measured', '340.00', '51.86'],
      ['b3', 'measured', '250.00', '38.14'],
      ['b2', 'beyond', '160.00', '0.00'],
      ['b4', 'beyond', '150.00', '0.00'],
    ]);
    expect(borrowers?.excess.percentage).toBe('9.00000000');
  });
  test('has a waterfall whose parts add up', () => {
    expect(waterfallOf(found.result).map((bar) => [bar.step, bar.sum, bar.count])).toEqual([
      ['relevant', '1200.00', 7],
      ['inEligible', '-120', 1],
      ['nonPerforming', '-80', 1],
      ['eligibleOrPerforming', '1000.00', 5],
      ['excess', '-190', 4],
      ['advanceHaircut', '-120.47', 5],
      ['netBB', '689.53', 5],
      ['balance', null, null],
      ['availability', null, null],
    ]);
  });
  test('tracks its rules so that first exclusions add up', () => {
    const { eligible, performing, concentration: cuts, advancing } = found.result.rulesTracking;
    expect(eligible[0]).toMatchObject({ failed: { count: 1, amount: USD('120.00') }, first: { count: 1 } });
    expect(performing[0]).toMatchObject({ failed: { count: 1 }, first: { count: 1, amount: USD('80.00') } });
    expect(cuts.map((entry) => [entry.first.count, entry.first.amount.sum])).toEqual([
      [2, '100.00'],
      [2, '90.00'],
    ]);
    expect(advancing.map((entry) => [entry.taken.amount.sum, entry.remaining.sum, entry.advanced.sum])).toEqual([
      ['550.00', '415.25', '373.73'],
      ['450.00', '394.75', '315.80'],
    ]);
  });
});

describe('the worked case with the largest excess per asset', () => {
  const found = calculate(WORKED_CASE_ASSETS, { ...WORKED_CASE_CONTRACT, overlap: 'maximumPerAsset' });
  const { result } = found;

  test('comes out digit for digit', () => {
    expect(result.overlap).toBe('maximumPerAsset');
    expect(found.assets.map((asset) => round(asset.excessRemoved, 4))).toEqual([
      '69.2308',
      '40.0000',
      '57.6923',
      '0.0000',
      '23.0769',
      '0.0000',
      '0.0000',
    ]);
    expect(result.totals).toMatchObject({ firstBB: USD('855.00'), excess: USD('190.00'), remaining: USD('810.00') });
    expect(round(sum(found.assets.map((asset) => asset.advanced)), 4)).toBe('690.3077');
    expect(result.netBB).toEqual(USD('690.31'));
  });
  test('reports the own excess of each rule, and the part that counts', () => {
    const [states, borrowers] = result.excessBreachDistribution;
    expect(states).toMatchObject({
      limit: '400.00',
      excess: { sum: USD('100.00'), percentage: '10.00000000' },
      removed: { sum: USD('40.00'), percentage: '4.00000000' },
    });
    expect(borrowers).toMatchObject({
      measure: '650.00',
      distance: '150.00',
      excess: { sum: USD('150.00') },
      removed: { sum: USD('150.00') },
    });
    expect(borrowers?.groups.map((group) => [group.key, group.measure, group.excess.sum.sum])).toEqual([
      ['b1', '400.00', '92.31'],
      ['b3', '250.00', '57.69'],
      ['b2', '200.00', '0.00'],
      ['b4', '150.00', '0.00'],
    ]);
  });
  test('counts each asset under the rule with the largest excess on it', () => {
    expect(result.rulesTracking.concentration).toEqual([
      expect.objectContaining({
        failed: { count: 2, amount: USD('500.00') },
        first: { count: 1, amount: USD('40.00') },
      }),
      expect.objectContaining({
        failed: { count: 3, amount: USD('650.00') },
        first: { count: 3, amount: USD('150.00') },
      }),
    ]);
    expect(waterfallOf(result).find((bar) => bar.step === 'excess')).toMatchObject({ sum: '-190', count: 4 });
    expect(found.assets[0]?.failed).toEqual(['concentration:0', 'concentration:1']);
  });
});

describe('limits with the largest excess per asset', () => {
  const both = (...rules: Record<string, unknown>[]) =>
    calculate([loan('300', { 'address.state': 'CA' })], { ...concentration(...rules), overlap: 'maximumPerAsset' });
  const money = (value: number) => ({ equator: { operand: 'lte', unit: 'money', value } });
  const excesses = ({ result }: ReturnType<typeof calculate>) =>
    result.excessBreachDistribution.map(({ excess, removed }) => [excess.sum.sum, removed?.sum.sum]);

  test('count under the first of several equal excesses', () => {
    const found = both(money(100), money(100));
    expect(excesses(found)).toEqual([
      ['200.00', '200.00'],
      ['200.00', '0.00'],
    ]);
    expect(found.result.rulesTracking.concentration.map(({ first }) => first.count)).toEqual([1, 0]);
    expect(found.result.totals.excess).toEqual(USD('200.00'));
  });
  test('give the same whatever their order', () => {
    expect(excesses(both(money(100), money(50)))).toEqual([
      ['200.00', '0.00'],
      ['250.00', '250.00'],
    ]);
    expect(excesses(both(money(50), money(100)))).toEqual([
      ['250.00', '250.00'],
      ['200.00', '0.00'],
    ]);
  });
  test('weigh averages by the amounts before any removal', () => {
    const weighted = { ...money(0), groupBy: null, accumulator: '$wAvg', accumulatorField: 'creditScores.origination' };
    const of = (overlap: 'sequential' | 'maximumPerAsset') =>
      calculate(
        [
          loan('300', { 'address.state': 'CA', 'creditScores.origination': 600 }),
          loan('100', { 'address.state': 'NY', 'creditScores.origination': 800 }),
        ],
        { ...concentration(money(100), weighted), overlap },
      ).result.excessBreachDistribution[1]?.measure;
    expect(of('sequential')).toBe('700.00000000');
    expect(of('maximumPerAsset')).toBe('650.00000000');
  });
});

describe('scopes', () => {
  const contract = {
    scopes: [
      { title: 'Prime', filter: { fico: { gte: 700 } } },
      { title: 'Near prime', filter: { fico: { gte: 600 } } },
    ],
    advanceRate: {
      cases: [{ title: 'Prime rate', filter: {}, rate: 90, scope: 'Prime' }],
      defaultRate: 70,
    },
  };
  const mapped = (score: number | null) => ({ 'creditScores.origination': score });
  const contractWithPaths = JSON.parse(JSON.stringify(contract).replaceAll('"fico"', '"creditScores.origination"'));
  test('take an asset once, in order, and report what is out of scope or unknown', () => {
    const assets = [
      loan('10', mapped(750)),
      loan('20', mapped(650)),
      loan('30', mapped(500)),
      loan('40', mapped(null)),
    ];
    const found = calculate(assets, contractWithPaths);
    expect(found.assets.map((asset) => asset.scope)).toEqual([0, 1, null, null]);
    expect(found.result.totals.outOfScope).toEqual({ count: 2, amount: USD('70.00') });
    expect(found.result.scopes.map((scope) => scope.unknown)).toEqual([
      { count: 1, amount: USD('40.00') },
      { count: 1, amount: USD('40.00') },
    ]);
    expect(found.result.totals.netBB).toEqual(USD('23.00'));
    expect(found.assets.map((asset) => asset.rate)).toEqual(['90', '70', null, null]);
  });
  test('add up to the totals', () => {
    const found = calculate([loan('10.005', mapped(750)), loan('20.005', mapped(650))], contractWithPaths);
    expect(found.result.totals.pools.relevant.amount.sum).toBe('30.01');
    expect(found.result.scopes.map((scope) => scope.pools.relevant.amount.sum)).toEqual(['10.01', '20.00']);
  });
});

describe('eligibility and performance', () => {
  test('an asset that lacks the field fails, unless the rule passes it over', () => {
    const assets = [loan('1', { assetId: 'a' }), loan('2', { assetId: 'b' }), loan('4', { assetId: 'c', sector: 'x' })];
    const rule = { title: 'On time', filter: { daysPastDue: { lte: 30 } } };
    const found = calculate(assets, {
      eligibilityRules: [{ ...rule, exceptions: [{ assetId: 'b' }, { filter: { sector: 'x' } }] }],
    });
    expect(statuses(found)).toEqual(['inEligible', 'eligible', 'eligible']);
    expect(found.assets[0]?.failed).toEqual(['eligible:0']);
  });
  test('without a performance rule an asset is eligible, with one performing or not', () => {
    const assets = [loan('1', { daysPastDue: 0 }), loan('2', { daysPastDue: 60 })];
    expect(statuses(calculate(assets, {}))).toEqual(['eligible', 'eligible']);
    const performanceRules = [{ title: 'On time', filter: { daysPastDue: { lte: 30 } } }];
    expect(statuses(calculate(assets, { performanceRules }))).toEqual(['performing', 'nonPerforming']);
  });
  test.each([
    ['from its first day', { startDate: '2026-10-31' }, true],
    ['not before it', { startDate: '2026-11-01' }, false],
    ['not on its expiration date', { expirationDate: '2026-10-31' }, false],
    ['the day before it expires', { expirationDate: '2026-11-01' }, true],
    ['not when switched off', { enabled: false }, false],
  ])('a rule applies %s', (_, dates, applies) => {
    const rule = { title: 'None', filter: { 'sums.outstandingSum': { lt: 0 } }, ...dates };
    expect(statuses(calculate([loan('5')], { eligibilityRules: [rule] }))).toEqual([
      applies ? 'inEligible' : 'eligible',
    ]);
  });
  test('no outstanding sum is ineligible for that reason; one below zero counts as zero and is flagged', () => {
    const found = calculate([loan(null), loan('-5'), loan('10')], {});
    expect(statuses(found)).toEqual(['inEligible', 'eligible', 'eligible']);
    expect(found.assets[0]).toMatchObject({ failed: ['eligible:-1'], amount: null });
    expect(found.result.totals.pools.relevant).toEqual({ count: 3, amount: USD('10.00') });
    expect(found.result.rulesTracking.eligible[0]).toMatchObject({ rule: -1, first: { count: 1 } });
    expect(found.result.warnings.map((warning) => [warning.code, warning.count])).toEqual([
      ['negativeOutstanding', 1],
      ['noOutstanding', 1],
    ]);
  });
  test('failing at all is counted apart from being first excluded', () => {
    const eligibilityRules = [
      { title: 'One', filter: { daysPastDue: { lt: 10 } } },
      { title: 'Two', filter: { daysPastDue: { lt: 5 } } },
    ];
    const found = calculate([loan('1', { daysPastDue: 20 }), loan('2', { daysPastDue: 7 })], { eligibilityRules });
    expect(
      found.result.rulesTracking.eligible.map((entry) => [entry.failed.amount.sum, entry.first.amount.sum]),
    ).toEqual([
      ['1.00', '1.00'],
      ['3.00', '2.00'],
    ]);
  });
});

describe('concentration', () => {
  const states = (amounts: [string | null, string][]) =>
    amounts.map(([state, amount], index) => loan(amount, { assetId: `a${index}`, 'address.state': state }));
  test('without topN each group is measured by itself, the unknown one too', () => {
    const assets = states([
      ['CA', '150'],
      ['NY', '90'],
      [null, '200'],
    ]);
    const found = calculate(assets, concentration({}));
    expect(remaining(found)).toEqual(['100.0000', '90.0000', '100.0000']);
    expect(found.result.excessBreachDistribution[0]?.groups.map((group) => [group.key, group.breached])).toEqual([
      [null, true],
      ['CA', true],
      ['NY', false],
    ]);
  });
  test('skipN passes over the largest, topN measures the next ones together', () => {
    const assets = states([
      ['A', '500'],
      ['B', '80'],
      ['C', '60'],
      ['D', '50'],
    ]);
    const found = calculate(assets, concentration({ skipN: 1, topN: 2 }));
    expect(remaining(found)).toEqual(['500.0000', '57.1429', '42.8571', '50.0000']);
    expect(found.result.excessBreachDistribution[0]?.groups.map((group) => group.part)).toEqual([
      'skipped',
      'measured',
      'measured',
      'beyond',
    ]);
  });
  test('equal groups rank by key, the unknown one last', () => {
    const assets = states([
      [null, '70'],
      ['B', '70'],
      ['A', '70'],
    ]);
    const found = calculate(assets, concentration({ topN: 1, equator: { operand: 'lte', unit: 'money', value: 35 } }));
    expect(remaining(found)).toEqual(['70.0000', '70.0000', '35.0000']);
  });
  test('exceptions are neither measured nor cut, and unknown filters are reported', () => {
    const assets = states([
      ['CA', '150'],
      ['CA', '150'],
    ]).concat(loan('70', { assetId: 'z' }));
    const found = calculate(assets, concentration({ filter: { state: 'CA' }, exceptions: [{ assetId: 'a0' }] }));
    expect(remaining(found)).toEqual(['150.0000', '100.0000', '70.0000']);
    expect(found.result.excessBreachDistribution[0]).toMatchObject({
      excepted: { count: 1, amount: USD('150.00') },
      unknown: { count: 1, amount: USD('70.00') },
    });
  });
  test('a percentage is of the pool as it was before any removal, or of a named value', () => {
    const assets = states([
      ['CA', '600'],
      ['NY', '400'],
    ]);
    const half = { equator: { operand: 'lte', unit: 'percentage', value: 50 } };
    const tenth = { groupBy: null, equator: { operand: 'lte', unit: 'percentage', value: 10, of: 'California' } };
    const found = calculate(assets, {
      ...concentration(half, tenth),
      values: [{ title: 'California', filter: { state: 'CA' } }],
    });
    expect(found.result.excessBreachDistribution.map((rule) => rule.limit)).toEqual(['500.00', '60.00']);
    expect(found.result.totals.remaining.sum).toBe('60.00');
  });
  test('the sum of another field limits by its fraction', () => {
    const assets = [
      loan('100', { 'sums.collateralValue': '300', 'sums.collateralValue.currency': 'USD' }),
      loan('50', { 'sums.collateralValue': '100', 'sums.collateralValue.currency': 'USD' }),
    ];
    const rule = { groupBy: null, accumulatorField: 'sums.collateralValue' };
    const found = calculate(assets, concentration(rule));
    expect(remaining(found)).toEqual(['25.0000', '12.5000']);
    // The collateral exceeds its limit by 300; the same share of the amounts is removed.
    expect(found.result.excessBreachDistribution[0]).toMatchObject({
      accumulatorField: 'sums.collateralValue',
      measure: '400.00',
      limit: '100.00',
      distance: '300.00',
      excess: { sum: USD('112.50') },
      groups: [{ distance: null }],
    });
    const each = calculate(assets, concentration({ ...rule, groupBy: 'state' })).result.excessBreachDistribution[0];
    expect(each?.groups).toMatchObject([{ key: null, measure: '400.00', distance: '300.00' }]);
  });
  test('a zero limit removes all of it and no asset goes below zero', () => {
    const zero = { equator: { operand: 'lt', unit: 'money', value: 0 } };
    const found = calculate(
      states([
        ['CA', '10'],
        ['CA', '0'],
      ]),
      concentration(zero, zero),
    );
    expect(found.assets.map((asset) => asset.remaining)).toEqual(['0.000000000000', '0.000000000000']);
    expect(found.result.totals.excess.sum).toBe('10.00');
  });
  test('the residue goes to the last asset that has room, so that the group keeps exactly its limit', () => {
    const assets = states([
      ['CA', '1'],
      ['CA', '1'],
      ['CA', '1'],
      ['CA', '0'],
    ]);
    const found = calculate(assets, concentration({ equator: { operand: 'lte', unit: 'money', value: 1 } }));
    expect(found.assets.map((asset) => asset.remaining)).toEqual([
      '0.333333333333',
      '0.333333333333',
      '0.333333333334',
      '0.000000000000',
    ]);
  });
  test.each([
    ['lte', 75, false],
    ['lt', 75, true],
    ['gte', 76, true],
    ['gt', 75, true],
    ['gt', 74, false],
    ['eq', 75, false],
    ['eq', 74, true],
    ['neq', 75, true],
  ])('an average %s %d is a test that removes nothing', (operand, value, breached) => {
    const assets = [loan('100', { monthsOnBook: 50 }), loan('300', { monthsOnBook: 100 })];
    const equator = { operand, unit: 'number', value };
    const found = calculate(
      assets,
      concentration({ groupBy: null, accumulator: '$avg', accumulatorField: 'monthsOnBook', equator }),
    );
    expect(found.result.excessBreachDistribution[0]).toMatchObject({
      measure: '75.00000000',
      breached,
      removes: false,
    });
    expect(found.result.totals.remaining.sum).toBe('400.00');
  });
  test('a weighted average weighs by what remains, and leaves out what it lacks', () => {
    const assets = [loan('100', { currentLtv: '50' }), loan('300', { currentLtv: '90' }), loan('5', {})];
    const equator = { operand: 'lte', unit: 'number', value: 70 };
    const rule = { groupBy: null, accumulator: '$wAvg', accumulatorField: 'currentLtv', equator };
    expect(calculate(assets, concentration(rule)).result.excessBreachDistribution[0]).toMatchObject({
      measure: '80.00000000',
      distance: '10.00000000',
      breached: true,
      unknown: { count: 1, amount: USD('5.00') },
    });
  });
  test('a sum that must be at least something is flagged with its distance', () => {
    const rule = { groupBy: null, equator: { operand: 'gte', unit: 'money', value: 500 } };
    const found = calculate(states([['CA', '100']]), concentration(rule));
    expect(found.result.excessBreachDistribution[0]).toMatchObject({ breached: true, distance: '400.00' });
    expect(found.result.totals.excess.sum).toBe('0.00');
  });
});

describe('values', () => {
  test('are sums and averages over any pool', () => {
    const assets = [
      loan('100', { monthsOnBook: 10, currentLtv: '40' }),
      loan('300', { monthsOnBook: 20, currentLtv: '80' }),
      loan('50', { monthsOnBook: null }),
    ];
    const found = calculate(assets, {
      values: [
        { title: 'Old', filter: { monthsOnBook: { gte: 20 } } },
        { title: 'Age', accumulator: '$avg', field: 'monthsOnBook' },
        { title: 'LTV', accumulator: '$wAvg', field: 'currentLtv', pool: 'relevant' },
        { title: 'None', accumulator: '$avg', field: 'monthsOnBook', pool: 'nonPerforming' },
      ],
    });
    expect(found.result.totals.values.map((value) => [value.title, value.value, value.unknown.count])).toEqual([
      ['Total Eligible & Performing Pool', '450.00', 0],
      ['Total Relevant Pool', '450.00', 0],
      ['Old', '300.00', 1],
      ['Age', '15.00000000', 1],
      ['LTV', '70.00000000', 1],
      ['None', null, 0],
    ]);
  });
});

describe('money', () => {
  test('crosses through the dollar at the tape rates, and a missing currency counts as 1 and is named', () => {
    const tape = { mainCurrency: 'EUR', exchangeRates: { EUR: '0.8', GBP: '0.6' } };
    const inCurrency = (amount: string, currency: string) => loan(amount, { 'sums.outstandingSum.currency': currency });
    const found = calculate([inCurrency('60', 'GBP'), inCurrency('10', 'USD'), inCurrency('10', 'CHF')], {}, tape);
    expect(found.assets.map((asset) => asset.amount)).toEqual(['80.000000000000', '8.000000000000', '8.000000000000']);
    expect(found.result.warnings).toMatchObject([{ code: 'missingRate', message: expect.stringContaining('CHF') }]);
  });
  test('is rounded once, parts by largest remainder', () => {
    const tape = { mainCurrency: 'JPY', exchangeRates: { JPY: '1.5' } };
    const assets = ['a', 'b', 'c'].map((sector) => loan('1', { sector }));
    const scopes = ['a', 'b', 'c'].map((sector) => ({ title: sector, filter: { sector } }));
    const found = calculate(assets, { scopes }, tape);
    expect(found.result.totals.pools.relevant.amount).toEqual({ sum: '4', currency: 'JPY' });
    expect(found.result.scopes.map((scope) => scope.pools.relevant.amount.sum)).toEqual(['2', '1', '1']);
  });
  test('never removes more than the pool that is published', () => {
    // 673,448.5001 is published as 673,448 because the other part of the relevant pool has the larger remainder.
    const found = calculate(
      [loan('673448.5001', { daysPastDue: 0 }), loan('691281.5002', { daysPastDue: 60 })],
      {
        eligibilityRules: [{ title: 'On time', filter: { daysPastDue: { lte: 30 } } }],
        concentrationRules: [{ title: 'All', equator: { operand: 'lte', unit: 'money', value: 0 } }],
      },
      { mainCurrency: 'JPY' },
    );
    const { excess, remaining, pools } = found.result.totals;
    expect([pools.eligibleOrPerforming.amount.sum, excess.sum, remaining.sum]).toEqual(['673448', '673448', '0']);
  });

  test('adds up for any amounts, rates and limits', () => {
    const sums = fc.bigInt(0n, 10n ** 9n).map((units) => fromScaled(units, 4));
    const rate = fc.constantFrom(0, 33.333_333_33, 87.5, 100);
    fc.assert(
      fc.property(
        fc.array(fc.record({ amount: sums, days: fc.constantFrom(0, 60), state: fc.constantFrom('CA', 'NY') }), {
          maxLength: 8,
        }),
        fc.constantFrom('USD', 'JPY', 'KWD'),
        fc.array(fc.constantFrom(-1, 0, 12.5, 50_000.55), { maxLength: 3 }),
        rate,
        rate,
        (loans, mainCurrency, limits, first, other) => {
          const assets = loans.map(({ amount, days, state }) =>
            loan(amount, { daysPastDue: days, 'address.state': state }),
          );
          const contract = {
            eligibilityRules: [{ title: 'On time', filter: { daysPastDue: { lte: 30 } } }],
            ...concentration(
              ...limits.map((value) => ({
                equator: { operand: 'lte', unit: value === 12.5 ? 'percentage' : 'money', value },
              })),
            ),
            advanceRate: { cases: [{ title: 'CA', filter: { state: 'CA' }, rate: first }], defaultRate: other },
          };
          // `calculate` throws if the figures do not add up.
          const { result } = calculate(assets, contract, { mainCurrency });
          for (const figure of [result.totals.excess, result.totals.remaining, result.totals.netBB]) {
            expect(figure.sum.startsWith('-')).toBe(false);
          }
        },
      ),
      { numRuns: Number(process.env.FC_RUNS ?? 300) },
    );
  });

  test('an empty tape and an empty pool are zero, without averages', () => {
    for (const found of [calculate([], WORKED_CASE_CONTRACT), calculate([loan('0')], WORKED_CASE_CONTRACT)]) {
      expect(found.result.totals).toMatchObject({ netBB: USD('0.00'), weightedAdvanceRatePercent: null });
      expect(found.result.warnings.some((warning) => warning.code === 'emptyPool')).toBe(true);
      expect([...new Set(found.result.excessBreachDistribution.map((rule) => !rule.breached))]).toEqual([true]);
    }
  });
});

describe('whole groups', () => {
  const invoice = (assetId: string, borrowerId: string | null, amount: string, daysPastDue: number) =>
    loan(amount, { assetId, borrowerId, daysPastDue });
  const invoices = RECEIVABLES;
  const aged = { title: 'At most 90 days', filter: { daysPastDue: { lte: 90 } } };
  const crossAged = (percent: number, more: object = {}) => ({
    ...aged,
    title: 'Cross-aging',
    wholeGroup: { groupBy: 'borrowerId', percent },
    ...more,
  });
  const eligible = (...eligibilityRules: Record<string, unknown>[]) =>
    calculate(invoices, { eligibilityRules } as Partial<TransactionContractInput>);
  const failed = (found: ReturnType<typeof calculate>) => found.assets.map((asset) => asset.failed.join(' '));

  test('all invoices of a debtor fail from the share that is too old', () => {
    const found = eligible(aged, crossAged(25));
    expect(failed(found)).toEqual([
      'eligible:1',
      'eligible:0 eligible:1',
      '',
      'eligible:0',
      'eligible:0 eligible:1',
      '',
      'eligible:0',
    ]);
    expect(found.result.totals.pools.eligibleOrPerforming).toEqual({ count: 2, amount: USD('280.00') });
    expect(found.result.wholeGroups).toEqual([
      {
        ...{ rule: 1, title: 'Cross-aging', groupBy: 'borrowerId', percent: '25' },
        ...{ groupCount: 4, failedGroupCount: 2 },
        groups: [
          { key: 'd1', count: 2, amount: USD('160.00'), failing: USD('60.00'), percentage: '37.50000000' },
          { key: 'd3', count: 1, amount: USD('150.00'), failing: USD('150.00'), percentage: '100.00000000' },
        ],
      },
    ]);
  });

  test('a share on the bound fails, one just below does not', () => {
    const excluded = (percent: number) =>
      eligible(crossAged(percent)).result.wholeGroups?.[0]?.groups.map(({ key }) => key);
    expect(excluded(37.5)).toEqual(['d1', 'd3']);
    expect(excluded(37.50000001)).toEqual(['d3']);
    // 20 of 220 are 9.0909… %.
    expect(excluded(9.09)).toEqual(['d2', 'd1', 'd3']);
    expect(excluded(9.1)).toEqual(['d1', 'd3']);
  });

  test('excepted invoices are neither measured nor excluded, and those without a debtor are one group', () => {
    const excepted = eligible(crossAged(25, { exceptions: [{ assetId: 'i2' }, { assetId: 'i5' }] }));
    expect(failed(excepted)).toEqual(['', '', '', '', '', '', '']);
    expect(excepted.result.wholeGroups).toMatchObject([{ groupCount: 3, failedGroupCount: 0, groups: [] }]);
    const unknown = calculate([invoice('x', null, '10', 91), invoice('y', null, '30', 0)], {
      eligibilityRules: [crossAged(25)],
    } as Partial<TransactionContractInput>);
    expect(failed(unknown)).toEqual(['eligible:0', 'eligible:0']);
    expect(unknown.result.wholeGroups?.[0]?.groups).toMatchObject([{ key: null, percentage: '25.00000000' }]);
  });

  test('the debtors of one parent are one group, and a debtor without a parent is its own', () => {
    // The parent of d1 and d2 is named P, and d2 is named as the parent of d3.
    const parents: Record<string, string> = { d1: 'P', d3: 'd2' };
    const named = invoices.map((one) => ({ ...one, sector: parents[String(one.borrowerId)] ?? null }));
    const found = calculate(named, {
      eligibilityRules: [crossAged(25, { wholeGroup: { groupBy: 'borrowerId', parent: 'sector', percent: 25 } })],
    } as Partial<TransactionContractInput>);
    // Of d2 and d3 together, 170 of 370 are late.
    expect(found.result.wholeGroups).toMatchObject([
      {
        ...{ parent: 'sector', groupCount: 3, failedGroupCount: 2 },
        groups: [
          { key: 'd2', count: 3, percentage: '45.94594595' },
          { key: 'P', count: 2, percentage: '37.50000000' },
        ],
      },
    ]);
    expect(
      checkContractAgainstFields(
        contractOf({
          eligibilityRules: [
            crossAged(25, { wholeGroup: { groupBy: 'borrowerId', parent: 'monthsOnBook', percent: 25 } }),
          ],
        } as Partial<TransactionContractInput>),
        catalog,
      ),
    ).toMatchObject([{ path: ['eligibilityRules', 0, 'wholeGroup', 'parent'] }]);
  });

  test('assets out of scope do not count', () => {
    const scopes = [{ title: 'Large', filter: { 'sums.outstandingSum': { gte: 100 } } }];
    const found = calculate(invoices, {
      scopes,
      eligibilityRules: [crossAged(25)],
    } as Partial<TransactionContractInput>);
    expect(found.result.wholeGroups?.[0]?.groups.map(({ key }) => key)).toEqual(['d3']);
    expect(statuses(found)).toEqual(['eligible', null, 'eligible', null, 'inEligible', null, null]);
  });
});

test.each([
  [WORKED_CASE_ASSETS, { ...WORKED_CASE_CONTRACT, reserves: [{ title: 'Servicing', kind: 'percentage', percent: 1 }] }],
  [RECEIVABLES, RECEIVABLES_CONTRACT],
] as const)('a contract without offsets has the bytes of versions that had none', (assets, contract) => {
  const found = calculateReference({
    assets,
    tape: WORKED_CASE_TAPE,
    contract: transactionContractSchema.parse(contract),
    catalog,
  });
  const hash = createHash('sha256')
    .update(JSON.stringify([found.result, found.assets]))
    .digest('hex');
  expect(EARLIER_HASHES).toContain(hash);
});

/** Of the results that the version before offsets calculated. */
const EARLIER_HASHES = [
  'a9d8dc22b0d9841ddc12d891a2993a32c731b971a02ec4257fe98178a81d85f5',
  '70c3d26872e0991fcd0c7c1788078139b052f28084bcaf04fb9793a2a2184302',
];

describe('offsets', () => {
  const deducted = { title: 'Credits', kind: 'negatives', groupBy: 'borrowerId' };
  const field = 'sums.arrears';
  const payables = { title: 'Payables', kind: 'field', groupBy: 'borrowerId', field };
  const offsetting = (offsets: object[], assets: readonly ReferenceAsset[] = RECEIVABLES, more: object = {}) =>
    calculate(assets, { ...RECEIVABLES_CONTRACT, offsets, ...more } as Partial<TransactionContractInput>);
  /** The invoices, each with what is owed to its debtor. */
  const owing = (amounts: Record<string, string>): ReferenceAsset[] =>
    RECEIVABLES.map((one) => ({ ...one, [field]: amounts[String(one.borrowerId)] ?? null }));
  const groupsOf = (found: ReturnType<typeof calculate>) =>
    found.result.totals.offsets?.map(({ groups }) =>
      groups.map(({ key, owed, taken, leftOver }) => [key, owed.sum, taken.sum, leftOver.sum].join(' ')),
    );

  test('negative balances count as zero, or are deducted from the other invoices of the debtor, whatever their age', () => {
    const zero = offsetting([]);
    expect(zero.result.totals.pools.eligibleOrPerforming).toEqual({ count: 2, amount: USD('280.00') });
    expect(zero.result.warnings[0]?.message).toBe('1 asset has a negative current balance, counted as zero');
    const found = offsetting([deducted]);
    const { totals, netBB, warnings } = found.result;
    expect(totals.pools.eligibleOrPerforming).toEqual({ count: 2, amount: USD('250.00') });
    expect(totals.pools.relevant).toEqual(zero.result.totals.pools.relevant);
    expect(totals.pools.inEligible).toEqual(zero.result.totals.pools.inEligible);
    expect(totals.offset).toEqual({ count: 1, amount: USD('30.00') });
    expect(netBB).toEqual(USD('212.50'));
    expect(warnings[0]?.message).toBe(
      '1 asset has a negative current balance, deducted from the eligible amounts of its group',
    );
    expect(totals.offsets).toEqual([
      {
        ...{ rule: 0, title: 'Credits', kind: 'negatives', groupBy: 'borrowerId', parent: null },
        ...{ field: null, amounts: null, groupCount: 1, count: 1 },
        ...{ owed: USD('30.00'), taken: USD('30.00'), leftOver: USD('0.00') },
        groups: [
          {
            ...{ key: 'd4', count: 1, eligible: USD('80.00') },
            ...{ owed: USD('30.00'), taken: USD('30.00'), leftOver: USD('0.00') },
          },
        ],
      },
    ]);
    expect(found.assets.map(({ remaining: left, failed }) => [round(left, 2), failed.join(' ')])).toEqual([
      ['0.00', 'eligible:1'],
      ['0.00', 'eligible:0 eligible:1'],
      ['200.00', ''],
      ['0.00', 'eligible:0'],
      ['0.00', 'eligible:0 eligible:1'],
      ['50.00', 'offset:0'],
      ['0.00', 'eligible:0'],
    ]);
    expect(
      waterfallOf(found.result)
        .map(({ step, sum: amount }) => `${step} ${amount}`)
        .slice(0, 5),
    ).toEqual(['relevant 610.00', 'inEligible -330', 'nonPerforming 0', 'offset -30', 'eligibleOrPerforming 250.00']);
  });

  test('what a debtor has too little for is left over, and never taken from another debtor', () => {
    const found = offsetting([payables], owing({ d1: '10', d2: '0', d4: '100' }));
    expect(groupsOf(found)).toEqual([['d4 100.00 80.00 20.00', 'd1 10.00 0.00 10.00']]);
    expect(found.result.totals.pools.eligibleOrPerforming.amount).toEqual(USD('200.00'));
    const { owed, taken, leftOver } = found.result.totals.offsets![0]!;
    expect([owed.sum, taken.sum, leftOver.sum]).toEqual(['110.00', '80.00', '30.00']);
  });

  test('the amount is the same on each invoice of a debtor, or is added up', () => {
    const assets = owing({ d4: '15' });
    expect(groupsOf(offsetting([payables], assets))).toEqual([['d4 15.00 15.00 0.00']]);
    expect(groupsOf(offsetting([{ ...payables, amounts: 'perAsset' }], assets))).toEqual([['d4 30.00 30.00 0.00']]);
    // The largest counts where invoices of a debtor differ, and an amount below zero adds nothing.
    const [first, ...others] = owing({ d2: '7', d4: '15' });
    const differing = [
      { ...first!, borrowerId: 'd4', [field]: '16' },
      ...others.slice(0, -1),
      { ...others.at(-1)!, [field]: '-9' },
    ];
    expect(groupsOf(offsetting([payables], differing))).toEqual([['d4 16.00 16.00 0.00', 'd2 7.00 7.00 0.00']]);
    const added = offsetting([{ ...payables, amounts: 'perAsset' }], differing);
    expect(groupsOf(added)).toEqual([['d4 31.00 31.00 0.00', 'd2 14.00 14.00 0.00']]);
  });

  test('the shares of invoices add up to the last digit, and offsets follow one another', () => {
    const thirds = ['a', 'b', 'c'].map((assetId) =>
      loan('100', { assetId, borrowerId: 'd', daysPastDue: 0, [field]: '100' }),
    );
    const found = offsetting(
      [payables, { ...payables, title: 'Again' }, { ...payables, title: 'More' }, { ...payables, title: 'Most' }],
      thirds,
    );
    expect(groupsOf(found)).toEqual([
      ['d 100.00 100.00 0.00'],
      ['d 100.00 100.00 0.00'],
      ['d 100.00 100.00 0.00'],
      ['d 100.00 0.00 100.00'],
    ]);
    const one = offsetting([payables], thirds);
    expect(one.assets.map(({ remaining: left }) => left)).toEqual([
      '66.666666666666',
      '66.666666666666',
      '66.666666666668',
    ]);
  });

  test('limits and values of the eligible pool take what offsets left, those of the relevant pool what was there', () => {
    const found = offsetting([deducted], RECEIVABLES, {
      concentrationRules: [
        { title: 'Debtor', groupBy: 'borrowerId', equator: { operand: 'lte', unit: 'percentage', value: 40 } },
      ],
    });
    const { totals } = found.result;
    expect(totals.values.map(({ value }) => value)).toEqual(['250.00', '610.00']);
    // 40 % of 250: i3 is cut to 100.
    expect(totals.excess).toEqual(USD('100.00'));
    expect(totals.remaining).toEqual(USD('150.00'));
  });

  test('the debtors of a parent share their offset', () => {
    const named = owing({ d4: '200' }).map((one) => ({ ...one, sector: one.borrowerId === 'd4' ? 'd2' : null }));
    const found = offsetting([{ ...payables, parent: 'sector' }], named);
    expect(groupsOf(found)).toEqual([['d2 200.00 200.00 0.00']]);
    // 280 are eligible of both: 200 of 280 are taken of each.
    expect(remaining(found)).toEqual(['0.0000', '0.0000', '57.1429', '0.0000', '0.0000', '22.8571', '0.0000']);
  });

  test('a file of the tape names what is owed to each debtor, and what no invoice is of is left over', () => {
    const ofFile = { title: 'Payables', kind: 'file', groupBy: 'borrowerId', file: 'payables' };
    const offset = { ...ofFile, groupColumn: 'Vendor', amountColumn: 'Balance' };
    const file = { name: 'payables-2026-10.csv', key: 'loanTapes/payables' };
    const rows = [
      ['d2', '20.00'],
      ['d4', '100'],
      [' d2 ', '30'],
      ['d9', '30'],
      ['d1', '-5'],
      ['', '7'],
    ];
    const sheet = {
      ...{ kind: 'csv' as const, headers: ['Vendor', 'Balance'] },
      rows: rows.map((cells, index) => ({ row: index + 2, cells })),
    };
    const contract = contractOf({ ...RECEIVABLES_CONTRACT, offsets: [offset] } as Partial<TransactionContractInput>);
    const [read] = fileOffsets(contract, WORKED_CASE_TAPE.cutOffDate);
    const groups = readOffsetList(sheet, read!.offset, { name: file.name, currency: 'USD' });
    const { result } = calculateReference({
      ...{ assets: RECEIVABLES, tape: WORKED_CASE_TAPE, contract, catalog },
      offsetLists: [{ rule: 0, file, groups }],
    });
    const { totals, warnings } = result;
    expect(totals.pools.eligibleOrPerforming).toEqual({ count: 2, amount: USD('150.00') });
    expect(totals.offsets).toMatchObject([
      {
        ...{ kind: 'file', field: null, amounts: null, file, groupCount: 3, count: 2 },
        ...{ owed: USD('180.00'), taken: USD('130.00'), leftOver: USD('50.00') },
        groups: [
          { key: 'd4', count: 1, owed: USD('100.00'), taken: USD('80.00'), leftOver: USD('20.00') },
          { key: 'd2', count: 1, owed: USD('50.00'), taken: USD('50.00'), leftOver: USD('0.00') },
          { key: 'd9', count: 0, owed: USD('30.00'), taken: USD('0.00'), leftOver: USD('30.00') },
        ],
      },
    ]);
    expect(warnings.find(({ code }) => code === 'offsetWithoutAssets')).toEqual({
      code: 'offsetWithoutAssets',
      message: '1 group of the file payables-2026-10.csv has no asset: 30.00 is left over',
      count: 1,
    });
  });

  test('an offset applies between its dates, and needs a field of money', () => {
    const off = offsetting([{ ...deducted, expirationDate: WORKED_CASE_TAPE.cutOffDate }]);
    expect(JSON.stringify(off)).toBe(
      JSON.stringify(calculate(RECEIVABLES, RECEIVABLES_CONTRACT as Partial<TransactionContractInput>)),
    );
    expect(
      checkContractAgainstFields(
        contractOf({ offsets: [{ ...payables, field: 'monthsOnBook' }] } as Partial<TransactionContractInput>),
        catalog,
      ),
    ).toMatchObject([{ path: ['offsets', 0, 'field'], message: expect.stringMatching(/is not an amount of money/) }]);
  });
});

describe('against the note', () => {
  const facility = { currency: 'USD', balances: [USD('700.00')], commitments: [USD('500.00')] };
  test('availability is the lesser of base and commitments, less the balance; below zero is a deficit', () => {
    const found = calculate([loan('1000')], {}, {}, facility);
    expect(found.result.totals.availability).toEqual(USD('-200.00'));
  });
  test('the waterfall shows what lies beyond the commitments, so that it adds up to availability', () => {
    const { result } = calculate([loan('1000')], {}, {}, facility);
    expect(waterfallOf(result).slice(-4)).toMatchObject([
      { step: 'netBB', sum: '1000.00' },
      { step: 'beyondCommitments', kind: 'change', sum: '-500' },
      { step: 'balance', sum: '-700' },
      { step: 'availability', sum: '-200.00' },
    ]);
    const withinCommitments = calculate([loan('400')], {}, {}, facility).result;
    expect(waterfallOf(withinCommitments).map(({ step }) => step)).not.toContain('beyondCommitments');
    const unknownBalance = calculate([loan('1000')], {}, {}, { ...facility, balances: null }).result;
    expect(waterfallOf(unknownBalance).map(({ step }) => step)).not.toContain('beyondCommitments');
  });
  test('is not available where draws are not recorded', () => {
    expect(calculate([loan('1')], {}).result.totals).toMatchObject({ balance: null, availability: null });
    const unknown = calculate([loan('1')], {}, {}, { ...facility, balances: null });
    expect(unknown.result.totals).toMatchObject({ balance: null, commitments: USD('500.00'), availability: null });
  });
  test('commitments in several currencies are one in the main currency, at the rates of the tape', () => {
    const commitments = [USD('100.00'), { sum: '90.00', currency: 'EUR' }, { sum: '0.01', currency: 'CHF' }];
    const position = { currency: 'USD', balances: [USD('0')], commitments };
    const terms = { exchangeRates: { EUR: '0.9' } };
    const { result } = calculate([loan('1000')], {}, terms, position);
    expect(result.totals).toMatchObject({ commitments: USD('200.01'), availability: USD('200.01') });
    expect(result.warnings.find(({ code }) => code === 'missingRate')?.message).toContain('CHF');
  });
  test('is in the main currency of the note, at the rates of the tape', () => {
    const position = { currency: 'EUR', balances: [USD('100.00')], commitments: [] };
    const found = calculate([loan('1000')], {}, { exchangeRates: { EUR: '0.9' } }, position);
    expect(found.result.totals.balance).toEqual({ sum: '90.00', currency: 'EUR' });
    expect(found.result.totals.availability).toEqual({ sum: '810.00', currency: 'EUR' });
  });
});

describe('contracts', () => {
  test('the latest active one that is not after the tape applies', () => {
    const contracts = [
      { status: 'Active', cutOffDate: '2026-01-01' },
      { status: 'Active', cutOffDate: '2026-07-01' },
      { status: 'Draft', cutOffDate: '2026-08-01' },
      { status: 'Active', cutOffDate: '2026-11-01' },
    ];
    expect(applyingContract(contracts, '2026-10-31')).toBe(contracts[1]);
    expect(applyingContract(contracts, '2025-12-31')).toBeUndefined();
  });
  test('are refused with the names of the fields that the mapping lacks', () => {
    const contract = contractOf(WORKED_CASE_CONTRACT);
    const mapped = ['sums.outstandingSum', 'assetId', 'daysPastDue', 'borrowerId', 'creditScores.grade'];
    expect(() => requireContractFields(contract, catalog, mapped)).toThrow(
      'The contract cannot be used with this tape. FICO is at least 600: the tape’s mapping has no rule for Origination credit score (creditScores.origination); Any one state at most 40%: the tape’s mapping has no rule for State (address.state)',
    );
    expect(checkContractAgainstFields(contract, catalog, mapped).map((problem) => problem.field)).toEqual([
      'creditScores.origination',
      'address.state',
    ]);
    expect(checkContractAgainstFields(contract, catalog)).toEqual([]);
  });
  test('say which filter cannot be read', () => {
    const contract = contractOf({ eligibilityRules: [{ title: 'Broken', filter: { nothing: 1 } }] });
    const [problem] = checkContractAgainstFields(contract, catalog);
    expect(problem).toMatchObject({ field: null, message: expect.stringContaining('Broken') });
    expect(problem?.path.slice(0, 3)).toEqual(['eligibilityRules', 0, 'filter']);
    expect(() => requireContractFields(contract, catalog)).toThrow(
      'The contract cannot be used with this tape. Broken: nothing is not a field',
    );
    expect(() => calculate([], contract)).toThrow(/Broken: nothing is not a field/);
  });
  test('name the first rules that cannot be read, and count the others', () => {
    const rules = Array.from({ length: 8 }, (_, at) => ({
      title: `Rule ${at}`,
      filter: { [`customFields.c${at}`]: 1 },
    }));
    const contract = contractOf({ eligibilityRules: rules });
    expect(() => requireContractFields(contract, catalog)).toThrow(
      /Rule 0: .*customFields\.c0.*Rule 4: .*; and 3 more$/,
    );
  });
});
