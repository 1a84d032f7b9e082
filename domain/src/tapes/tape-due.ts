import {
  addDays,
  type CalendarDate,
  daysBetween,
  fromEpochDay,
  monthEndOf,
  toEpochDay,
} from '../dates/calendar-date.ts';

/**
 * Facilities of this type report monthly: asset-backed lenders test the borrowing base at each month end. No field of a
 * note or contract states another frequency.
 */
export const REPORTING_TYPE = 'Asset Backed Lending';

/**
 * Days after the cut-off date until a tape is due. Borrowers close their books in the first half of the next month, and
 * credit agreements usually ask for the borrowing base certificate by the 15th.
 */
export const DAYS_TO_DELIVER = 15;

/**
 * The cut-off date of the next tape: the first month end after the latest published tape. A contract that begins later
 * needs no tape before it begins.
 */
export function nextCutOffDate(facility: {
  /** Of the latest published tape; null if there is none. */
  latestTape: CalendarDate | null;
  /** When the first contract in force begins. */
  contractsFrom: CalendarDate;
}): CalendarDate {
  const { latestTape, contractsFrom } = facility;
  const afterLatest = latestTape === null ? Number.NEGATIVE_INFINITY : toEpochDay(latestTape) + 1;
  return monthEndOf(fromEpochDay(Math.max(afterLatest, toEpochDay(contractsFrom))));
}

export const dueDateOf = (cutOffDate: CalendarDate): CalendarDate => addDays(cutOffDate, DAYS_TO_DELIVER);

/** `Upcoming` until the cut-off date has passed, then `Due`, and `Late` from the day after the due date. */
export type TapeDueState = 'Upcoming' | 'Due' | 'Late';

export function tapeDueState(cutOffDate: CalendarDate, today: CalendarDate): TapeDueState {
  if (today > dueDateOf(cutOffDate)) return 'Late';
  return today > cutOffDate ? 'Due' : 'Upcoming';
}

/** Days until the due date; negative if it has passed. */
export const daysLeftOf = (cutOffDate: CalendarDate, today: CalendarDate): number =>
  daysBetween(today, dueDateOf(cutOffDate));
