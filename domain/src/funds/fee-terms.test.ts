import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CapitalLedger } from '../capital/capital-figures.ts';
import { type ManagementFees, managementFeesOf } from '../capital/investor-fees.ts';
import { fromEpochDay, toEpochDay } from '../dates/calendar-date.ts';
import { absolute, compare, subtract, sum } from '../money/decimal.ts';
import { agreedTerms, type FeeAgreements } from './fee-terms.ts';
import { type FeeTerms, feeTermsOfFundSchema, sideLettersSchema } from './fees.schema.ts';

const agreements = (more: Partial<FeeAgreements>): FeeAgreements => ({
  fundTerms: [],
  investmentPeriodEnd: null,
  Class: 'a',
  fees: {},
  sideLetters: [],
  ...more,
});

/** A commitment of 10,000,000 from 2025 on, of which 4,000,000 is called from 1 July 2025 on. */
const LEDGER: CapitalLedger = {
  commitment: { closingDate: '2025-01-01', activeCommitment: '10000000', deltas: [] },
  calls: [
    {
      cutOffDate: '2025-06-15',
      dueDate: '2025-07-01',
      callNumber: '1',
      purposes: [{ kind: 'investments', amount: '4000000' }],
    },
  ],
  distributions: [],
  writeOffs: [],
  navs: [],
  nonRecyclable: null,
};

const YEAR = { from: '2025-01-01', to: '2026-01-01' };
const feesOf = (more: Partial<FeeAgreements>, period = YEAR, borrowers: { date: string; amount: string }[] = []) =>
  managementFeesOf(LEDGER, agreedTerms(agreements(more)), period, 2, borrowers);
const of = (
  terms: FeeTerms,
  more: Partial<FeeAgreements> = {},
  ...rest: [typeof YEAR?, { date: string; amount: string }[]?]
) => feesOf({ fundTerms: [{ Class: null, from: '2020-01-01', terms }], ...more }, ...rest);
const linesOf = ({ lines }: ManagementFees) => lines.map(({ basis, period, amount }) => [basis, period.from, amount]);

describe('the terms of an investor', () => {
  const fundTerms = [
    {
      Class: null,
      from: '2025-01-01',
      terms: { management: { committed: 2 }, success: { rate: 20 }, overallCap: '9' },
    },
    { Class: 'a', from: '2025-03-01', terms: { management: { committed: 1.5 } } },
    { Class: 'b', from: '2025-03-01', terms: { management: { committed: 1 } } },
  ];
  const sideLetters = [
    { from: '2025-06-01', title: 'Founder', document: 'f'.repeat(24), terms: { management: { committed: 0.5 } } },
    { from: '2025-09-01', terms: { success: { rate: 10 } } },
  ];
  const sourcesOn = (day: string, more: Partial<FeeAgreements> = {}) => {
    const own = agreedTerms(agreements({ fundTerms, sideLetters, ...more }));
    return {
      committed: own.on(day).management?.committed,
      rate: own.on(day).success?.rate,
      from: Object.values(own.sourcesOn(day)).map((source) => source && `${source.kind} ${source.from}`),
    };
  };

  test('are part by part those of the latest side letter, the commitment, its class or the fund', () => {
    expect(sourcesOn('2024-12-31')).toEqual({ committed: undefined, rate: undefined, from: Array(5).fill(null) });
    const ofFund = 'fund 2025-01-01';
    expect(sourcesOn('2025-02-28')).toEqual({ committed: 2, rate: 20, from: [ofFund, ofFund, null, ofFund, null] });
    expect(sourcesOn('2025-03-01').from).toEqual(['class 2025-03-01', ofFund, null, ofFund, null]);
    expect(sourcesOn('2025-06-01')).toEqual({
      committed: 0.5,
      rate: 20,
      from: ['sideLetter 2025-06-01', ofFund, null, ofFund, null],
    });
    expect(sourcesOn('2025-09-01').from.slice(0, 2)).toEqual(['sideLetter 2025-06-01', 'sideLetter 2025-09-01']);
    // The fees of the commitment override the fund; a group of empty fields says nothing.
    const fees = { management: { invested: 3 }, success: { rate: null } };
    expect(sourcesOn('2025-05-01', { fees }).from.slice(0, 2)).toEqual(['commitment null', ofFund]);
    expect(sourcesOn('2025-06-01', { fees }).from[0]).toBe('sideLetter 2025-06-01');
    expect(sourcesOn('2025-03-01', { Class: null }).from[0]).toBe(ofFund);
  });

  test('begin on different days', () => {
    const terms = { management: { committed: 1 } };
    const entry = { from: '2025-01-01', terms };
    const accepts = (entries: unknown[]) => feeTermsOfFundSchema.safeParse(entries).success;
    expect(accepts([{ ...entry, Class: 'a' }, { ...entry, Class: 'b' }, entry])).toBe(true);
    expect(accepts([{ ...entry, Class: null }, entry])).toBe(false);
    expect(sideLettersSchema.safeParse([entry, { ...entry, from: '2025-01-02' }]).success).toBe(true);
    expect(sideLettersSchema.safeParse([entry, entry]).success).toBe(false);
  });

  test('have rates of at most 100 % and sums that are not negative', () => {
    const accepts = (management: object) =>
      feeTermsOfFundSchema.safeParse([{ from: '2025-01-01', terms: { management } }]).success;
    expect(accepts({ waiver: 100, minimum: 0, stepDown: { invested: 100 } })).toBe(true);
    expect([{ waiver: 100.01 }, { minimum: -0.01 }, { stepDown: { invested: -1 } }].filter(accepts)).toEqual([]);
  });
});

describe('a management fee', () => {
  test('steps down within a period', () => {
    const terms = { management: { committed: 2, stepDown: { from: '2025-10-01', invested: 1 } } };
    // 10,000,000 x 2 % x 273 / 365 and 4,000,000 x 1 % x 92 / 365
    const fee = of(terms);
    expect(linesOf(fee)).toEqual([
      ['committed', '2025-01-01', '149589.04'],
      ['invested', '2025-10-01', '10082.19'],
    ]);
    expect(fee.amount).toBe('159671.23');
    expect(fee.lines[1]?.explanation).toContain('1% a year for 92 days, from 1 Oct 2025 to 31 Dec 2025');
  });

  test('steps down on the day after the investment period, if that has an end', () => {
    const terms = { management: { committed: 2, stepDown: { committed: 1 } } };
    expect(linesOf(of(terms, { investmentPeriodEnd: '2025-09-30' }))).toEqual([
      ['committed', '2025-01-01', '149589.04'],
      ['committed', '2025-10-01', '25205.48'],
    ]);
    expect(linesOf(of(terms))).toEqual([['committed', '2025-01-01', '200000.00']]);
  });

  test('has a minimum for each day from the closing on', () => {
    const management = { invested: 1, minimum: '36500' };
    // 100 a day for 181 days with nothing invested; 4,000,000 x 1 % / 365 = 109.59 a day afterwards.
    const fee = of({ management });
    expect(linesOf(fee)).toEqual([
      ['invested', '2025-01-01', '20164.38'],
      ['minimum', '2025-01-01', '18100'],
    ]);
    expect(fee.lines[1]?.parts).toMatchObject([{ from: '2025-01-01', to: '2025-07-01', days: 181, basis: '36500' }]);
    expect(of({ management }, {}, { from: '2024-01-01', to: '2025-01-01' }).amount).toBe('0');
    expect(linesOf(of({ management: { invested: 1, minimum: '0' } }))).toHaveLength(1);
  });

  test('is waived in part, and reduced by what borrowers paid, at most to nothing', () => {
    const management = { committed: 2, waiver: 25, offset: 80 };
    const borrowers = [
      { date: '2024-12-31', amount: '1000000' },
      { date: '2025-01-01', amount: '10000' },
      { date: '2025-12-31', amount: '2500' },
    ];
    const fee = of({ management }, {}, YEAR, borrowers);
    expect(linesOf(fee)).toEqual([
      ['committed', '2025-01-01', '200000.00'],
      ['waiver', '2025-01-01', '-50000'],
      ['offset', '2025-01-01', '-10000'],
    ]);
    expect(fee.amount).toBe('140000');
    const most = of({ management }, {}, YEAR, [{ date: '2025-05-01', amount: '1000000' }]);
    expect([most.lines.at(-1)?.amount, most.amount]).toEqual(['-150000', '0']);
    expect(of({ management: { committed: 2, waiver: 100 } }).amount).toBe('0');
  });

  test('is that of the worked example of the documentation', () => {
    const calls = [{ ...LEDGER.calls[0]!, cutOffDate: '2024-12-15', dueDate: '2025-01-01' }];
    const management = { committed: 2, stepDown: { from: '2025-10-01', invested: 1 } };
    const agreed = agreements({
      fundTerms: [{ Class: null, from: '2025-01-01', terms: { management } }],
      sideLetters: [{ from: '2025-10-01', terms: { management: { invested: 1, minimum: '60000', waiver: 10 } } }],
    });
    const fee = managementFeesOf({ ...LEDGER, calls }, agreedTerms(agreed), YEAR, 2);
    expect(linesOf(fee)).toEqual([
      ['committed', '2025-01-01', '149589.04'],
      ['invested', '2025-10-01', '10082.19'],
      ['minimum', '2025-10-01', '5041.1'],
      ['waiver', '2025-10-01', '-1512.33'],
    ]);
    expect(fee.amount).toBe('163200');
  });

  test('is unknown for an investor without a NAV, also with a minimum and a waiver', () => {
    const fee = of({ management: { assets: 1, minimum: '100', waiver: 10, offset: 10 } }, {}, YEAR, [
      { date: '2025-01-01', amount: '1' },
    ]);
    expect(fee.amount).toBeNull();
    expect(linesOf(fee)).toEqual([['assets', '2025-01-01', null]]);
  });
});

const ratesOf = fc.record({
  committed: fc.integer({ min: 0, max: 300 }).map((rate) => rate / 100),
  invested: fc.integer({ min: 0, max: 300 }).map((rate) => rate / 100),
});
const dayOf = fc.integer({ min: -30, max: 400 }).map((days) => fromEpochDay(toEpochDay('2025-01-01') + days));
const managementOf = fc.tuple(
  ratesOf,
  fc.option(fc.record({ from: dayOf, committed: fc.constant(0.5), invested: fc.constant(1) }), { nil: undefined }),
  fc.option(fc.integer({ min: 0, max: 300_000 }).map(String), { nil: undefined }),
  fc.integer({ min: 0, max: 100 }),
);
const termsOf = managementOf.map(
  ([rates, stepDown, minimum, waiver]): FeeTerms => ({ management: { ...rates, stepDown, minimum, waiver } }),
);

describe('fee terms over time', () => {
  const entriesOf = fc.uniqueArray(fc.record({ from: dayOf, terms: termsOf }), {
    maxLength: 4,
    selector: ({ from }) => from,
  });

  test('come to the same for a period as for its two parts, to the rounding of their lines', () => {
    fc.assert(
      fc.property(entriesOf, entriesOf, fc.integer({ min: 1, max: 364 }), (fundTerms, sideLetters, days) => {
        const middle = fromEpochDay(toEpochDay(YEAR.from) + days);
        const own = { fundTerms, sideLetters };
        const [all, first, second] = [YEAR, { ...YEAR, to: middle }, { ...YEAR, from: middle }].map((period) =>
          feesOf(own, period),
        ) as [ManagementFees, ManagementFees, ManagementFees];
        const difference = absolute(subtract(all.amount!, sum([first.amount!, second.amount!])));
        // Half a cent for each line that is rounded.
        const lines = [all, first, second].reduce((count, one) => count + one.lines.length, 0);
        expect(compare(difference, String(lines * 0.005))).toBeLessThanOrEqual(0);
      }),
    );
  });

  test('change by nothing if a side letter agrees what the fund has agreed', () => {
    fc.assert(
      fc.property(termsOf, dayOf, (terms, from) => {
        const fundTerms = [{ Class: null, from: '2024-01-01', terms }];
        expect(feesOf({ fundTerms, sideLetters: [{ from, terms }] })).toEqual(feesOf({ fundTerms }));
      }),
    );
  });
});
