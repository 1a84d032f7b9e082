import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Refusal } from '../errors/refusal.ts';
import type { Field } from '../filters/catalog.ts';
import { evaluateFilter } from '../filters/evaluate.ts';
import { parseFilter } from '../filters/parse.ts';
import { fromScaled, sum } from '../money/decimal.ts';
import { assetCatalog } from '../tapes/target-schema.ts';
import { bandOf, bandsOf, parseEdges, suggestEdges } from './bands.ts';
import { type StratumKey, type StratumSums, stratify, stratumFilter } from './stratification.ts';

const catalog = assetCatalog();
const field = (path: string): Field => {
  const found = catalog.resolve(path);
  if (!('field' in found)) throw new Error(`${path} is not a field`);
  return found.field;
};
const reason = (work: () => unknown): string | undefined => {
  try {
    work();
  } catch (error) {
    return error instanceof Refusal ? error.flags?.bands : String(error);
  }
  return undefined;
};

describe('bands', () => {
  it('include their lower edge but not their upper one', () => {
    const edges = ['600', '700'];
    expect(bandsOf(edges)).toEqual([
      { from: null, below: '600' },
      { from: '600', below: '700' },
      { from: '700', below: null },
    ]);
    const score = field('creditScores.origination');
    expect(['599.99', '600', '699', '700', '-5'].map((value) => bandOf(value, edges, score))).toEqual([0, 1, 1, 2, 0]);
    expect(bandOf('2026-01-01', ['2026-01-01'], field('dateFinanced'))).toBe(1);
  });

  it('are a single band without edges', () => expect(bandsOf([])).toEqual([{ from: null, below: null }]));

  it('are parsed from lists in common forms', () => {
    expect(parseEdges(' 5, 7.50;10 12.25', field('interestRate'))).toEqual(['5', '7.5', '10', '12.25']);
    expect(parseEdges('\u22125,0', field('daysPastDue'))).toEqual(['-5', '0']);
    expect(parseEdges('2025-01-01,2026-01-01', field('dateFinanced'))).toEqual(['2025-01-01', '2026-01-01']);
  });

  it('are refused with their reason', () => {
    expect(reason(() => parseEdges('5,5', field('interestRate')))).toBe('must be in ascending order');
    expect(reason(() => parseEdges('9,10,8', field('interestRate')))).toBe('must be in ascending order');
    expect(reason(() => parseEdges('low', field('interestRate')))).toBe('"low" is not a number');
    expect(reason(() => parseEdges('1e5', field('interestRate')))).toBe('"1e5" is not a number');
    expect(reason(() => parseEdges('2025-02-30', field('dateFinanced')))).toContain('is not a date');
    expect(reason(() => parseEdges(' , ', field('interestRate')))).toBe('must have at least one edge');
    expect(reason(() => parseEdges('CA', field('address.state')))).toContain('not a number or a date');
    const edges = (count: number) => Array.from({ length: count }, (_, index) => index).join(',');
    expect(reason(() => parseEdges(edges(50), field('interestRate')))).toBeUndefined();
    expect(reason(() => parseEdges(edges(51), field('interestRate')))).toBe('must have at most 50 edges');
  });

  it('are suggested in round steps', () => {
    expect(suggestEdges(field('interestRate'), { low: '6.89', high: '33.4' })).toEqual(['10', '15', '20', '25', '30']);
    expect(suggestEdges(field('sums.outstandingSum'), { low: '310.55', high: '37250' })).toEqual([
      '5000',
      '10000',
      '15000',
      '20000',
      '25000',
      '30000',
      '35000',
    ]);
    expect(suggestEdges(field('term'), { low: '0.011', high: '0.093' })[0]).toBe('0.02');
    expect(suggestEdges(field('daysPastDue'), null)).toEqual(['1', '30', '60', '90', '120']);
    expect(suggestEdges(field('interestRate'), null)).toEqual([]);
    expect(suggestEdges(field('interestRate'), { low: '5', high: '5' })).toEqual([]);
    expect(suggestEdges(field('interestRate'), { low: '5', high: 'Infinity' })).toEqual([]);
  });

  it('are suggested for fine steps far from zero, beyond what a number represents exactly', () => {
    const far = { low: '999999999999.9980', high: '999999999999.9990' };
    expect(suggestEdges(field('sums.arrears'), far)).toEqual([
      '999999999999.9982',
      '999999999999.9984',
      '999999999999.9986',
      '999999999999.9988',
      '999999999999.999',
    ]);
  });

  it('of dates are months, quarters or years, depending on the range', () => {
    const dates = (low: string, high: string) => suggestEdges(field('dateFinanced'), { low, high });
    expect(dates('2026-05-02', '2026-08-31')).toEqual(['2026-06-01', '2026-07-01', '2026-08-01']);
    expect(dates('2025-02-10', '2026-03-01')).toEqual(['2025-04-01', '2025-07-01', '2025-10-01', '2026-01-01']);
    expect(dates('2022-01-03', '2026-10-27')).toEqual(['2023-01-01', '2024-01-01', '2025-01-01', '2026-01-01']);
  });

  it('suggested for any range are ascending and few', () => {
    // Ends far apart, and ends next to each other: in ten-thousandths, like amounts in the lake.
    const units = fc.bigInt(-(10n ** 16n), 10n ** 16n);
    const ranges = fc.oneof(
      fc.tuple(units, units),
      fc.tuple(units, fc.bigInt(1n, 1000n)).map(([low, span]) => [low, low + span] as const),
    );
    fc.assert(
      fc.property(ranges, ([a, b]) => {
        const [low, high] = a < b ? [a, b] : [b, a];
        const edges = suggestEdges(field('sums.arrears'), { low: fromScaled(low, 4), high: fromScaled(high, 4) });
        expect(edges.length).toBeLessThanOrEqual(9);
        if (edges.length > 0) expect(parseEdges(edges.join(','), field('sums.arrears'))).toEqual(edges);
        if (high - low > 100n) expect(edges.length).toBeGreaterThanOrEqual(2);
      }),
    );
  });

  it('partition the values: each is in one band, and passes only the filter of that band', () => {
    const edge = fc.integer({ min: -1000, max: 1000 }).map((value) => String(value / 8));
    fc.assert(
      fc.property(fc.uniqueArray(edge, { maxLength: 8 }), fc.option(edge), (drawn, value) => {
        const edges = drawn.sort((a, b) => Number(a) - Number(b));
        const keys: StratumKey[] = [
          ...bandsOf(edges).map((band, index) => ({ kind: 'band' as const, index, band })),
          { kind: 'missing', index: edges.length + 1 },
        ];
        const rate = field('interestRate');
        const passed = keys.filter((key) =>
          evaluateFilter(parseFilter(stratumFilter('interestRate', key, [], true), catalog), () => value),
        );
        const index = value === null ? edges.length + 1 : bandOf(value, edges, rate);
        expect(passed.map((key) => key.index)).toEqual([index]);
      }),
    );
  });

  it('of values partition them too, with all remaining ones as others', () => {
    const keys: StratumKey[] = [
      { kind: 'value', index: 0, value: 'CA' },
      { kind: 'value', index: 1, value: 'TX' },
      { kind: 'other', index: 2, values: 4 },
      { kind: 'missing', index: 3 },
    ];
    const places = (value: string | null) =>
      keys
        .filter((key) =>
          evaluateFilter(parseFilter(stratumFilter('address.state', key, ['CA', 'TX'], false), catalog), () => value),
        )
        .map(({ index }) => index);
    expect([places('CA'), places('TX'), places('NY'), places(null)]).toEqual([[0], [1], [2], [3]]);
  });
});

describe('a stratification', () => {
  const keys: StratumKey[] = [
    { kind: 'band', index: 0, band: { from: null, below: '700' } },
    { kind: 'band', index: 1, band: { from: '700', below: null } },
    { kind: 'missing', index: 2 },
  ];
  const none = { rate: null, term: null, score: null };
  const USD = { currency: 'USD', rates: { EUR: '0.5' } };

  it('has count, balance, shares and averages by balance, in the currency of the pool', () => {
    const found = stratify(
      keys,
      [
        {
          index: 0,
          currency: 'USD',
          count: 2,
          balance: '300.00',
          weighed: { ...none, rate: { product: '3000', weight: '300' } },
        },
        {
          index: 0,
          currency: 'EUR',
          count: 1,
          balance: '50.00',
          weighed: { ...none, rate: { product: '1000', weight: '50' } },
        },
        { index: 2, currency: 'USD', count: 1, balance: '800.00', weighed: none },
      ],
      USD,
    );
    expect(
      found.strata.map(({ count, balance, countShare, balanceShare, averages }) => [
        count,
        balance,
        countShare,
        balanceShare,
        averages.rate,
      ]),
    ).toEqual([
      // (3000 + 1000 / 0.5) / (300 + 50 / 0.5)
      [3, '400', '0.750000', '0.333333', '12.5'],
      [0, '0', '0.000000', '0.000000', null],
      [1, '800', '0.250000', '0.666667', null],
    ]);
    expect(found.total).toMatchObject({ count: 4, balance: '1200', averages: { rate: '12.5', score: null } });
  });

  it('has an unknown balance if no asset has one', () => {
    const found = stratify(keys, [{ index: 1, currency: null, count: 5, balance: null, weighed: none }], USD);
    expect(found.strata.map(({ balance, balanceShare, countShare }) => [balance, balanceShare, countShare])).toEqual([
      [null, null, '0.000000'],
      [null, null, '1.000000'],
      [null, null, '0.000000'],
    ]);
    expect(found.total.balance).toBeNull();
  });

  it('adds up exactly, by count, balance and shares', () => {
    const someSums = fc.record({
      index: fc.integer({ min: 0, max: 2 }),
      currency: fc.constantFrom('USD', 'EUR'),
      count: fc.integer({ min: 1, max: 9999 }),
      balance: fc.integer({ min: 0, max: 1_000_000_000 }).map((cents) => (cents / 100).toFixed(2)),
    });
    fc.assert(
      fc.property(fc.array(someSums, { minLength: 1, maxLength: 20 }), (drawn) => {
        const sums = drawn.map((one): StratumSums => ({ ...one, weighed: none }));
        const { strata, total } = stratify(keys, sums, USD);
        expect(strata.reduce((count, one) => count + one.count, 0)).toBe(total.count);
        expect(sum(strata.flatMap(({ balance }) => balance ?? []))).toBe(sum([total.balance ?? '0']));
        expect(sum(strata.map(({ countShare }) => countShare))).toBe('1');
        if (Number(total.balance) > 0) expect(sum(strata.map(({ balanceShare }) => balanceShare!))).toBe('1');
      }),
    );
  });
});
