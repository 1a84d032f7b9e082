import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromEpochDay, toEpochDay } from '../dates/calendar-date.ts';
import { compare, subtract, sum } from '../money/decimal.ts';
import { defaultInterest } from './default-interest.ts';

const TERMS = { ratePercent: '8', graceDays: 5, dayCount: 'ACT/365F' } as const;
const LATE = {
  amount: '234000',
  dueDate: '2026-10-14',
  reduced: [
    { on: '2026-10-12', amount: '100000' },
    { on: '2026-10-29', amount: '100000' },
  ],
};

describe('default interest', () => {
  test('is that of the worked example', () => {
    const { pieces, total } = defaultInterest(LATE, TERMS, { until: '2026-11-13', digits: 2 });
    expect(pieces).toEqual([
      { from: '2026-10-19', to: '2026-10-29', open: '134000', days: 10, amount: '293.698630' },
      { from: '2026-10-29', to: '2026-11-13', open: '34000', days: 15, amount: '111.780822' },
    ]);
    // 293.698630 + 111.780822 = 405.479452
    expect(total).toBe('405.48');
  });

  test.each([
    ['2026-10-19', '0.00'],
    // 134,000 × 8 % ÷ 365
    ['2026-10-20', '29.37'],
  ])('begins the day after the days of grace: up to %s it is %s', (until, total) => {
    expect(defaultInterest(LATE, TERMS, { until, digits: 2 }).total).toBe(total);
  });

  test('ends with the value date of the last payment', () => {
    const reduced = [...LATE.reduced, { on: '2026-11-01', amount: '34000' }];
    const at = (until: string) => defaultInterest({ ...LATE, reduced }, TERMS, { until, digits: 2 });
    expect(at('2027-11-01')).toEqual(at('2026-11-01'));
    expect(at('2027-11-01').pieces.at(-1)).toMatchObject({ from: '2026-10-29', to: '2026-11-01', days: 3 });
  });

  test.each([
    ['ACT/360', 31, '86.11'],
    ['ACT/365F', 31, '84.93'],
    ['30/360 US', 30, '83.33'],
  ] as const)('counts days by %s', (dayCount, days, total) => {
    const late = { amount: '10000', dueDate: '2026-10-01', reduced: [] };
    const terms = { ratePercent: '10', graceDays: 0, dayCount };
    const found = defaultInterest(late, terms, { until: '2026-11-01', digits: 2 });
    expect([found.pieces[0]?.days, found.total]).toEqual([days, total]);
  });

  test('is rounded once: parts of one day each come to the same as all days', () => {
    const late = { amount: '1000.01', dueDate: '2026-01-01', reduced: [] };
    const terms = { ratePercent: '7.25', graceDays: 0, dayCount: 'ACT/360' } as const;
    // A payment of nothing cuts a piece in two.
    const cut = { ...late, reduced: Array.from({ length: 89 }, (_, day) => ({ on: dayAfter(day + 1), amount: '0' })) };
    const until = dayAfter(90);
    const [whole, parts] = [late, cut].map((one) => defaultInterest(one, terms, { until, digits: 2 }));
    expect(parts!.pieces).toHaveLength(90);
    expect(parts!.total).toBe(whole!.total);
  });

  test('never falls as days pass, and a payment never raises it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.array(fc.record({ day: fc.integer({ min: -10, max: 60 }), amount: fc.integer({ min: 0, max: 400_000 }) }), {
          maxLength: 5,
        }),
        fc.integer({ min: 0, max: 59 }),
        (cents, paid, day) => {
          const reduced = paid.map(({ day: at, amount }) => ({ on: dayAfter(at), amount: String(amount / 100) }));
          const late = { amount: String(cents / 100), dueDate: '2026-01-01', reduced };
          const at = (days: number, of: typeof late = late) =>
            defaultInterest(of, TERMS, { until: dayAfter(days), digits: 2 });
          expect(compare(at(day).total, at(day + 1).total)).toBeLessThanOrEqual(0);
          expect(compare(at(60).total, at(60, { ...late, reduced: [] }).total)).toBeLessThanOrEqual(0);
          const difference = subtract(at(60).total, sum(at(60).pieces.map(({ amount }) => amount)));
          expect(Math.abs(Number(difference))).toBeLessThan(0.0051);
        },
      ),
    );
  });
});

function dayAfter(days: number): string {
  return fromEpochDay(toEpochDay('2026-01-01') + days);
}
