import type { CalendarDate } from '../dates/calendar-date.ts';

/**
 * The state of an asset on a tape. Final states come first: paid off, then charged off; otherwise the days past due
 * decide. Unknown days have their own bucket, and are never zero.
 */
export const DELINQUENCY_BUCKETS = [
  'current',
  '1-29',
  '30-59',
  '60-89',
  '90-119',
  '120+',
  'chargedOff',
  'paidOff',
  'unknown',
] as const;

export type DelinquencyBucket = (typeof DELINQUENCY_BUCKETS)[number];

/** The state of an asset on the next tape: a bucket, or no longer listed. */
export const ROLL_OUTCOMES = [...DELINQUENCY_BUCKETS, 'vanished'] as const;

export type RollOutcome = (typeof ROLL_OUTCOMES)[number];

export const ROLL_LABELS: Readonly<Record<RollOutcome, string>> = {
  current: 'Current',
  '1-29': '1–29 days',
  '30-59': '30–59 days',
  '60-89': '60–89 days',
  '90-119': '90–119 days',
  '120+': '120 days and over',
  chargedOff: 'Charged off',
  paidOff: 'Paid off',
  unknown: 'Days past due unknown',
  vanished: 'No longer reported',
};

/** The first day of each bucket after `current`; a fraction of a day does not count as a day. */
export const BUCKET_DAYS: readonly { readonly bucket: DelinquencyBucket; readonly below: number }[] = [
  { bucket: 'current', below: 1 },
  { bucket: '1-29', below: 30 },
  { bucket: '30-59', below: 60 },
  { bucket: '60-89', below: 90 },
  { bucket: '90-119', below: 120 },
];

export const PAID_STATUSES = ['paid', 'prePaid'] as const;

export const CHARGED_OFF_STATUS = 'chargedOff';

/**
 * The filter, in the language of lists, that only assets of the bucket pass. `holds` returns whether the tape has a
 * field.
 */
export function bucketFilter(
  bucket: DelinquencyBucket,
  cutOffDate: CalendarDate,
  holds: (path: string) => boolean,
): Record<string, unknown> {
  const paid = { assetStatus: { in: [...PAID_STATUSES] } };
  const status = { assetStatus: CHARGED_OFF_STATUS };
  const dated = { 'dates.chargeOffDate': { lte: cutOffDate } };
  const hasStatus = holds('assetStatus');
  const hasDate = holds('dates.chargeOffDate');
  if (bucket === 'paidOff') return paid;
  // A missing status or date is unknown to a filter, so each "not" explicitly accepts missing values.
  const notIn = (statuses: readonly string[]) => ({
    $or: [{ assetStatus: { exists: false } }, { assetStatus: { nin: [...statuses] } }],
  });
  const notDated = {
    $or: [{ 'dates.chargeOffDate': { exists: false } }, { 'dates.chargeOffDate': { gt: cutOffDate } }],
  };
  if (bucket === 'chargedOff') {
    if (!hasDate) return status;
    return hasStatus ? { $or: [status, { $and: [dated, notIn(PAID_STATUSES)] }] } : dated;
  }
  const open = [...(hasStatus ? [notIn([...PAID_STATUSES, CHARGED_OFF_STATUS])] : []), ...(hasDate ? [notDated] : [])];
  const all = [{ daysPastDue: daysOf(bucket) }, ...open];
  return all.length === 1 ? { daysPastDue: daysOf(bucket) } : { $and: all };
}

function daysOf(bucket: DelinquencyBucket): Record<string, unknown> {
  if (bucket === 'unknown') return { exists: false };
  const index = BUCKET_DAYS.findIndex((one) => one.bucket === bucket);
  const from = index < 0 ? BUCKET_DAYS[BUCKET_DAYS.length - 1]?.below : BUCKET_DAYS[index - 1]?.below;
  const below = BUCKET_DAYS[index]?.below;
  return { ...(from === undefined ? {} : { gte: from }), ...(below === undefined ? {} : { lt: below }) };
}
