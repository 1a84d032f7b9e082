/** The forms by which an investor certifies its tax status. */
export const TAX_FORM_LABELS = {
  'W-9': 'W-9',
  'W-8BEN': 'W-8BEN',
  'W-8BEN-E': 'W-8BEN-E',
  'W-8IMY': 'W-8IMY',
  'W-8EXP': 'W-8EXP',
  'W-8ECI': 'W-8ECI',
  CRS: 'CRS self-certification',
  FATCA: 'FATCA self-certification',
  RESIDENCE: 'Certificate of residence',
  OTHER: 'Other form',
} as const;

/** Whether distributions may be paid to an account. */
export const PAYOUT_STATE_LABELS = {
  waiting: 'Waits for a second person',
  confirmed: 'Confirmed',
} as const;

/** What became of the request of an investor or a borrower to be paid to another account. */
export const ACCOUNT_REQUEST_STATUS_LABELS = {
  Requested: 'Pending',
  Accepted: 'Accepted',
  Declined: 'Declined',
  Withdrawn: 'Withdrawn',
} as const;

/** Days before the end of a tax form or a KYC check from which it is shown on Home. */
export const DAYS_BEFORE_EXPIRY = 60;
