import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LoanObservation, livesFromDates, livesFromTapes } from './testing/plain-lives.ts';
import { vintageDates, vintageOf } from './vintage-period.ts';
import { type LifeCell, vintageCurves } from './vintages.ts';

const USD = { currency: 'USD', rates: {} };
const cell = (change: Partial<LifeCell>): LifeCell => ({
  originated: '2024-01',
  entry: -1,
  exit: 3,
  fate: null,
  currency: 'USD',
  count: 1,
  original: '100',
  ...change,
});
const byBalance = { by: 'month', measure: 'balance' } as const;

describe('vintage curves', () => {
  it('are plain shares of the original balance if every loan is observed from its first month', () => {
    const { all } = vintageCurves(
      [
        cell({ count: 6, original: '600' }),
        cell({ exit: 1, fate: 'default', count: 1, original: '150' }),
        cell({ exit: 2, fate: 'prepaid', count: 2, original: '200' }),
        cell({ exit: 3, fate: 'default', count: 1, original: '50' }),
      ],
      byBalance,
      USD,
    );
    expect(all.points).toEqual([
      { month: 0, atRisk: '1000', defaulted: '0.000000', prepaid: '0.000000' },
      { month: 1, atRisk: '1000', defaulted: '0.150000', prepaid: '0.000000' },
      { month: 2, atRisk: '850', defaulted: '0.150000', prepaid: '0.200000' },
      { month: 3, atRisk: '650', defaulted: '0.200000', prepaid: '0.200000' },
    ]);
    expect(all).toMatchObject({ loans: 10, original: '1000', defaults: 2, prepayments: 2 });
  });

  it('by count weight every loan equally', () => {
    const cells = [cell({ count: 3, original: '900' }), cell({ exit: 1, fate: 'default', count: 1, original: '100' })];
    const defaulted = (measure: 'balance' | 'count') =>
      vintageCurves(cells, { by: 'month', measure }, USD).all.points.at(-1)?.defaulted;
    expect([defaulted('balance'), defaulted('count')]).toEqual(['0.100000', '0.250000']);
  });

  it('count a loan that is first observed late only for the months in which it was observed', () => {
    // Month 1: 1 of 2 ends. Month 2: 1 of 4 (three entered late): of the remaining half, a quarter ends.
    const { all } = vintageCurves(
      [
        cell({ exit: 1, fate: 'default' }),
        cell({ exit: 2 }),
        cell({ entry: 1, exit: 2, count: 2, original: '200' }),
        cell({ entry: 1, exit: 2, fate: 'default' }),
      ],
      byBalance,
      USD,
    );
    expect(all.points.map(({ month, atRisk, defaulted }) => [month, atRisk, defaulted])).toEqual([
      [0, '200', '0.000000'],
      [1, '200', '0.500000'],
      [2, '400', '0.625000'],
    ]);
  });

  it('begin with the first observed month, and end before the first month without observations', () => {
    const late = vintageCurves([cell({ entry: 30, exit: 31 }), cell({ entry: 33, exit: 36 })], byBalance, USD);
    expect(late.all.points.map(({ month }) => month)).toEqual([31]);
    expect(vintageCurves([cell({ entry: 5, exit: 5 })], byBalance, USD).all.points).toEqual([]);
    expect(vintageCurves([], byBalance, USD)).toMatchObject({ vintages: [], all: { loans: 0, original: null } });
  });

  it('exclude a loan without an original sum from the balance, but count it', () => {
    const cells = [
      cell({ count: 9, original: '900' }),
      cell({ currency: null, original: null, exit: 1, fate: 'default' }),
    ];
    expect(vintageCurves(cells, byBalance, USD).all.points.at(-1)?.defaulted).toBe('0.000000');
    const counted = vintageCurves(cells, { by: 'month', measure: 'count' }, USD).all;
    expect(counted.points.at(-1)?.defaulted).toBe('0.100000');
    expect(counted.original).toBe('900');
  });

  it('group months into quarters and years, the oldest first', () => {
    const cells = ['2024-03', '2023-12', '2024-04', '2024-01'].map((originated) => cell({ originated }));
    const names = (by: 'month' | 'quarter' | 'year') =>
      vintageCurves(cells, { by, measure: 'balance' }, USD).vintages.map(({ vintage, loans }) => `${vintage} ${loans}`);
    expect(names('month')).toEqual(['2023-12 1', '2024-01 1', '2024-03 1', '2024-04 1']);
    expect(names('quarter')).toEqual(['2023-Q4 1', '2024-Q1 2', '2024-Q2 1']);
    expect(names('year')).toEqual(['2023 1', '2024 3']);
  });

  const someCell = fc.record({
    originated: fc.constantFrom('2023-11', '2024-01', '2024-02'),
    entry: fc.integer({ min: -1, max: 6 }),
    length: fc.integer({ min: 0, max: 6 }),
    fate: fc.option(fc.constantFrom('default', 'prepaid', 'repaid') as fc.Arbitrary<'default' | 'prepaid' | 'repaid'>),
    count: fc.integer({ min: 1, max: 50 }),
    original: fc.integer({ min: 0, max: 100_000 }).map((cents) => (cents / 100).toFixed(2)),
  });

  it('never fall, and never exceed the whole', () => {
    fc.assert(
      fc.property(fc.array(someCell, { maxLength: 30 }), fc.constantFrom('balance', 'count'), (drawn, measure) => {
        const cells = drawn.map(({ length, ...one }) => ({ ...one, exit: one.entry + length, currency: 'USD' }));
        const { all, vintages } = vintageCurves(cells, { by: 'quarter', measure: measure as 'balance' | 'count' }, USD);
        for (const { points } of [all, ...vintages]) {
          let [defaulted, prepaid] = [0, 0];
          points.forEach((point, index) => {
            expect(point.month).toBe(points[0]!.month + index);
            expect(Number(point.defaulted)).toBeGreaterThanOrEqual(defaulted);
            expect(Number(point.prepaid)).toBeGreaterThanOrEqual(prepaid);
            [defaulted, prepaid] = [Number(point.defaulted), Number(point.prepaid)];
            expect(defaulted + prepaid).toBeLessThanOrEqual(1.000_001);
          });
        }
        expect(vintages.reduce((total, { loans }) => total + loans, 0)).toBe(all.loans);
      }),
    );
  });

  it('of complete lives are the plain shares, for any lives', () => {
    fc.assert(
      fc.property(fc.array(someCell, { minLength: 1, maxLength: 30 }), (drawn) => {
        const cells = drawn.map(
          ({ length, ...one }): LifeCell => ({
            ...one,
            entry: -1,
            exit: one.fate === null ? 8 : length,
            currency: 'USD',
          }),
        );
        const { points } = vintageCurves([...cells, cell({ exit: 8, count: 1, original: '1' })], byBalance, USD).all;
        const whole = cells.reduce((total, { original }) => total + Number(original), 1);
        for (const { month, defaulted } of points) {
          const ended = cells.filter(({ fate, exit }) => fate === 'default' && exit <= month);
          const share = ended.reduce((total, { original }) => total + Number(original), 0) / whole;
          expect(Math.abs(Number(defaulted) - share)).toBeLessThan(2e-6);
        }
      }),
    );
  });
});

describe('the dates of a vintage', () => {
  it.each([
    ['2024-03', '2024-03-01', '2024-04-01'],
    ['2024-12', '2024-12-01', '2025-01-01'],
    ['2024-Q1', '2024-01-01', '2024-04-01'],
    ['2024-Q4', '2024-10-01', '2025-01-01'],
    ['2024', '2024-01-01', '2025-01-01'],
  ])('%s are from %s to before %s', (vintage, from, before) => {
    expect(vintageDates(vintage)).toEqual({ from, before });
    expect(
      vintageOf(from.slice(0, 7), vintage.includes('Q') ? 'quarter' : vintage.length === 4 ? 'year' : 'month'),
    ).toBe(vintage);
  });
  it('are null for all vintages', () => expect(vintageDates('all')).toBeNull());
});

describe('the lives of loans', () => {
  let row = 1;
  const loan = (assetId: string | null, change: Partial<LoanObservation> = {}): LoanObservation => {
    row += 1;
    return {
      assetId,
      row,
      assetStatus: 'current',
      defaultDate: null,
      chargeOffDate: null,
      lastPaymentDate: null,
      maturityDate: '2028-01-15',
      dateFinanced: '2026-01-15',
      original: { sum: '100', currency: 'USD' },
      ...change,
    };
  };
  const tapes = (...lists: LoanObservation[][]) =>
    ['2026-08-31', '2026-09-30', '2026-10-31'].map((cutOffDate, index) => ({ cutOffDate, loans: lists[index] ?? [] }));
  const found = (...lists: LoanObservation[][]) => {
    const { cells, leftOut } = livesFromTapes(tapes(...lists));
    return { lives: cells.map(({ entry, exit, fate }) => [entry, exit, fate]), leftOut };
  };

  it('are observed from the first tape that shows the loan open to the last that lists it', () => {
    expect(found([loan('A')], [loan('A')], [loan('A')]).lives).toEqual([[7, 9, null]]);
    expect(found([loan('A')], [loan('A')]).lives).toEqual([[7, 8, null]]);
  });

  it('are observed from the first month if there was a tape before the loan was originated', () => {
    expect(found([], [loan('A', { dateFinanced: '2026-09-10' })], []).lives).toEqual([[-1, 0, null]]);
    const gone = loan('B', { dateFinanced: '2026-09-10', assetStatus: 'prePaid', lastPaymentDate: '2026-10-02' });
    expect(found([], [], [gone]).lives).toEqual([[-1, 1, 'prepaid']]);
  });

  it('end with their first fate, on its date if the tape has one, else on the cut-off date', () => {
    expect(found([loan('A')], [loan('A', { assetStatus: 'default' })], [loan('A')]).lives).toEqual([[7, 8, 'default']]);
    const dated = loan('A', { assetStatus: 'chargedOff', chargeOffDate: '2026-09-02' });
    expect(found([loan('A')], [], [dated]).lives).toEqual([[7, 8, 'default']]);
    expect(found([loan('A')], [], [loan('A', { assetStatus: 'chargedOff' })]).lives).toEqual([[7, 9, 'default']]);
  });

  it('distinguish prepaid from repaid by the month of maturity', () => {
    const paid = (maturityDate: string | null) =>
      found([loan('A')], [loan('A', { assetStatus: 'paid', maturityDate, lastPaymentDate: '2026-09-20' })])
        .lives[0]?.[2];
    expect(paid('2026-09-28')).toBe('repaid');
    expect(paid('2026-08-28')).toBe('repaid');
    expect(paid('2026-10-01')).toBe('prepaid');
    expect(paid(null)).toBe('repaid');
  });

  it('leave out uninformative loans, and report why', () => {
    const { lives, leftOut } = found([
      loan(null),
      loan('A', { dateFinanced: null }),
      loan('B', { dateFinanced: '2026-09-01' }),
      loan('C', { assetStatus: 'chargedOff', chargeOffDate: '2026-06-30' }),
    ]);
    expect(lives).toEqual([]);
    expect(leftOut).toEqual({ withoutId: 1, withoutDate: 2, closedBefore: 1, undated: 0 });
  });

  it('from the dates of one tape begin with the loan, and leave out loans that ended on an unknown date', () => {
    const { cells, leftOut } = livesFromDates({
      cutOffDate: '2026-10-31',
      loans: [
        loan('A'),
        loan('B', { assetStatus: 'chargedOff', chargeOffDate: '2026-05-31' }),
        loan('C', { assetStatus: 'prePaid', lastPaymentDate: '2026-03-03' }),
        loan('D', { assetStatus: 'prePaid' }),
        loan('E', { dateFinanced: null }),
      ],
    });
    expect(cells.map(({ entry, exit, fate }) => [entry, exit, fate])).toEqual([
      [-1, 9, null],
      [-1, 4, 'default'],
      [-1, 2, 'prepaid'],
    ]);
    expect(leftOut).toMatchObject({ undated: 1, withoutDate: 1, closedBefore: 0 });
  });
});
