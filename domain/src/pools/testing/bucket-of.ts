import type { CalendarDate } from '../../dates/calendar-date.ts';
import { BUCKET_DAYS, CHARGED_OFF_STATUS, type DelinquencyBucket, PAID_STATUSES } from '../delinquency.ts';

/** The facts of an asset that determine its bucket. */
export interface DelinquencyFacts {
  readonly assetStatus: string | null;
  readonly daysPastDue: number | null;
  readonly chargeOffDate: CalendarDate | null;
}

const isPaid = (status: string | null): boolean => (PAID_STATUSES as readonly (string | null)[]).includes(status);

/** @param cutOffDate of the tape: a charge-off after it has not happened yet */
export function bucketOf(facts: DelinquencyFacts, cutOffDate: CalendarDate): DelinquencyBucket {
  if (isPaid(facts.assetStatus)) return 'paidOff';
  if (facts.assetStatus === CHARGED_OFF_STATUS) return 'chargedOff';
  if (facts.chargeOffDate !== null && facts.chargeOffDate <= cutOffDate) return 'chargedOff';
  const days = facts.daysPastDue;
  if (days === null || !Number.isFinite(days)) return 'unknown';
  return BUCKET_DAYS.find(({ below }) => days < below)?.bucket ?? '120+';
}
