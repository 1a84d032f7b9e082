import { describe, expect, test } from 'vitest';
import { OPERANDS, type TransactionContractInput, transactionContractSchema } from '../facilities/contract.schema.ts';
import { assetCatalog } from '../tapes/target-schema.ts';
import { contractWarnings, resultWarnings } from './contract-warnings.ts';
import { calculateReference } from './testing/reference.ts';
import { WORKED_CASE_ASSETS, WORKED_CASE_CONTRACT, WORKED_CASE_TAPE } from './testing/worked-case.ts';

const contractOf = (input: Partial<TransactionContractInput>) =>
  transactionContractSchema.parse({
    cutOffDate: '2026-01-01',
    assetsETL: '64b000000000000000000001',
    advanceRate: { defaultRate: 100 },
    ...input,
  });
const named = (warnings: ReturnType<typeof contractWarnings>) =>
  warnings.map(({ section, title, message }) => `${section} ${title}: ${message}`);

describe('of a contract', () => {
  const limit = (equator: object, rule: object = {}) =>
    contractWarnings(
      contractOf({
        concentrationRules: [
          { title: 'L', equator: { operand: 'lte', unit: 'percentage', value: 10, ...equator }, ...rule },
        ],
      } as Partial<TransactionContractInput>),
    ).map(({ message }) => message);

  test.each(OPERANDS)('a sum that must be %s a value is named unless it removes an excess', (operand) => {
    expect(limit({ operand }).length).toBe(operand === 'lt' || operand === 'lte' ? 0 : 1);
  });

  test('a limit of all of the pool is named, one of less or of another value is not', () => {
    expect(limit({ value: 100 })).toEqual([
      'The limit can never reduce the borrowing base: no part of the pool is larger than all of it.',
    ]);
    expect(limit({ value: 99.9 })).toEqual([]);
    expect(limit({ value: 100 }, { accumulatorField: 'sums.collateralValue' })).toEqual([]);
    expect(limit({ value: 150, unit: 'money' })).toEqual([]);
  });

  test('an average is said to be a test', () => {
    const average = { accumulator: '$avg', accumulatorField: 'currentLtv' };
    expect(limit({ unit: 'number' }, average)).toEqual([expect.stringContaining('is not reduced')]);
  });

  test('what is switched off is not named', () => {
    expect(limit({ operand: 'gt' }, { enabled: false })).toEqual([]);
  });

  test('a rule without a condition, and a case behind one that takes all of its assets, are named', () => {
    const state = { 'address.state': 'CA' };
    const contract = contractOf({
      scopes: [{ title: 'West', filter: state }, { title: 'Rest' }],
      eligibilityRules: [{ title: 'Nothing' }, { title: 'Something', filter: state }],
      advanceRate: {
        cases: [
          { title: 'A', rate: 90, scope: 'West' },
          { title: 'B', rate: 80, scope: 'West', filter: state },
          { title: 'C', rate: 80, filter: state },
          { title: 'D', rate: 70, scope: 'Rest', filter: state },
          { title: 'E', rate: 70, scope: 'Rest' },
        ],
        defaultRate: 50,
      },
    });
    expect(named(contractWarnings(contract))).toEqual([
      'eligibility Nothing: The rule has no condition, so no asset can fail it.',
      'advance B: No asset reaches this case: “A” comes first and takes all of them.',
      'advance D: No asset reaches this case: “C” comes first and takes all of them.',
    ]);
  });

  test('the worked case has none', () => {
    expect(contractWarnings(transactionContractSchema.parse(WORKED_CASE_CONTRACT))).toEqual([]);
  });
});

describe('on a tape', () => {
  const onTape = (input: Partial<TransactionContractInput>, assets = WORKED_CASE_ASSETS) =>
    named(
      resultWarnings(
        calculateReference({ assets, tape: WORKED_CASE_TAPE, contract: contractOf(input), catalog: assetCatalog() })
          .result,
      ),
    );

  test('rules that none or all fail, limits of nothing, and cases that no asset reaches are named', () => {
    expect(
      onTape({
        eligibilityRules: [
          { title: 'None', filter: { assetId: { exists: false } } },
          { title: 'All', filter: { 'sums.outstandingSum': { gte: 0 } } },
        ],
        performanceRules: [],
        concentrationRules: [
          {
            title: 'Limit',
            filter: { 'address.state': 'ZZ' },
            equator: { operand: 'lte', unit: 'percentage', value: 5 },
          },
        ],
        advanceRate: { cases: [{ title: 'Case', rate: 90, filter: { 'address.state': 'ZZ' } }], defaultRate: 80 },
      }),
    ).toEqual([
      'eligibility None: Every asset of this tape fails the rule.',
      'eligibility All: No asset of this tape fails the rule.',
      'concentration Limit: The limit measures no asset of this tape.',
      'advance Case: No asset of this tape reaches this case.',
    ]);
  });

  test('nothing is named on a tape without assets', () => {
    expect(onTape({ eligibilityRules: [{ title: 'None', filter: { 'address.state': 'ZZ' } }] }, [])).toEqual([]);
  });
});
