import { describe, expect, it } from 'vitest';
import {
  adjustDate,
  BUSINESS_CALENDARS,
  type BusinessCalendar,
  businessDaysAfter,
  isBusinessDay,
} from './business-calendar.ts';

describe('business days', () => {
  it.each<[BusinessCalendar, string, string, string]>([
    // The holiday, and the business days on each side of it.
    ['newYork', '2026-01-02', '2026-01-01', '2025-12-31'],
    ['newYork', '2026-01-20', '2026-01-19', '2026-01-16'],
    ['newYork', '2026-02-17', '2026-02-16', '2026-02-13'],
    ['newYork', '2026-05-26', '2026-05-25', '2026-05-22'],
    ['newYork', '2026-06-22', '2026-06-19', '2026-06-18'],
    // 4 July 2027 is a Sunday.
    ['newYork', '2027-07-06', '2027-07-05', '2027-07-02'],
    ['newYork', '2026-09-08', '2026-09-07', '2026-09-04'],
    ['newYork', '2026-10-13', '2026-10-12', '2026-10-09'],
    ['newYork', '2026-11-12', '2026-11-11', '2026-11-10'],
    ['newYork', '2026-11-27', '2026-11-26', '2026-11-25'],
    ['newYork', '2026-12-28', '2026-12-25', '2026-12-24'],
    ['target', '2026-04-07', '2026-04-03', '2026-04-02'],
    ['target', '2026-04-07', '2026-04-06', '2026-04-02'],
    ['target', '2024-04-02', '2024-03-29', '2024-03-28'],
    ['target', '2025-04-22', '2025-04-21', '2025-04-17'],
    ['target', '2026-05-04', '2026-05-01', '2026-04-30'],
    ['target', '2024-12-27', '2024-12-26', '2024-12-24'],
  ])('%s: between %s and %s is the holiday %s', (calendar, after, holiday, before) => {
    expect([after, holiday, before].map((day) => isBusinessDay(day, calendar))).toEqual([true, false, true]);
    expect(adjustDate(holiday, 'following', calendar)).toBe(after);
    expect(adjustDate(holiday, 'preceding', calendar)).toBe(before);
    expect(isBusinessDay(holiday, 'weekdays')).toBe(true);
  });

  it('knows that the Federal Reserve is open before a holiday on a Saturday, and had no Juneteenth before 2021', () => {
    expect(isBusinessDay('2026-07-03', 'newYork')).toBe(true);
    expect(isBusinessDay('2020-06-19', 'newYork')).toBe(true);
    expect(isBusinessDay('2021-06-18', 'newYork')).toBe(true);
    expect(isBusinessDay('2022-06-20', 'newYork')).toBe(false);
  });

  it.each(BUSINESS_CALENDARS)('%s has no business day on a weekend', (calendar) => {
    expect(['2026-11-27', '2026-11-28', '2026-11-29', '2026-11-30'].map((day) => isBusinessDay(day, calendar))).toEqual(
      [true, false, false, true],
    );
  });

  it('moves a date by its rule, within its month if the rule says so', () => {
    // 31 October 2026 is a Saturday.
    const rules = ['none', 'following', 'modifiedFollowing', 'preceding'] as const;
    expect(rules.map((rule) => adjustDate('2026-10-31', rule, 'weekdays'))).toEqual([
      '2026-10-31',
      '2026-11-02',
      '2026-10-30',
      '2026-10-30',
    ]);
    expect(adjustDate('2026-11-14', 'modifiedFollowing', 'weekdays')).toBe('2026-11-16');
    expect(adjustDate('2026-11-30', 'following', 'weekdays')).toBe('2026-11-30');
  });

  it('counts business days after a date over weekends and holidays', () => {
    expect(businessDaysAfter('2026-11-25', 1, 'weekdays')).toBe('2026-11-26');
    expect(businessDaysAfter('2026-11-25', 1, 'newYork')).toBe('2026-11-27');
    expect(businessDaysAfter('2026-10-31', 10, 'weekdays')).toBe('2026-11-13');
    expect(businessDaysAfter('2026-10-31', 10, 'newYork')).toBe('2026-11-16');
    expect(businessDaysAfter('2026-10-31', 0, 'newYork')).toBe('2026-10-31');
  });
});
