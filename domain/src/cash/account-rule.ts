/**
 * Whether an obligation can be paid from or to one of our accounts, as `account_fits` in the database: an account of the
 * manager, which no fund owns, can pay any.
 * @param fundIds the funds whose accounts can pay it; null if those of every fund can
 */
export const accountFits = (accountFund: string | null, fundIds: readonly string[] | null): boolean =>
  accountFund === null || fundIds === null || fundIds.includes(accountFund);
