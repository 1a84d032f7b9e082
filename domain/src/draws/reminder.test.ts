import { expect, test } from 'vitest';
import { remindAt } from './reminder.ts';

// 2026-11-09 is a Monday.
test.each([
  ['2026-11-13', '2026-11-11'],
  ['2026-11-11', '2026-11-09'],
  ['2026-11-10', '2026-11-06'],
  ['2026-11-09', '2026-11-05'],
  ['2026-11-08', '2026-11-05'],
  ['2026-11-07', '2026-11-05'],
  ['2026-03-03', '2026-02-27'],
  ['1970-01-06', '1970-01-02'],
  ['1969-12-30', '1969-12-26'],
])('a request due on %s is reminded of on %s', (dueDate, day) => {
  expect(remindAt(dueDate)).toBe(`${day}T08:00:00.000Z`);
});
