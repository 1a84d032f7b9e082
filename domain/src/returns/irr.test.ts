import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { daysBetween, fromEpochDay } from '../dates/calendar-date.ts';
import { type DatedFlow, internalRateOfReturn } from './irr.ts';

const flows = (...entries: [when: string, amount: number][]): DatedFlow[] =>
  entries.map(([when, amount]) => ({ when, amount: String(amount) }));

describe('published values', () => {
  test.each([
    [
      flows(
        ['2008-01-01', -10_000],
        ['2008-03-01', 2750],
        ['2008-10-30', 4250],
        ['2009-02-15', 3250],
        ['2009-04-01', 2750],
      ),
      0.3733625335,
      10,
    ],
    [
      flows(
        ['2007-01-12', -10_000],
        ['2008-02-14', 2500],
        ['2008-03-03', 2000],
        ['2008-06-14', 3000],
        ['2008-12-01', 4000],
      ),
      0.10064378342638,
      12,
    ],
  ])('of the internal rate of return', (dated, rate, digits) => {
    expect(internalRateOfReturn(dated).rate).toBeCloseTo(rate, digits);
  });
});

/** Bisection over every sign change of a fine grid: slow, and independent of the solver. */
function slowRoots(dated: readonly DatedFlow[]): number[] {
  const first = [...dated].map(({ when }) => when).sort()[0] as string;
  const terms = dated.map(({ when, amount }) => [Number(amount), daysBetween(first, when) / 365] as const);
  const value = (growth: number) => terms.reduce((sum, [amount, years]) => sum + amount * Math.exp(-growth * years), 0);
  const roots: number[] = [];
  const [low, high, steps] = [Math.log(1e-6), Math.log(1e4), 2_000];
  const at = (step: number) => low + ((high - low) * step) / steps;
  const signs = Array.from({ length: steps + 1 }, (_, step) => Math.sign(value(at(step))));
  for (let step = 0; step < steps; step += 1) {
    if (signs[step] === signs[step + 1]) continue;
    let [a, b] = [at(step), at(step + 1)];
    for (let round = 0; round < 80; round += 1) {
      const middle = (a + b) / 2;
      if (Math.sign(value(middle)) === Math.sign(value(a))) a = middle;
      else b = middle;
    }
    roots.push(Math.exp(a) - 1);
  }
  return roots;
}

const amounts = fc.integer({ min: -5_000_000, max: 5_000_000 }).filter((amount) => Math.abs(amount) > 100);
const dated = fc
  .array(fc.tuple(fc.integer({ min: 19_000, max: 24_000 }), amounts), { minLength: 2, maxLength: 40 })
  .map((entries) => entries.map(([day, amount]): DatedFlow => ({ when: fromEpochDay(day), amount: String(amount) })));

test('the rate equals that of a slow bracketing search on 2,000 random cash flows', () => {
  fc.assert(
    fc.property(dated, (random) => {
      const { rate, reason } = internalRateOfReturn(random);
      const roots = slowRoots(random);
      if (rate === null) {
        expect(reason).toMatch(roots.length > 1 ? /^Several rates/ : /^(An internal rate|No rate)/);
      } else {
        expect(roots).toHaveLength(1);
        // Relative, because a rate can be large.
        expect(Math.abs(rate - (roots[0] as number)) / (1 + Math.abs(rate))).toBeLessThan(1e-9);
      }
    }),
    { numRuns: 2_000, seed: 20_261_122 },
  );
});

test('a single change of sign always has a rate, however long and however large', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 1e9 }), { minLength: 1, maxLength: 30 }),
      fc.array(fc.integer({ min: 1, max: 1e9 }), { minLength: 1, maxLength: 30 }),
      (paid, received) => {
        const all = [...paid.map((amount) => -amount), ...received].map(
          (amount, index): DatedFlow => ({ when: fromEpochDay(19_000 + index * 91), amount: String(amount) }),
        );
        const { rate } = internalRateOfReturn(all);
        if (rate !== null) {
          const net = all.reduce((sum, { amount }) => sum + Number(amount), 0);
          if (Math.abs(net) > 1) expect(Math.sign(rate)).toBe(Math.sign(net));
        }
      },
    ),
  );
});

describe('there is no rate', () => {
  test('without a payment, a receipt, or anything', () => {
    for (const dated of [[], flows(['2024-01-01', -5]), flows(['2024-01-01', 5], ['2025-01-01', 3])]) {
      expect(internalRateOfReturn(dated)).toEqual({
        rate: null,
        reason: 'An internal rate of return needs at least one positive and one negative cash flow',
      });
    }
  });

  test('when the flows of a day cancel out', () => {
    expect(internalRateOfReturn(flows(['2024-01-01', -5], ['2024-01-01', 5])).rate).toBeNull();
  });

  test('when several rates solve the flows, and the reason names them', () => {
    // -100, 230, -132 has the rates 10% and 20%.
    const { rate, reason } = internalRateOfReturn(
      flows(['2023-01-01', -100], ['2024-01-01', 230], ['2024-12-31', -132]),
    );
    expect(rate).toBeNull();
    expect(reason).toBe('Several rates solve these cash flows: 10.00%, 20.00%');
  });

  test('when no rate solves the flows', () => {
    // The discriminant of 100 - 100v + 100v² is negative.
    const { rate, reason } = internalRateOfReturn(
      flows(['2023-01-01', 100], ['2024-01-01', -100], ['2024-12-31', 100]),
    );
    expect(rate).toBeNull();
    expect(reason).toMatch(/^No rate/);
  });
});

test('a total loss but for a cent, and a gain of many times, are found', () => {
  expect(internalRateOfReturn(flows(['2024-01-01', -1_000_000], ['2024-12-31', 10])).rate).toBeCloseTo(-0.99999, 10);
  expect(internalRateOfReturn(flows(['2024-01-01', -1], ['2024-12-31', 900])).rate).toBeCloseTo(899, 6);
});
