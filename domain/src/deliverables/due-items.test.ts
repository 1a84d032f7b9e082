import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BUSINESS_CALENDARS, BUSINESS_DAY_RULES } from '../dates/business-calendar.ts';
import { fromEpochDay, monthEndOf, toEpochDay } from '../dates/calendar-day.ts';
import { DAYS_UNITS, DELIVERABLE_FREQUENCIES } from './deliverable-labels.ts';
import { dueInWords, periodInWords } from './deliverable-words.ts';
import { type DueTerms, dueItem, dueItems, isAtEndOf, itemState, periodDueDate } from './due-items.ts';

const TAPE: DueTerms = {
  frequency: 'monthly',
  firstPeriodEnd: '2026-01-31',
  daysAfter: 10,
  daysUnit: 'calendar',
  businessDayRule: 'following',
  calendar: 'weekdays',
};

describe('due dates', () => {
  it.each<[string, Partial<DueTerms>, string, string]>([
    ['a business day', {}, '2026-09-30', '2026-10-12'],
    ['a Saturday moves to Monday', {}, '2026-10-31', '2026-11-10'],
    ['the end of February in a leap year', { daysAfter: 1, businessDayRule: 'none' }, '2028-02-29', '2028-03-01'],
    ['the end of February in another year', { daysAfter: 1, businessDayRule: 'none' }, '2027-02-28', '2027-03-01'],
    ['a Saturday stays', { businessDayRule: 'none' }, '2026-09-30', '2026-10-10'],
    ['a Saturday moves to Friday', { businessDayRule: 'preceding' }, '2026-09-30', '2026-10-09'],
    ['a holiday in New York', { daysAfter: 26, calendar: 'newYork' }, '2026-10-31', '2026-11-27'],
    ['10 business days', { daysUnit: 'business' }, '2026-09-30', '2026-10-14'],
    ['10 business days around Columbus Day', { daysUnit: 'business', calendar: 'newYork' }, '2026-09-30', '2026-10-15'],
    [
      'the last day itself, a Saturday',
      { daysAfter: 0, businessDayRule: 'modifiedFollowing' },
      '2026-10-31',
      '2026-10-30',
    ],
    ['a year of days', { daysAfter: 365, businessDayRule: 'none' }, '2027-12-31', '2028-12-30'],
  ])('%s', (_, terms, periodEnd, due) => {
    expect(periodDueDate({ ...TAPE, ...terms }, periodEnd)).toBe(due);
  });
});

describe('the items of a deliverable', () => {
  it('are those around a day, with their periods', () => {
    const items = dueItems(TAPE, '2026-03-10', { back: 24, ahead: 2 });
    expect(items).toEqual([
      { period: { after: '2025-12-31', to: '2026-01-31' }, dueDate: '2026-02-10' },
      { period: { after: '2026-01-31', to: '2026-02-28' }, dueDate: '2026-03-10' },
      { period: { after: '2026-02-28', to: '2026-03-31' }, dueDate: '2026-04-10' },
      { period: { after: '2026-03-31', to: '2026-04-30' }, dueDate: '2026-05-11' },
    ]);
  });

  it('are at most 24 that were due, and 12 that are due later', () => {
    const long = { ...TAPE, firstPeriodEnd: '2000-01-31' };
    const items = dueItems(long, '2026-03-10');
    expect([items.length, items[0]?.period.to, items.at(-1)?.period.to]).toEqual([36, '2024-03-31', '2027-02-28']);
    expect(items.filter(({ dueDate }) => dueDate <= '2026-03-10')).toHaveLength(24);
    // The day before one is due, the one before it is the last that was due.
    expect(
      dueItems(long, '2026-03-09')
        .filter(({ dueDate }) => dueDate <= '2026-03-09')
        .at(-1)?.period.to,
    ).toBe('2026-01-31');
  });

  it('end with the last period', () => {
    const ends = dueItems({ ...TAPE, lastPeriodEnd: '2026-03-31' }, '2026-03-10').map(({ period }) => period.to);
    expect(ends).toEqual(['2026-01-31', '2026-02-28', '2026-03-31']);
    expect(dueItem({ ...TAPE, lastPeriodEnd: '2026-03-31' }, '2026-03-31')).not.toBeNull();
    expect(dueItem({ ...TAPE, lastPeriodEnd: '2026-03-31' }, '2026-04-30')).toBeNull();
    expect(dueItem({ ...TAPE, lastPeriodEnd: '2026-03-30' }, '2026-03-31')).toBeNull();
  });

  it('are one, of the month until its date, if it is owed once', () => {
    const once: DueTerms = { ...TAPE, frequency: 'once', firstPeriodEnd: '2026-03-15' };
    const item = { period: { after: '2026-02-15', to: '2026-03-15' }, dueDate: '2026-03-25' };
    expect(dueItems(once, '2026-01-01')).toEqual([item]);
    expect(dueItems(once, '2027-01-01')).toEqual([item]);
    expect(dueItem(once, '2026-03-15')).toEqual(item);
    expect(dueItem(once, '2026-04-15')).toBeNull();
  });

  it('exist for the ends of periods alone', () => {
    const quarterly: DueTerms = { ...TAPE, frequency: 'quarterly', firstPeriodEnd: '2026-03-31', daysAfter: 45 };
    expect(dueItem(quarterly, '2025-12-31')).toBeNull();
    expect(dueItem(quarterly, '2026-06-29')).toBeNull();
    expect(dueItem(quarterly, '2026-05-31')).toBeNull();
    expect(dueItem(quarterly, '2026-06-30')).toEqual({
      period: { after: '2026-03-31', to: '2026-06-30' },
      dueDate: '2026-08-14',
    });
  });

  it('are the items of their periods, whatever the terms and the day', () => {
    const day = fc.integer({ min: toEpochDay('2000-01-01'), max: toEpochDay('2060-12-31') }).map(fromEpochDay);
    const terms = fc.record({
      frequency: fc.constantFrom(...DELIVERABLE_FREQUENCIES),
      firstPeriodEnd: day.map(monthEndOf),
      lastPeriodEnd: fc.option(day),
      daysAfter: fc.integer({ min: 0, max: 365 }),
      daysUnit: fc.constantFrom(...DAYS_UNITS),
      businessDayRule: fc.constantFrom(...BUSINESS_DAY_RULES),
      calendar: fc.constantFrom(...BUSINESS_CALENDARS),
    });
    fc.assert(
      fc.property(terms, day, (owed, today) => {
        const items = dueItems(owed, today);
        const due = items.filter(({ dueDate }) => dueDate <= today).length;
        expect(due).toBeLessThanOrEqual(24);
        expect(items.length - due).toBeLessThanOrEqual(12);
        // Neither an earlier period that is due later, nor a later one that was due, is left out.
        const [first, last] = [items[0], items.at(-1)];
        if (due < 24 && first && owed.frequency !== 'once') expect(first.period.to).toBe(owed.firstPeriodEnd);
        if (items.length - due < 12 && last && owed.frequency !== 'once') expect(owed.lastPeriodEnd).not.toBeNull();
        for (const item of items) {
          if (owed.lastPeriodEnd === null || item.period.to <= owed.lastPeriodEnd) {
            expect(dueItem(owed, item.period.to)).toEqual(item);
          }
        }
      }),
    );
  });
});

describe('the state of an item', () => {
  it.each([
    ['due', null, '2026-11-10'],
    ['late', null, '2026-11-11'],
    ['due', 'Returned', '2026-11-10'],
    ['late', 'Returned', '2026-11-11'],
    ['late', 'Withdrawn', '2026-11-11'],
    ['received', 'Received', '2026-12-31'],
    ['accepted', 'Accepted', '2026-12-31'],
    ['waived', 'Waived', '2026-12-31'],
  ] as const)('is %s after %s on %s', (state, status, today) => {
    expect(itemState('2026-11-10', status && { status }, today)).toBe(state);
  });

  it.each([
    ['a month', '2026-09-30'],
    ['a quarter', '2026-07-31'],
    ['a year', '2025-10-31'],
  ])('a date is at the end of %s from the first day of its last month until its last', (_name, after) => {
    const period = { after, to: '2026-10-31' };
    const days = ['2026-07-31', '2026-09-30', '2026-10-01', '2026-10-31', '2026-11-01'];
    expect(days.map((day) => isAtEndOf(period, day))).toEqual([false, false, true, true, false]);
  });
});

it('reads in words', () => {
  expect(dueInWords(TAPE)).toBe('Monthly, 10 days after the period, next business day');
  expect(dueInWords({ ...TAPE, daysAfter: 1, daysUnit: 'business', businessDayRule: 'none' })).toBe(
    'Monthly, 1 business day after the period',
  );
  expect(dueInWords({ ...TAPE, frequency: 'once', daysAfter: 0, businessDayRule: 'none' })).toBe('Once, on its date');
  expect(periodInWords('monthly', '2026-10-31')).toBe('Oct 2026');
  expect(periodInWords('quarterly', '2026-09-30')).toBe('Period to 30 Sep 2026');
  expect(periodInWords('once', '2026-09-30')).toBe('As of 30 Sep 2026');
});
