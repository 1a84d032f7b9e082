import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromEpochDay, toEpochDay } from '../dates/calendar-day.ts';
import type { LedgerRepayment, NoteLedger } from '../facilities/ledger.ts';
import type { DefaultEvent } from '../facilities/pricing.schema.ts';
import type { TransactionFee, TransactionInterest } from '../facilities/terms.schema.ts';
import type { NoteWithoutContracts } from '../facilities/transaction.schema.ts';
import { absolute, compare, subtract, sum } from '../money/decimal.ts';
import { paidInKindParts } from '../repayments/in-kind.ts';
import type { Billed } from './interest-of-note.ts';
import { accruedLines } from './invoice-lines.ts';
import { type InvoiceLine, type IssuedInvoice, paidInKind, totalsByKind } from './lines.ts';

const usd = (amount: string) => ({ sum: amount, currency: 'USD' });
const Q1 = { from: '2026-01-01', to: '2026-04-01' };
const Q2 = { from: '2026-04-01', to: '2026-07-01' };
const draws = (...all: (readonly [day: string, sum: string])[]): NoteLedger['draws'] =>
  all.map(([dueDate, amount]) => ({ dueDate, draws: [{ type: 'Regular' as const, amounts: [usd(amount)] }] }));
const repaid = (cutOffDate: string, amount: string, isScheduled = false): LedgerRepayment => ({
  cutOffDate,
  ...(isScheduled ? { isScheduled } : {}),
  repayments: [{ kind: 'principal', amount: usd(amount) }],
});

interface Terms {
  interest?: TransactionInterest;
  fees?: TransactionFee[];
  defaultEvents?: DefaultEvent[];
  commitments?: { amount: ReturnType<typeof usd>; additionalCurrencies?: string[] }[];
}
const billedOf = (
  terms: Terms,
  { draws: drawn, repayments = [] }: Partial<NoteLedger>,
  issued: IssuedInvoice[] = [],
): Billed => ({
  note: {
    title: 'Senior',
    operational: true,
    tranches: [],
    maxCommitments: [usd('20000000')],
    terms: {
      commitments: [{ amount: usd('20000000') }],
      timeline: { contractSigning: '2025-12-15', maturity: '2028-12-15' },
      ...terms,
    },
  } as NoteWithoutContracts,
  ledger: { isRecorded: true, draws: drawn ?? [], requests: [], repayments },
  fixings: { SOFR: [{ date: '2025-12-01', rate: '4' }] },
  issued,
});
const linesOf = (billed: Billed, period = Q1): InvoiceLine[] => accruedLines(billed, 'USD', period);
const fixed = (more: object = {}): TransactionInterest => ({ kind: 'fix', value: 9, dayCount: 'ACT/360', ...more });

describe('a minimum usage', () => {
  const fee: TransactionFee = {
    ...{ rate: 2, title: 'Minimum usage fee', kind: 'Facility fee', frequency: 'Quarterly', minimumUsage: 60 },
  };
  const short = draws(['2025-12-20', '8000000'], ['2026-02-15', '6000000']);

  // 60% of 20,000,000 is 12,000,000: 4,000,000 below for 45 days and 2,000,000 above for 45 days.
  test('is charged on what the average balance is below it', () => {
    expect(linesOf(billedOf({ fees: [fee] }, { draws: short }))).toMatchObject([
      {
        amount: '5000.00',
        rule: 'minimumUsage',
        basis: null,
        dayCount: 'ACT/360',
        pieces: [
          { from: '2026-01-01', to: '2026-02-15', days: 45, basis: '4000000', amount: '10000.000000' },
          { from: '2026-02-15', to: '2026-04-01', days: 45, basis: '-2000000', amount: '-5000.000000' },
        ],
      },
    ]);
  });

  test('charges nothing at or above it, and says so', () => {
    for (const balance of ['12000000', '12000000.01', '20000000']) {
      const billed = billedOf({ fees: [fee] }, { draws: draws(['2025-12-20', balance]) });
      expect(linesOf(billed)).toMatchObject([{ title: 'Minimum usage fee', amount: '0.00', pieces: [] }]);
    }
    const below = billedOf({ fees: [fee] }, { draws: draws(['2025-12-20', '11999999']) });
    expect(linesOf(below)).toMatchObject([{ amount: '0.00' }]);
    expect(linesOf(billedOf({ fees: [fee] }, { draws: draws(['2025-12-20', '11999000']) }))).toMatchObject([
      { amount: '5.00' },
    ]);
  });

  test('is unknown without a balance, and where the commitments are drawn in another currency', () => {
    const none = billedOf({ fees: [fee] }, {});
    expect(linesOf({ ...none, ledger: { ...none.ledger, isRecorded: false } })).toMatchObject([
      { amount: null, unknown: { why: 'noBalance' } },
    ]);
    const mixed = billedOf(
      { fees: [fee], commitments: [{ amount: usd('20000000'), additionalCurrencies: ['EUR'] }] },
      { draws: [{ dueDate: '2025-12-20', draws: [{ type: 'Regular', amounts: [{ sum: '1', currency: 'EUR' }] }] }] },
    );
    expect(linesOf(mixed)).toMatchObject([{ amount: null, unknown: { why: 'mixedCurrencies', of: 'EUR' } }]);
  });

  test('is corrected when a repayment is recorded late', () => {
    const terms = { fees: [fee] };
    const drawn = draws(['2025-12-20', '12000000']);
    const first = linesOf(billedOf(terms, { draws: drawn }));
    const issued = [{ id: 'i1', number: 1, currency: 'USD', ...Q1, lines: first }];
    // From 2 March: 3,000,000 below for 30 days; 3,000,000 x 2% x 30 / 360.
    const later = billedOf(terms, { draws: drawn, repayments: [repaid('2026-03-02', '3000000')] }, issued);
    expect(linesOf(later, Q2)).toMatchObject([
      { title: 'Minimum usage fee', amount: '15166.67' },
      { title: 'Correction of invoice 1, Minimum usage fee', amount: '5000.00', corrects: { why: ['balance'] } },
    ]);
  });
});

describe('a pricing grid by utilization', () => {
  const grid = {
    pricingGrid: {
      tiers: [
        { from: 50, rate: 8.5 },
        { from: 75, rate: 8 },
      ],
    },
  };
  const drawn = draws(['2026-01-01', '8000000'], ['2026-02-01', '2000000'], ['2026-03-01', '6000000']);

  // 40%: 8,000,000 x 9% x 31 / 360; 50%: 10,000,000 x 8.5% x 28 / 360; 80%: 16,000,000 x 8% x 31 / 360.
  test('has the rate of each day from its own utilization', () => {
    expect(linesOf(billedOf({ interest: fixed(grid) }, { draws: drawn }))).toMatchObject([
      {
        amount: '238333.33',
        pieces: [
          { days: 31, rate: '9', tier: 'base', amount: '62000.000000' },
          { days: 28, rate: '8.5', tier: '50', amount: '66111.111111' },
          { days: 31, rate: '8', tier: '75', amount: '110222.222222' },
        ],
      },
    ]);
  });

  test('replaces the spread, below the floor of the whole rate', () => {
    const spread = {
      tiers: [
        { from: 50, rate: 3.5 },
        { from: 75, rate: 1 },
      ],
    };
    const interest: TransactionInterest = {
      ...{ kind: 'variable', baseRate: 'SOFR', spread: 4.5, minimumInterest: 6, pricingGrid: spread },
    };
    const [line] = linesOf(billedOf({ interest }, { draws: drawn }));
    expect(line?.pieces.map(({ rate, tier }) => [rate, tier])).toEqual([
      ['8.5', 'base'],
      ['7.5', '50'],
      ['6', '75'],
    ]);
  });

  test('has the highest rate where the utilization is unknown, and says so', () => {
    const mixed = [{ amount: usd('20000000'), additionalCurrencies: ['EUR'] }];
    const euro = {
      dueDate: '2026-01-01',
      draws: [{ type: 'Regular' as const, amounts: [{ sum: '1', currency: 'EUR' }] }],
    };
    const billed = billedOf({ interest: fixed(grid), commitments: mixed }, { draws: [...drawn, euro] });
    expect(linesOf(billed)[0]?.pieces).toMatchObject([
      { rate: '9', tier: 'unknown' },
      { rate: '9', tier: 'unknown' },
      { rate: '9', tier: 'unknown' },
    ]);
  });

  test('follows commitments that an amendment changed', () => {
    const amended = billedOf({ interest: fixed(grid) }, { draws: draws(['2026-01-01', '8000000']) });
    const amendment = {
      ...{ id: 'a1', title: 'Reduction', effectiveDate: '2026-03-01', tranche: null },
      terms: { commitments: [{ amount: usd('20000000') }] },
      replaced: { commitments: [{ amount: usd('10000000') }] },
    };
    // 8,000,000 of 10,000,000 is 80%, and of 20,000,000 40%.
    expect(linesOf({ ...amended, amendments: [amendment] })[0]?.pieces).toMatchObject([
      { to: '2026-03-01', rate: '8', tier: '75' },
      { from: '2026-03-01', rate: '9', tier: 'base' },
    ]);
  });
});

describe('a pricing grid by a covenant', () => {
  const COVENANT = '6566000000000000000000aa';
  const grid = (daysAfter: number | null = null) => ({
    test: { covenant: COVENANT, daysAfter },
    tiers: [
      { from: 3, rate: 4 },
      { from: 4, rate: 4.5 },
    ],
  });
  const spread = (pricingGrid: ReturnType<typeof grid>): TransactionInterest => ({
    ...{ kind: 'variable', baseRate: 'SOFR', spread: 3.5, minimumInterest: 0, dayCount: 'ACT/360', pricingGrid },
  });
  const drawn = draws(['2026-01-01', '10000000']);
  const interestOf = (pricingGrid: ReturnType<typeof grid>, tests: Billed['tests']) =>
    linesOf({ ...billedOf({ interest: spread(pricingGrid) }, { draws: drawn }), tests: tests ?? {} })[0];
  const tested = (...days: (readonly [date: string, value: string | null])[]) => ({
    [COVENANT]: days.map(([date, value]) => ({ date, value })),
  });

  // 10,000,000 x 7.5% x 44 / 360 = 91,666.67, and x 8.5% x 46 / 360 = 108,611.11.
  test('has the spread of a result from 45 days after its test date', () => {
    expect(interestOf(grid(), tested(['2025-12-31', '4.2']))).toMatchObject({
      amount: '200277.78',
      pieces: [
        { to: '2026-02-14', days: 44, rate: '7.5', tier: 'base', tested: null },
        { from: '2026-02-14', days: 46, rate: '8.5', tier: '4', tested: '4.2' },
      ],
    });
  });

  test.each([
    ['2.99', '7.5', 'base'],
    ['3', '8', '3'],
    ['3.99', '8', '3'],
    ['4', '8.5', '4'],
    ['-1', '7.5', 'base'],
    [null, '8.5', 'unknown'],
  ])('of %s is %s%%', (value, rate, tier) => {
    expect(interestOf(grid(1), tested(['2025-12-31', value]))?.pieces).toMatchObject([{ rate, tier, tested: value }]);
  });

  test('goes on with a result until the next one counts, and begins with the rate of the terms', () => {
    const two = tested(['2025-12-31', '3.2'], ['2026-01-31', '2'], ['2026-02-28', null]);
    expect(interestOf(grid(10), two)?.pieces.map(({ from, rate, tested: found }) => [from, rate, found])).toEqual([
      ['2026-01-01', '7.5', null],
      ['2026-01-10', '8', '3.2'],
      ['2026-02-10', '7.5', '2'],
      ['2026-03-10', '8.5', null],
    ]);
    expect(interestOf(grid(), tested())?.pieces).toMatchObject([{ rate: '7.5', tier: 'base' }]);
  });

  test('has its highest rate where nothing is known of the covenant', () => {
    expect(interestOf(grid(), {})?.pieces).toMatchObject([{ rate: '8.5', tier: 'unknown' }]);
  });

  test('adds up day by day for random results', () => {
    const day = (index: number) => fromEpochDay(toEpochDay('2025-12-01') + index);
    const results = fc.uniqueArray(
      fc.record({ at: fc.nat(120), value: fc.option(fc.integer({ min: 0, max: 600 }), { nil: null }) }),
      { selector: ({ at }) => at, maxLength: 6 },
    );
    fc.assert(
      fc.property(results, fc.nat(60), (found, daysAfter) => {
        const ordered = found.toSorted((one, other) => one.at - other.at);
        const line = interestOf(
          grid(daysAfter),
          tested(...ordered.map(({ at, value }) => [day(at), value === null ? null : String(value / 100)] as const)),
        );
        let days = 0;
        for (let index = 31; index < 121; index++) {
          const last = ordered.findLast(({ at }) => at + daysAfter <= index);
          const rate = !last ? 75 : last.value === null || last.value >= 400 ? 85 : last.value >= 300 ? 80 : 75;
          days += rate;
        }
        // 10,000,000 x 0.1% / 360 a day.
        expect(line?.amount).toBe(((days * 10_000) / 360).toFixed(2));
      }),
      { numRuns: 300 },
    );
  });
});

describe('a default margin', () => {
  const drawn = draws(['2025-12-20', '10000000']);
  const event = (from: string, to: string | null = null): DefaultEvent => ({ from, to, reason: 'Interest not paid' });
  const interestIn = (...defaultEvents: DefaultEvent[]) =>
    linesOf(billedOf({ interest: fixed({ defaultMargin: 2 }), defaultEvents }, { draws: drawn }))[0];

  // 10,000,000 x 9% x 90 / 360, and x 2% x 14 / 360.
  test('is added from the first day of the event to its last, which does not count', () => {
    expect(interestIn()?.amount).toBe('225000.00');
    expect(interestIn(event('2026-02-10', '2026-02-24'))).toMatchObject({
      amount: '232777.78',
      pieces: [
        { days: 40, rate: '9' },
        { from: '2026-02-10', to: '2026-02-24', days: 14, rate: '11', defaultMargin: '2' },
        { days: 36, rate: '9' },
      ],
    });
  });

  test('is added once where two events overlap, and goes on while one has no end', () => {
    expect(interestIn(event('2026-02-10', '2026-02-20'), event('2026-02-15', '2026-02-24'))?.amount).toBe('232777.78');
    // 22 days from 10 March.
    expect(interestIn(event('2026-03-10'))?.amount).toBe('237222.22');
  });

  test('changes nothing before it, after it, and without a margin', () => {
    expect(interestIn(event('2026-04-01'), event('2025-01-01', '2026-01-01'))?.amount).toBe('225000.00');
    const none = billedOf({ interest: fixed(), defaultEvents: [event('2026-02-10')] }, { draws: drawn });
    expect(linesOf(none)).toEqual(linesOf(billedOf({ interest: fixed() }, { draws: drawn })));
  });
});

describe('interest paid in kind', () => {
  const drawn = draws(['2026-01-01', '10000000']);
  const inKind = (points: number, more: object = {}) => fixed({ value: 12, paidInKind: points, ...more });
  const added = (day: string, amount: string): LedgerRepayment => ({
    ...{ cutOffDate: day, isScheduled: true, repayments: paidInKindParts(amount, 'USD') },
  });

  // 10,000,000 x 12% x 90 / 360, of which 3 points; then 10,075,000 for 91 days.
  test('is taken off the interest of its period, and bears interest from its end on', () => {
    expect(linesOf(billedOf({ interest: inKind(3) }, { draws: drawn }))).toMatchObject([
      { title: 'Interest', amount: '300000.00', pieces: [{ rate: '12', inKind: '3' }] },
      {
        ...{ kind: 'interest', title: 'Interest paid in kind', amount: '-75000.00', rule: 'inKind' },
        pieces: [{ days: 90, basis: '10000000', rate: '3', amount: '-75000.000000' }],
      },
    ]);
    const grown = billedOf({ interest: inKind(3) }, { draws: drawn, repayments: [added('2026-04-01', '75000')] });
    expect(linesOf(grown, Q2).map(({ amount }) => amount)).toEqual(['305608.33', '-76402.08']);
  });

  test('is at most the interest, of which nothing is left to pay', () => {
    for (const points of [12, 20]) {
      const lines = linesOf(billedOf({ interest: inKind(points) }, { draws: drawn }));
      expect(lines.map(({ amount }) => amount)).toEqual(['300000.00', '-300000.00']);
      expect(Number(totalsByKind(lines)?.interest)).toBe(0);
    }
    expect(linesOf(billedOf({ interest: inKind(3, { value: 0 }) }, { draws: drawn }))).toMatchObject([
      { title: 'Interest', amount: '0.00' },
    ]);
  });

  test('has no part of what a default adds', () => {
    const event: DefaultEvent = { from: '2026-01-01', to: '2026-02-01', reason: 'Interest not paid' };
    const interest = inKind(20, { defaultMargin: 2 });
    // 2% for 31 days is paid.
    const lines = linesOf(billedOf({ interest, defaultEvents: [event] }, { draws: drawn }));
    expect(lines.map(({ amount }) => amount)).toEqual(['317222.22', '-300000.00']);
  });

  test('is no correction of its invoice, and a late draw is corrected in cash', () => {
    const billed = billedOf({ interest: inKind(3) }, { draws: drawn });
    const issued = [{ id: 'i1', number: 1, currency: 'USD', ...Q1, lines: linesOf(billed) }];
    const repayments = [added('2026-04-01', '75000')];
    const after = billedOf({ interest: inKind(3) }, { draws: drawn, repayments }, issued);
    expect(linesOf(after, Q2).map(({ title }) => title)).toEqual(['Interest', 'Interest paid in kind']);
    // 1,000,000 more at 12% for 30 days.
    const late = draws(['2026-01-01', '10000000'], ['2026-03-02', '1000000']);
    const corrected = linesOf(billedOf({ interest: inKind(3) }, { draws: late, repayments }, issued), Q2);
    expect(corrected.map(({ title, amount }) => [title, amount])).toEqual([
      ['Interest', '335941.67'],
      ['Interest paid in kind', '-83985.42'],
      ['Correction of invoice 1', '10000.00'],
    ]);
  });

  test('is never more than the interest, and adds up to it with what is paid, for random terms', () => {
    const points = fc.integer({ min: 1, max: 2000 }).map((hundredths) => hundredths / 100);
    const draw = fc.tuple(fc.integer({ min: 0, max: 89 }), fc.integer({ min: 1, max: 9_999_999 }));
    fc.assert(
      fc.property(points, points, fc.array(draw, { minLength: 1, maxLength: 5 }), (value, part, all) => {
        const ledger = draws(
          ...all.map(([day, sum]) => [fromEpochDay(toEpochDay(Q1.from) + day), String(sum / 100)] as const),
        );
        const lines = linesOf(billedOf({ interest: fixed({ value, paidInKind: part }) }, { draws: ledger }));
        const whole = lines.find(({ rule }) => rule === 'accrued')?.amount ?? '0';
        const inPoints = Math.min(value, part) / value;
        const expected = Number(whole) * inPoints;
        expect(compare(paidInKind(lines), whole)).toBeLessThanOrEqual(0);
        expect(Math.abs(Number(paidInKind(lines)) - expected)).toBeLessThan(0.0151);
      }),
      { numRuns: 300 },
    );
  });
});

describe('a prepayment fee', () => {
  const fee = (rate: number, months: TransactionFee['months']): TransactionFee => ({
    ...{ rate, title: 'Prepayment fee', kind: 'Prepayment fee', frequency: 'Ending', onPrepayment: true, months },
  });
  const fees = [fee(2, { end: 12 }), fee(1, { start: 12, end: 24 })];
  const drawn = draws(['2025-12-20', '10000000']);
  const chargedOn = (day: string, isScheduled = false) =>
    linesOf(billedOf({ fees }, { draws: drawn, repayments: [repaid(day, '1000000', isScheduled)] }), {
      from: day,
      to: fromEpochDay(toEpochDay(day) + 1),
    }).map(({ amount }) => amount);

  test('falls with the months since the signing', () => {
    expect(chargedOn('2026-12-14')).toEqual(['20000.00']);
    expect(chargedOn('2026-12-15')).toEqual(['10000.00']);
    expect(chargedOn('2027-12-14')).toEqual(['10000.00']);
    expect(chargedOn('2027-12-15')).toEqual([]);
  });

  test('is charged until the day before the maturity, also if its months go further', () => {
    const fees = [fee(2, { end: 600 })];
    const on = (day: string) =>
      linesOf(billedOf({ fees }, { draws: drawn, repayments: [repaid(day, '1000000')] }), {
        from: day,
        to: fromEpochDay(toEpochDay(day) + 1),
      }).length;
    expect([on('2028-12-14'), on('2028-12-15')]).toEqual([1, 0]);
  });

  test('is not charged on principal that was due', () => {
    expect(chargedOn('2026-02-10', true)).toEqual([]);
  });

  test('is one line of each rate, with each day', () => {
    const repayments = [repaid('2026-02-10', '1000000'), repaid('2026-03-10', '500000'), repaid('2026-03-10', '1')];
    expect(linesOf(billedOf({ fees }, { draws: drawn, repayments }))).toMatchObject([
      {
        title: 'Prepayment fee',
        amount: '30000.02',
        rule: 'prepayment',
        pieces: [
          { from: '2026-02-10', days: null, basis: '1000000', rate: '2' },
          { from: '2026-03-10', days: null, basis: '500001', rate: '2' },
        ],
      },
    ]);
  });

  test('is charged by the next invoice when the prepayment is recorded after its own', () => {
    const issued = [
      {
        id: 'i1',
        number: 1,
        currency: 'USD',
        ...Q1,
        lines: linesOf(billedOf({ interest: fixed(), fees }, { draws: drawn })),
      },
    ];
    const repayments = [repaid('2026-03-31', '1000000')];
    expect(linesOf(billedOf({ interest: fixed(), fees }, { draws: drawn, repayments }, issued), Q2)).toMatchObject([
      { title: 'Interest' },
      { title: 'Correction of invoice 1' },
      { title: 'Correction of invoice 1, Prepayment fee', amount: '20000.00' },
    ]);
  });
});

test('a period divided where nothing changes has the same sum', () => {
  const day = fc.integer({ min: toEpochDay('2026-01-02'), max: toEpochDay('2026-03-31') }).map(fromEpochDay);
  const fees: TransactionFee[] = [
    { rate: 2, title: 'Minimum usage fee', kind: 'Fee', frequency: 'Quarterly', minimumUsage: 60 },
    { rate: 2, title: 'Prepayment fee', kind: 'Fee', frequency: 'Ending', onPrepayment: true, months: { end: 12 } },
  ];
  const interest = fixed({ defaultMargin: 2, pricingGrid: { tiers: [{ from: 30, rate: 8 }] } });
  fc.assert(
    fc.property(
      day,
      day,
      fc.integer({ min: 1, max: 4_000_000 }),
      fc.integer({ min: 1, max: 3_000_000 }),
      (at, event, more, less) => {
        // Below the minimum on every day: above it, days of one average make up for each other.
        const billed = billedOf(
          { interest, fees, defaultEvents: [{ from: event, to: null, reason: 'Covenant breached' }] },
          {
            draws: draws(['2025-12-20', '4000000'], ['2026-01-15', String(more)]),
            repayments: [repaid('2026-02-20', String(less))],
          },
        );
        const total = (lines: InvoiceLine[]) => sum(lines.map(({ amount }) => amount ?? '0'));
        const whole = total(linesOf(billed));
        const parts = sum([total(linesOf(billed, { ...Q1, to: at })), total(linesOf(billed, { ...Q1, from: at }))]);
        // Each of two fees is rounded once more.
        expect(compare(absolute(subtract(whole, parts)), '0.02')).toBeLessThanOrEqual(0);
      },
    ),
    { numRuns: 100 },
  );
});
