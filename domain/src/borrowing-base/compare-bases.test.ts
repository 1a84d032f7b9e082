import { expect, it } from 'vitest';
import { compareBases } from './compare-bases.ts';
import type { BorrowingBaseResult } from './result.ts';

const money = (sum: string, currency = 'USD') => ({ sum, currency });
const tally = (count: number, sum: string) => ({ count, amount: money(sum) });

/** A base whose pool is `pool`: 100 of it ineligible, 50 excess, and 80 % of the rest lent. */
function baseOf(pool: string, net: string, more: Record<string, unknown> = {}): BorrowingBaseResult {
  return {
    currency: 'USD',
    totals: {
      pools: {
        relevant: tally(10, pool),
        inEligible: tally(1, '100'),
        nonPerforming: tally(0, '0'),
        eligibleOrPerforming: tally(9, String(Number(pool) - 100)),
      },
      excess: money('50'),
      advanceHaircut: money(String(Number(pool) - 150 - Number(net))),
      netBB: money(net),
      weightedAdvanceRatePercent: '80',
      balance: null,
      commitments: null,
      availability: null,
      values: [{ title: 'Average rate', pool: 'relevant', value: '14.7', currency: null, count: 9 }],
      ...more,
    },
    scopes: [],
    excessBreachDistribution: [],
    rulesTracking: { eligible: [], performing: [], concentration: [], advancing: [] },
  } as unknown as BorrowingBaseResult;
}

it('sets figures side by side, what is taken away as positive sums', () => {
  const figures = compareBases(baseOf('1150', '800'), baseOf('1050', '720'));
  expect(figures.map(({ label, before, now, change }) => [label, before, now, change])).toEqual([
    ['Relevant pool', '1150', '1050', '-100'],
    ['Ineligible', '100', '100', '0'],
    ['Non-performing', '0', '0', '0'],
    ['Eligible or performing', '1050', '950', '-100'],
    ['Excess concentration', '50', '50', '0'],
    ['Advance haircut', '200', '180', '-20'],
    ['Net borrowing base', '800', '720', '-80'],
    ['Weighted advance rate', '80', '80', '0'],
  ]);
});
it('has no change of what was not known then, and nothing in common with another currency', () => {
  const known = { balance: money('300'), commitments: money('900'), availability: money('420') };
  const figures = compareBases(baseOf('1150', '800'), baseOf('1050', '720', known));
  expect(figures.find(({ label }) => label === 'Availability at cut-off')).toMatchObject({
    before: null,
    now: '420',
    change: null,
  });
  expect(compareBases({ ...baseOf('1', '1'), currency: 'EUR' }, baseOf('1', '1'))).toEqual([]);
});
