import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { transactionFeeSchema, transactionInterestSchema, transactionTermsSchema } from './terms.schema.ts';
import { describeInterest, feeInWords, TERMS } from './terms-in-words.ts';

const errors = (schema: z.ZodType, value: unknown): Record<string, string> => {
  const parsed = schema.safeParse(value);
  return Object.fromEntries((parsed.error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]));
};
const many = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one);

describe('a fee', () => {
  const fee = { rate: 2, title: 'Fee', kind: 'Fee', frequency: 'Monthly' };
  const of = (more: object) => errors(transactionFeeSchema, { ...fee, ...more });

  test('is charged on a minimum usage of up to 100%, each month, quarter or year', () => {
    expect([0.1, 100].map((minimumUsage) => of({ minimumUsage }))).toEqual([{}, {}]);
    expect(of({ minimumUsage: 0 })).toEqual({ minimumUsage: 'must be more than 0' });
    expect(of({ minimumUsage: 100.1 })).toEqual({ minimumUsage: 'must be at most 100' });
    for (const frequency of ['Monthly', 'Quarterly', 'Annually'])
      expect(of({ minimumUsage: 60, frequency })).toEqual({});
    for (const frequency of ['Beginning', 'Ending']) {
      expect(of({ minimumUsage: 60, frequency })).toEqual({
        frequency: 'must be Monthly, Quarterly or Annually for a minimum usage',
      });
    }
  });

  test.each(['minimumUsage', 'onPrepayment'])('of %s is a percentage of zero or more, and of nothing else', (basis) => {
    const on = basis === 'onPrepayment' ? { onPrepayment: true } : { minimumUsage: 60 };
    expect([0, 100, { sum: '2.5' }].map((rate) => of({ ...on, rate }))).toEqual([{}, {}, {}]);
    const outside = { rate: 'must be from 0 to 100' };
    expect([-0.1, 100.1].map((rate) => of({ ...on, rate }))).toEqual([outside, outside]);
    expect(of({ ...on, rate: { sum: '1', currency: 'USD' } })).toEqual({ rate: 'must be a percentage' });
    expect(of({ ...on, feeType: 'Drawn Amount' })).toEqual({
      feeType: 'must be empty for a minimum usage and for prepayments',
    });
  });

  test('is of a minimum usage or of prepayments, not both', () => {
    expect(of({ minimumUsage: 60, onPrepayment: false })).toEqual({});
    expect(of({ minimumUsage: 60, onPrepayment: true })).toEqual({
      onPrepayment: 'A fee is for a minimum usage or for prepayments, not both',
    });
  });

  test('runs between whole months after the signing, instead of dates', () => {
    expect(of({ months: { start: 0, end: 600 } })).toEqual({});
    expect(of({ months: { start: 12, end: 12 } })).toEqual({ 'months.start': 'must be less than the last month' });
    expect(of({ months: { end: 601 } })).toEqual({ 'months.end': 'must be at most 600' });
    expect(of({ months: { end: 1.5 } })).toEqual({ 'months.end': 'must be a whole number' });
    expect(of({ months: { start: 1 }, dateRange: { end: '2028-01-01' } })).toEqual({});
    expect(of({ months: { end: 1 }, dateRange: { end: '2028-01-01' } })).toEqual({
      'months.end': 'Enter a date or a number of months, not both',
    });
  });
});

describe('interest', () => {
  const fix = (more: object) => errors(transactionInterestSchema, { kind: 'fix', value: 9, ...more });
  const floating = (more: object) =>
    errors(transactionInterestSchema, { kind: 'variable', baseRate: 'SOFR', spread: 4, minimumInterest: 0, ...more });
  const grid = (...tiers: (readonly [from: number, rate: number])[]) => ({
    pricingGrid: { tiers: tiers.map(([from, rate]) => ({ from, rate })) },
  });

  test('has a pricing grid of one to ten tiers, each above the one before', () => {
    expect(fix(grid([50, 8], [100, 0]))).toEqual({});
    expect(fix(grid([50, 8], [50, 7]))).toEqual({ 'pricingGrid.tiers.1.from': 'must be more than the tier before' });
    expect(fix(grid([0, 8]))).toEqual({ 'pricingGrid.tiers.0.from': 'must be more than 0' });
    expect(fix(grid([100.1, 8]))).toEqual({ 'pricingGrid.tiers.0.from': 'must be at most 100' });
    const tiers = (count: number) => grid(...many(count, 0).map((_, index) => [index + 1, 8] as const));
    expect(fix(tiers(10))).toEqual({});
    expect(fix(tiers(11))).toEqual({ 'pricingGrid.tiers': 'A pricing grid has at most 10 tiers' });
    expect(fix(grid())).toEqual({ 'pricingGrid.tiers': 'A pricing grid has at least one tier' });
  });

  test('has a grid by a covenant, whose tiers begin with any figure', () => {
    const by = (test: object, ...froms: number[]) =>
      floating({ pricingGrid: { test, tiers: froms.map((from) => ({ from, rate: 4 })) } });
    const covenant = '6566000000000000000000aa';
    expect(by({ covenant }, -1, 0, 3.5, 1e15 - 1)).toEqual({});
    expect(by({ covenant }, 1e15)).toEqual({ 'pricingGrid.tiers.0.from': 'must be below 1,000,000,000,000,000' });
    expect(by({ covenant }, 3, 3)).toEqual({ 'pricingGrid.tiers.1.from': 'must be more than the tier before' });
    expect([0, 365].map((daysAfter) => by({ covenant, daysAfter }, 3))).toEqual([{}, {}]);
    expect(by({ covenant, daysAfter: 366 }, 3)).toEqual({ 'pricingGrid.test.daysAfter': 'must be at most 365' });
    expect(by({ covenant, daysAfter: 0.5 }, 3)).toEqual({ 'pricingGrid.test.daysAfter': 'must be a whole number' });
    expect(by({}, 3)).toHaveProperty(['pricingGrid.test.covenant']);
  });

  test('has a negative spread in a tier, but no negative rate', () => {
    expect(floating(grid([50, -1]))).toEqual({});
    expect(fix(grid([50, -1]))).toEqual({ 'pricingGrid.tiers.0.rate': 'must be at least 0' });
  });

  test('is paid in kind by more than no part of it', () => {
    expect([0.1, 1000].map((paidInKind) => fix({ paidInKind }))).toEqual([{}, {}]);
    expect(fix({ paidInKind: 0 })).toEqual({ paidInKind: 'must be more than 0' });
    expect(floating({ paidInKind: 1000.1 })).toEqual({ paidInKind: 'must be at most 1000' });
  });

  test('has a default margin of zero or more', () => {
    expect([0, 1000].map((defaultMargin) => fix({ defaultMargin }))).toEqual([{}, {}]);
    expect(fix({ defaultMargin: -0.1 })).toEqual({ defaultMargin: 'must be at least 0' });
    expect(fix({ defaultMargin: 1000.1 })).toEqual({ defaultMargin: 'must be at most 1000' });
  });
});

test('an event of default has a first day, a reason, and perhaps an end after it', () => {
  const of = (defaultEvents: unknown) =>
    errors(transactionTermsSchema, {
      commitments: [{ amount: { sum: '1', currency: 'USD' } }],
      timeline: { contractSigning: '2026-01-01', maturity: '2029-01-01' },
      defaultEvents,
    });
  const event = { from: '2026-03-01', reason: 'Interest not paid' };
  expect(of([event, { ...event, to: '2026-03-02' }])).toEqual({});
  expect(of([{ ...event, to: '2026-03-01' }])).toEqual({ 'defaultEvents.0.to': 'must be after the first day' });
  expect(of([{ ...event, reason: ' ' }])).toEqual({ 'defaultEvents.0.reason': 'is required' });
  expect(of([{ ...event, reason: 'x'.repeat(501) }])).toEqual({ 'defaultEvents.0.reason': 'At most 500 characters' });
  expect(of(many(50, event))).toEqual({});
  expect(of(many(51, event))).toEqual({ defaultEvents: 'Terms have at most 50 events of default' });
});

test('the terms say it in words', () => {
  const pricingGrid = {
    tiers: [
      { from: 50, rate: 3.5 },
      { from: 75, rate: 3 },
    ],
  };
  expect(
    describeInterest({
      kind: 'variable',
      baseRate: 'SOFR',
      spread: 4,
      minimumInterest: 6,
      pricingGrid,
      defaultMargin: 2,
    }),
  ).toEqual([
    'SOFR + 4%',
    'at least 6%',
    'spread 3.5% from 50% utilization, 3% from 75%',
    '2% more in default',
    'ACT/360',
  ]);
  const test = { covenant: '6566000000000000000000aa', daysAfter: 30 };
  const pricedBy = { test, tiers: [{ from: 3.5, rate: 9.5 }] };
  const byCovenant = { kind: 'fix' as const, value: 9, pricingGrid: pricedBy };
  expect(describeInterest(byCovenant, { [test.covenant]: 'Leverage' })[1]).toBe(
    'rate 9.5% from 3.5, by Leverage 30 days after its test date',
  );
  expect(describeInterest(byCovenant)[1]).toBe('rate 9.5% from 3.5, by a covenant 30 days after its test date');
  const fee = { rate: 2, title: 'Fee', kind: 'Fee' } as const;
  expect(feeInWords({ ...fee, frequency: 'Quarterly', minimumUsage: 60 }, {})).toBe(
    '2%, quarterly, on the shortfall below 60% of the commitments',
  );
  expect(feeInWords({ ...fee, frequency: 'Ending', onPrepayment: true, months: { start: 12, end: 24 } }, {})).toBe(
    '2%, of principal prepaid, from month 12 after the signing, to month 24 after the signing',
  );
  const events = TERMS.find(({ label }) => label === 'Events of default');
  expect(events?.of({ defaultEvents: [{ from: '2026-03-01', to: '2026-04-01', reason: 'Not paid' }] }, {})).toEqual([
    'from 1 Mar 2026 to 1 Apr 2026: Not paid',
  ]);
});
