import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  LIMIT_OVERLAPS,
  type TransactionContractInput,
  transactionContractSchema,
} from '../facilities/contract.schema.ts';
import { fromScaled, subtract, sum } from '../money/decimal.ts';
import { assetCatalog } from '../tapes/target-schema.ts';
import { type AssetExplanation, explainAsset } from './explain.ts';
import { calculateReference, type ReferenceAsset } from './testing/reference.ts';
import {
  RECEIVABLES,
  RECEIVABLES_CONTRACT,
  WORKED_CASE_ASSETS,
  WORKED_CASE_CONTRACT,
  WORKED_CASE_TAPE,
} from './testing/worked-case.ts';

const catalog = assetCatalog();

/** Explains every asset of a pool from its stored calculation results. */
function explain(assets: readonly ReferenceAsset[], input: TransactionContractInput, isEarlier = false) {
  const contract = transactionContractSchema.parse(input);
  const { result, assets: results } = calculateReference({ assets, tape: WORKED_CASE_TAPE, contract, catalog });
  const { cuts, ...earlier } = result;
  return results.map((one, sequenceIndex): AssetExplanation & { removed: string } => {
    const stored = {
      ...one,
      status: one.status ?? 'outOfScope',
      scope: one.scope === null ? null : (contract.scopes[one.scope]?.title ?? null),
      failed: one.failed.length === 0 ? '' : `,${one.failed.join(',')},`,
      rate: one.rate === null ? null : Number(one.rate).toFixed(8),
    };
    const read = ({ path }: { path: string }) => assets[sequenceIndex]?.[path] ?? null;
    const explained = explainAsset(
      { sequenceIndex, read, result: stored },
      contract,
      catalog,
      isEarlier ? earlier : result,
    );
    return { ...explained, removed: one.excessRemoved };
  });
}
const worked = explain(WORKED_CASE_ASSETS, WORKED_CASE_CONTRACT);
const loan = (fields: Record<string, unknown>): ReferenceAsset => ({
  'sums.outstandingSum': '1000',
  'sums.outstandingSum.currency': 'USD',
  ...fields,
});
const rules = (...filters: object[]): TransactionContractInput => ({
  ...WORKED_CASE_CONTRACT,
  eligibilityRules: filters.map((filter, at) => ({ title: `Rule ${at}`, filter: filter as Record<string, unknown> })),
  performanceRules: [],
  concentrationRules: [],
});

describe('failed rules', () => {
  test('are sentences with the value of the asset', () => {
    expect(worked[5]?.failedRules).toEqual([
      {
        stage: 'eligibility',
        rule: 0,
        title: 'FICO is at least 600',
        conditions: [{ condition: 'Origination credit score is at least 600', value: 'is 580' }],
        sentence: 'Origination credit score is at least 600: is 580',
      },
    ]);
    expect(worked[6]?.failedRules).toMatchObject([
      { stage: 'performance', sentence: 'Days past due is at most 30: is 45' },
    ]);
    expect(worked.slice(0, 5).flatMap(({ failedRules }) => failedRules)).toEqual([]);
  });

  test('name only the conditions that fail, amounts with their currency, and what is missing', () => {
    const [asset] = explain(
      [loan({ 'sums.outstandingSum': '1234567.5', interestRate: '4.25', 'address.state': 'CA' })],
      rules(
        { interestRate: { gte: 5, lte: 30 }, 'sums.outstandingSum': { lt: 1_000_000 } },
        { $or: [{ state: 'NY' }, { sector: 'a' }] },
        { isDelinquent: false },
        { state: 'CA' },
      ),
    );
    expect(asset?.failedRules.map(({ rule, sentence }) => [rule, sentence])).toEqual([
      [0, 'Interest rate is at least 5%: is 4.25%; Current balance is less than 1,000,000: is 1,234,567.5 USD'],
      [1, 'State is NY or Sector is a: State is CA, Sector is missing'],
      [2, 'Is delinquent is no: is missing'],
    ]);
  });

  test('include the built-in one, and the scopes that an asset does not match', () => {
    const contract = { ...rules(), scopes: [{ title: 'West', filter: { state: 'CA' } }] };
    const [missing, outside] = explain(
      [loan({ 'sums.outstandingSum': null, 'address.state': 'CA' }), loan({ 'address.state': 'NY' })],
      contract,
    );
    expect(missing?.failedRules).toMatchObject([{ rule: -1, sentence: 'Current balance is known: is missing' }]);
    expect([missing?.outOfScope, outside?.outOfScope]).toEqual([null, 'West: State is CA (is NY)']);
    expect(outside?.advance).toBeNull();
  });
});

describe('concentration cuts', () => {
  test('come by rule and group, and add up to what was removed', () => {
    expect(worked[0]?.concentration).toEqual([
      {
        rule: 0,
        title: 'Any one state at most 40%',
        groupBy: { path: 'address.state', label: 'State' },
        group: 'CA',
        excess: '60.000000000000',
        removed: '60.000000000000',
      },
      {
        rule: 1,
        title: expect.stringContaining('borrower'),
        groupBy: { path: 'borrowerId', label: expect.any(String) },
        group: 'b1',
        excess: expect.stringMatching(/^36\.61016949/),
        removed: expect.stringMatching(/^36\.61016949/),
      },
    ]);
    for (const { concentration, removed } of worked) {
      expect(Number(subtract(removed, sum(concentration.map((cut) => cut.removed ?? 'unknown'))))).toBe(0);
    }
  });

  test('show each excess, and count only the largest, if limits combine by the largest excess per asset', () => {
    const [first, second] = explain(WORKED_CASE_ASSETS, { ...WORKED_CASE_CONTRACT, overlap: 'maximumPerAsset' });
    expect(first?.concentration.map(({ excess, removed }) => [excess, removed])).toEqual([
      ['60.000000000000', '0.000000000000'],
      ['69.230769230770', '69.230769230770'],
    ]);
    expect(second?.concentration.map(({ excess, removed }) => [excess, removed])).toEqual([
      ['40.000000000000', '40.000000000000'],
    ]);
  });

  test('of results of an earlier version are known for a single rule, and unknown for several', () => {
    const earlier = explain(WORKED_CASE_ASSETS, WORKED_CASE_CONTRACT, true);
    expect(earlier[0]?.concentration.map(({ removed }) => removed)).toEqual([null, null]);
    expect(earlier[1]?.concentration.map(({ removed }) => removed)).toEqual(['40.000000000000']);
  });

  test('add up exactly for any amounts, groups and limits', () => {
    const limit = fc.record({
      groupBy: fc.constantFrom(null, 'state', 'borrowerId', 'currentLtv', 'monthsOnBook', 'isDelinquent'),
      topN: fc.constantFrom(null, 2),
      skipN: fc.constantFrom(0, 1),
      accumulatorField: fc.constantFrom(null, 'monthsOnBook'),
      equator: fc.record({
        operand: fc.constant('lte'),
        unit: fc.constantFrom('money', 'percentage'),
        value: fc.constantFrom(-1, 0, 7.7, 33.333, 1000),
      }),
    });
    const asset = fc.record({
      'sums.outstandingSum': fc.bigInt(0n, 10n ** 8n).map((units) => fromScaled(units, 4)),
      'address.state': fc.constantFrom('CA', 'NY', null),
      borrowerId: fc.constantFrom('b1', 'b2', 'b3'),
      currentLtv: fc.constantFrom('80', '80.5', null),
      monthsOnBook: fc.constantFrom(1, 2.5, 12),
      isDelinquent: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(asset, { minLength: 1, maxLength: 12 }),
        fc.array(limit, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(...LIMIT_OVERLAPS),
        (assets, limits, overlap) => {
          const concentrationRules = limits.map((one, at) => ({ title: `Limit ${at}`, ...one }));
          const contract = { ...rules(), concentrationRules, overlap } as TransactionContractInput;
          for (const { concentration, removed } of explain(assets.map(loan), contract)) {
            const taken = sum(concentration.map((cut) => cut.removed ?? 'unknown'));
            expect(Number(subtract(removed, taken))).toBe(0);
          }
        },
      ),
      { numRuns: Number(process.env.FC_RUNS ?? 300) },
    );
  });
});

describe('an offset', () => {
  test('names what was taken off the asset, by which offsets and of which group', () => {
    const contract: TransactionContractInput = {
      ...RECEIVABLES_CONTRACT,
      offsets: [
        { title: 'Credits', kind: 'negatives', groupBy: 'borrowerId' },
        { title: 'Payables', kind: 'field', groupBy: 'borrowerId', parent: 'sector', field: 'sums.arrears' },
      ],
      concentrationRules: [
        { title: 'Debtor', groupBy: 'borrowerId', equator: { operand: 'lte', unit: 'money', value: 30 } },
      ],
    };
    const assets = RECEIVABLES.map((one) => ({ ...one, 'sums.arrears': one.borrowerId === 'd4' ? '10' : null }));
    const found = explain(assets, contract);
    const groupBy = { path: 'borrowerId', label: 'Borrower id' };
    expect(found[5]).toMatchObject({
      offset: {
        amount: '40',
        offsets: [
          { rule: 0, title: 'Credits', groupBy, group: 'd4' },
          { rule: 1, title: 'Payables', groupBy, group: 'd4' },
        ],
      },
      // A limit cuts what offsets left: 40 to 30.
      concentration: [{ excess: '10.000000000000', removed: '10.000000000000' }],
    });
    expect(found[2]?.offset).toBeNull();
  });
});

describe('the advance', () => {
  test('names the case that set the rate, its condition, and the amount', () => {
    expect(worked[0]?.advance).toMatchObject({
      rate: '90',
      case: expect.stringContaining('A'),
      condition: expect.stringMatching(/ is A$/),
      remaining: '203.389830508474',
      advanced: '183.050847457626',
    });
    expect(worked[1]?.advance).toMatchObject({ rate: '80', case: 'Default rate', condition: null });
    expect(worked[5]?.advance).toBeNull();
  });

  test('takes a case of the scope of the asset only', () => {
    const contract: TransactionContractInput = {
      ...rules(),
      scopes: [{ title: 'West', filter: { state: 'CA' } }, { title: 'Rest' }],
      advanceRate: { cases: [{ title: 'For the rest', rate: 50, scope: 'Rest' }], defaultRate: 70 },
    };
    const [west, rest] = explain([loan({ 'address.state': 'CA' }), loan({ 'address.state': 'NY' })], contract);
    expect(west?.advance).toMatchObject({ rate: '70', case: 'Default rate', scope: null });
    expect(rest?.advance).toMatchObject({ rate: '50', case: 'For the rest', scope: 'Rest' });
  });
});
