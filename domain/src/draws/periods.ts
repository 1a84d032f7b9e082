import { type CalendarDate, fromEpochDay, toEpochDay } from '../dates/calendar-date.ts';
import type { DRAW_FREQUENCIES } from '../facilities/terms.schema.ts';

export type DrawFrequency = (typeof DRAW_FREQUENCIES)[number];

/** The first and the last day of a calendar period. */
export interface CalendarPeriod {
  start: CalendarDate;
  end: CalendarDate;
}

/** 1970-01-01 was a Thursday, three days after a Monday. */
const MONDAY_OFFSET = 3;
const MONTHS_PER = { Monthly: 1, Quarterly: 3, Annualy: 12 } as const;

const monthStart = (year: number, month: number): number => Math.round(Date.UTC(year, month, 1) / 86_400_000);

/** The calendar period that a day is in. Weeks start on Monday. */
export function periodOf(date: CalendarDate, frequency: DrawFrequency): CalendarPeriod {
  if (frequency === 'Daily') return { start: date, end: date };
  if (frequency === 'Weekly') {
    const day = toEpochDay(date);
    const monday = day - ((((day + MONDAY_OFFSET) % 7) + 7) % 7);
    return { start: fromEpochDay(monday), end: fromEpochDay(monday + 6) };
  }
  const months = MONTHS_PER[frequency];
  const [year, month] = date.split('-').map(Number) as [number, number];
  const first = Math.floor((month - 1) / months) * months;
  return {
    start: fromEpochDay(monthStart(year, first)),
    end: fromEpochDay(monthStart(year, first + months) - 1),
  };
}

export const isWithin = (date: CalendarDate, { start, end }: CalendarPeriod): boolean => date >= start && date <= end;
