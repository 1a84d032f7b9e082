import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { add, compare, type DecimalText, isNegative, sum } from '../money/decimal.ts';
import { basisText, type OwnPart, SPLIT_RULES } from './line-basis.ts';
import { type DividedInvestor, type DividedLine, dividedTotals, divideLines } from './line-split.ts';

const USD = 2;

const investor = (
  id: string,
  weight: DecimalText,
  { own = [], paidIn = '0', owed = [], room = null }: Partial<DividedInvestor> = {},
): DividedInvestor => ({ id, code: Number(id.slice(1)) || 0, weight, paidIn, owed, own, room });

const line = (amount: DecimalText | null, rule: DividedLine['rule'] = 'commitment'): DividedLine => ({ rule, amount });

const divide = (
  lines: readonly DividedLine[],
  investors: readonly DividedInvestor[],
  capPercent: DecimalText | null = null,
) => divideLines(lines, investors, { digits: USD, capPercent });

const amountsOf = ({ parts }: ReturnType<typeof divide>) =>
  Object.fromEntries([...parts].map(([id, { amounts }]) => [id, amounts.map(Number)]));

const excused: OwnPart = { excused: true };

describe('a line by commitment', () => {
  test('is shared by weight, with the cents by largest remainder', () => {
    const three = ['a1', 'a2', 'a3'].map((id) => investor(id, '100'));
    expect(amountsOf(divide([line('100')], three))).toEqual({ a1: [33.34], a2: [33.33], a3: [33.33] });
  });

  test('keeps what a person entered, and shares the rest by the commitments of the others', () => {
    const own = [{ amount: '10' }];
    const divided = divide([line('100')], [investor('a1', '60', { own }), investor('a2', '20'), investor('a3', '40')]);
    expect(amountsOf(divided)).toEqual({ a1: [10], a2: [30], a3: [60] });
    expect(divided.parts.get('a1')?.basis).toEqual([{ rule: 'commitment', set: 'amount' }]);
    expect(divided.parts.get('a2')?.basis).toEqual([{ rule: 'commitment', of: '90.00', weight: '20', whole: '60' }]);
  });

  test('says how much is left where everything is entered, or more than the line', () => {
    const entered = (...amounts: DecimalText[]) =>
      divide(
        [line('100')],
        amounts.map((amount, index) => investor(`a${index}`, '50', { own: [{ amount }] })),
      ).problems;
    expect(entered('60', '40')).toEqual([]);
    expect(entered('60', '39.99')).toEqual([{ kind: 'difference', line: 0, left: '0.01' }]);
    expect(entered('60', '40.01')).toEqual([{ kind: 'difference', line: 0, left: '-0.01' }]);
  });
});

describe('an excused part', () => {
  // The example of docs/concepts/capital.md: 3,000 over 500, 300 and 200, of which the first is excused.
  const three = (own: Partial<DividedInvestor> = {}, other: Partial<DividedInvestor> = {}) => [
    investor('a1', '500', { own: [excused] }),
    investor('a2', '300', own),
    investor('a3', '200', other),
  ];

  test('is taken over by the others in proportion to their commitments', () => {
    const divided = divide([line('3000')], three());
    expect(amountsOf(divided)).toEqual({ a1: [0], a2: [1800], a3: [1200] });
    expect(divided.parts.get('a1')?.basis).toEqual([{ rule: 'commitment', set: 'excused', excused: '1500.00' }]);
    expect(divided.parts.get('a2')?.basis).toMatchObject([{ of: '3000.00', weight: '300', spread: '900.00' }]);
    expect(divided.notCalled).toEqual(['0.00']);
  });

  test('is taken over up to the cap, and the rest is not called', () => {
    const divided = divide([line('3000')], three(), '20');
    expect(amountsOf(divided)).toEqual({ a1: [0], a2: [1080], a3: [720] });
    expect(divided.notCalled).toEqual(['1200.00']);
  });

  test('is never more than an investor has room for: others take it over instead', () => {
    expect(amountsOf(divide([line('3000')], three({ room: '1000' })))).toEqual({ a1: [0], a2: [1000], a3: [2000] });
    expect(divide([line('3000')], three({ room: '1000' }, { room: '1999.99' })).notCalled).toEqual(['0.01']);
  });

  test('counts the other lines of the whole towards the room', () => {
    const lines = [line('3000'), line('500', 'terms')];
    const owed = [null, '100'];
    const investors = [
      investor('a1', '500', { own: [excused, null], owed: [null, '250'] }),
      investor('a2', '300', { owed: [null, '150'], room: '1100' }),
      investor('a3', '200', { owed }),
    ];
    expect(amountsOf(divide(lines, investors))).toEqual({ a1: [0, 250], a2: [950, 150], a3: [2050, 100] });
  });

  test('of a line by terms is nobody else’s', () => {
    const lines = [line(null, 'terms')];
    const investors = [investor('a1', '1', { own: [excused], owed: ['7'] }), investor('a2', '1', { owed: ['5'] })];
    expect(amountsOf(divide(lines, investors))).toEqual({ a1: [0], a2: [5] });
  });
});

describe('other rules', () => {
  test('paid-in capital takes the place of the commitment', () => {
    const investors = [investor('a1', '900', { paidIn: '100' }), investor('a2', '100', { paidIn: '300' })];
    expect(amountsOf(divide([line('40', 'paidIn')], investors))).toEqual({ a1: [10], a2: [30] });
    expect(divide([line('40', 'paidIn')], [investor('a1', '900')]).problems).toEqual([{ kind: 'noWeights', line: 0 }]);
  });

  test('own terms add up to the line, and an unknown one is named until it is entered', () => {
    const of = (own: readonly (OwnPart | null)[]) =>
      divide(
        [line(null, 'terms')],
        [investor('a1', '1', { owed: ['2.5'] }), investor('a2', '1', { owed: [null], own })],
      );
    expect(of([null]).problems).toEqual([{ kind: 'unknown', line: 0, investors: ['a2'] }]);
    expect(amountsOf(of([null]))).toEqual({ a1: [2.5], a2: [0] });
    expect(of([{ amount: '1' }])).toMatchObject({ problems: [] });
    expect(amountsOf(of([{ amount: '1' }]))).toEqual({ a1: [2.5], a2: [1] });
    expect(divide([line('3', 'terms')], [investor('a1', '1', { owed: ['2.5'] })]).problems).toEqual([
      { kind: 'difference', line: 0, left: '0.50' },
    ]);
  });

  test('a tax is a rate of the investor’s own income, with own rates', () => {
    const tax: DividedLine = { rule: 'terms', amount: null, taxed: [0], ratePercent: '15' };
    const investors = [
      investor('a1', '2', { own: [null, { ratePercent: '0' }] }),
      investor('a2', '1'),
      investor('a3', '1', { own: [{ amount: '33.33' }, null] }),
    ];
    const divided = divide([line('100'), tax], investors);
    expect(amountsOf(divided)).toEqual({ a1: [44.45, 0], a2: [22.22, 3.33], a3: [33.33, 5] });
    expect(divided.parts.get('a2')?.basis[1]).toEqual({ rule: 'terms', of: '22.22', ratePercent: '15' });
    expect(dividedTotals([line('100'), tax], divided.parts.values(), USD).map(Number)).toEqual([100, 8.33]);
  });
});

describe('the trace of an amount', () => {
  test('can be followed with a calculator', () => {
    const text = (basis: Parameters<typeof basisText>[0], amount: DecimalText) => basisText(basis, amount, 'USD');
    const share = { rule: 'commitment', of: '100', weight: '100', whole: '300' } as const;
    expect(text(share, '33.33')).toBe('100.00 × 100.00 ÷ 300.00');
    expect(text(share, '33.34')).toBe('100.00 × 100.00 ÷ 300.00, rounded up');
    expect(text(share, '33.32')).toBe('100.00 × 100.00 ÷ 300.00, less 0.01 of rounding');
    expect(text({ ...share, spread: '5' }, '38.33')).toBe(
      '100.00 × 100.00 ÷ 300.00, plus 5.00 that others are excused from',
    );
    expect(text({ rule: 'commitment', set: 'excused', excused: '1500' }, '0')).toBe('Excused from 1,500.00');
    expect(text({ rule: 'terms', ratePercent: '15', of: '22.22' }, '3.33')).toBe('15 % of 22.22');
    expect(text({ rule: 'terms', from: '2026-01-01', until: '2026-03-31' }, '7')).toBe(
      'Own terms, 1 Jan 2026 to 31 Mar 2026',
    );
    expect(text({ rule: 'entered' }, '7')).toBe('As entered');
  });
});

describe('lines of random funds', () => {
  const cents = fc
    .bigInt({ min: 0n, max: 10n ** 12n })
    .map((units) => `${units / 100n}.${String(units % 100n).padStart(2, '0')}`);
  const world = fc
    .record({ lines: fc.integer({ min: 1, max: 4 }), investors: fc.integer({ min: 1, max: 8 }) })
    .chain(({ lines, investors }) =>
      fc.record({
        lines: fc.array(fc.record({ rule: fc.constantFrom(...SPLIT_RULES), amount: cents }), {
          minLength: lines,
          maxLength: lines,
        }),
        capPercent: fc.option(fc.integer({ min: 0, max: 100 }).map(String)),
        investors: fc.array(
          fc.record({
            weight: cents,
            paidIn: cents,
            owed: fc.array(cents, { minLength: lines, maxLength: lines }),
            own: fc.array(
              fc.option(
                fc.oneof(
                  fc.constant(excused),
                  cents.map((amount) => ({ amount })),
                ),
              ),
              { minLength: lines, maxLength: lines },
            ),
            room: fc.option(cents),
          }),
          { minLength: investors, maxLength: investors },
        ),
      }),
    )
    .map(({ lines, investors, capPercent }) => ({
      lines: lines.map(({ rule, amount }) => line(rule === 'commitment' || rule === 'paidIn' ? amount : null, rule)),
      investors: investors.map((one, index) => ({ ...one, id: `a${index}`, code: index })),
      capPercent,
    }));

  test('add up to the line less what is not called, unless a problem says otherwise', () => {
    fc.assert(
      fc.property(world, ({ lines, investors, capPercent }) => {
        const { parts, problems, notCalled } = divide(lines, investors, capPercent);
        const totals = dividedTotals(lines, parts.values(), USD);
        for (const [index, { amount }] of lines.entries()) {
          if (amount === null || problems.some((problem) => problem.line === index)) continue;
          if (parts.size > 0) expect(compare(add(totals[index]!, notCalled[index]!), amount)).toBe(0);
        }
        for (const { amounts } of parts.values()) expect(amounts.some(isNegative)).toBe(false);
      }),
    );
  });

  test('keep what was entered, and nothing of what is excused', () => {
    fc.assert(
      fc.property(world, ({ lines, investors, capPercent }) => {
        const { parts } = divide(lines, investors, capPercent);
        for (const { id, own } of investors) {
          for (const [index, set] of own.entries()) {
            const amount = parts.get(id)?.amounts[index];
            if (amount === undefined || set === null) continue;
            expect(compare(amount, 'amount' in set ? set.amount : '0')).toBe(0);
          }
        }
      }),
    );
  });

  test('ask nobody for more than it has room for, because of what others are excused from', () => {
    fc.assert(
      fc.property(world, ({ lines, investors, capPercent }) => {
        const { parts } = divide(lines, investors, capPercent);
        for (const { id, room } of investors) {
          const part = parts.get(id);
          const spread = sum(part?.basis.map((one) => one.spread ?? '0') ?? []);
          if (!part || room === null || compare(spread, '0') === 0) continue;
          expect(compare(sum(part.amounts), room)).toBeLessThanOrEqual(0);
        }
      }),
    );
  });

  test('are the same in whatever order the investors come', () => {
    fc.assert(
      fc.property(world, ({ lines, investors, capPercent }) => {
        const one = divide(lines, investors, capPercent);
        const other = divide(lines, investors.toReversed(), capPercent);
        expect(amountsOf(other)).toEqual(amountsOf(one));
        expect(other.notCalled).toEqual(one.notCalled);
      }),
    );
  });
});
