import { describe, expect, test } from 'vitest';
import { fromEpochDay, toEpochDay } from '../dates/calendar-date.ts';
import { remindedDueDates, reminderDay, reminderOn } from './reminders.ts';

// 14 October 2026 is a Wednesday.
const DUE = '2026-10-14';

describe('the reminder of a call', () => {
  test.each([
    ['2026-10-08', null],
    ['2026-10-09', 'before'],
    ['2026-10-13', 'before'],
    ['2026-10-14', 'due'],
    ['2026-10-15', 'late1'],
    ['2026-10-20', 'late1'],
    ['2026-10-21', 'late5'],
    ['2026-10-27', 'late5'],
    ['2026-10-28', 'late10'],
    ['2026-11-03', 'late10'],
    ['2026-11-04', null],
  ])('on %s is %s', (day, kind) => {
    expect(reminderOn(day, DUE)).toBe(kind);
  });

  test('counts business days from the Friday before if it is due on a weekend', () => {
    // A Saturday.
    expect(reminderDay('late1', '2026-10-17')).toBe('2026-10-19');
    expect(reminderOn('2026-10-18', '2026-10-17')).toBe('due');
    expect(reminderOn('2026-10-19', '2026-10-17')).toBe('late1');
    expect(reminderDay('late10', '2026-10-17')).toBe('2026-10-30');
  });

  test('is found for every due date, whatever the day of the week', () => {
    for (let weekday = 0; weekday < 7; weekday += 1) {
      const day = fromEpochDay(toEpochDay(DUE) + weekday);
      const all = Array.from({ length: 120 }, (_, index) => fromEpochDay(toEpochDay(day) + 60 - index));
      const expected = all.flatMap((due) => {
        const kind = reminderOn(day, due);
        return kind === null ? [] : [[due, kind]];
      });
      expect([...remindedDueDates(day)]).toEqual(expected);
    }
  });
});
