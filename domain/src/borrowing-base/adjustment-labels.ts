/** Apart from the schemas, which pages without a form do not load. */
export const ADJUSTMENT_STATUS_LABELS = {
  Requested: 'Pending',
  Approved: 'Approved',
  Declined: 'Declined',
  Withdrawn: 'Withdrawn',
} as const;

/** Adjustments of one certificate, decided or not. */
export const MAX_ADJUSTMENTS = 50;
