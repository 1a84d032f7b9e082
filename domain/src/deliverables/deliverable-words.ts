import { BUSINESS_DAY_RULE_LABELS } from '../dates/business-calendar.ts';
import { type CalendarDate, formatCalendarDate } from '../dates/calendar-day.ts';
import { DELIVERABLE_FREQUENCY_LABELS, type DeliverableFrequency } from './deliverable-labels.ts';
import type { DueTerms } from './due-items.ts';

/** The period as lists name it: the month of a monthly one, else the day on which it ends. */
export const periodInWords = (frequency: DeliverableFrequency, periodEnd: CalendarDate): string =>
  frequency === 'monthly'
    ? formatCalendarDate(periodEnd).split(' ').slice(1).join(' ')
    : `${frequency === 'once' ? 'As of' : 'Period to'} ${formatCalendarDate(periodEnd)}`;

/** "Monthly, 15 days after the month, next business day". */
export function dueInWords({ frequency, daysAfter, daysUnit, businessDayRule }: DueTerms): string {
  const days = `${daysAfter} ${daysUnit === 'business' ? 'business ' : ''}${daysAfter === 1 ? 'day' : 'days'}`;
  const isOnce = frequency === 'once';
  return [
    DELIVERABLE_FREQUENCY_LABELS[frequency],
    daysAfter === 0
      ? isOnce
        ? 'on its date'
        : 'on the last day of the period'
      : `${days} after ${isOnce ? 'its date' : 'the period'}`,
    ...(businessDayRule === 'none' ? [] : [BUSINESS_DAY_RULE_LABELS[businessDayRule].toLowerCase()]),
  ].join(', ');
}
