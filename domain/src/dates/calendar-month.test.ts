import fc from 'fast-check';
import { expect, test } from 'vitest';
import { daysOfMonth, isCalendarMonth, monthAfter, weeksOfMonth } from './calendar-month.ts';

test('a month that starts on a Sunday and a February of exactly four weeks have only the weeks they need', () => {
  expect(weeksOfMonth('2026-11').map((week) => [week[0], week[6]])).toEqual([
    ['2026-10-26', '2026-11-01'],
    ['2026-11-02', '2026-11-08'],
    ['2026-11-09', '2026-11-15'],
    ['2026-11-16', '2026-11-22'],
    ['2026-11-23', '2026-11-29'],
    ['2026-11-30', '2026-12-06'],
  ]);
  expect(weeksOfMonth('2027-02')).toHaveLength(4);
});

test('a leap day belongs to its month', () => {
  expect([daysOfMonth('2028-02').to, daysOfMonth('2027-02').to]).toEqual(['2028-02-29', '2027-02-28']);
});

test('only a real month is a month', () => {
  expect(['2026-11', '2026-13', '2026-1', '2026-11-01', '', null].map(isCalendarMonth)).toEqual([
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
});

test('the weeks of a month start on a Monday, have every day of it once, and months add up', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1960, max: 2200 }), fc.integer({ min: 1, max: 12 }), (year, index) => {
      const month = `${year}-${String(index).padStart(2, '0')}`;
      const weeks = weeksOfMonth(month);
      const { from, to } = daysOfMonth(month);
      const own = weeks.flat().filter((day) => day.startsWith(month));
      expect(new Date(`${weeks[0]![0]}T00:00:00Z`).getUTCDay()).toBe(1);
      expect([own[0], own.at(-1), own.length]).toEqual([from, to, Number(to.slice(8))]);
      expect(monthAfter(monthAfter(month, 7), -7)).toBe(month);
    }),
  );
});
