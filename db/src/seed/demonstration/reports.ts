import { CREDIT_FUND } from './funds.ts';
import { quarterEnds } from './quarter-ends.ts';

/** Quarters with a report to the investors. */
const QUARTERS = 4;

/** The fund of the demonstration that reports every quarter, and the days it reports at, oldest first. */
export const demonstrationReports = (today = new Date().toISOString().slice(0, 10)) => ({
  fund: CREDIT_FUND,
  quarters: quarterEnds(today, QUARTERS),
});
