import { addBusinessDays, addDays, type CalendarDate, fromEpochDay, toEpochDay } from '../dates/calendar-date.ts';
import { valuesOf } from '../documents/labels.ts';

/** Days before the due date on which the first reminder of a call is sent. */
export const DAYS_BEFORE_DUE = 5;

/** The reminders of a call, in the order of their days. */
export const REMINDER_LABELS = {
  before: `${DAYS_BEFORE_DUE} days before the due date`,
  due: 'On the due date',
  late1: '1 business day after',
  late5: '5 business days after',
  late10: '10 business days after',
} as const;
export const REMINDER_KINDS = valuesOf(REMINDER_LABELS);
export type ReminderKind = (typeof REMINDER_KINDS)[number];

/** Which reminders a fund sends: each once, in their order. */
export const chosenReminders = (chosen: Iterable<ReminderKind>): ReminderKind[] => {
  const all = new Set(chosen);
  return REMINDER_KINDS.filter((kind) => all.has(kind));
};

/** Of a reminder that a person sends. */
export const BY_HAND = 'byHand';
export const SENT_REMINDER_LABELS = { ...REMINDER_LABELS, [BY_HAND]: 'Sent by hand' } as const;
export type SentReminder = keyof typeof SENT_REMINDER_LABELS;

/** Business days after the last reminder until which it is still sent if no worker ran on its day. */
const LAST_CAUGHT_UP = 5;

/** The day of a reminder of what is due on a date. Business days are Monday to Friday: holidays differ by country. */
export function reminderDay(kind: ReminderKind, dueDate: CalendarDate): CalendarDate {
  if (kind === 'before') return addDays(dueDate, -DAYS_BEFORE_DUE);
  return kind === 'due' ? dueDate : addBusinessDays(dueDate, Number(kind.slice('late'.length)));
}

/**
 * The reminder that is sent on a day of what is due on a date; null if none is. Each is sent from its day until the day
 * before the next one, so that a day on which no worker ran is caught up and nobody gets two at once.
 */
export function reminderOn(day: CalendarDate, dueDate: CalendarDate): ReminderKind | null {
  if (day >= addBusinessDays(reminderDay('late10', dueDate), LAST_CAUGHT_UP)) return null;
  return REMINDER_KINDS.findLast((kind) => reminderDay(kind, dueDate) <= day) ?? null;
}

/** The due dates that are reminded of on a day, each with its reminder. */
export function remindedDueDates(day: CalendarDate): Map<CalendarDate, ReminderKind> {
  const today = toEpochDay(day);
  // Fifteen business days are at most 23 days.
  return new Map(
    Array.from({ length: 24 + DAYS_BEFORE_DUE }, (_, index) => fromEpochDay(today + DAYS_BEFORE_DUE - index)).flatMap(
      (dueDate) => {
        const kind = reminderOn(day, dueDate);
        return kind === null ? [] : [[dueDate, kind] as const];
      },
    ),
  );
}
