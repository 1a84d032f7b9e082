import { describe, expect, test } from 'vitest';
import {
  applyingContract,
  OPERAND_LABELS,
  OPERANDS,
  ruleApplies,
  THRESHOLD_UNITS,
  thresholdBase,
  transactionContractSchema,
} from './contract.schema.ts';
import { DEFAULT_VALUES, VALUE_POOL_LABELS } from './pools.ts';

const MAPPING = 'a'.repeat(24);
const contract = (more: object = {}) => ({
  cutOffDate: '2026-07-01',
  assetsETL: MAPPING,
  advanceRate: { defaultRate: 80 },
  ...more,
});

/** The errors of a contract by path; an empty object if it is valid. */
function errors(more: object): Record<string, string> {
  const result = transactionContractSchema.safeParse(contract(more));
  return result.success ? {} : Object.fromEntries(result.error.issues.map((one) => [one.path.join('.'), one.message]));
}

test('A contract is a Draft by default, and is parsed back unchanged', () => {
  expect(transactionContractSchema.parse(contract())).toEqual({
    ...contract(),
    status: 'Draft',
    values: [],
    scopes: [],
    eligibilityRules: [],
    performanceRules: [],
    concentrationRules: [],
    overlap: 'sequential',
    advanceRate: { cases: [], defaultRate: 80 },
  });
  const parsed = transactionContractSchema.parse(contract());
  expect(transactionContractSchema.parse(parsed)).toEqual(parsed);
});

test('Operands, units and pools have the standard labels', () => {
  expect(OPERANDS.map((operand) => OPERAND_LABELS[operand])).toEqual([
    'Greater than',
    'Less than',
    'Greater than equal',
    'Less than equal',
    'Equal',
    'Not equal',
  ]);
  expect(THRESHOLD_UNITS).toEqual(['money', 'percentage', 'number']);
  expect(Object.values(VALUE_POOL_LABELS)).toEqual([
    'Relevant',
    'Eligible',
    'Performing',
    'Eligible Or Performing',
    'InEligible',
    'Non Performing',
    'InEligible Or Non Performing',
  ]);
});

describe('the cut-off date of a contract', () => {
  test.each([null, undefined, ''])('cannot be %j', (cutOffDate) => {
    expect(errors({ cutOffDate })).toEqual({ cutOffDate: 'Contract cutOffDate cannot be null' });
  });

  test('is a calendar date', () => {
    expect(errors({ cutOffDate: '2028-02-29' })).toEqual({});
    expect(errors({ cutOffDate: '2026-02-29' })).toEqual({
      cutOffDate: 'Enter a date as YYYY-MM-DD, for example 2026-10-31',
    });
  });
});

describe('a value', () => {
  test.each(DEFAULT_VALUES)('cannot be called %s', (title) => {
    const message = `'${title}' is a default value and can not be used`;
    expect(errors({ values: [{ title: 'Late' }, { title }] })).toEqual({ 'values.1.title': message });
    expect(errors({ values: [{ title: ` ${title} ` }] })).toEqual({ 'values.0.title': message });
    expect(errors({ values: [{ title: `${title} of Texas` }] })).toEqual({});
  });

  test('measures the eligible or performing pool by default', () => {
    const parsed = transactionContractSchema.parse(contract({ values: [{ title: 'Late' }] }));
    expect(parsed.values).toEqual([{ title: 'Late', pool: 'eligibleOrPerforming', accumulator: '$sum' }]);
    expect(errors({ values: [{ title: 'Late', pool: 'inEligibleOrNonPerforming' }] })).toEqual({});
    expect(Object.keys(errors({ values: [{ title: 'Late', pool: 'all' }] }))).toEqual(['values.0.pool']);
  });

  test.each(['$avg', '$wAvg'])('that is %s requires a field to average', (accumulator) => {
    expect(errors({ values: [{ title: 'Rate', accumulator, field: 'interestRate' }] })).toEqual({});
    expect(errors({ values: [{ title: 'Rate', accumulator }] })).toEqual({
      'values.0.field': 'Choose the field to average',
    });
  });
});

describe('scopes', () => {
  const scopes = (count: number) => Array.from({ length: count }, (_, index) => ({ title: `Scope ${index}` }));

  test('are at most 100', () => {
    expect(errors({ scopes: scopes(100) })).toEqual({});
    expect(errors({ scopes: scopes(101) })).toEqual({ scopes: 'A contract has at most 100 scopes' });
  });

  test('have unique titles, as values do', () => {
    const twice = [{ title: 'Same' }, { title: 'Same' }];
    expect(errors({ scopes: twice })).toEqual({ 'scopes.1.title': "'Same' is used twice" });
    expect(errors({ values: twice })).toEqual({ 'values.1.title': "'Same' is used twice" });
    expect(errors({ scopes: [{ title: 'Same' }], values: [{ title: 'Same' }] })).toEqual({});
  });
});

describe.each(['eligibilityRules', 'performanceRules', 'concentrationRules'])('a rule of %s', (list) => {
  const equator = { operand: 'lte', unit: 'percentage', value: 12 };
  const withRule = (more: object) => errors({ [list]: [{ title: 'Rule', equator, ...more }] });

  test('has a title', () => {
    expect(withRule({ title: 'R' })).toEqual({});
    for (const title of ['', '  ', undefined])
      expect(withRule({ title })).toEqual({ [`${list}.0.title`]: 'is required' });
    expect(Object.keys(withRule({ title: 'x'.repeat(251) }))).toEqual([`${list}.0.title`]);
  });

  test('must start before it expires', () => {
    expect(withRule({ startDate: '2026-01-01', expirationDate: '2026-01-02' })).toEqual({});
    expect(withRule({ startDate: '2026-01-01' })).toEqual({});
    expect(withRule({ expirationDate: '2026-01-02' })).toEqual({});
    expect(withRule({ startDate: '2026-01-02', expirationDate: '2026-01-02' })).toEqual({
      [`${list}.0.startDate`]: 'Start date must be before end date',
    });
  });

  test('excludes either an asset or the assets of a filter', () => {
    const except = (exception: object) => withRule({ exceptions: [exception] });
    expect(except({ assetId: 'L-1', reason: 'Agreed in writing' })).toEqual({});
    expect(except({ filter: { 'address.state': 'WV' } })).toEqual({});
    for (const wrong of [{}, { assetId: 'L-1', filter: {} }]) {
      expect(except(wrong)).toEqual({ [`${list}.0.exceptions.0`]: 'An exception has either an assetId or a filter' });
    }
  });

  test('is enabled with an open filter by default', () => {
    const parsed = transactionContractSchema.parse(contract({ [list]: [{ title: 'Rule', equator }] }));
    expect((parsed as unknown as Record<string, object[]>)[list]?.[0]).toMatchObject({
      enabled: true,
      filter: {},
      exceptions: [],
    });
  });
});

describe('an eligibility rule', () => {
  const withGroup = (wholeGroup: unknown) => errors({ eligibilityRules: [{ title: 'Rule', wholeGroup }] });
  const at = (path: string) => `eligibilityRules.0.wholeGroup.${path}`;

  test('is about whole groups from a share above 0 and at most 100%', () => {
    for (const percent of [0.00000001, 100]) expect(withGroup({ groupBy: 'borrowerId', percent })).toEqual({});
    expect(withGroup(null)).toEqual({});
    for (const percent of [0, 100.1, 0.000000001]) {
      expect(Object.keys(withGroup({ groupBy: 'borrowerId', percent }))).toEqual([at('percent')]);
    }
    expect(Object.keys(withGroup({}))).toEqual([at('groupBy'), at('percent')]);
    const many = (count: number) => ({
      eligibilityRules: Array.from({ length: count }, () => ({ title: 'R', wholeGroup: { groupBy: 'x', percent: 1 } })),
    });
    expect(errors(many(20))).toEqual({});
    expect(errors(many(21))).toEqual({
      'eligibilityRules.20.wholeGroup.groupBy': 'A contract has at most 20 rules about whole groups',
    });
    expect(
      'wholeGroup' in
        transactionContractSchema.parse(contract({ eligibilityRules: [{ title: 'Rule' }] })).eligibilityRules[0]!,
    ).toBe(false);
  });
});

describe('a reserve', () => {
  const withReserve = (more: object) => errors({ reserves: [{ title: 'Reserve', ...more }] });
  const at = (path: string) => `reserves.0.${path}`;

  test('has the figures of its kind, within their bounds', () => {
    for (const amount of [0, 999_999_999_999_999]) expect(withReserve({ kind: 'amount', amount })).toEqual({});
    for (const amount of [-0.01, 1e15])
      expect(Object.keys(withReserve({ kind: 'amount', amount }))).toEqual([at('amount')]);
    for (const percent of [0, 0.00000001, 100]) expect(withReserve({ kind: 'percentage', percent })).toEqual({});
    for (const percent of [-1, 100.01, 0.000000001]) {
      expect(Object.keys(withReserve({ kind: 'percentage', percent }))).toEqual([at('percent')]);
    }
    const months = (value: number) => withReserve({ kind: 'months', months: value, percent: 9 });
    for (const value of [0.5, 120]) expect(months(value)).toEqual({});
    for (const value of [0, 120.5]) {
      expect(months(value)).toEqual({ [at('months')]: 'Enter more than 0 and at most 120 months' });
    }
  });

  test('requires the figures of its kind', () => {
    expect(Object.keys(withReserve({ kind: 'amount', percent: 1 }))).toEqual([at('amount')]);
    expect(Object.keys(withReserve({ kind: 'percentage' }))).toEqual([at('percent')]);
    expect(Object.keys(withReserve({ kind: 'months' }))).toEqual([at('months'), at('percent')]);
    expect(Object.keys(withReserve({ kind: 'dilution' }))).toEqual([at('percent'), at('credits'), at('sales')]);
    expect(Object.keys(withReserve({ kind: 'insurance' }))).toEqual([at('kind')]);
    expect(
      Object.keys(withReserve({ kind: 'amount', amount: 1, startDate: '2026-02-01', expirationDate: '2026-02-01' })),
    ).toEqual([at('startDate')]);
  });

  test('is a percentage of a sum that exists', () => {
    const of = (title: string) =>
      errors({
        values: [{ title: 'Late' }, { title: 'Score', accumulator: '$avg', field: 'x' }],
        reserves: [{ title: 'R', kind: 'percentage', percent: 1, of: title }],
      });
    for (const title of ['Late', ...DEFAULT_VALUES]) expect(of(title)).toEqual({});
    expect(of('None')).toEqual({ [at('of')]: "There is no value named 'None'" });
    expect(of('Score')).toEqual({ [at('of')]: "'Score' is an average. Choose a value that is a sum of money" });
  });

  test('has a title of its own; a contract has at most 50', () => {
    const reserve = { kind: 'amount', amount: 1 };
    const many = (count: number) => Array.from({ length: count }, (_, index) => ({ title: `R${index}`, ...reserve }));
    expect(errors({ reserves: many(50) })).toEqual({});
    expect(errors({ reserves: many(51) })).toEqual({ reserves: 'A contract has at most 50 reserves' });
    expect(errors({ reserves: [...many(1), ...many(1)] })).toEqual({ 'reserves.1.title': "'R0' is used twice" });
    expect('reserves' in transactionContractSchema.parse(contract())).toBe(false);
  });
});

describe('limits of a tape', () => {
  const withLimits = (tapeLimits: object) => Object.keys(errors({ tapeLimits }));

  test('are percentages, one of them at least, and a contract without them has none', () => {
    expect(withLimits({ changedPercent: 0 })).toEqual([]);
    expect(withLimits({ changedPercent: null, leftPercent: 100 })).toEqual([]);
    expect(withLimits({ changedPercent: -0.1 })).toEqual(['tapeLimits.changedPercent']);
    expect(withLimits({ leftPercent: 100.1 })).toEqual(['tapeLimits.leftPercent']);
    expect(withLimits({ leftPercent: 0.123456789 })).toEqual(['tapeLimits.leftPercent']);
    expect(withLimits({})).toEqual(['tapeLimits.changedPercent']);
    expect('tapeLimits' in transactionContractSchema.parse(contract())).toBe(false);
  });
});

describe('an offset', () => {
  const withOffset = (...offsets: object[]) =>
    errors({ offsets: offsets.map((more, index) => ({ title: `Offset ${index}`, groupBy: 'borrowerId', ...more })) });
  const ofField = { kind: 'field', field: 'sums.arrears' };
  const negatives = { kind: 'negatives' };

  test('has a field with the amount, or is of negative balances, once', () => {
    expect(withOffset(ofField, { ...ofField, amounts: 'perAsset', parent: 'sector' }, negatives)).toEqual({});
    expect(Object.keys(withOffset({ kind: 'field' }))).toEqual(['offsets.0.field']);
    expect(Object.keys(withOffset({ ...negatives, groupBy: undefined }))).toEqual(['offsets.0.groupBy']);
    expect(Object.keys(withOffset({ ...ofField, amounts: 'perDebtor' }))).toEqual(['offsets.0.amounts']);
    expect(Object.keys(withOffset({ kind: 'deposits' }))).toEqual(['offsets.0.kind']);
    expect(withOffset(negatives, ofField, negatives)).toEqual({
      'offsets.2.kind': 'Negative balances can be deducted only once',
    });
  });

  test('names its file by 2 to 80 characters, and two of its columns', () => {
    const ofFile = { kind: 'file', file: 'payables', groupColumn: 'Vendor', amountColumn: 'Balance' };
    const wrong = (more: object) => Object.keys(withOffset({ ...ofFile, ...more }));
    expect(withOffset(ofFile, { ...ofFile, file: 'ap' }, { ...ofFile, file: 'a'.repeat(80) })).toEqual({});
    expect(wrong({ file: ' a ' })).toEqual(['offsets.0.file']);
    expect(wrong({ file: 'a'.repeat(81) })).toEqual(['offsets.0.file']);
    expect(withOffset({ ...ofFile, groupColumn: 'a'.repeat(200), amountColumn: 'b' })).toEqual({});
    expect(wrong({ groupColumn: 'a'.repeat(201) })).toEqual(['offsets.0.groupColumn']);
    expect(wrong({ amountColumn: ' ' })).toEqual(['offsets.0.amountColumn']);
    expect(withOffset({ ...ofFile, amountColumn: 'Vendor' })).toEqual({
      'offsets.0.amountColumn': 'Name another column than that of the groups',
    });
  });

  test('takes the same amount on each asset of a group by default', () => {
    const parsed = transactionContractSchema.parse(
      contract({ offsets: [{ title: 'Payables', groupBy: 'borrowerId', ...ofField }] }),
    );
    expect(parsed.offsets).toMatchObject([{ amounts: 'perGroup', enabled: true }]);
  });

  test('starts before it ends and has a title of its own; a contract has at most 20', () => {
    const dates = (startDate: string, expirationDate: string) =>
      withOffset({ ...negatives, startDate, expirationDate });
    expect(dates('2026-01-01', '2026-01-02')).toEqual({});
    expect(Object.keys(dates('2026-01-02', '2026-01-02'))).toEqual(['offsets.0.startDate']);
    const many = (count: number) => withOffset(...Array.from({ length: count }, () => ofField));
    expect(many(20)).toEqual({});
    expect(many(21)).toEqual({ offsets: 'A contract has at most 20 offsets' });
    expect(withOffset({ ...ofField, title: 'Same' }, { ...ofField, title: 'Same' })).toEqual({
      'offsets.1.title': "'Same' is used twice",
    });
    expect('offsets' in transactionContractSchema.parse(contract())).toBe(false);
  });
});

describe('a concentration rule', () => {
  const equator = { operand: 'lte', unit: 'percentage', value: 12 };
  const withRule = (more: object) => errors({ concentrationRules: [{ title: 'Rule', equator, ...more }] });
  const at = (path: string) => `concentrationRules.0.${path}`;

  test('accepts the N largest groups, with N at least one', () => {
    expect(withRule({ groupBy: 'borrowerId', topN: 1, skipN: 0 })).toEqual({});
    expect(Object.keys(withRule({ topN: 0, skipN: -1 }))).toEqual([at('topN'), at('skipN')]);
    expect(Object.keys(withRule({ topN: 1.5 }))).toEqual([at('topN')]);
  });

  test('averages a given field, against a number or a named value', () => {
    const average = { accumulator: '$wAvg', weightedField: 'sums.outstanding' };
    const number = { operand: 'gte', unit: 'number', value: 690 };
    expect(withRule({ ...average, accumulatorField: 'creditScores.origination', equator: number })).toEqual({});
    expect(withRule({ ...average, equator: number })).toEqual({
      [at('accumulatorField')]: 'Choose the field to average',
    });
    expect(Object.keys(withRule({ ...average, accumulatorField: 'x', equator }))).toEqual([at('equator.unit')]);
  });

  test('requires a known operand and unit, and an existing value', () => {
    for (const operand of OPERANDS) expect(withRule({ equator: { ...equator, operand } })).toEqual({});
    for (const unit of THRESHOLD_UNITS) expect(withRule({ equator: { ...equator, unit } })).toEqual({});
    expect(Object.keys(withRule({ equator: { operand: 'between', unit: 'euro' } }))).toEqual([
      at('equator.operand'),
      at('equator.unit'),
      at('equator.value'),
    ]);
    for (const of of DEFAULT_VALUES) expect(withRule({ equator: { ...equator, of } })).toEqual({});
    expect(withRule({ equator: { ...equator, of: 'Late' } })).toEqual({
      [at('equator.of')]: "There is no value named 'Late'",
    });
    expect(
      errors({
        values: [{ title: 'Late' }],
        concentrationRules: [{ title: 'R', equator: { ...equator, of: 'Late' } }],
      }),
    ).toEqual({});
  });

  test('measures against the eligible and performing pool by default', () => {
    expect(thresholdBase({})).toBe('Total Eligible & Performing Pool');
    expect(thresholdBase({ of: 'Late' })).toBe('Late');
  });
});

describe('an advance rate', () => {
  test('is 0 to 100 per cent with at most 8 decimals, as default and in each case', () => {
    const advance = (rate: unknown) =>
      errors({ advanceRate: { defaultRate: rate, cases: [{ title: 'Secured', rate }] } });
    for (const rate of [0, 100, 85.12345678]) expect(advance(rate)).toEqual({});
    const both = (message: string) => ({ 'advanceRate.defaultRate': message, 'advanceRate.cases.0.rate': message });
    for (const rate of [-0.01, 100.01]) expect(advance(rate)).toEqual(both('An advance rate is between 0 and 100%'));
    expect(advance(85.123456789)).toEqual(both('A rate has at most 8 decimals'));
    expect(advance(undefined)).toEqual(both('is required'));
  });

  test('requires an existing scope', () => {
    const advanceRate = { defaultRate: 80, cases: [{ title: 'Secured loans', scope: 'Secured', rate: 88 }] };
    expect(errors({ advanceRate, scopes: [{ title: 'Secured' }] })).toEqual({});
    expect(errors({ advanceRate })).toEqual({ 'advanceRate.cases.0.scope': "There is no scope named 'Secured'" });
  });
});

test.each<[string | null, string | null, boolean, string, boolean]>([
  [null, null, true, '2026-10-31', true],
  [null, null, false, '2026-10-31', false],
  ['2026-10-31', null, true, '2026-10-30', false],
  ['2026-10-31', null, true, '2026-10-31', true],
  [null, '2026-10-31', true, '2026-10-30', true],
  [null, '2026-10-31', true, '2026-10-31', false],
  ['2026-10-01', '2026-10-31', true, '2026-10-15', true],
  ['2026-10-01', '2026-10-31', false, '2026-10-15', false],
])(
  'A rule from %s to %s (enabled: %s) applies at %s: %s',
  (startDate, expirationDate, enabled, cutOffDate, applies) => {
    expect(ruleApplies({ startDate, expirationDate, enabled }, cutOffDate)).toBe(applies);
  },
);

describe('the contract that applies to a tape', () => {
  const contracts = [
    { name: 'first', status: 'Active', cutOffDate: '2026-07-01' },
    { name: 'draft', status: 'Draft', cutOffDate: '2026-09-15' },
    { name: 'second', status: 'Active', cutOffDate: '2026-09-01' },
    { name: 'closed', status: 'Closed', cutOffDate: '2026-09-20' },
    { name: 'third', status: 'Active', cutOffDate: '2026-12-01' },
  ];
  test.each([
    ['2026-06-30', undefined],
    ['2026-07-01', 'first'],
    ['2026-08-31', 'first'],
    ['2026-09-01', 'second'],
    ['2026-11-30', 'second'],
    ['2027-01-31', 'third'],
  ])('at %s is the latest Active one not after it: %s', (cutOffDate, name) => {
    expect(applyingContract(contracts, cutOffDate)?.name).toBe(name);
    expect(applyingContract(contracts.toReversed(), cutOffDate)?.name).toBe(name);
  });
});
