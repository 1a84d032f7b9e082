import type { CalendarDate } from '../../dates/calendar-date.ts';
import { DEFAULTED_STATUSES, type LoanFate } from '../loan-fate.ts';

/** The facts of an asset that determine its fate. */
export interface FateFacts {
  readonly assetStatus: string | null;
  readonly defaultDate: CalendarDate | null;
  readonly chargeOffDate: CalendarDate | null;
  readonly lastPaymentDate: CalendarDate | null;
  readonly maturityDate: CalendarDate | null;
}

const monthOf = (date: CalendarDate): string => date.slice(0, 7);

/**
 * A loan's fate by the tape's cut-off date, with its date if the tape has one; null while it is open. A loan that ever
 * defaulted has defaulted, even if it was paid later. A loan paid in a month before its maturity's was prepaid.
 */
export function fateOf(
  facts: FateFacts,
  cutOffDate: CalendarDate,
): { fate: LoanFate; date: CalendarDate | null } | null {
  const { assetStatus: status, lastPaymentDate, maturityDate } = facts;
  const came = [facts.defaultDate, facts.chargeOffDate].filter(
    (date): date is CalendarDate => date !== null && date <= cutOffDate,
  );
  if (came.length > 0 || (status !== null && DEFAULTED_STATUSES.includes(status))) {
    return { fate: 'default', date: came.sort()[0] ?? null };
  }
  if (status !== 'paid' && status !== 'prePaid') return null;
  const date = lastPaymentDate !== null && lastPaymentDate <= cutOffDate ? lastPaymentDate : null;
  const early = maturityDate !== null && monthOf(date ?? cutOffDate) < monthOf(maturityDate);
  return { fate: status === 'prePaid' || early ? 'prepaid' : 'repaid', date };
}

/** Calendar months from the month of one date to that of another, ignoring the days. */
export function calendarMonths(from: CalendarDate, to: CalendarDate): number {
  return (Number(to.slice(0, 4)) - Number(from.slice(0, 4))) * 12 + Number(to.slice(5, 7)) - Number(from.slice(5, 7));
}
