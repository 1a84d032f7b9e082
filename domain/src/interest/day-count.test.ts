import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addFractions, fractionToDecimal, reduceFraction } from '../borrowing-base/exact.ts';
import { fromEpochDay } from '../dates/calendar-date.ts';
import { DAY_COUNTS } from '../facilities/terms.schema.ts';
import { countPeriod } from './day-count.ts';

const date = (latest = 60_000) => fc.integer({ min: -25_000, max: latest }).map(fromEpochDay);
const inOrder = (count: number) =>
  fc.array(date(), { minLength: count, maxLength: count }).map((dates) => dates.toSorted() as [string, string, string]);

// ISDA, "EMU and market conventions: recent developments" (1998), annex with worked examples, and QuantLib's
// testActualActual, which adds the later dates.
describe('ACT/ACT ISDA follows the published examples', () => {
  it.each([
    ['2003-11-01', '2004-05-01', '0.497724381'],
    ['1999-02-01', '1999-07-01', '0.410958904'],
    ['1999-07-01', '2000-07-01', '1.001377349'],
    ['2002-08-15', '2003-07-15', '0.915068493'],
    ['2003-07-15', '2004-01-15', '0.504004791'],
    ['1999-07-30', '2000-01-30', '0.503892507'],
    ['2000-01-30', '2000-06-30', '0.415300546'],
    ['1999-11-30', '2000-04-30', '0.415540085'],
  ])('%s to %s is %s', (from, to, expected) => {
    expect(fractionToDecimal(countPeriod('ACT/ACT ISDA', from, to).fraction, 9)).toBe(expected);
  });
});

// The ISDA spreadsheet of 30/360 conventions (22 December 2008) and QuantLib's testThirty360_USA and
// testThirty360_EurobondBasis.
const THIRTY: [from: string, to: string, us: number, eurobond: number][] = [
  ['2006-08-20', '2007-02-20', 180, 180],
  ['2007-02-20', '2007-08-20', 180, 180],
  ['2007-08-20', '2008-02-20', 180, 180],
  ['2008-02-20', '2008-08-20', 180, 180],
  ['2008-08-20', '2009-02-20', 180, 180],
  ['2009-02-20', '2009-08-20', 180, 180],
  ['2006-02-28', '2006-08-31', 180, 182],
  ['2006-08-31', '2007-02-28', 178, 178],
  ['2007-02-28', '2007-08-31', 180, 182],
  ['2007-08-31', '2008-02-29', 179, 179],
  ['2008-02-29', '2008-08-31', 180, 181],
  ['2008-08-31', '2009-02-28', 178, 178],
  ['2009-02-28', '2009-08-31', 180, 182],
  ['2006-01-31', '2006-02-28', 28, 28],
  ['2006-01-30', '2006-02-28', 28, 28],
  ['2006-02-28', '2006-03-03', 3, 5],
  ['2006-02-14', '2006-02-28', 14, 14],
  ['2006-09-30', '2006-10-31', 30, 30],
  ['2006-10-31', '2006-11-28', 28, 28],
  ['2007-08-31', '2008-02-28', 178, 178],
  ['2008-02-28', '2008-08-28', 180, 180],
  ['2008-02-28', '2008-08-30', 182, 182],
  ['2008-02-28', '2008-08-31', 183, 182],
  ['2007-02-26', '2008-02-28', 362, 362],
  ['2007-02-26', '2008-02-29', 363, 363],
  ['2008-02-29', '2009-02-28', 360, 359],
  ['2008-02-28', '2008-03-30', 32, 32],
  ['2008-02-28', '2008-03-31', 33, 32],
];
describe('30/360 US and 30E/360 follow the published tables', () => {
  it.each(THIRTY)('%s to %s is %i and %i days', (from, to, us, eurobond) => {
    expect(countPeriod('30/360 US', from, to)).toEqual({
      days: us,
      fraction: { numerator: BigInt(us), denominator: 360n },
    });
    expect(countPeriod('30E/360', from, to).days).toBe(eurobond);
  });
});

it.each([
  ['ACT/360', '2024-01-01', '2025-01-01', 366, '1.016666666667'],
  ['ACT/365F', '2024-01-01', '2025-01-01', 366, '1.002739726027'],
  ['ACT/ACT ISDA', '2024-01-01', '2025-01-01', 366, '1.000000000000'],
  ['ACT/360', '2024-02-28', '2024-03-01', 2, '0.005555555556'],
  ['ACT/365F', '2023-02-28', '2023-03-01', 1, '0.002739726027'],
  ['ACT/ACT ISDA', '2000-02-29', '2100-02-28', 36_524, '99.997701923797'],
] as const)('%s from %s to %s is %i days, %s years', (dayCount, from, to, days, fraction) => {
  const counted = countPeriod(dayCount, from, to);
  expect([counted.days, fractionToDecimal(counted.fraction, 12)]).toEqual([days, fraction]);
});

describe('every convention', () => {
  it.each(DAY_COUNTS)('%s counts an empty period as zero, and refuses one that ends before it starts', (dayCount) => {
    expect(countPeriod(dayCount, '2024-02-29', '2024-02-29').days).toBe(0);
    expect(() => countPeriod(dayCount, '2024-03-01', '2024-02-29')).toThrow(RangeError);
  });

  it.each(DAY_COUNTS)('%s never counts a longer period as a shorter one', (dayCount) => {
    fc.assert(
      fc.property(inOrder(3), ([from, middle, to]) => {
        const [shorter, longer] = [countPeriod(dayCount, from, middle), countPeriod(dayCount, from, to)];
        expect(longer.days).toBeGreaterThanOrEqual(shorter.days);
        expect(shorter.days).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it.each(['ACT/360', 'ACT/365F', 'ACT/ACT ISDA'] as const)('%s adds up over a split period', (dayCount) => {
    fc.assert(
      fc.property(inOrder(3), ([from, middle, to]) => {
        const parts = addFractions(
          countPeriod(dayCount, from, middle).fraction,
          countPeriod(dayCount, middle, to).fraction,
        );
        expect(reduceFraction(parts)).toEqual(reduceFraction(countPeriod(dayCount, from, to).fraction));
      }),
    );
  });

  it.each(['30/360 US', '30E/360'] as const)(
    '%s counts whole months from the middle of a month as 30 days',
    (dayCount) => {
      fc.assert(
        fc.property(fc.integer({ min: 1, max: 28 }), fc.integer({ min: 0, max: 240 }), (day, months) => {
          const to = new Date(Date.UTC(2023, months, Math.min(day, 27))).toISOString().slice(0, 10);
          expect(countPeriod(dayCount, `2023-01-${String(Math.min(day, 27)).padStart(2, '0')}`, to).days).toBe(
            30 * months,
          );
        }),
      );
    },
  );
});
