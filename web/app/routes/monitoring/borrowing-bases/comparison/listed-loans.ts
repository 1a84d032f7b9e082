/** Loans on a page of the list behind a cause. */
export const LISTED_LOANS = 12;
