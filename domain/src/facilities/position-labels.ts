/** What screens, exports and documents call the figures of a note's position. Each has one meaning and one name. */

/** Of a certificate: as of its cut-off date, at the rates of its tape. */
export const AVAILABILITY_AT_CUT_OFF = 'Availability at cut-off';
export const BALANCE_AT_CUT_OFF = 'Balance at cut-off';
/** The net borrowing base less reserves. */
export const AVAILABLE_BASE = 'Available base';
/** Less approved draws that are not yet due, at the latest rates. */
export const AVAILABILITY_TODAY = 'Availability today';
/** The same less what is requested and not decided: what a borrower can still request. */
export const AVAILABILITY_AFTER_REQUESTS = 'Availability after requests';
export const APPROVED_NOT_DUE = 'Approved, not yet due';
/** Pending and In Review. */
export const REQUESTED = 'Requested';

/** Why a balance, and what follows from it, is unknown. */
export const NO_BALANCE = 'No draws or repayments recorded for this note yet';
