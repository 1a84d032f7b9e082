/** Entries of a currency on one page. The files have all of them. */
export const ENTRIES_PER_PAGE = 25;

/** The page of a currency's entries, in the address. */
export const entriesPage = (currency: string): string => `skip${currency}`;
