/** An email about a distribution that is older than this would only confuse, in days. */
export const RECENT_DISTRIBUTION_DAYS = 45;
/** The same for statements and reports, which follow their date by months. */
export const RECENT_STATEMENT_DAYS = 200;
