/** Names by which the data and the tests refer to documents of the demonstration. */
export const DEMONSTRATION_MANAGER = 'Harbour Credit Partners';
export const FIRST_FUND = 'Harbour Private Credit I';
export const CREDIT_FUND = 'Harbour Credit Fund II';
export const EUROPEAN_FUND = 'Harbour European Credit Fund';
export const NORTHWIND_COMPANY = 'Northwind Consumer Loans';
export const ALDER_COMPANY = 'Alder Auto';
/** The facility in pounds: a senior note with two tranches, and a mezzanine note behind it. */
export const SEVERN_FACILITY = 'Severn motor receivables facility';
/** The direct loan, at a floating rate with a floor. */
export const KEYSTONE_LOAN = 'Keystone dental term loan';
/** The user who uploads the tapes: a user of the manager with the permission to write assets. */
export const UPLOADER_EMAIL = 'manager@tapeline.test';
/** A second person of the manager, who confirms what the first one enters. */
export const COLLEAGUE_EMAIL = 'helen.marsh@harbourcredit.test';
/** A user of the manager who requests draws that the manager approves. */
export const ANALYST_EMAIL = 'analyst@tapeline.test';
export const BORROWER_EMAIL = 'borrower@tapeline.test';
/** A user of an investor of the first fund, who reads documents. */
export const INVESTOR_EMAIL = 'investor@tapeline.test';
