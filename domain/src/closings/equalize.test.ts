import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inSplitOrder, splitLines } from '../capital/split.ts';
import { absolute, add, compare, type DecimalText, isZero, subtract, sum } from '../money/decimal.ts';
import type { EqualizationTerms } from './equalization-terms.ts';
import {
  type CalledLine,
  type Entrant,
  type EqualizationInput,
  equalizationInterest,
  equalize,
  isEqualized,
  paidRange,
} from './equalize.ts';

const USD = 2;

const TERMS: EqualizationTerms = {
  ratePercent: '8',
  dayCount: 'ACT/365F',
  compounding: 'simple',
  feeInterestTo: 'manager',
  feesFromFirstClosing: true,
  recallable: true,
};

const EARLIER = [
  { id: 'sakura', code: 2, weight: '8000000' },
  { id: 'norrland', code: 3, weight: '15000000' },
  { id: 'cascadia', code: 4, weight: '12000000' },
  { id: 'okavango', code: 5, weight: '10000000' },
  { id: 'brendan', code: 6, weight: '6000000' },
  { id: 'adeyemi', code: 7, weight: '5000000' },
  { id: 'rao', code: 8, weight: '2500000' },
  { id: 'kowhai', code: 9, weight: '1500000' },
];
const WEXLEY: Entrant = { id: 'wexley', code: 10, weight: '16000000', increases: null };
const MORE_SAKURA: Entrant = { id: 'sakura+', code: 2, weight: '4000000', increases: 'sakura' };

const line = (
  title: string,
  total: DecimalText,
  { kind = 'investments', dueDate = '2027-01-29', owed = new Map() }: Partial<CalledLine> = {},
  earlier: EqualizationInput['earlier'] = EARLIER,
  concerns: readonly string[] = ['wexley', 'sakura+'],
): CalledLine => ({
  call: dueDate,
  callNumber: '1',
  title,
  kind,
  dueDate,
  paid: new Map([...splitLines([total], earlier, USD)].map(([id, [amount = '0']]) => [id, amount])),
  owed,
  concerns,
});

const fee = (wexley: DecimalText, sakura: DecimalText) =>
  new Map([
    ['wexley', wexley],
    ['sakura+', sakura],
  ]);

/** 60 to 80 million, with two calls: 1.50 % a year on commitments from 15 Dec 2026 for 107 days, then for 91 days. */
const SECOND: EqualizationInput = {
  lines: [
    line('Investments', '9000000'),
    line('Management fee', '263835.62', { kind: 'managementFee', owed: fee('70356.16', '17589.04') }),
    line('Fund expenses', '240000', { kind: 'fundExpenses' }),
    line('Investments', '6600000', { dueDate: '2027-04-15' }),
    line('Management fee', '224383.56', {
      kind: 'managementFee',
      dueDate: '2027-04-15',
      owed: fee('59835.62', '14958.90'),
    }),
    line('Fund expenses', '90000', { kind: 'fundExpenses', dueDate: '2027-04-15' }),
  ],
  earlier: EARLIER,
  entrants: [WEXLEY, MORE_SAKURA],
  terms: TERMS,
  closingDate: '2027-06-30',
  digits: USD,
};

const cents = (value: DecimalText) => Number(value).toFixed(2);

describe('a second closing from 60 to 80 million', () => {
  const result = equalize(SECOND);
  const position = (id: string) => result.positions.find((one) => one.id === id)!;

  test('charges each entrant its share of each purpose, with interest for the days since it was due', () => {
    const rows = result.lines.map(({ days, entrants }) => [
      days,
      ...entrants.flatMap(({ amount, interest }) => [cents(amount), cents(interest)]),
    ]);
    expect(rows).toEqual([
      [152, '1800000.00', '59967.12', '450000.00', '14991.78'],
      [152, '70356.16', '2343.92', '17589.04', '585.98'],
      [152, '48000.00', '1599.12', '12000.00', '399.78'],
      [76, '1320000.00', '21987.95', '330000.00', '5496.99'],
      [76, '59835.62', '996.71', '14958.90', '249.18'],
      [76, '18000.00', '299.84', '4500.00', '74.96'],
    ]);
  });

  test('returns capital and interest to the earlier investors, and leaves fees to the manager', () => {
    const rows = result.positions.map(({ id, paysIn, receives, net }) =>
      [id, paysIn.capital, paysIn.interest, receives.capital, receives.interest, net].map((value, index) =>
        index === 0 ? value : cents(value),
      ),
    );
    expect(rows).toEqual([
      ['wexley', '3316191.78', '87194.66', '0.00', '0.00', '-3403386.44'],
      ['norrland', '0.00', '0.00', '995625.00', '26204.40', '1021829.40'],
      ['cascadia', '0.00', '0.00', '796500.00', '20963.51', '817463.51'],
      ['okavango', '0.00', '0.00', '663750.00', '17469.59', '681219.59'],
      ['sakura', '829047.94', '21798.67', '531000.00', '13975.67', '-305870.94'],
      ['brendan', '0.00', '0.00', '398250.00', '10481.75', '408731.75'],
      ['adeyemi', '0.00', '0.00', '331875.00', '8734.78', '340609.78'],
      ['rao', '0.00', '0.00', '165937.50', '4367.41', '170304.91'],
      ['kowhai', '0.00', '0.00', '99562.50', '2620.43', '102182.93'],
    ]);
    expect(
      [result.paidIn, result.returned, result.toManager].map(({ capital, interest }) => [
        cents(capital),
        cents(interest),
      ]),
    ).toEqual([
      ['4145239.72', '108993.33'],
      ['3982500.00', '104817.54'],
      ['162739.72', '4175.79'],
    ]);
    expect(result.difference).toBe('0');
  });

  test('leaves everyone with the same percentage paid', () => {
    expect(paidRange(result.positions)).toEqual({ low: '20.73', high: '20.73' });
    expect(isEqualized(result, USD)).toBe(true);
    const changed = result.positions.map((one) =>
      one.id === 'rao' ? { ...one, paidIn: add(one.paidIn, '0.25') } : one,
    );
    expect(isEqualized({ lines: result.lines, positions: changed }, USD)).toBe(false);
    expect(position('sakura')).toMatchObject({ commitment: '12000000', added: '4000000' });
  });
});

test('who had given its whole commitment away, and commits again, pays and has a position', () => {
  const earlier = [...EARLIER, { id: 'former', code: 11, weight: '0' }];
  const again: Entrant = { id: 'former+', code: 11, weight: '20000000', increases: 'former' };
  const lines = [line('Investments', '9000000', {}, EARLIER, ['former+'])];
  const { positions } = equalize({ ...SECOND, lines, earlier, entrants: [again] });
  expect(positions).toHaveLength(earlier.length);
  // 9,000,000 × 20 ÷ 80.
  expect(positions.find(({ id }) => id === 'former')).toMatchObject({
    commitment: '20000000',
    paysIn: { capital: '2250000' },
    paidPercent: '11.25',
  });
});

describe('terms', () => {
  const interest = (terms: Partial<EqualizationTerms>, days = 365n) =>
    equalizationInterest('100000', { ...TERMS, ...terms }, { fraction: { numerator: days, denominator: 365n } }, USD);

  test('simple interest grows with the days, compounded interest with the years', () => {
    expect([interest({}), interest({ compounding: 'yearly' })]).toEqual(['8000', '8000']);
    // 100,000 × 1.08² − 100,000, and 100,000 × √1.08 − 100,000.
    expect([interest({}, 730n), interest({ compounding: 'yearly' }, 730n)]).toEqual(['16000', '16640']);
    expect([interest({ compounding: 'yearly', ratePercent: '21' }, 0n)]).toEqual(['0']);
    expect(
      equalizationInterest(
        '100',
        { ...TERMS, ratePercent: '21', compounding: 'yearly' },
        { fraction: { numerator: 1n, denominator: 2n } },
        USD,
      ),
    ).toBe('10');
  });

  test('interest on fees goes to the manager or to the earlier investors', () => {
    const { returned, toManager, difference } = equalize({
      ...SECOND,
      terms: { ...TERMS, feeInterestTo: 'investors' },
    });
    expect([cents(returned.interest), toManager.interest, difference]).toEqual(['108993.33', '0', '0']);
  });

  test('without fees from the first closing, no earlier fee is charged', () => {
    const { lines, toManager } = equalize({ ...SECOND, terms: { ...TERMS, feesFromFirstClosing: false } });
    expect([lines.map(({ kind }) => kind).includes('managementFee'), toManager]).toEqual([
      false,
      { capital: '0', interest: '0' },
    ]);
  });

  test('a fee without days is charged at the rate that the earlier investors paid', () => {
    const own = line('Management fee', '600000', { kind: 'managementFee' });
    expect(equalize({ ...SECOND, lines: [own] }).lines[0]?.entrants.map(({ amount }) => amount)).toEqual([
      '160000',
      '40000',
    ]);
  });

  test('nobody pays interest for a call that is due at the closing or later', () => {
    const due = (dueDate: string) =>
      equalize({ ...SECOND, lines: [line('Investments', '6000000', { dueDate })] }).paidIn.interest;
    expect([due('2027-06-30'), due('2027-07-09')]).toEqual(['0', '0']);
    // 1,200,000 × 8 % × 1 ÷ 365 = 263.01, and 300,000 × 8 % × 1 ÷ 365 = 65.75
    expect(due('2027-06-29')).toBe('328.76');
  });

  test('who was excused from a purpose gets nothing of it back, and the entrants share with those who paid', () => {
    const others = EARLIER.filter(({ id }) => id !== 'norrland');
    const { lines } = equalize({ ...SECOND, lines: [line('Gaming', '4500000', {}, others)] });
    // 4,500,000 × 16 ÷ (45 + 20)
    expect(lines[0]?.entrants.map(({ amount }) => amount)).toEqual(['1107692.31', '276923.08']);
    expect(lines[0]?.refunds.find(({ id }) => id === 'norrland')).toEqual({
      id: 'norrland',
      amount: '0',
      interest: '0',
    });
  });

  test('a call of another class concerns no entrant', () => {
    const own = line('Investments', '9000000', {}, EARLIER, ['sakura+']);
    expect(equalize({ ...SECOND, lines: [own] }).lines[0]?.entrants.map(({ amount }) => amount)).toEqual([
      '0',
      '562500.00',
    ]);
  });
});

const weight = fc.integer({ min: 1, max: 5_000_000 }).map(String);
const closing = fc
  .record({
    earlier: fc.array(weight, { minLength: 1, maxLength: 7 }),
    entrants: fc.array(fc.record({ weight, isIncrease: fc.boolean() }), { minLength: 1, maxLength: 4 }),
    lines: fc.array(
      fc.record({
        total: fc.integer({ min: 0, max: 900_000_000 }).map((units) => (units / 100).toFixed(2)),
        kind: fc.constantFrom('investments', 'managementFee', 'fundExpenses', 'other' as const),
        day: fc.integer({ min: 10, max: 28 }),
      }),
      { minLength: 1, maxLength: 5 },
    ),
    ratePercent: fc.constantFrom('0', '5.25', '8'),
    compounding: fc.constantFrom('simple' as const, 'yearly' as const),
    feeInterestTo: fc.constantFrom('manager' as const, 'investors' as const),
  })
  .map(({ earlier, entrants, lines, ...terms }): EqualizationInput => {
    const before = earlier.map((own, index) => ({ id: `e${index}`, code: index, weight: own }));
    const added = entrants.map(({ weight: own, isIncrease }, index): Entrant => {
      const increases = isIncrease && index < before.length ? before[index]!.id : null;
      return { id: `n${index}`, code: increases ? index : 100 + index, weight: own, increases };
    });
    return {
      lines: lines.map(({ total, kind, day }) =>
        line(
          'Line',
          total,
          { kind, dueDate: `2026-03-${day}` },
          before,
          added.map(({ id }) => id),
        ),
      ),
      earlier: before,
      entrants: added,
      terms: { ...TERMS, ...terms },
      closingDate: '2027-06-30',
      digits: USD,
    };
  });

describe('any closing', () => {
  test('pays out everything that is paid in, line by line and investor by investor', () => {
    fc.assert(
      fc.property(closing, (input) => {
        const { lines, positions, paidIn, returned, toManager, difference } = equalize(input);
        expect(isZero(difference)).toBe(true);
        for (const { entrants, refunds, toManager: kept } of lines) {
          const amount = subtract(sum(entrants.map((one) => one.amount)), sum(refunds.map((one) => one.amount)));
          const interest = subtract(sum(entrants.map((one) => one.interest)), sum(refunds.map((one) => one.interest)));
          expect([compare(amount, kept.amount), compare(interest, kept.interest)]).toEqual([0, 0]);
        }
        expect(compare(sum(positions.map(({ paysIn }) => paysIn.capital)), paidIn.capital)).toBe(0);
        expect(compare(sum(positions.map(({ receives }) => receives.interest)), returned.interest)).toBe(0);
        expect(
          compare(sum(positions.map(({ net }) => net)), subtract('0', add(toManager.capital, toManager.interest))),
        ).toBe(0);
      }),
    );
  });

  test('leaves each investor with what it would have paid if all had closed first, interest apart', () => {
    fc.assert(
      fc.property(closing, (input) => {
        const shared = { ...input, lines: input.lines.filter(({ kind }) => kind !== 'managementFee') };
        const result = equalize(shared);
        const everyone = [...input.earlier, ...input.entrants];
        const first = splitLines(
          result.lines.map(({ called }) => called),
          everyone,
          USD,
        );
        const most = 0.01 * 2 * Math.max(1, result.lines.length);
        for (const { id, paidIn } of result.positions) {
          const own = [id, ...input.entrants.filter(({ increases }) => increases === id).map((one) => one.id)];
          const asIf = sum(own.flatMap((one) => first.get(one) ?? []));
          expect(Number(absolute(subtract(paidIn, asIf)))).toBeLessThanOrEqual(most * own.length + 1e-9);
        }
        expect(isEqualized(result, USD)).toBe(true);
      }),
    );
  });

  test('comes to the same in whatever order the investors are named', () => {
    fc.assert(
      fc.property(closing, (input) => {
        const reversed = { ...input, earlier: [...input.earlier].reverse(), entrants: [...input.entrants].reverse() };
        expect(equalize(reversed).positions).toEqual(equalize(input).positions);
        expect(inSplitOrder(reversed.earlier)).toEqual(inSplitOrder(input.earlier));
      }),
    );
  });
});
