import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromEpochDay, toEpochDay } from '../dates/calendar-date.ts';
import type { NoteLedger } from '../facilities/ledger.ts';
import { DAY_COUNTS, type TransactionInterest } from '../facilities/terms.schema.ts';
import { sum as addAll } from '../money/decimal.ts';
import { noteInterest } from './accrual.ts';
import { boundedRate, type Fixing } from './rates.ts';

const draw = (
  dueDate: string,
  sum: string,
  currency = 'USD',
  type: 'Regular' | 'Prefunding' | 'Recycling' = 'Regular',
) => ({
  dueDate,
  draws: [{ type, amounts: [{ sum, currency }] }],
});
const repay = (cutOffDate: string, kind: 'principal' | 'interest' | 'fees', sum: string, currency = 'USD') => ({
  cutOffDate,
  repayments: [{ kind, amount: { sum, currency } }],
});
const ledger = (draws: NoteLedger['draws'], repayments: NoteLedger['repayments'] = []): NoteLedger => ({
  isRecorded: true,
  draws,
  requests: [],
  repayments,
});
const fixed = (value: number, dayCount?: (typeof DAY_COUNTS)[number]): TransactionInterest => ({
  kind: 'fix',
  value,
  dayCount,
});
const variable = (more: object = {}): TransactionInterest & { kind: 'variable' } => ({
  kind: 'variable',
  baseRate: 'SOFR',
  spread: 4.25,
  minimumInterest: 0,
  ...more,
});
const accrue = (of: NoteLedger, interest: TransactionInterest, asOf: string, SOFR: readonly Fixing[] = []) =>
  noteInterest(of, { interest, fixings: { SOFR }, asOf });

describe('fixed interest', () => {
  it('counts the first day and not the last', () => {
    const of = ledger([draw('2026-01-01', '1000000')]);
    expect(accrue(of, fixed(9), '2026-01-01')).toMatchObject([{ accrued: '0.00', segments: [], from: null }]);
    expect(accrue(of, fixed(9), '2026-01-02')).toMatchObject([{ accrued: '250.00', segments: [{ days: 1 }] }]);
    expect(accrue(of, fixed(9), '2026-02-01')).toMatchObject([
      {
        accrued: '7750.00',
        from: '2026-01-01',
        segments: [{ from: '2026-01-01', to: '2026-02-01', days: 31, rate: '9' }],
      },
    ]);
  });

  it.each([
    ['ACT/360', '101666.67'],
    ['ACT/365F', '100273.97'],
    ['ACT/ACT ISDA', '100000.00'],
    ['30/360 US', '100000.00'],
    ['30E/360', '100000.00'],
  ] as const)('of 10%% over a leap year is, by %s, %s', (dayCount, expected) => {
    const of = ledger([draw('2024-01-01', '1000000')]);
    expect(accrue(of, fixed(10, dayCount), '2025-01-01')[0]?.accrued).toBe(expected);
  });

  it('is by ACT/360 unless the terms say otherwise', () => {
    expect(accrue(ledger([draw('2026-01-01', '1')]), fixed(1), '2026-02-01')[0]?.dayCount).toBe('ACT/360');
  });

  it('follows draws from their due date, and principal until the day of its repayment', () => {
    const of = ledger(
      [draw('2026-01-01', '1000000'), draw('2026-01-11', '500000', 'USD', 'Prefunding')],
      [repay('2026-01-21', 'principal', '600000'), repay('2026-01-21', 'fees', '100')],
    );
    const [found] = accrue(of, fixed(3.6), '2026-01-31');
    expect(found?.segments.map(({ from, to, balance, interest }) => [from, to, balance, interest])).toEqual([
      ['2026-01-01', '2026-01-11', '1000000', '1000.00'],
      ['2026-01-11', '2026-01-21', '1500000', '1500.00'],
      ['2026-01-21', '2026-01-31', '900000', '900.00'],
    ]);
    expect(found?.accrued).toBe('3400.00');
  });

  it('is reduced by interest that was paid, and by nothing else', () => {
    const of = ledger(
      [draw('2026-01-01', '1000000')],
      [
        repay('2026-01-15', 'interest', '1000'),
        repay('2026-01-15', 'fees', '77'),
        repay('2026-02-02', 'interest', '5'),
      ],
    );
    expect(accrue(of, fixed(9), '2026-02-01')).toMatchObject([
      { accrued: '7750.00', paid: '1000.00', unpaid: '6750.00' },
    ]);
    expect(accrue(of, fixed(9), '2026-01-03')).toMatchObject([{ accrued: '500.00', paid: '0.00', unpaid: '500.00' }]);
  });

  it('shows interest that was paid in advance as negative', () => {
    const of = ledger([draw('2026-01-01', '1000000')], [repay('2026-01-01', 'interest', '1000')]);
    expect(accrue(of, fixed(9), '2026-01-02')[0]?.unpaid).toBe('-750.00');
  });

  it('is separate for each currency, at its minor unit', () => {
    const of = ledger([draw('2026-01-01', '1000000', 'JPY'), draw('2026-01-01', '1000', 'EUR')]);
    expect(accrue(of, fixed(10), '2026-01-06').map(({ currency, accrued }) => [currency, accrued])).toEqual([
      ['EUR', '1.39'],
      ['JPY', '1389'],
    ]);
  });

  it('ignores recycling draws, a balance of zero, and a repayment that is dated before its draw', () => {
    const of = ledger(
      [draw('2026-01-10', '1000'), draw('2026-01-01', '5000', 'USD', 'Recycling')],
      [repay('2026-01-05', 'principal', '1000')],
    );
    expect(accrue(of, fixed(36), '2026-02-01')).toMatchObject([{ accrued: '0.00', segments: [] }]);
  });
});

describe('the rate of variable interest', () => {
  it.each([
    ['4.3', {}, '8.55', null],
    ['4.3', { minimumInterest: 8.55 }, '8.55', null],
    ['4.3', { minimumInterest: 8.56 }, '8.56', 'minimumInterest'],
    ['0.49', { numberRange: { min: 0.5, max: 6 } }, '4.75', 'range minimum'],
    ['0.5', { numberRange: { min: 0.5, max: 6 } }, '4.75', null],
    ['6', { numberRange: { min: 0.5, max: 6 } }, '10.25', null],
    ['6.01', { numberRange: { min: 0.5, max: 6 } }, '10.25', 'range maximum'],
    ['0.1', { minimumInterest: 7.5, numberRange: { min: 0.5, max: 6 } }, '7.5', 'minimumInterest'],
    ['9', { minimumInterest: 11, numberRange: { min: 0.5, max: 6 } }, '11', 'minimumInterest'],
    ['-0.55', {}, '3.7', null],
    ['0.1', { spread: 0.2 }, '0.3', null],
  ] as const)('from %s%% with %j is %s%%, bounded by %s', (base, terms, rate, bound) => {
    expect(boundedRate(variable(terms), base)).toEqual({ rate, bound });
  });
});

describe('variable interest', () => {
  const fixings = [
    { date: '2025-12-31', rate: '3.50' },
    { date: '2026-01-16', rate: '3.10' },
    { date: '2026-02-02', rate: '3.90' },
  ];
  const terms = variable({ minimumInterest: 7.5, dayCount: 'ACT/360' });

  it('applies a fixing from its own date, carries it over days without one, and says so', () => {
    const of = ledger([draw('2026-01-01', '1000000')], [repay('2026-02-10', 'principal', '250000')]);
    const [found] = accrue(of, terms, '2026-03-01', fixings);
    expect(found?.segments).toMatchObject([
      {
        from: '2026-01-01',
        to: '2026-01-16',
        days: 15,
        fixingDate: '2025-12-31',
        carriedDays: 15,
        rate: '7.75',
        bound: null,
      },
      {
        from: '2026-01-16',
        to: '2026-02-02',
        days: 17,
        fixingDate: '2026-01-16',
        carriedDays: 16,
        rate: '7.5',
        bound: 'minimumInterest',
      },
      {
        from: '2026-02-02',
        to: '2026-02-10',
        days: 8,
        fixingDate: '2026-02-02',
        carriedDays: 7,
        rate: '8.15',
        balance: '1000000',
      },
      {
        from: '2026-02-10',
        to: '2026-03-01',
        days: 19,
        fixingDate: '2026-02-02',
        carriedDays: 19,
        rate: '8.15',
        balance: '750000',
      },
    ]);
    // By hand: 1,000,000 x (7.75% x 15 + 7.5% x 17 + 8.15% x 8) / 360 + 750,000 x 8.15% x 19 / 360.
    expect(found?.segments.map(({ interest }) => interest)).toEqual(['3229.17', '3541.67', '1811.11', '3226.04']);
    expect(found?.accrued).toBe('11807.99');
  });

  it('is unknown, not zero, without a fixing for its first days', () => {
    const [found] = accrue(ledger([draw('2025-12-01', '1000000')]), terms, '2026-03-01', fixings);
    expect(found).toMatchObject({ accrued: null, unpaid: null, missingFrom: '2025-12-01' });
    expect(
      accrue(ledger([draw('2026-01-01', '1')]), { ...terms, baseRate: 'SONIA' }, '2026-03-01', fixings),
    ).toMatchObject([{ accrued: null, missingFrom: '2026-01-01' }]);
  });
});

/**
 * The same by another method: day by day in whole numbers, without periods. Money is in cents, rates in 1e-8 percent.
 */
function dayByDay(
  of: NoteLedger,
  fixings: readonly Fixing[],
  asOf: string,
  basis: (year: number) => bigint,
  floor: bigint,
) {
  const events = new Map<number, bigint>();
  const cents = (sum: string) => BigInt(Math.round(Number(sum) * 100));
  const on = (date: string, change: bigint) =>
    events.set(toEpochDay(date), (events.get(toEpochDay(date)) ?? 0n) + change);
  for (const { dueDate, draws } of of.draws) for (const { amounts } of draws) on(dueDate, cents(amounts[0]!.sum));
  for (const { cutOffDate, repayments } of of.repayments) on(cutOffDate, -cents(repayments[0]!.amount.sum));
  const rates = new Map(fixings.map(({ date, rate }) => [toEpochDay(date), BigInt(Math.round(Number(rate) * 1e8))]));
  let [balance, base] = [0n, 0n];
  const byBasis = new Map<bigint, bigint>();
  const first = Math.min(...events.keys(), ...rates.keys());
  for (let day = first; day < toEpochDay(asOf); day += 1) {
    balance += events.get(day) ?? 0n;
    base = rates.get(day) ?? base;
    const rate = base + 425_000_000n > floor ? base + 425_000_000n : floor;
    const of = basis(Number(fromEpochDay(day).slice(0, 4)));
    if (balance > 0n) byBasis.set(of, (byBasis.get(of) ?? 0n) + balance * rate);
  }
  // Cents x 1e-8 percent x days, over 1e10 and the basis; in millionths of a cent so that rounding can be compared.
  let micro = 0n;
  for (const [of, total] of byBasis) micro += (total * 1_000_000n) / (10_000_000_000n * of);
  return Number(micro) / 1_000_000 / 100;
}

const isLeap = (year: number) => new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1;
const day = fc.integer({ min: 19_700, max: 20_900 }).map(fromEpochDay);
const cash = fc.integer({ min: 1, max: 1_000_000_000 }).map((cents) => (cents / 100).toFixed(2));

describe.each([
  ['ACT/360', () => 360n],
  ['ACT/365F', () => 365n],
  ['ACT/ACT ISDA', (year: number) => (isLeap(year) ? 366n : 365n)],
] as const)('a floating note by %s', (dayCount, basis) => {
  const events = {
    draws: fc.array(fc.record({ date: day, sum: cash }), { minLength: 1, maxLength: 6 }),
    repayments: fc.array(fc.record({ date: day, sum: cash }), { maxLength: 6 }),
    rates: fc.uniqueArray(fc.record({ date: day, rate: fc.integer({ min: -100, max: 900 }) }), {
      selector: ({ date }) => date,
      maxLength: 12,
    }),
  };

  it('accrues what a calculation day by day accrues, with a floor and rates that change in mid-period', () => {
    fc.assert(
      fc.property(events.draws, events.repayments, events.rates, day, (draws, repayments, rates, asOf) => {
        const of = ledger(
          draws.map(({ date, sum }) => draw(date, sum)),
          repayments.map(({ date, sum }) => repay(date, 'principal', sum)),
        );
        const fixings = [{ date: '2020-01-01', rate: 300 }, ...rates]
          .toSorted((a, b) => a.date.localeCompare(b.date))
          .map(({ date, rate }) => ({ date, rate: (rate / 100).toFixed(2) }));
        const terms = variable({ minimumInterest: 7.5, dayCount });
        const [found] = accrue(of, terms, asOf, fixings);
        expect(Math.abs(Number(found?.accrued) - dayByDay(of, fixings, asOf, basis, 750_000_000n))).toBeLessThanOrEqual(
          0.005001,
        );
        expect(Number(addAll(found!.segments.map(({ interest }) => interest)))).toBe(Number(found?.accrued));
      }),
      { numRuns: 60 },
    );
  });
});

describe.each(DAY_COUNTS)('interest by %s', (dayCount) => {
  it('does not depend on fixings that repeat the rate: the parts of a period add up to it', () => {
    fc.assert(
      fc.property(day, fc.uniqueArray(day, { maxLength: 8 }), (start, dates) => {
        const of = ledger([draw(start, '123456789.01')]);
        const fixingsOf = (days: readonly string[]) => days.toSorted().map((date) => ({ date, rate: '4' }));
        const whole = accrue(of, variable({ dayCount }), '2027-06-30', fixingsOf(['2020-01-01']));
        const split = accrue(of, variable({ dayCount }), '2027-06-30', fixingsOf(['2020-01-01', ...dates]));
        expect(split[0]?.accrued).toBe(whole[0]?.accrued);
      }),
      { numRuns: 40 },
    );
  });
});
