import { valuesOf } from '../documents/labels.ts';

/** What one person asks for and another decides: adjustments of certificates, and waivers of covenants. */
export const REQUEST_STATUS_LABELS = {
  Requested: 'Pending',
  Approved: 'Approved',
  Declined: 'Declined',
  Withdrawn: 'Withdrawn',
} as const;
export const REQUEST_STATUSES = valuesOf(REQUEST_STATUS_LABELS);
export type RequestStatus = (typeof REQUEST_STATUSES)[number];
