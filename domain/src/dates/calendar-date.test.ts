import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addBusinessDays,
  addMonths,
  businessDaysBetween,
  calendarDateSchema,
  DAYS_PER,
  daysBetween,
  formatCalendarDate,
  fromEpochDay,
  isCalendarDate,
  monthEndOf,
  toEpochDay,
} from './calendar-date.ts';

const HOW_TO_WRITE = 'Enter a date as YYYY-MM-DD, for example 2026-10-31';

test.each([
  ['2026-10-31', true],
  ['2028-02-29', true],
  ['2026-02-29', false],
  ['1900-02-29', false],
  ['2000-02-29', true],
  ['2026-13-01', false],
  ['2026-00-10', false],
  ['2026-04-31', false],
  ['0000-01-01', false],
  ['2026-1-1', false],
  ['2026-10-31T00:00:00Z', false],
  [' 2026-10-31', false],
  [20261031, false],
  [null, false],
])('%j is a calendar date: %s', (value, expected) => {
  expect(isCalendarDate(value)).toBe(expected);
});

describe('the schema of a date', () => {
  const problem = (value: unknown) => calendarDateSchema.safeParse(value).error?.issues[0]?.message;

  test.each([
    ['2026-10-31', undefined],
    ['2026-10-32', HOW_TO_WRITE],
    ['', HOW_TO_WRITE],
    [20261031, HOW_TO_WRITE],
    [undefined, 'is required'],
    [null, 'is required'],
    ['1949-12-31', 'must be between 1950 and 2150'],
    ['1950-01-01', undefined],
    ['2150-12-31', undefined],
    ['2151-01-01', 'must be between 1950 and 2150'],
  ])('answers for %j: %s', (value, message) => {
    expect(problem(value)).toBe(message);
  });
});

test('Dates convert to days since 1970 and back, and keep their order', () => {
  const anyDay = fc.integer({ min: toEpochDay('1000-01-01'), max: toEpochDay('9999-12-31') });
  fc.assert(
    fc.property(anyDay, anyDay, (one, other) => {
      const [a, b] = [fromEpochDay(one), fromEpochDay(other)];
      expect(isCalendarDate(a)).toBe(true);
      expect(toEpochDay(a)).toBe(one);
      expect(daysBetween(a, b)).toBe(other - one);
      expect(a < b).toBe(one < other);
    }),
  );
});

test.each([
  ['2026-10-31', '2026-11-01', 1],
  ['2026-11-01', '2026-10-31', -1],
  // Daylight-saving changes.
  ['2026-03-28', '2026-03-30', 2],
  ['2028-02-28', '2028-03-01', 2],
  ['2026-02-28', '2026-03-01', 1],
  ['1970-01-01', '2026-11-21', 20778],
])('From %s to %s are %i days', (from, to, days) => {
  expect(daysBetween(from, to)).toBe(days);
});

test.each([
  ['2025-11-15', 3, '2026-02-15'],
  ['2026-01-15', -1, '2025-12-15'],
  ['2024-01-31', 1, '2024-02-29'],
  ['2025-01-31', 1, '2025-02-28'],
  ['2025-02-28', 12, '2026-02-28'],
])('%s and %i months are %s', (date, months, later) => {
  expect(addMonths(date, months)).toBe(later);
});

test('A month, quarter and year have the lengths of the product', () => {
  expect(DAYS_PER).toEqual({ days: 1, weeks: 7, months: 30.4375, quarters: 91.3125, years: 365.25 });
});

test('A date is formatted for people', () => {
  expect(formatCalendarDate('2026-10-31')).toBe('31 Oct 2026');
  expect(formatCalendarDate('2026-01-05')).toBe('5 Jan 2026');
});

test('months end on their last day', () => {
  expect(['2026-01-31', '2026-02-01', '2028-02-28', '2026-12-15'].map(monthEndOf)).toEqual([
    '2026-01-31',
    '2026-02-28',
    '2028-02-29',
    '2026-12-31',
  ]);
});

describe('business days', () => {
  test.each([
    ['2026-11-27', 1, '2026-11-30'],
    ['2026-11-28', 1, '2026-11-30'],
    ['2026-11-29', 5, '2026-12-04'],
    ['2026-11-28', 10, '2026-12-11'],
    ['2026-11-25', 10, '2026-12-09'],
  ])('%s and %i of them is %s', (date, days, expected) => {
    expect(addBusinessDays(date, days)).toBe(expected);
  });

  test('that are added lie between the two dates, and the last of them is one', () => {
    fc.assert(
      fc.property(fc.integer({ min: -7000, max: 60_000 }), fc.integer({ min: 1, max: 400 }), (epochDay, days) => {
        const date = fromEpochDay(epochDay);
        const end = addBusinessDays(date, days);
        expect(businessDaysBetween(date, end)).toBe(days);
        expect(businessDaysBetween(date, fromEpochDay(toEpochDay(end) - 1))).toBe(days - 1);
      }),
    );
  });
});
