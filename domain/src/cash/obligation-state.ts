import { type CalendarDate, daysBetween } from '../dates/calendar-date.ts';
import { type DecimalText, isZero } from '../money/decimal.ts';
import type { Age, ObligationState } from './labels.ts';

interface Owed {
  readonly dueDate: CalendarDate;
  /** What is neither paid nor closed with a difference. */
  readonly open: DecimalText;
  readonly allocated: DecimalText;
}

/** Days since something was due; zero on that day and before. */
export const daysLate = (dueDate: CalendarDate, today: CalendarDate): number =>
  Math.max(0, daysBetween(dueDate, today));

/** How far an obligation is paid. What is late is overdue, also if a part of it was paid. */
export function obligationState({ dueDate, open, allocated }: Owed, today: CalendarDate): ObligationState {
  if (isZero(open)) return 'paid';
  if (dueDate < today) return 'overdue';
  if (!isZero(allocated)) return 'partlyPaid';
  return dueDate === today ? 'due' : 'upcoming';
}

/** The last day late of each age. */
const UNTIL: readonly (readonly [Age, number])[] = [
  ['notDue', 0],
  ['to30', 30],
  ['to60', 60],
  ['to90', 90],
];

/** How late it is by now. */
export function ageOf(dueDate: CalendarDate, today: CalendarDate): Age {
  const days = daysLate(dueDate, today);
  return UNTIL.find(([, last]) => days <= last)?.[0] ?? 'over90';
}
