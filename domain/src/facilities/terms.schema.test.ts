import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import {
  BASE_RATES,
  DATE_RANGE_TYPES,
  DRAW_FREQUENCIES,
  drawLimitsSchema,
  FEE_FREQUENCIES,
  FEE_TYPES,
  listedWarrantSchema,
  noteTermsSchema,
  TIMELINE_KEYS,
  timelineSchema,
  transactionFeeSchema,
  transactionFeesSchema,
  transactionInterestSchema,
  transactionTermsSchema,
  warrantSchema,
} from './terms.schema.ts';

/** The errors of a value by path; an empty object if it is valid. */
function errors(schema: z.ZodType, value: unknown): Record<string, string> {
  const result = schema.safeParse(value);
  return result.success ? {} : Object.fromEntries(result.error.issues.map((one) => [one.path.join('.'), one.message]));
}

const usd = (sum: string | number) => ({ sum, currency: 'USD' });
const timeline = { contractSigning: '2026-06-26', maturity: '2029-06-30' };
const terms = { commitments: [{ amount: usd('45000000') }], timeline };
const fee = { rate: 1, title: 'Upfront fee', kind: 'Upfront', frequency: 'Beginning' };

test('Enum values are those of the API, including misspelt ones', () => {
  expect(FEE_FREQUENCIES).toEqual(['Beginning', 'Ending', 'Monthly', 'Quarterly', 'Annually']);
  expect(FEE_TYPES).toEqual(['Commitment Amount', 'Drawn Amount', 'Undrawn Amount']);
  expect(DRAW_FREQUENCIES).toEqual(['Daily', 'Weekly', 'Monthly', 'Quarterly', 'Annualy']);
  expect(BASE_RATES).toEqual(['SOFR', 'SONIA', 'LABOR']);
  expect(TIMELINE_KEYS).toEqual(['approval', 'contractSigning', 'termsheetSigning']);
  expect(DATE_RANGE_TYPES).toEqual([
    'custom',
    'revolvingStart',
    'revolvingEnd',
    'firstPrincipalRepayment',
    'gracePeriod',
    'maturity',
    'termination',
    'approval',
    'contractSigning',
    'termsheetSigning',
  ]);
});

describe('terms', () => {
  test('require only a commitment and a timeline', () => {
    expect(transactionTermsSchema.parse(terms)).toEqual({ ...terms, fees: [] });
    const needed = { commitments: 'At least one commitment is required' };
    expect(errors(transactionTermsSchema, { ...terms, commitments: [] })).toEqual(needed);
    expect(errors(transactionTermsSchema, { timeline })).toEqual(needed);
  });

  test('commit an exact non-negative amount in a currency, and optionally in others', () => {
    const commit = (commitment: object) => errors(transactionTermsSchema, { ...terms, commitments: [commitment] });
    expect(commit({ amount: usd('0'), additionalCurrencies: ['EUR', 'GBP'] })).toEqual({});
    expect(commit({ amount: usd('-0.01') })).toEqual({ 'commitments.0.amount.sum': 'A commitment cannot be negative' });
    expect(commit({ amount: usd('much') })).toEqual({
      'commitments.0.amount.sum': 'Enter a number, for example 1250000.50',
    });
    const unknown = 'Use a currency code of ISO 4217, for example USD';
    expect(commit({ amount: { sum: 1, currency: 'XYZ' } })).toEqual({ 'commitments.0.amount.currency': unknown });
    expect(commit({ amount: usd(1), additionalCurrencies: ['EUR', 'euro'] })).toEqual({
      'commitments.0.additionalCurrencies.1': unknown,
    });
    const parsed = transactionTermsSchema.parse({ ...terms, commitments: [{ amount: usd('144589166.10') }] });
    expect(parsed.commitments[0]?.amount.sum).toBe('144589166.1');
  });

  test('have at most 50 fees', () => {
    expect(errors(transactionTermsSchema, { ...terms, fees: Array(50).fill(fee) })).toEqual({});
    expect(errors(transactionTermsSchema, { ...terms, fees: Array(51).fill(fee) })).toEqual({
      fees: 'Terms have at most 50 fees',
    });
  });

  test('of a note require nothing, but have the same limits', () => {
    expect(errors(noteTermsSchema, {})).toEqual({});
    expect(errors(noteTermsSchema, { commitments: [] })).toEqual({
      commitments: 'At least one commitment is required',
    });
    expect(errors(noteTermsSchema, { fees: Array(51).fill(fee) })).toEqual({ fees: 'Terms have at most 50 fees' });
  });
});

describe('a fee', () => {
  test('is per cent if it is a plain number, and may be a rebate', () => {
    expect(transactionFeeSchema.parse({ ...fee, rate: 0.5 }).rate).toBe(0.5);
    expect(transactionFeeSchema.parse({ ...fee, rate: -0.25 }).rate).toBe(-0.25);
  });

  test('is an amount, whose currency may be omitted', () => {
    expect(transactionFeeSchema.parse({ ...fee, rate: usd('2500.50') }).rate).toEqual(usd('2500.5'));
    expect(transactionFeeSchema.parse({ ...fee, rate: { sum: 2 } }).rate).toEqual({ sum: '2' });
    expect(errors(transactionFeeSchema, { ...fee, rate: 'two' })).toEqual({
      rate: 'Enter a number for a percentage, or an amount with its currency',
    });
    expect(errors(transactionFeeSchema, { ...fee, rate: { sum: 2, currency: 'XYZ' } })).toEqual({
      'rate.currency': 'Use a currency code of ISO 4217, for example USD',
    });
  });

  test.each(['title', 'kind'])('requires a %s that is not empty', (name) => {
    expect(errors(transactionFeeSchema, { ...fee, [name]: 'x' })).toEqual({});
    for (const empty of ['', '  ', undefined]) {
      expect(errors(transactionFeeSchema, { ...fee, [name]: empty })).toEqual({ [name]: 'is required' });
    }
  });

  test.each([
    ['frequency', FEE_FREQUENCIES, 'Annualy'],
    ['feeType', FEE_TYPES, 'Undrawn'],
  ] as const)('requires a known %s', (name, known, unknown) => {
    for (const value of known) expect(errors(transactionFeeSchema, { ...fee, [name]: value })).toEqual({});
    expect(Object.keys(errors(transactionFeeSchema, { ...fee, [name]: unknown }))).toEqual([name]);
  });

  test('is paid to an entity or a name', () => {
    const pay = (payee: unknown) => errors(transactionFeeSchema, { ...fee, payee });
    expect(pay({ entity: 'a'.repeat(24) })).toEqual({});
    expect(pay({ name: 'Counsel LLP' })).toEqual({});
    expect(pay(null)).toEqual({});
    for (const nobody of [{ entity: 'a'.repeat(23) }, { name: ' ' }, {}]) {
      expect(Object.keys(pay(nobody))).toEqual([expect.stringMatching(/^payee/)]);
    }
  });

  test('requires dates in order', () => {
    const run = (start: string | null, end: string | null) =>
      errors(transactionFeeSchema, { ...fee, dateRange: { start, end } });
    expect(run('2026-01-01', '2026-01-02')).toEqual({});
    expect(run(null, '2026-01-02')).toEqual({});
    for (const start of ['2026-01-02', '2026-01-03']) {
      expect(run(start, '2026-01-02')).toEqual({ 'dateRange.start': 'Start date must be before end date' });
    }
  });

  test('has dates of the timeline, or its own dates, which are then required', () => {
    const run = (dateRangeType: object, dateRange?: object) =>
      errors(transactionFeeSchema, { ...fee, dateRangeType, dateRange });
    expect(run({ start: 'contractSigning', end: 'maturity' })).toEqual({});
    expect(run({ start: 'custom', end: 'maturity' }, { start: '2026-01-01' })).toEqual({});
    expect(run({ start: 'custom', end: 'custom' })).toEqual({
      'dateRange.start': 'is required',
      'dateRange.end': 'is required',
    });
    expect(Object.keys(run({ start: 'signing', end: 'maturity' }))).toEqual(['dateRangeType.start']);
  });

  test('of a fund is charged or not, up to a cap', () => {
    expect(errors(transactionFeesSchema, { applied: true, cap: 0 })).toEqual({});
    expect(Object.keys(errors(transactionFeesSchema, { applied: 'yes', cap: -1 }))).toEqual(['applied', 'cap']);
  });
});

describe('interest', () => {
  const variable = { kind: 'variable', baseRate: 'SOFR', spread: 4.25, minimumInterest: 7.5 };

  test('is fixed at a value, or varies with a base rate', () => {
    expect(errors(transactionInterestSchema, { kind: 'fix', value: 0 })).toEqual({});
    expect(Object.keys(errors(transactionInterestSchema, { kind: 'fix', value: -0.01 }))).toEqual(['value']);
    expect(Object.keys(errors(transactionInterestSchema, { kind: 'fix' }))).toEqual(['value']);
    expect(errors(transactionInterestSchema, { kind: 'fix', value: 1000 })).toEqual({});
    expect(errors(transactionInterestSchema, { kind: 'fix', value: 1e308 })).toEqual({ value: 'must be at most 1000' });
    for (const baseRate of BASE_RATES) expect(errors(transactionInterestSchema, { ...variable, baseRate })).toEqual({});
    expect(Object.keys(errors(transactionInterestSchema, { ...variable, baseRate: 'LIBOR' }))).toEqual(['baseRate']);
    expect(Object.keys(errors(transactionInterestSchema, { kind: 'variable' }))).toEqual([
      'baseRate',
      'spread',
      'minimumInterest',
    ]);
    expect(Object.keys(errors(transactionInterestSchema, { kind: 'floating' }))).toEqual(['kind']);
  });

  test('varies within a range whose max must exceed its min', () => {
    const within = (min: number, max: number) =>
      errors(transactionInterestSchema, { ...variable, numberRange: { min, max } });
    expect(within(5, 5.01)).toEqual({});
    for (const max of [5, 4.99]) expect(within(5, max)).toEqual({ 'numberRange.min': 'min should be less then max ' });
  });
});

describe('a timeline', () => {
  test('requires the date of contract signing', () => {
    expect(errors(timelineSchema, { contractSigning: '2026-06-26' })).toEqual({});
    expect(errors(timelineSchema, { contractSigning: '2026-06-26', maturity: '2026-06-27' })).toEqual({});
    expect(errors(timelineSchema, { contractSigning: '2026-06-26', maturity: '2026-06-26' })).toEqual({
      maturity: 'must be after the contract signing',
    });
    expect(errors(timelineSchema, { maturity: '2029-06-30' })).toEqual({ contractSigning: 'is required' });
    expect(errors(timelineSchema, { contractSigning: null })).toEqual({ contractSigning: 'is required' });
  });

  test.each([
    'approval',
    'termsheetSigning',
    'revolvingStart',
    'revolvingEnd',
    'gracePeriod',
    'firstPrincipalRepayment',
    'termination',
    'maturity',
  ])('may have a date of %s', (key) => {
    expect(errors(timelineSchema, { ...timeline, [key]: '2027-02-28' })).toEqual({});
    expect(errors(timelineSchema, { ...timeline, [key]: '2027-02-29' })).toEqual({
      [key]: 'Enter a date as YYYY-MM-DD, for example 2026-10-31',
    });
  });

  test('must start revolving before it ends', () => {
    const revolve = (revolvingStart: string) =>
      errors(timelineSchema, { ...timeline, revolvingStart, revolvingEnd: '2028-06-30' });
    expect(revolve('2028-06-29')).toEqual({});
    expect(revolve('2028-06-30')).toEqual({ revolvingStart: 'Start date must be before end date' });
  });
});

describe('a warrant', () => {
  test('requires nothing', () => {
    expect(errors(warrantSchema, {})).toEqual({});
  });

  test('does not expire before it is acquired', () => {
    const dates = (acquisitionDate: string, expirationDate: string) =>
      errors(listedWarrantSchema, { acquisitionDate, expirationDate });
    expect(dates('2026-03-31', '2026-03-31')).toEqual({});
    expect(dates('2026-03-31', '2026-03-30')).toEqual({ expirationDate: 'must not be before the acquisition date' });
  });

  test('is a future warrant with a percentage, or an actual one', () => {
    const actual = (value: object) => errors(warrantSchema, { actual: value });
    expect(actual({ kind: 'future', percentage: 100 })).toEqual({});
    expect(actual({ kind: 'actual', actual: false })).toEqual({});
    for (const neither of [{ kind: 'future', percentage: 100.1 }, { kind: 'future' }, { kind: 'actual' }]) {
      expect(Object.keys(actual(neither))).toEqual([expect.stringMatching(/^actual/)]);
    }
  });
});

describe('draw limits', () => {
  const limits = {
    amountRange: { currency: 'USD', min: '250000', max: '10000000' },
    frequency: { limit: 4, interval: 'Monthly' },
    dueDateLimit: { min: 3, max: 20 },
  };

  test('have three groups, each with its own limits', () => {
    const all = {
      draw: limits,
      prefunding: { ...limits, maxPercentage: 50, defaultAmount: usd('1'), maxAmount: usd('2') },
      recycling: { ...limits, maxPercentage: 50, maxCollectionAccount: usd('1'), maxAmount: usd('2') },
    };
    expect(drawLimitsSchema.parse(all)).toEqual(all);
    expect(errors(drawLimitsSchema, {})).toEqual({});
  });

  test.each(['draw', 'prefunding', 'recycling'])(
    'of the group %s require ordered ranges and a known interval',
    (group) => {
      const limit = (more: object) => errors(drawLimitsSchema, { [group]: { ...limits, ...more } });
      const order = 'min should be less then max ';
      const range = (min: string, max: string) => limit({ amountRange: { currency: 'USD', min, max } });
      expect(range('0.1', '0.11')).toEqual({});
      expect(range('0.1', '0.10')).toEqual({ [`${group}.amountRange.min`]: order });
      expect(range('9', '10')).toEqual({});
      expect(range('10', '9')).toEqual({ [`${group}.amountRange.min`]: order });
      expect(limit({ dueDateLimit: { min: 0, max: 1 } })).toEqual({});
      expect(limit({ dueDateLimit: { min: 1, max: 1 } })).toEqual({ [`${group}.dueDateLimit.min`]: order });
      for (const interval of DRAW_FREQUENCIES) expect(limit({ frequency: { limit: 1, interval } })).toEqual({});
      expect(Object.keys(limit({ frequency: { limit: 0, interval: 'Annually' } }))).toEqual([
        `${group}.frequency.limit`,
        `${group}.frequency.interval`,
      ]);
    },
  );

  test.each(['prefunding', 'recycling'])('of the group %s accept 0 to 100 per cent', (group) => {
    for (const maxPercentage of [0, 100]) expect(errors(drawLimitsSchema, { [group]: { maxPercentage } })).toEqual({});
    for (const maxPercentage of [-0.1, 100.1]) {
      expect(Object.keys(errors(drawLimitsSchema, { [group]: { maxPercentage } }))).toEqual([`${group}.maxPercentage`]);
    }
  });
});
