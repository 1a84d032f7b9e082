import { expect, test } from 'vitest';
import { checked, isOver, reminded, STARTED, untilReminder } from './state.ts';

const HOUR = 3_600_000;
const at = (time: string) => ({ now: Date.parse(time), urgentAfterMs: 4 * HOUR });
const waiting = {
  isOpen: true,
  dueDate: '2026-11-13',
  requestedAt: '2026-11-02T10:00:00.000Z',
  remindAt: '2026-11-11T08:00:00.000Z',
};
const open = checked(STARTED, waiting);

test('a waiting request is reminded of at its time, once for each due date', () => {
  expect(untilReminder(open, at('2026-11-11T07:00:00Z'))).toBe(HOUR);
  expect(untilReminder(open, at('2026-11-12T07:00:00Z'))).toBe(0);
  const done = reminded(open, waiting.dueDate);
  expect(untilReminder(done, at('2026-11-12T07:00:00Z'))).toBeNull();
  const later = { ...waiting, dueDate: '2026-11-17', remindAt: '2026-11-13T08:00:00.000Z' };
  expect(untilReminder(checked(done, later), at('2026-11-12T08:00:00Z'))).toBe(24 * HOUR);
});

test('a request that arrives late is reminded of a while after it arrived', () => {
  const late = checked(STARTED, { ...waiting, requestedAt: '2026-11-12T10:00:00.000Z' });
  expect(untilReminder(late, at('2026-11-12T11:00:00Z'))).toBe(3 * HOUR);
});

test('a decided or deleted request is over and needs no reminder', () => {
  const decided = checked(open, { ...waiting, isOpen: false });
  expect([isOver(open), isOver(decided), isOver(checked(open, null))]).toEqual([false, true, true]);
  expect(untilReminder(decided, at('2026-11-12T08:00:00Z'))).toBeNull();
});
