import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromEpochDay } from '../dates/calendar-date.ts';
import { add, compare, fromScaled, subtract, sum } from '../money/decimal.ts';
import { capitalFigures, capitalSeries } from './capital-figures.ts';
import { DISTRIBUTION_ACTION_TYPES } from './distribution.schema.ts';
import { distributionTotals } from './distribution-totals.ts';
import { interestFee } from './management-fee.ts';
import { splitLines } from './split.ts';
import { europeanWaterfall } from './waterfall.ts';

const cents = (most: number, least = 0) =>
  fc.integer({ min: least, max: most }).map((units) => fromScaled(BigInt(units), 2));
const investors = fc
  .array(cents(1_000_000_000), { minLength: 1, maxLength: 40 })
  .filter((weights) => weights.some((weight) => weight !== '0.00'))
  .map((weights) => weights.map((weight, index) => ({ id: `i${index}`, code: index + 1, weight })));

test('shares add up to each line, and are within a cent of the exact share', () => {
  fc.assert(
    fc.property(fc.array(cents(1_000_000_000), { minLength: 1, maxLength: 5 }), investors, (lines, all) => {
      const split = splitLines(lines, all, 2);
      for (const [line, amount] of lines.entries()) {
        expect(sum([...split.values()].map((parts) => parts[line] as string))).toBe(sum([amount]));
      }
      const whole = all.reduce((total, { weight }) => total + Number(weight), 0);
      for (const { id, weight } of all) {
        const share = Number(split.get(id)?.[0] ?? 0);
        expect(Math.abs(share - (Number(lines[0]) * Number(weight)) / whole)).toBeLessThan(0.0101);
      }
    }),
  );
});

test('a cent that is left goes to the larger commitment, and among equals to the lower code', () => {
  const split = (...weights: [code: number, weight: string][]) =>
    Object.fromEntries(
      splitLines(
        ['0.01'],
        weights.map(([code, weight]) => ({ id: String(code), code, weight })),
        2,
      ),
    );
  expect(split([1, '1'], [2, '3'])).toEqual({ 1: ['0.00'], 2: ['0.01'] });
  expect(split([9, '5'], [4, '5'])).toEqual({ 4: ['0.01'], 9: ['0.00'] });
  expect(split([1, '0'], [2, '1'])).toEqual({ 2: ['0.01'] });
});

test('the course of a figure is the figure itself on every day', () => {
  const day = fc.integer({ min: 0, max: 900 }).map((days) => fromEpochDay(20_000 + days));
  const amount = cents(100_000, 1);
  const ledgers = fc.record({
    commitment: fc.constant({ closingDate: '2020-01-01', activeCommitment: '1000000', deltas: [] }),
    calls: fc.array(
      fc.record({
        cutOffDate: day,
        dueDate: day,
        purposes: fc.tuple(fc.record({ kind: fc.constant('other' as const), amount })),
      }),
      { maxLength: 5 },
    ),
    distributions: fc.array(
      fc.record({ cutOffDate: day, principal: amount, components: fc.constant([]), recallable: fc.boolean() }),
      { maxLength: 5 },
    ),
    writeOffs: fc.array(fc.record({ cutOffDate: day, amount }), { maxLength: 3 }),
    navs: fc.constant([]),
    nonRecyclable: fc.option(fc.record({ declerationDate: day, fromBeginning: fc.boolean() }), { nil: null }),
  });
  fc.assert(
    fc.property(ledgers, day, (ledger, at) => {
      const series = capitalSeries(ledger, fromEpochDay(20_900));
      for (const name of ['netCapitalCalled', 'recallableCapital'] as const) {
        const shown = series[name].filter(({ date }) => date <= at).at(-1)?.amount ?? '0';
        expect(compare(shown, capitalFigures(ledger, at)[name])).toBe(0);
      }
    }),
  );
});

test('what is distributed is principal, net profit and net gains, less tax', () => {
  const component = fc.record({ actionType: fc.constantFrom(...DISTRIBUTION_ACTION_TYPES), amount: cents(1_000_000) });
  fc.assert(
    fc.property(cents(1_000_000), fc.array(component, { maxLength: 60 }), (principal, components) => {
      const found = distributionTotals(principal, components);
      const gains = add(found.netProfit, found.netCg);
      expect(found.totalDistributed).toBe(subtract(add(principal, gains), found.totalTax));
      const parts = add(found.netInterestAfterExpensesAndTaxes, found.netCgAfterExpensesAndTaxes);
      expect(found.totalDistributed).toBe(add(principal, parts));
    }),
  );
});

const percent = (most: number) => fc.integer({ min: 0, max: most * 4 }).map((quarters) => String(quarters / 4));
const flow = fc.record({
  when: fc.integer({ min: 19_000, max: 22_000 }).map(fromEpochDay),
  amount: cents(100_000_000, -100_000_000),
});

test('the tiers of a waterfall add up to what was distributed', () => {
  const terms = fc.record({ hurdlePercent: percent(20), ratePercent: percent(40), catchUpPercent: percent(100) });
  fc.assert(
    fc.property(fc.array(flow, { minLength: 1, maxLength: 12 }), terms, (flows, rates) => {
      const { tiers } = europeanWaterfall(flows, rates, 2);
      const distributed = sum(flows.filter(({ amount }) => !amount.startsWith('-')).map(({ amount }) => amount));
      expect(add(tiers.lp, tiers.gp)).toBe(distributed);
      const { returnOfCapital, preferredReturn, catchUp, catchUpLp, splitLp, splitGp } = tiers;
      expect(sum([returnOfCapital, preferredReturn, catchUpLp, splitLp])).toBe(sum([tiers.lp]));
      expect(sum([catchUp, splitGp])).toBe(sum([tiers.gp]));
      for (const tier of Object.values(tiers)) expect(compare(tier, '0')).toBeGreaterThanOrEqual(0);
    }),
  );
});

test('the manager never has more than its rate of the profit, and has it after a full catch-up', () => {
  const paid = europeanWaterfall(
    [
      { when: '2025-01-01', amount: '-100' },
      { when: '2026-01-01', amount: '108' },
      { when: '2026-01-01', amount: '22' },
    ],
    { hurdlePercent: '8', ratePercent: '20', catchUpPercent: '100' },
    2,
  ).tiers;
  expect(paid).toMatchObject({ lp: '124.00', gp: '6.00' });
});

test('a fee on interest has no time, and is rounded half to even', () => {
  expect(interestFee('1234567.89', '2.5', 2)).toBe('30864.2');
  expect(interestFee('1', '0.5', 2)).toBe('0');
  expect(interestFee('3', '0.5', 2)).toBe('0.02');
});
