import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromEpochDay, toEpochDay } from '../dates/calendar-date.ts';
import type { CommitmentFees } from '../funds/fees.schema.ts';
import { add, compare, fromScaled, subtract, sum } from '../money/decimal.ts';
import type { CapitalLedger, LedgerDistribution } from './capital-figures.ts';
import { distributionTotals } from './distribution-totals.ts';
import { successFeeOf } from './investor-fees.ts';
import { basisText } from './line-basis.ts';
import { type DividedInvestor, type DividedLine, divideLines } from './line-split.ts';
import { transferInterest, withTransferred } from './transferred-interest.ts';
import {
  americanWaterfall,
  clawbackOf,
  type Deal,
  europeanWaterfall,
  type WaterfallTerms,
  type WaterfallTiers,
} from './waterfall.ts';
import { type Investment, owedBack, type Proceeds, paidForInvestment, waterfallSplit } from './waterfall-split.ts';

const FEES: CommitmentFees = { success: { hurdle: 8, rate: 20, catchUp: 100 } };
const DAY = '2026-01-01';

const ledgerOf = (
  calls: readonly [dueDate: string, amount: string][],
  distributions: readonly LedgerDistribution[] = [],
): CapitalLedger => ({
  commitment: { closingDate: '2015-01-01', activeCommitment: '0', deltas: [] },
  calls: calls.map(([dueDate, amount]) => ({
    cutOffDate: dueDate,
    dueDate,
    purposes: [{ kind: 'investments', amount }],
  })),
  distributions,
  writeOffs: [],
  navs: [],
});
const CALLED = ledgerOf([['2025-01-01', '100']]);

const proceeds = (principal: string, income: string, gain: string): Proceeds => ({
  principal,
  profits: [
    { amount: income, tier: 'income' },
    { amount: gain, tier: 'gain' },
  ],
});

const splitOf = (one: Proceeds, fees = FEES, ledger = CALLED, at = DAY) => waterfallSplit(ledger, fees, at, one, 2)!;

/** A distribution that was made by the waterfall, as the ledger has it. */
const distributed = (one: Proceeds, fees = FEES, ledger = CALLED, cutOffDate = DAY): LedgerDistribution => {
  const { principal, profits, carry, trace } = splitOf(one, fees, ledger, cutOffDate);
  const basisOf = (tier: 'principal' | 'income' | 'gain' | 'carry') => ({
    rule: 'waterfall' as const,
    tier,
    waterfall: trace,
  });
  return {
    cutOffDate,
    principal,
    components: [
      { actionType: 'INTEREST', amount: profits[0]! },
      { actionType: 'CG', amount: profits[1]! },
      { actionType: 'CG FEES', amount: carry },
    ],
    recallable: false,
    basis: [basisOf('principal'), basisOf('income'), basisOf('gain'), basisOf('carry')],
  };
};

describe('the part of one investor', () => {
  test('is 100, 8, 2 and 20 of 130 a year after 100 was paid in', () => {
    const { principal, profits, carry, trace } = splitOf(proceeds('130', '0', '0'));
    expect(trace).toMatchObject({
      proceeds: '130.00',
      capital: '100.00',
      since: '2025-01-01',
      days: 365,
      accrued: '8.00',
      returnOfCapital: '100.00',
      preferredReturn: '8.00',
      catchUp: '2.00',
      splitLp: '16.00',
      splitGp: '4.00',
      carryReceived: '0.00',
      carryDue: '6.00',
    });
    // Nothing of it is known to be gain, so that all profit is of the first kind.
    expect({ principal, profits, carry }).toEqual({ principal: '100.00', profits: ['30.00', '0.00'], carry: '6.00' });
  });

  test('divides profit as the proceeds consist of income and gain', () => {
    expect(splitOf(proceeds('100', '10', '20'))).toMatchObject({ principal: '100.00', profits: ['10.00', '20.00'] });
    expect(splitOf(proceeds('70', '15', '45'))).toMatchObject({ principal: '100.00', profits: ['7.50', '22.50'] });
  });

  test('leaves income that does not enter the success fee to the investor', () => {
    const fees = { success: { hurdle: 8, rate: 20, catchUp: 100, interestShare: 60 } };
    const { principal, profits, carry, trace } = splitOf(proceeds('100', '10', '24'), fees);
    expect(trace).toMatchObject({ proceeds: '130.00', outside: '4.00' });
    expect({ principal, profits, carry }).toEqual({ principal: '100.00', profits: ['10.00', '24.00'], carry: '6.00' });
    const equity = splitOf(proceeds('100', '50', '30'), { success: { ...FEES.success, equityOnly: true } });
    expect(equity).toMatchObject({ profits: ['50.00', '30.00'], carry: '6.00' });
  });

  test('is unknown without terms, and has no carry at a rate of 0', () => {
    expect(waterfallSplit(CALLED, {}, DAY, proceeds('130', '0', '0'), 2)).toBeNull();
    expect(splitOf(proceeds('130', '0', '0'), { success: { hurdle: 8, rate: 0 } }).carry).toBe('0.00');
  });

  test('counts the carry of earlier distributions as proceeds that were paid', () => {
    const ledger = ledgerOf([['2025-01-01', '100']], [distributed(proceeds('130', '0', '0'))]);
    const { principal, carry, trace } = splitOf(proceeds('10', '0', '0'), FEES, ledger, '2026-07-01');
    expect({ principal, carry }).toEqual({ principal: '0.00', carry: '2.00' });
    expect(trace).toMatchObject({ carryReceived: '6.00', carryDue: '8.00' });
    expect(owedBack(trace, carry)).toBe('0');
  });

  test('says what the manager owes back after capital that was paid in later and lost', () => {
    const ledger = ledgerOf(
      [
        ['2025-01-01', '100'],
        ['2026-01-02', '50'],
      ],
      [distributed(proceeds('130', '0', '0'))],
    );
    const { carry, trace } = splitOf(proceeds('40', '0', '0'), FEES, ledger, '2027-01-02');
    expect(carry).toBe('0.00');
    // The carry was earned before the later capital was lost: the European tiers do not take it back.
    expect(trace).toMatchObject({ carryReceived: '6.00', carryDue: '6.00', capital: '50.00' });
    expect(owedBack(trace, '1.25')).toBe('1.25');
  });

  test('is explained line by line', () => {
    const { trace, carry } = splitOf(proceeds('130', '0', '0'));
    const text = (tier: 'principal' | 'gain' | 'carry', amount: string) =>
      basisText({ rule: 'waterfall', tier, waterfall: trace }, amount, 'USD');
    expect(text('principal', '100')).toBe(
      'Return of capital: 130.00 of proceeds, of which at most the 100.00 not returned',
    );
    expect(text('gain', '30')).toBe(
      'Its part of 30.00 of profit: preferred return of 8.00 (0.00 unpaid and 8.00 for 365 days from 1 Jan 2025 at 8 % on 100.00), 22.00 beyond it',
    );
    expect(text('carry', carry)).toBe(
      'Catch-up of 2.00 (100 % until the manager has 20 % of the profit) and carry of 4.00 (20 % of 20.00)',
    );
  });
});

const LINES = (principal: string, income: string, gain: string): DividedLine[] => [
  { rule: 'waterfall', tier: 'principal', amount: principal },
  { rule: 'waterfall', tier: 'income', amount: income },
  { rule: 'waterfall', tier: 'gain', amount: gain },
  { rule: 'waterfall', tier: 'carry', amount: null },
];
const investor = (
  id: string,
  code: number,
  weight: string,
  ledger: CapitalLedger,
  { fees = FEES, own = [null, null, null, null] as DividedInvestor['own'] } = {},
): DividedInvestor => ({
  id,
  code,
  weight,
  paidIn: '0',
  owed: [null, null, null, null],
  waterfall: (one) => waterfallSplit(ledger, fees, DAY, one, 2),
  own,
  room: null,
});
const divided = (lines: readonly DividedLine[], investors: readonly DividedInvestor[]) =>
  divideLines(lines, investors, { digits: 2, capPercent: null });

describe('after a transfer of the interest', () => {
  const INCOME = { success: { ...FEES.success, interestShare: 60 } };
  /** 1,000 paid in, and 1,300 paid out by the waterfall, of which 4 % of the income stays outside the success fee. */
  const history = (): CapitalLedger => {
    const called: CapitalLedger = {
      ...ledgerOf([['2025-01-01', '1000']]),
      calls: [
        {
          id: 'call',
          cutOffDate: '2024-12-20',
          dueDate: '2025-01-01',
          purposes: [{ kind: 'investments', amount: '1000' }],
        },
      ],
      commitment: { closingDate: '2024-12-01', activeCommitment: '2000', deltas: [] },
    };
    const first = { ...distributed(proceeds('1000', '100', '240'), INCOME, called), id: 'first' };
    return { ...called, distributions: [first] };
  };
  const nothing: CapitalLedger = {
    ...ledgerOf([]),
    commitment: { ...ledgerOf([]).commitment, closingDate: '2026-03-01' },
  };

  /** What the next proceeds of 500 pay all holders, by tier, and what the success fee comes to for all of them. */
  function nextOf(holders: readonly CapitalLedger[], shares: readonly number[]) {
    const at = '2026-07-01';
    const splits = holders.flatMap((ledger, index) => {
      const share = shares[index]!;
      const part = (amount: number) => String(amount * share);
      return share === 0 ? [] : [splitOf(proceeds(part(230), part(100), part(170)), INCOME, ledger, at)];
    });
    const total = (of: (split: (typeof splits)[number]) => string) => Number(sum(splits.map(of)));
    const fees = holders.map((ledger) => successFeeOf(ledger, INCOME, at, 2)!);
    return {
      principal: total((one) => one.principal),
      income: total((one) => one.profits[0]!),
      gain: total((one) => one.profits[1]!),
      carry: total((one) => one.carry),
      outside: total((one) => one.trace.outside),
      received: total((one) => one.trace.carryReceived),
      due: total((one) => one.trace.carryDue),
      capital: total((one) => one.trace.capital),
      preferred: total((one) => one.trace.preferred),
      paid: Object.fromEntries(
        (Object.keys(fees[0]!.paid.tiers) as (keyof WaterfallTiers)[]).map((tier) => [
          tier,
          Number(sum(fees.map(({ paid }) => paid.tiers[tier]))),
        ]),
      ),
      notEntering: Number(sum(fees.map(({ outside }) => outside))),
    };
  }

  test.each([
    ['100', [0, 1]],
    ['25', [0.75, 0.25]],
  ] as const)('of %s %, all holders have the tiers that one had', (sharePercent, shares) => {
    const whole = history();
    const terms = { id: 'transfer', date: '2026-03-01', sharePercent, price: null, digits: 2 };
    const { given, received } = transferInterest(whole, nothing, terms);
    const holders = [withTransferred(whole, given), withTransferred(nothing, received)];
    const after = nextOf(holders, shares);
    expect(after).toEqual(nextOf([whole], [1]));
    // 20 % of the profit so far: of 300 that entered the success fee, and of the 460 of the next proceeds.
    expect([after.received, after.carry]).toEqual([60, 92]);
    // Back again, on another day.
    const back = transferInterest(holders[1]!, holders[0]!, {
      ...terms,
      id: 'back',
      date: '2026-04-01',
      sharePercent: '100',
    });
    const returned = [withTransferred(holders[0]!, back.received), withTransferred(holders[1]!, back.given)];
    expect(nextOf(returned, [1, 0])).toEqual(nextOf([whole], [1]));
  });
});

describe('the lines of a distribution', () => {
  test('are each investor’s own tiers', () => {
    const early = investor('a', 1, '75', CALLED);
    const late = investor('b', 2, '25', ledgerOf([['2025-07-02', '100']]));
    const { parts, problems } = divided(LINES('0', '0', '200'), [early, late]);
    expect(problems).toEqual([]);
    expect(parts.get('a')!.amounts).toEqual(['100.00', '0.00', '50.00', '10.00']);
    expect(parts.get('b')!.amounts).toEqual(['50.00', '0.00', '0.00', '0.00']);
  });

  test('name an investor without terms, and show the others', () => {
    const { parts, problems } = divided(LINES('130', '0', '130'), [
      investor('a', 1, '50', CALLED),
      investor('b', 2, '50', CALLED, { fees: {} }),
    ]);
    expect(problems).toEqual([{ kind: 'unknown', line: 3, investors: ['b'] }]);
    expect(parts.get('a')!.amounts).toEqual(['100.00', '0.00', '30.00', '6.00']);
    expect(parts.get('b')!.amounts).toEqual(['65.00', '0.00', '65.00', '0.00']);
  });

  test('take a carry that a person entered, and refuse gross amounts that are not the proceeds', () => {
    const own = (amounts: readonly (string | null)[]) => amounts.map((amount) => (amount === null ? null : { amount }));
    const carry = divided(LINES('0', '0', '130'), [
      investor('a', 1, '1', CALLED, { own: own([null, null, null, '5']) }),
    ]);
    expect(carry.problems).toEqual([]);
    expect(carry.parts.get('a')!.amounts[3]).toBe('5.00');
    expect(carry.parts.get('a')!.basis[3]).toMatchObject({ rule: 'waterfall', tier: 'carry', set: 'amount' });
    const gross = (principal: string, gain: string) =>
      divided(LINES('0', '0', '130'), [investor('a', 1, '1', CALLED, { own: own([principal, null, gain, null]) })]);
    expect(gross('90', '40').problems).toEqual([]);
    expect(gross('90', '40.01').problems).toEqual([{ kind: 'difference', line: 0, left: '-0.01' }]);
  });
});

describe('the waterfall of one investment', () => {
  const call = (
    dueDate: string,
    title: string,
    amount: string,
    kind: 'investments' | 'managementFee' = 'investments',
  ) => ({
    cutOffDate: dueDate,
    dueDate,
    purposes: [{ title, kind, amount }],
  });
  /** Two investments of 100 and 60, and a fee. */
  const LEDGER: CapitalLedger = {
    ...CALLED,
    calls: [
      call('2025-01-01', 'Northwind', '100'),
      call('2025-01-01', 'Alder', '60'),
      call('2025-01-01', 'Northwind', '5', 'managementFee'),
    ],
  };
  const one = (title: string, moved: Investment['moved'] = []): Investment => ({ title, moved });
  const of = (investment: Investment | null, ledger = LEDGER, gain = '130') =>
    waterfallSplit(ledger, FEES, DAY, proceeds('0', '0', gain), 2, undefined, investment)!;

  test('returns what was paid for it, and no more, before the preferred return', () => {
    const { principal, profits, carry, trace } = of(one('Northwind'));
    expect({ principal, profits, carry }).toEqual({ principal: '100.00', profits: ['0.00', '30.00'], carry: '6.00' });
    expect(trace).toMatchObject({
      investment: 'Northwind',
      capital: '100.00',
      preferredReturn: '8.00',
      catchUp: '2.00',
    });
    // Over the whole fund, all of it is capital: 165 were paid in. So the carry is not due.
    expect(of(null)).toMatchObject({ principal: '130.00', carry: '0.00' });
    expect(trace.carryDue).toBe('0.00');
    expect(owedBack(trace, carry)).toBe('6');
    expect(basisText({ rule: 'waterfall', tier: 'principal', waterfall: trace }, '100', 'USD')).toBe(
      'Return of capital: 130.00 of proceeds, of which at most the 100.00 of Northwind not returned',
    );
  });

  test('is that of a waterfall of deals, one distribution after the other', () => {
    const first = distributed(proceeds('0', '0', '110'), FEES, { ...CALLED });
    const paid: LedgerDistribution = {
      ...first,
      cutOffDate: '2025-07-01',
      basis: first.basis!.map((basis) => ({ ...basis, investment: 'Northwind' })),
    };
    const ledger = { ...LEDGER, distributions: [paid] };
    const found = of(one('Northwind'), ledger, '40');
    const flows = [
      { when: '2025-01-01', amount: '-100' },
      { when: '2025-07-01', amount: '110' },
      { when: DAY, amount: '40' },
    ];
    const terms = { hurdlePercent: '8', ratePercent: '20', catchUpPercent: '100' };
    const [whole] = americanWaterfall([{ id: 'Northwind', flows, losses: [] }], terms, 2, { makesLossesWhole: false });
    const [before] = americanWaterfall([{ id: 'Northwind', flows: flows.slice(0, 2), losses: [] }], terms, 2, {
      makesLossesWhole: false,
    });
    expect(Number(found.carry)).toBe(Number(subtract(whole!.gp, before!.gp)));
    // The other investment has had nothing.
    expect(of(one('Alder'), ledger, '60')).toMatchObject({ principal: '60.00', carry: '0.00' });
  });

  test('counts what later closings moved: what was returned is no longer to be returned', () => {
    const investment = one('Northwind', [{ when: '2025-06-30', amount: '25' }]);
    expect(paidForInvestment(LEDGER, investment, DAY)).toBe('75');
    expect(paidForInvestment(LEDGER, investment, '2025-06-29')).toBe('100');
    expect(of(investment, LEDGER, '75')).toMatchObject({ principal: '75.00', carry: '0.00' });
    const entered = one('Birch', [{ when: '2025-06-30', amount: '-25' }]);
    expect(of(entered, LEDGER, '30').principal).toBe('25.00');
  });

  test('shares proceeds by what was paid for it, also where somebody was excused from it', () => {
    const lines: DividedLine[] = LINES('0', '0', '150').map((line) => ({ ...line, investment: 'Northwind' }));
    const others: CapitalLedger = { ...LEDGER, calls: [call('2025-01-01', 'Northwind', '50')] };
    const none: CapitalLedger = { ...LEDGER, calls: [call('2025-01-01', 'Alder', '60')] };
    const all = [LEDGER, others, none].map((ledger, index) => ({
      ...investor(`${index}`, index, '1000', ledger),
      paidFor: paidForInvestment(ledger, one('Northwind'), DAY),
      waterfall: (part: Proceeds) => waterfallSplit(ledger, FEES, DAY, part, 2, undefined, one('Northwind')),
    }));
    const { parts, problems } = divided(lines, all);
    expect(problems).toEqual([]);
    expect([...parts.values()].map(({ amounts }) => amounts)).toEqual([
      ['100.00', '0.00', '0.00', '0.00'],
      ['50.00', '0.00', '0.00', '0.00'],
      ['0.00', '0.00', '0.00', '0.00'],
    ]);
    expect(parts.get('0')!.basis[0]).toMatchObject({ investment: 'Northwind', waterfall: { investment: 'Northwind' } });
    expect(divided(lines, all.slice(2)).problems).toEqual([{ kind: 'noWeights', line: 0 }]);
  });
});

const cents = (max: number) => fc.integer({ min: 0, max }).map((units) => fromScaled(BigInt(units), 2));
const termsOf = fc
  .record({
    hurdle: fc.integer({ min: 0, max: 15 }),
    rate: fc.integer({ min: 0, max: 30 }),
    catchUp: fc.constantFrom(0, 50, 100),
  })
  .map((success): CommitmentFees => ({ success }));
const ledgers = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 2_000 }), cents(1_000_000)), { minLength: 1, maxLength: 4 })
  .map((calls) =>
    ledgerOf(calls.map(([days, amount]): [string, string] => [fromEpochDay(toEpochDay(DAY) - days), amount])),
  );
const parts = fc.tuple(cents(500_000), cents(500_000), cents(500_000));
const grossOf = ({ principal, profits }: { principal: string; profits: readonly string[] }) =>
  sum([principal, ...profits]);

describe('of all proceeds and terms', () => {
  test('what the investors get and the carry add up to the proceeds, and the tiers to both', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 50 }), ledgers, termsOf), { minLength: 1, maxLength: 5 }),
        parts,
        (all, [principal, income, gain]) => {
          const found = divided(
            LINES(principal, income, gain),
            all.map(([weight, ledger, fees], index) => investor(`${index}`, index, `${weight}`, ledger, { fees })),
          );
          expect(found.problems).toEqual([]);
          const own = [...found.parts.values()];
          expect(compare(sum(own.flatMap(({ amounts }) => amounts.slice(0, 3))), sum([principal, income, gain]))).toBe(
            0,
          );
          for (const { amounts, basis } of own) {
            const { waterfall } = basis[0]!;
            const { returnOfCapital, preferredReturn, catchUp, catchUpLp, splitLp, splitGp } = waterfall!;
            expect(compare(amounts[0]!, returnOfCapital)).toBe(0);
            expect(compare(amounts[3]!, add(catchUp, splitGp))).toBe(0);
            const lp = sum([returnOfCapital, preferredReturn, catchUpLp, splitLp, waterfall!.outside]);
            expect(compare(add(lp, amounts[3]!), sum(amounts.slice(0, 3)))).toBe(0);
          }
        },
      ),
    );
  });

  test('the order of the investors changes nothing', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 50 }), ledgers, termsOf), { minLength: 2, maxLength: 4 }),
        parts,
        (all, amounts) => {
          const investors = all.map(([weight, ledger, fees], index) =>
            investor(`${index}`, index, `${weight}`, ledger, { fees }),
          );
          const [one, other] = [investors, [...investors].reverse()].map((list) => divided(LINES(...amounts), list));
          expect(Object.fromEntries(one!.parts)).toEqual(Object.fromEntries(other!.parts));
        },
      ),
    );
  });

  test('two distributions of one day come to the same as one, within a cent of rounding', () => {
    fc.assert(
      fc.property(ledgers, termsOf, parts, parts, (ledger, fees, first, second) => {
        const before = distributed(proceeds(...first), fees, ledger);
        const after = splitOf(proceeds(...second), fees, { ...ledger, distributions: [before] });
        const both = [0, 1, 2].map((index) => add(first[index]!, second[index]!)) as [string, string, string];
        const whole = splitOf(proceeds(...both), fees, ledger);
        expect(compare(add(before.principal, after.principal), whole.principal)).toBe(0);
        const carried = add(before.components[2]!.amount, after.carry);
        const apart = subtract(carried, whole.carry);
        expect(compare(apart, '0.01') <= 0 && compare(apart, '-0.01') >= 0).toBe(true);
        expect(after.trace.carryReceived).toBe(before.components[2]!.amount);
      }),
    );
  });

  test('more proceeds give neither the investor nor the manager less', () => {
    fc.assert(
      fc.property(ledgers, termsOf, cents(2_000_000), cents(100_000), (ledger, fees, amount, more) => {
        const less = splitOf(proceeds('0', '0', amount), fees, ledger);
        const greater = splitOf(proceeds('0', '0', add(amount, more)), fees, ledger);
        const netOf = (one: typeof less) => subtract(grossOf(one), one.carry);
        expect(compare(greater.carry, less.carry)).toBeGreaterThanOrEqual(0);
        expect(compare(netOf(greater), netOf(less))).toBeGreaterThanOrEqual(0);
        expect(compare(greater.principal, less.principal)).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  test('what an investor is distributed is its proceeds less the carry', () => {
    fc.assert(
      fc.property(ledgers, termsOf, parts, (ledger, fees, amounts) => {
        const { principal, components } = distributed(proceeds(...amounts), fees, ledger);
        const { totalDistributed } = distributionTotals(principal, components);
        expect(compare(add(totalDistributed, components[2]!.amount), sum(amounts))).toBe(0);
      }),
    );
  });
});

describe('published examples', () => {
  const noHurdle: WaterfallTerms = { hurdlePercent: '0', ratePercent: '20', catchUpPercent: '0' };
  const deal = (id: string, paidIn: string, paidOut: string, losses: Deal['losses'] = []): Deal => ({
    id,
    flows: [
      { when: '2020-01-01', amount: `-${paidIn}` },
      { when: `2022-0${id}-01`, amount: paidOut },
    ],
    losses,
  });

  // "How investment fund carried interest works (part 2)" by Plumule Advisory, without a catch-up,
  // https://plumuleadvisory.com/how-investment-fund-carried-interest-works-part-2-2. Of 365 days.
  test('100 becomes 200 in a year, with a hurdle of 8% and no catch-up: 181.60 and 18.40', () => {
    const fees = { success: { hurdle: 8, rate: 20, catchUp: 0 } };
    const { principal, carry, trace } = splitOf(proceeds('200', '0', '0'), fees);
    expect({ principal, carry, lp: subtract('200', carry) }).toEqual({
      principal: '100.00',
      carry: '18.40',
      lp: '181.6',
    });
    expect(trace).toMatchObject({ preferredReturn: '8.00', splitLp: '73.60', splitGp: '18.40' });
  });

  // A question of the CFA Institute's curriculum (private equity, deal by deal with a clawback and a true-up after three
  // years), as quoted in https://www.analystforum.com/t/carried-interest-contradition/39380: 20 becomes 25, 45 becomes
  // 35, 50 becomes 65. The manager keeps 2.
  const CFA = [
    deal('1', '20', '25'),
    deal('2', '45', '35', [{ when: '2022-02-02', amount: '10' }]),
    deal('3', '50', '65'),
  ];
  test('deal by deal, the manager has 4 of which it owes back 2', () => {
    const tiers = americanWaterfall(CFA, noHurdle, 2, { makesLossesWhole: false });
    expect(tiers.map(({ gp }) => gp)).toEqual(['1.00', '0.00', '3.00']);
    const flows = CFA.flatMap((one) => one.flows);
    for (const isWoundUp of [false, true]) {
      expect(clawbackOf('4.00', flows, noHurdle, 2, { isWoundUp })).toEqual({
        received: '4.00',
        due: '2.00',
        owed: '2.00',
      });
      expect(clawbackOf('1.00', flows, noHurdle, 2, { isWoundUp }).owed).toBe('0.00');
    }
  });

  test('capital that was paid in later and lost reduces the carry due once the fund is wound up', () => {
    const flows = [
      { when: '2020-01-01', amount: '-20' },
      { when: '2021-01-01', amount: '30' },
      { when: '2021-02-01', amount: '-45' },
      { when: '2022-01-01', amount: '40' },
    ];
    expect(clawbackOf('2', flows, noHurdle, 2, { isWoundUp: false })).toMatchObject({ due: '2.00', owed: '0.00' });
    expect(clawbackOf('2', flows, noHurdle, 2, { isWoundUp: true })).toMatchObject({ due: '1.00', owed: '1.00' });
    const hurdle = { hurdlePercent: '50', ratePercent: '20', catchUpPercent: '0' };
    // The preferred return of the second investment is more than what the fund has earned.
    expect(clawbackOf('2', flows, hurdle, 2, { isWoundUp: true })).toMatchObject({ due: '0.00', owed: '2.00' });
  });

  test('a fund that returned all capital and preferred return owes the same when it is wound up', () => {
    fc.assert(
      fc.property(cents(1_000_000), cents(1_000_000), (paidIn, more) => {
        const terms = { hurdlePercent: '8', ratePercent: '20', catchUpPercent: '100' };
        const flows = [
          { when: '2020-01-01', amount: `-${paidIn}` },
          { when: '2022-01-01', amount: sum([paidIn, paidIn, more]) },
        ];
        const [open, closed] = [false, true].map((isWoundUp) => clawbackOf('0', flows, terms, 2, { isWoundUp }).due);
        const apart = subtract(open!, closed!);
        expect(compare(apart, '0') >= 0 && compare(apart, '0.01') <= 0).toBe(true);
      }),
    );
  });

  test('with realised losses made whole, the third deal pays carry on 5 of its 15 of profit', () => {
    const tiers = americanWaterfall(CFA, noHurdle, 2, { makesLossesWhole: true });
    expect(tiers.map(({ gp, returnOfCapital }) => [returnOfCapital, gp])).toEqual([
      ['20.00', '1.00'],
      ['35.00', '0.00'],
      ['60.00', '1.00'],
    ]);
  });

  test('one deal is a European waterfall', () => {
    fc.assert(
      fc.property(cents(1_000_000), cents(2_000_000), (paidIn, paidOut) => {
        const one = deal('1', paidIn, paidOut);
        const terms = { hurdlePercent: '8', ratePercent: '20', catchUpPercent: '100' };
        expect(americanWaterfall([one], terms, 2, { makesLossesWhole: true })).toEqual([
          europeanWaterfall(one.flows, terms, 2).tiers,
        ]);
      }),
    );
  });
});
