import { addDays, calendarDateOf } from '@tapeline/domain/dates/calendar-date.ts';
import { typedDates } from '@tapeline/domain/dates/written-date.ts';

/** Month-ends that a date field suggests: a year of them, and the next one. */
const SUGGESTED = 13;

/** The last days of months, the latest first, from the end of the month of this day. @param today YYYY-MM-DD */
export function monthEnds(today: string): string[] {
  const [year, month] = today.split('-').map(Number) as [number, number];
  return Array.from({ length: SUGGESTED }, (_, back) => {
    const next = calendarDateOf(new Date(Date.UTC(year, month - back, 1)));
    return addDays(next, -1);
  });
}

/** The id of a form's list of month-ends. */
export const monthEndsId = (formId: string): string => `${formId}-month-ends`;

/**
 * Reads a date that is pasted into a date field as people write it: "31 Oct 2026". Browsers accept only their own form.
 * @returns whether the field has it now
 */
export function pasteDate(target: EventTarget, text: string): boolean {
  if (!(target instanceof HTMLInputElement) || target.type !== 'date') return false;
  const [date, other] = typedDates(text);
  if (date === undefined || other !== undefined) return false;
  target.value = date;
  target.dispatchEvent(new Event('input', { bubbles: true }));
  return true;
}
