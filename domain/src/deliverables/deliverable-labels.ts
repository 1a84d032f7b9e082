import { FREQUENCY_LABELS } from '../dates/reporting-periods.ts';
import { valuesOf } from '../documents/labels.ts';

/** What a borrower delivers. A tape and a certificate are received in the product; the others are files. */
export const DELIVERABLE_KIND_LABELS = {
  tape: 'Loan tape',
  certificate: 'Borrowing base certificate',
  financialStatements: 'Financial statements',
  auditReport: 'Audit report',
  insurance: 'Insurance',
  other: 'Other',
} as const;
export const DELIVERABLE_KINDS = valuesOf(DELIVERABLE_KIND_LABELS);
export type DeliverableKind = (typeof DELIVERABLE_KINDS)[number];

/** Whether it is fulfilled by what is received in the product, and not by a file that is sent for it. */
export const isReceivedHere = (kind: DeliverableKind): boolean => kind === 'tape' || kind === 'certificate';

export const DELIVERABLE_FREQUENCY_LABELS = { ...FREQUENCY_LABELS, once: 'Once' } as const;
export const DELIVERABLE_FREQUENCIES = valuesOf(DELIVERABLE_FREQUENCY_LABELS);
export type DeliverableFrequency = (typeof DELIVERABLE_FREQUENCIES)[number];

/** How the days from the end of a period to the due date are counted. */
export const DAYS_UNIT_LABELS = { calendar: 'Calendar days', business: 'Business days' } as const;
export const DAYS_UNITS = valuesOf(DAYS_UNIT_LABELS);
export type DaysUnit = (typeof DAYS_UNITS)[number];

/** What was done about the item of a period. `Withdrawn`: a waiver that no longer holds. */
export const ITEM_STATUS_LABELS = {
  Received: 'Received',
  Accepted: 'Accepted',
  Returned: 'Returned',
  Waived: 'Waived',
  Withdrawn: 'Waiver withdrawn',
} as const;
export const ITEM_STATUSES = valuesOf(ITEM_STATUS_LABELS);
export type ItemStatus = (typeof ITEM_STATUSES)[number];

/** How the item of a period stands today, the most urgent first. */
export const ITEM_STATE_LABELS = {
  late: 'Late',
  received: 'Received',
  due: 'Due',
  accepted: 'Accepted',
  waived: 'Waived',
} as const;
export const ITEM_STATES = valuesOf(ITEM_STATE_LABELS);
export type ItemState = (typeof ITEM_STATES)[number];

/** Items of one deliverable that are shown: those due until today, and those due later. */
export const MAX_ITEMS_BACK = 24;
export const MAX_ITEMS_AHEAD = 12;
/** Deliverables of one borrower, and times that the item of a period is sent, at most. */
export const MAX_DELIVERABLES = 100;
export const MAX_SENT = 20;
export const MAX_DAYS_AFTER = 365;
