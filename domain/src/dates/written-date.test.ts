import { describe, expect, it } from 'vitest';
import { formatCalendarDate, fromEpochDay } from './calendar-date.ts';
import { plainDate, typedDates } from './written-date.ts';

describe('a date', () => {
  it.each([
    ['2026-10-31', '2026-10-31'],
    ['2026-10-31T00:00:00Z', '2026-10-31'],
    ['2026-10-31 14:30:00', '2026-10-31'],
    ['2026/1/5', '2026-01-05'],
    ['20261031', '2026-10-31'],
    ['31/10/2026', '2026-10-31'],
    ['31.10.26', '2026-10-31'],
    ['31.10.75', '1975-10-31'],
    ['10/31/2026', '2026-10-31'],
    ['10/31/2026 12:00:00 AM', '2026-10-31'],
    ['5/5/2026', '2026-05-05'],
    ['31-Oct-2026', '2026-10-31'],
    ['31 October 2026', '2026-10-31'],
    ['1 Sept 26', '2026-09-01'],
    ['Oct 31, 2026', '2026-10-31'],
    ['October 31st 2026', '2026-10-31'],
    ['46326', '2026-10-31'],
  ])('written as %s is read without knowing the form of the file', (text, date) => {
    expect(plainDate(text, null)).toBe(date);
  });

  it.each(['31/11/2026', '13/13/2026', '2026-02-30', 'Oct 2026', 'Q3 2026', '30 Foo 2026', '2026', '12', '99999', ''])(
    'is not %s',
    (text) => {
      expect(plainDate(text, true)).toBeNull();
      expect(plainDate(text, false)).toBeNull();
    },
  );

  it('with two numbers that can be the month is read as the file writes them', () => {
    expect(plainDate('03/04/2026', true)).toBe('2026-04-03');
    expect(plainDate('03/04/2026', false)).toBe('2026-03-04');
    expect(plainDate('03/04/2026', null)).toBeNull();
    // Only one reading is a date.
    expect(plainDate('10/31/2026', true)).toBe('2026-10-31');
  });
});

describe('a typed date', () => {
  it.each([
    ['31 Oct 2026', ['2026-10-31']],
    ['10/31/2026', ['2026-10-31']],
    [' 2026-10-31 ', ['2026-10-31']],
    ['03/04/2026', ['2026-04-03', '2026-03-04']],
    ['46326', []],
    ['31/11/2026', []],
    ['tomorrow', []],
    ['1'.repeat(1_000_000), []],
  ])('written as %.20s can mean %j', (text, dates) => {
    expect(typedDates(text)).toEqual(dates);
  });

  it('is the one that is shown, for every day', () => {
    for (let day = 0; day < 40_000; day += 13) {
      const date = fromEpochDay(day);
      expect(typedDates(formatCalendarDate(date))).toEqual([date]);
      expect(typedDates(date)).toEqual([date]);
    }
  });
});
