/** Why a balance, and what follows from it, is unknown. */
export const NO_BALANCE = 'No draws or repayments recorded for this note yet';
