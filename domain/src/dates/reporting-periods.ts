import { valuesOf } from '../documents/labels.ts';
import { addMonths, type CalendarDate, monthEndOf } from './calendar-day.ts';

/** How often something is reported, at the ends of months. */
export const FREQUENCY_LABELS = {
  monthly: 'Monthly',
  quarterly: 'Quarterly',
  halfYearly: 'Every six months',
  yearly: 'Yearly',
} as const;
export const FREQUENCIES = valuesOf(FREQUENCY_LABELS);
export type Frequency = (typeof FREQUENCIES)[number];

const MONTHS: Readonly<Record<Frequency, number>> = { monthly: 1, quarterly: 3, halfYearly: 6, yearly: 12 };

/** How many periods there are in a year. */
export const timesPerYear = (frequency: Frequency): number => 12 / MONTHS[frequency];

/** Periods that end with months: the first end decides those after it. */
export interface Periods {
  readonly first: CalendarDate;
  readonly frequency: Frequency;
}

const monthsBetween = (from: CalendarDate, to: CalendarDate): number =>
  (Number(to.slice(0, 4)) - Number(from.slice(0, 4))) * 12 + Number(to.slice(5, 7)) - Number(from.slice(5, 7));

/** The end of the period so many after the first one; before it, if the index is negative. */
export const periodEndAt = ({ first, frequency }: Periods, index: number): CalendarDate =>
  monthEndOf(addMonths(first, index * MONTHS[frequency]));

/** The last end of a period that is not after the day; null before the first one. */
export function latestPeriodEnd(periods: Periods, day: CalendarDate): CalendarDate | null {
  const index = latestIndex(periods, day);
  return index === null ? null : periodEndAt(periods, index);
}

/** The index of `latestPeriodEnd`. */
export function latestIndex(periods: Periods, day: CalendarDate): number | null {
  if (day < periods.first) return null;
  const index = Math.floor(monthsBetween(periods.first, day) / MONTHS[periods.frequency]);
  return periodEndAt(periods, index) <= day ? index : index - 1;
}

/** The first end of a period after the day. */
export function nextPeriodEnd(periods: Periods, day: CalendarDate): CalendarDate {
  const index = latestIndex(periods, day);
  return index === null ? periods.first : periodEndAt(periods, index + 1);
}

/** The ends of periods until a day, at most `most`, the last ones. */
export function periodEndsUntil(periods: Periods, day: CalendarDate, most: number): CalendarDate[] {
  const latest = latestIndex(periods, day);
  if (latest === null) return [];
  const count = Math.min(latest + 1, most);
  return Array.from({ length: count }, (_, index) => periodEndAt(periods, latest + 1 - count + index));
}

/** The days after `after`, to `to`. */
export interface ReportingPeriod {
  readonly after: CalendarDate;
  readonly to: CalendarDate;
}

/** The period so many periods before the one that ends on a date. */
export const periodTo = (frequency: Frequency, end: CalendarDate, before = 0): ReportingPeriod => {
  const at = (count: number) => monthEndOf(addMonths(end, -count * MONTHS[frequency]));
  return { after: at(before + 1), to: at(before) };
};
