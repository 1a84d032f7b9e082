import {
  adjustDate,
  type BusinessCalendar,
  type BusinessDayRule,
  businessDaysAfter,
} from '../dates/business-calendar.ts';
import { addDays, addMonths, type CalendarDate, monthEndOf } from '../dates/calendar-day.ts';
import { latestIndex, periodEndAt, periodTo, type ReportingPeriod } from '../dates/reporting-periods.ts';
import {
  type DaysUnit,
  type DeliverableFrequency,
  type ItemState,
  type ItemStatus,
  MAX_DAYS_AFTER,
  MAX_ITEMS_AHEAD,
  MAX_ITEMS_BACK,
} from './deliverable-labels.ts';

/** What decides the periods of a deliverable and their due dates. */
export interface DueTerms {
  readonly frequency: DeliverableFrequency;
  readonly firstPeriodEnd: CalendarDate;
  readonly lastPeriodEnd?: CalendarDate | null | undefined;
  readonly daysAfter: number;
  readonly daysUnit: DaysUnit;
  readonly businessDayRule: BusinessDayRule;
  readonly calendar: BusinessCalendar;
}

/** What is owed for one period. */
export interface DueItem {
  readonly period: ReportingPeriod;
  readonly dueDate: CalendarDate;
}

/** The due date of the period that ends on a date. */
export function periodDueDate(terms: DueTerms, periodEnd: CalendarDate): CalendarDate {
  const { daysAfter, daysUnit, businessDayRule, calendar } = terms;
  const day =
    daysUnit === 'business' ? businessDaysAfter(periodEnd, daysAfter, calendar) : addDays(periodEnd, daysAfter);
  return adjustDate(day, businessDayRule, calendar);
}

/** The period that ends on a date. What is owed once is for the month until its date. */
const periodOf = ({ frequency }: DueTerms, to: CalendarDate): ReportingPeriod =>
  frequency === 'once' ? { after: addMonths(to, -1), to } : periodTo(frequency, to);

const itemOf = (terms: DueTerms, periodEnd: CalendarDate): DueItem => ({
  period: periodOf(terms, periodEnd),
  dueDate: periodDueDate(terms, periodEnd),
});

/** The item of the period that ends on a date; null if none does. */
export function dueItem(terms: DueTerms, periodEnd: CalendarDate): DueItem | null {
  const { frequency, firstPeriodEnd: first, lastPeriodEnd } = terms;
  if (periodEnd < first || (lastPeriodEnd != null && periodEnd > lastPeriodEnd)) return null;
  if (frequency === 'once') return periodEnd === first ? itemOf(terms, first) : null;
  const index = latestIndex({ first, frequency }, periodEnd);
  return index !== null && periodEndAt({ first, frequency }, index) === periodEnd ? itemOf(terms, periodEnd) : null;
}

/** The items around a day, by their due dates: the last `back` that were due by then, and the next `ahead`. */
export function dueItems(
  terms: DueTerms,
  today: CalendarDate,
  { back = MAX_ITEMS_BACK, ahead = MAX_ITEMS_AHEAD }: { back?: number; ahead?: number } = {},
): DueItem[] {
  const { frequency, firstPeriodEnd: first, lastPeriodEnd } = terms;
  if (frequency === 'once') {
    const item = itemOf(terms, first);
    return (item.dueDate <= today ? back : ahead) > 0 ? [item] : [];
  }
  // A period whose end is so long ago is due by now, whatever is added for weekends and holidays.
  const until = lastPeriodEnd != null && lastPeriodEnd < today ? lastPeriodEnd : today;
  const latest = latestIndex({ first, frequency }, until) ?? -1;
  const longest = Math.ceil(longestDays(terms) / DAYS_OF_MONTH);
  const from = Math.max(0, latest - longest - back);
  const items: DueItem[] = [];
  for (let index = from; index <= latest + ahead + 1; index += 1) {
    const end = periodEndAt({ first, frequency }, index);
    if (lastPeriodEnd != null && end > lastPeriodEnd) break;
    items.push(itemOf(terms, end));
  }
  const due = items.filter(({ dueDate }) => dueDate <= today).length;
  return items.slice(Math.max(0, due - back), due + ahead);
}
const DAYS_OF_MONTH = 28;
/** Five of seven days are business days, fewer around holidays. */
const longestDays = ({ daysAfter, daysUnit }: DueTerms): number =>
  Math.min(daysAfter, MAX_DAYS_AFTER) * (daysUnit === 'business' ? 1.6 : 1) + 14;

/** What is known of the item of a period: the latest that was done about it. */
export interface ItemFacts {
  readonly status: ItemStatus;
}

/** The state of an item on a day. A returned item is owed again. */
export function itemState(dueDate: CalendarDate, facts: ItemFacts | null, today: CalendarDate): ItemState {
  switch (facts?.status) {
    case 'Received':
      return 'received';
    case 'Accepted':
      return 'accepted';
    case 'Waived':
      return 'waived';
    default:
      return today > dueDate ? 'late' : 'due';
  }
}

/** Whether something is still to be sent: only such items are reminded of. */
export const isOwed = (state: ItemState): boolean => state === 'due' || state === 'late';

/**
 * Whether a date is in the last month of a period, as is the cut-off date of the tape or certificate that is owed for it: that of
 * July is none of the quarter until September.
 */
export const isAtEndOf = ({ after, to }: ReportingPeriod, date: CalendarDate): boolean =>
  date > after && date > monthEndOf(addMonths(to, -1)) && date <= to;
