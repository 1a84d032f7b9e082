import { addBusinessDays, addDays, type CalendarDate } from '../dates/calendar-day.ts';
import type { CovenantTerms } from './covenant.schema.ts';
import type { CovenantOutcome, CovenantState } from './covenant-labels.ts';
import { latestTestDate } from './test-dates.ts';

/** What decides how a test stands: its latest result, and what was done about it. */
export interface LatestResult {
  readonly testDate: CalendarDate;
  readonly outcome: CovenantOutcome | 'notApplicable';
  /** The last day to cure a breach. */
  readonly cureUntil: CalendarDate | null;
  /** The day on which a breach was recorded as cured. */
  readonly curedOn: CalendarDate | null;
  /** The last day of an approved waiver of it. */
  readonly waivedUntil: CalendarDate | null;
}

type Timed = Pick<CovenantTerms, 'firstTest' | 'frequency' | 'daysToReport'>;

/** The last day to cure a breach that was found on a day. */
export const cureUntilOf = (foundOn: CalendarDate, cureDays: number): CalendarDate | null =>
  cureDays === 0 ? null : addBusinessDays(foundOn, cureDays);

/** The last day on which the figures of a test are expected. */
export const reportedBy = (date: CalendarDate, { daysToReport }: Pick<Timed, 'daysToReport'>): CalendarDate =>
  addDays(date, daysToReport);

/** The last test date whose figures should be there; null before the first. */
export const expectedTest = (terms: Timed, today: CalendarDate): CalendarDate | null =>
  latestTestDate(terms, addDays(today, -terms.daysToReport - 1));

/**
 * How a test stands. A breach stays until it is cured, waived, or followed by a test that is met, also while a later test
 * is unknown.
 */
export function covenantState(terms: Timed, latest: LatestResult | null, today: CalendarDate): CovenantState {
  const expected = expectedTest(terms, today);
  if (latest?.outcome === 'breached' && latest.curedOn === null) {
    return latest.waivedUntil !== null && latest.waivedUntil >= today ? 'waived' : 'breached';
  }
  if (expected !== null && (latest === null || latest.testDate < expected)) return 'unknown';
  if (latest === null) return 'notTested';
  return latest.outcome === 'breached' ? 'cured' : latest.outcome;
}
