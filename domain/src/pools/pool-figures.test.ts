import { expect, test } from 'vitest';
import type { DelinquencyBucket } from './delinquency.ts';
import { type PoolSum, poolFigures, UNKNOWN_FIGURES } from './pool-figures.ts';

const USD = { currency: 'USD', rates: {} };

/** The assets of a bucket: their balance at a rate in per cent. */
function sum(bucket: DelinquencyBucket, balance: number, rate: number, more: Partial<PoolSum> = {}): PoolSum {
  return {
    bucket,
    isDefault: bucket === 'chargedOff',
    currency: 'USD',
    balance: String(balance),
    rated: String(balance),
    weighed: String(balance * rate),
    ...more,
  };
}

const speeds = { missingRates: [], smm: '0.02', cpr: '0.21', mdr: '0.001', cdr: '0.012' };

const POOL = [
  sum('current', 800, 10),
  sum('1-29', 100, 10),
  sum('30-59', 48, 20),
  sum('60-89', 30, 20),
  sum('90-119', 12, 20),
  sum('120+', 10, 20, { isDefault: true }),
  sum('chargedOff', 250, 20),
  sum('paidOff', 0, 20),
];

test('shares are of what is open, and what is charged off is in default', () => {
  const figures = poolFigures({ sums: POOL, speeds, noteRate: '8' }, USD);
  expect(figures).toEqual({
    // (48 + 30 + 12 + 10) / 1000, without what is charged off.
    delinquent30: '10.00000000',
    delinquent60: '5.20000000',
    delinquent90: '2.20000000',
    // (10 + 250) / 1250
    defaulted: '20.80000000',
    smm: '2.00000000',
    cpr: '21.00000000',
    mdr: '0.10000000',
    cdr: '1.20000000',
    // (900 x 10 + 90 x 20) / 990, without the loan in default.
    yield: '10.90909091',
    // 10.90909091 - 8 - 1.2
    excessSpread: '1.70909091',
  });
});

test('what depends on anything unknown is unknown', () => {
  const of = (more: PoolSum[], noteRate: string | null = '8', given: typeof speeds | null = speeds) =>
    poolFigures({ sums: [...POOL, ...more], speeds: given, noteRate }, USD);
  const known = of([]);
  const withoutDays = of([sum('unknown', 0.01, 10)]);
  expect(withoutDays).toMatchObject({ delinquent30: null, delinquent60: null, delinquent90: null, smm: known.smm });
  expect(withoutDays.yield).not.toBeNull();
  // Without a balance, nothing is unknown.
  expect(of([sum('unknown', 0, 10)])).toEqual(known);
  const withoutRate = of([sum('current', 5, 0, { rated: '0', weighed: '0' })]);
  expect(withoutRate).toMatchObject({ yield: null, excessSpread: null, cpr: known.cpr });
  expect(withoutRate.delinquent30).not.toBeNull();
  expect(of([], null)).toEqual({ ...known, excessSpread: null });
  expect(of([], '8', null)).toEqual({ ...known, smm: null, cpr: null, mdr: null, cdr: null, excessSpread: null });
  expect(of([sum('current', 5, 10, { currency: 'EUR' })])).toEqual(UNKNOWN_FIGURES);
  expect(poolFigures({ sums: [], speeds: null, noteRate: null }, USD)).toEqual(UNKNOWN_FIGURES);
});

test('amounts of another currency are converted', () => {
  const sums = [sum('current', 100, 10), sum('30-59', 50, 10, { currency: 'EUR' })];
  const figures = poolFigures({ sums, speeds: null, noteRate: null }, { currency: 'USD', rates: { EUR: '0.5' } });
  // 50 EUR are 100 USD.
  expect(figures).toMatchObject({ delinquent30: '50.00000000', yield: '10.00000000' });
});
